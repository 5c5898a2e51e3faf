/**
 * Converts the text after a flag to the value of the option, as the kind of its row prescribes.
 * Throws UsageError if the text is invalid.
 */

import type { OptionSpec } from '../options/schema.js';
import { readFileIfAny, whyUnreadable } from '../platform/files.js';
import { unreachable } from '../support/assert.js';
import { closestTo } from '../support/closest.js';
import { plural } from '../support/plural.js';
import { UsageError } from './usage-error.js';

/** `earlier` is the value of an earlier occurrence of the same option. */
export function readValue(flag: string, option: OptionSpec, text: string, earlier: unknown): unknown {
  const bad = (expected: string): UsageError => new UsageError(`${flag} needs ${expected}, not '${text}'`);
  const { least = 0, choices = [] } = option;
  switch (option.kind) {
    case 'number': {
      if (!isWhole(text)) throw bad('a whole number');
      if (Number(text) < least) throw bad(`at least ${least}`);
      return Number(text);
    }
    case 'numbers':
      return readNumbers(flag, option, text.split(','));
    case 'duration': {
      const value = readQuantity(text, { ms: 1, s: 1000, min: 60_000, h: 3_600_000 }, 's');
      if (value === undefined) throw bad('a time such as 500ms, 10s or 5min');
      return value;
    }
    case 'bytes': {
      const value = readQuantity(text, { b: 1, kb: 2 ** 10, mb: 2 ** 20, gb: 2 ** 30 }, 'b');
      if (value === undefined) throw bad('a size such as 512MB or 2GB');
      if (value < least)
        throw bad(`at least ${least < 2 ** 10 ? plural(least, 'byte') : `${least / 2 ** 10}KB`}`);
      return value;
    }
    case 'choice': {
      if (!choices.includes(text)) throw bad(`one of ${choices.join(', ')}`);
      return text;
    }
    case 'choices':
      return readChoices(flag, option, text, earlier as readonly string[] | undefined);
    case 'list':
      if (option.pattern !== undefined && !new RegExp(`^${option.pattern}`).test(text))
        throw bad(option.value ?? 'something else');
      return [...((earlier as readonly string[] | undefined) ?? []), text];
    case 'variables': {
      const equals = text.indexOf('=');
      if (equals < 1) throw bad('NAME=VALUE');
      return { ...(earlier as object | undefined), [text.slice(0, equals)]: text.slice(equals + 1) };
    }
    case 'file':
      return new TextDecoder().decode(contentsOf(flag, text));
    case 'files':
      return { ...(earlier as object | undefined), [text]: contentsOf(flag, text) };
    case 'parsed': {
      const value = option.read?.(text);
      if (value === undefined) throw bad(option.expected ?? 'something else');
      return value;
    }
    case 'text':
    case 'clang':
    case 'flag':
      return text;
    default:
      return unreachable(option.kind);
  }
}

/** One number for each field of the row. */
export function readNumbers(
  flag: string,
  { fields = [], value = '', help }: OptionSpec,
  texts: readonly string[],
): Record<string, number> {
  if (texts.length !== fields.length || !texts.every(isWhole))
    throw new UsageError(`${flag} needs the numbers ${value}`, `${flag} ${value}: ${help}`);
  return Object.fromEntries(fields.map((field, i) => [field, Number(texts[i])] as const));
}

/**
 * Parses `sri,bibop`; `-leaks` means the default choices without `leaks`, `+aliasing` the default
 * choices and `aliasing`. If the option was given before, these change what was chosen there.
 */
function readChoices(
  flag: string,
  option: OptionSpec,
  text: string,
  earlier: readonly string[] | undefined,
): string[] {
  const { choices = [], excludes = false, usual = choices } = option;
  const chosen = earlier ?? usual;
  const words = text.split(',').map(word => word.trim());
  const isChange = excludes && words.every(word => /^[-+]/.test(word));
  const names = isChange ? words.map(word => word.slice(1)) : words;
  const unknown = names.find(name => !choices.includes(name));
  if (unknown !== undefined) {
    const guess = closestTo(unknown, choices);
    const all = excludes ? `${choices.join(', ')}; -${usual.at(-1)} is all but that` : choices.join(', ');
    throw new UsageError(
      `${flag} ${text}: there is no '${unknown}'`,
      guess === undefined ? `choose from ${all}` : `did you mean ${guess}?`,
    );
  }
  if (!isChange) return [...new Set(names)];
  return choices.filter(choice =>
    words.includes(`+${choice}`) || chosen.includes(choice) ? !words.includes(`-${choice}`) : false,
  );
}

function contentsOf(flag: string, file: string): Uint8Array {
  const bytes = readFileIfAny(file);
  if (bytes === undefined) throw new UsageError(`${flag} ${file}: ${whyUnreadable(file, file)}`);
  return bytes;
}

function isWhole(text: string): boolean {
  return /^\d+$/.test(text) && Number.isSafeInteger(Number(text));
}

function readQuantity(
  text: string,
  units: Readonly<Record<string, number>>,
  usual: string,
): number | undefined {
  const match = /^(\d+(?:\.\d+)?)([a-z]*)$/i.exec(text);
  if (match === null) return undefined;
  const factor = units[(match[2] || usual).toLowerCase()];
  return factor === undefined ? undefined : Math.round(Number(match[1]) * factor);
}
