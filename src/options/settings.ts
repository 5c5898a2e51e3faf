/**
 * From what a caller gives to what an engine gets: `settingsOf` fills in the defaults of the table.
 *
 * An engine reads its settings by name and copies them nowhere as a whole, so a test can watch
 * which of them are read (`tests/options.test.ts`): an option that no code reads is accepted and
 * ignored, which is a defect.
 */
import { assert } from '../support/assert.js';
import type { Given, OptionTable, Settings } from './schema.js';

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

/** Requires that `options` was made for this table; what is not in the table stays as it is. */
export function settingsOf<Table extends OptionTable, Options extends Given<Table>>(
  table: Table,
  options: Options,
): Settings<Table> & Omit<Options, keyof Table> {
  const settings: Record<string, unknown> = { ...options };
  for (const [key, { default: usual }] of Object.entries(table)) settings[key] ??= usual;
  return watched(settings) as Settings<Table> & Omit<Options, keyof Table>;
}

/** The same object, or one that tells which of its values are read. */
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
