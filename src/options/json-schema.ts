/**
 * Generates `docs/options.schema.json`: the options of the library's functions as a JSON schema,
 * with one definition for each command.
 */
import { commands } from './commands.js';
import type { OptionSpec, OptionTable } from './schema.js';

/**
 * The definitions by command, or by command and subcommand: `heap attack`. Files and functions are
 * left out because JSON cannot express them.
 */
export function optionsSchema(): object {
  const tables = Object.entries(commands).flatMap(([name, { options, subcommands = {} }]) => [
    [name, options] as const,
    ...Object.entries(subcommands).map(([sub, spec]) => [`${name} ${sub}`, spec.options] as const),
  ]);
  const used = tables.filter(([, options]) => Object.keys(options).length > 0);
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Options of Redzone, by command',
    definitions: Object.fromEntries(used.map(([name, options]) => [name, schemaOf(options)] as const)),
  };
}

function schemaOf(options: OptionTable): object {
  const properties = Object.entries(options).map(([key, option]) => {
    const { help: description, default: usual } = option;
    return [key, { description, ...typeOf(option), ...(usual !== undefined && { default: usual }) }] as const;
  });
  return { type: 'object', properties: Object.fromEntries(properties), additionalProperties: false };
}

function typeOf({ kind, choices, fields = [], least = 0, json = {}, pattern }: OptionSpec): object {
  const whole = { type: 'integer', minimum: least };
  const text = { type: 'string' };
  switch (kind) {
    case 'flag':
      return { type: 'boolean' };
    case 'number':
    case 'bytes':
      return whole;
    case 'duration':
      return { type: 'number', minimum: least };
    case 'numbers':
      return {
        type: 'object',
        properties: Object.fromEntries(fields.map(field => [field, whole] as const)),
        required: fields,
        additionalProperties: false,
      };
    case 'choice':
      return { enum: choices };
    case 'choices':
      return { type: 'array', items: { enum: choices } };
    case 'list':
      return { type: 'array', items: { ...text, ...(pattern !== undefined && { pattern: `^${pattern}` }) } };
    case 'files':
    case 'variables':
      return { type: 'object', additionalProperties: text };
    case 'parsed':
      return json;
    case 'text':
    case 'file':
    case 'clang':
      return text;
  }
}
