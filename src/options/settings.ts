/**
 * From what a caller gives to what an engine gets: `settingsOf` fills in the defaults of the table.
 *
 * An engine reads its settings by name and copies them nowhere as a whole, so a test can watch
 * which of them are read (`tests/options.test.ts`): an option that no code reads is accepted and
 * ignored, which is a defect.
 */
import { InputError } from '../findings/diagnostic.js';
import { assert } from '../support/assert.js';
import type { Given, OptionSpec, OptionTable, Settings } from './schema.js';

/** Called for each value that is read. */
export type OnRead = (key: string, value: unknown) => void;

let onRead: OnRead | undefined;

/** For tests: watches all settings that are made until the returned function is called. */
export function watchReads(listener: OnRead): () => void {
  onRead = listener;
  return () => {
    onRead = undefined;
  };
}

/**
 * Requires that `options` was made for this table; what is not in the table stays as it is. Throws
 * InputError for a choice that the table does not have.
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
  return watched(settings) as Settings<Table> & Omit<Options, keyof Table>;
}

/** Types hold TypeScript to the choices; JavaScript can give any value, which no engine knows. */
function requireChoice(key: string, { choices }: OptionSpec, value: unknown): void {
  if (choices === undefined || value === undefined) return;
  const given: readonly unknown[] = Array.isArray(value) ? value : [value];
  const stranger = given.find(one => !choices.includes(one as string));
  if (stranger !== undefined)
    throw new InputError({
      severity: 'error',
      message: `option ${key} cannot be '${stranger}'`,
      help: `the choices are ${choices.join(', ')}`,
    });
}

/** The same object, or one that reports which of its values are read. */
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
