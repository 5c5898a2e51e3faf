/**
 * `--ops "add add find"`: the operations of every thread on the table, as text.
 *
 *     add find remove         on the first key; a second `add` on the second key, and so on
 *     add:7 find:7 remove:7   on that key
 *     reopen                  closes the thread's handle and opens another
 *
 * All threads do the same on the same keys, with different values, so that they conflict.
 */
import type { TableOperation } from '../hashtable/index.js';

export type ReadOperations =
  | { readonly kind: 'operations'; readonly threads: readonly (readonly TableOperation[])[] }
  | { readonly kind: 'invalid'; readonly message: string };

const MOST_KEY = 1_000_000;

export function readOperations(text: string, threads: number): ReadOperations {
  const words = text.split(/[\s,]+/).filter(word => word !== '');
  if (words.length === 0) return { kind: 'invalid', message: 'no operations are given' };
  const counts = new Map<string, number>();
  const steps: { readonly kind: string; readonly key: number }[] = [];
  for (const word of words) {
    const match = /^(add|find|remove|reopen)(?::(\d{1,7}))?$/.exec(word);
    if (match === null)
      return {
        kind: 'invalid',
        message: `'${word}' is not an operation: add, find, remove, with :KEY or without, reopen`,
      };
    const kind = match[1]!;
    const nth = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, nth);
    const key = match[2] === undefined ? nth : Number(match[2]);
    if (key > MOST_KEY) return { kind: 'invalid', message: `the key ${key} is too large` };
    steps.push({ kind, key });
  }
  const operation = ({ kind, key }: (typeof steps)[number], thread: number, i: number): TableOperation => {
    if (kind === 'add') return { kind, key, value: 10 * (thread + 1) + i };
    return kind === 'reopen' ? { kind } : { kind: kind as 'find' | 'remove', key };
  };
  return {
    kind: 'operations',
    threads: Array.from({ length: threads }, (_, thread) =>
      steps.map((step, i) => operation(step, thread, i)),
    ),
  };
}
