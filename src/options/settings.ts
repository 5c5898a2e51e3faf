/**
 * `settingsOf` turns the options that a caller passes into the settings of an engine: it fills in
 * the defaults of the table.
 *
 * An engine reads its settings by name and never copies the whole object. This lets a test record
 * which of them are read (`tests/options.test.ts`): an option that no code reads would be accepted
 * and ignored, which is a defect.
 */
import { inputError } from '../findings/diagnostic.js';
import { assert } from '../support/assert.js';
import type { Given, OptionSpec, OptionTable, Settings } from './schema.js';

/** Called for each value that is read. */
export type OnRead = (key: string, value: unknown) => void;

let onRead: OnRead | undefined;

/** For tests: observes all settings that are created until the returned function is called. */
export function watchReads(listener: OnRead): () => void {
  onRead = listener;
  return () => {
    onRead = undefined;
  };
}

/**
 * Requires options for this table; other properties are kept unchanged. Throws InputError for a
 * choice that the table does not have.
 */
export function settingsOf<Table extends OptionTable, Options extends Given<Table>>(
  table: Table,
  options: Options,
): Settings<Table> & Omit<Options, keyof Table> {
  const settings: Record<string, unknown> = { ...options };
  for (const [key, row] of Object.entries(table)) {
    requireChoice(key, row, settings[key]);
    settings[key] ??= row.default;
  }
  for (const [key, row] of Object.entries(table))
    if (isGiven(options, key, row)) requireEffect(table, options, row);
  return watched(settings) as Settings<Table> & Omit<Options, keyof Table>;
}

/**
 * Rejects unknown choices. TypeScript's types exclude them, but callers in JavaScript can pass any
 * value.
 */
function requireChoice(key: string, { choices }: OptionSpec, value: unknown): void {
  if (choices === undefined || value === undefined) return;
  const given: readonly unknown[] = Array.isArray(value) ? value : [value];
  const stranger = given.find(one => !choices.includes(one as string));
  if (stranger !== undefined)
    throw inputError(`option ${key} cannot be '${stranger}'`, `the choices are ${choices.join(', ')}`);
}

function isGiven(options: object, key: string, row: OptionSpec | undefined): boolean {
  const value: unknown = Reflect.get(options, key);
  return value !== undefined && value !== row?.default && (value !== false || row?.negates === true);
}

/** Rejects an option that has no effect beside the others. */
function requireEffect(table: OptionTable, options: object, row: OptionSpec): void {
  const { needs, offWith, needsValue } = row;
  const [flag] = row.flags;
  if (needs !== undefined && needs in table && !isGiven(options, needs, table[needs]))
    throw inputError(`${flag} has no effect without ${table[needs]!.flags[0]}`);
  if (offWith !== undefined && offWith in table && isGiven(options, offWith, table[offWith]))
    throw inputError(`${flag} has no effect with ${table[offWith]!.flags[0]}`);
  if (needsValue === undefined) return;
  const [key, value] = needsValue;
  const chosen: unknown = Reflect.get(options, key) ?? table[key]?.default;
  if (key in table && chosen !== value)
    throw inputError(`${flag} has no effect with ${table[key]!.flags[0]} ${String(chosen)}`);
}

/** Returns the same object, or a proxy that reports which of its values are read. */
export function watched<Values extends object>(values: Values): Values {
  const tell = onRead;
  if (tell === undefined) return values;
  return new Proxy(values, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      if (typeof key === 'string') tell(key, value);
      return value;
    },
    ownKeys() {
      assert(false, 'settings are read one by one: a copy of all of them would look as if all were read');
    },
  });
}
