/**
 * An increment by compare-and-swap: it reads the counter and replaces it by one more if it still
 * has the value that was read.
 *
 *     idle ── read ──▶ loaded ── succeed ──▶ done
 *       ▲                │
 *       └───── fail ─────┘
 *
 * The claim: no increment is lost. In the broken variant comparing and swapping are two steps, as
 * in the code `if (*p == old) *p = new`; two threads then pass the comparison together and one
 * increment is lost.
 */
import { enumeration, integer } from '../cells.js';
import { and, count, eq, ne, sum } from '../expression.js';
import { type Model, ModelBuilder, set } from '../model-builder.js';

/** `limit` bounds the values that a thread can have read; threads increment once each. */
export function casModel(limit: number, isBroken: boolean): Model {
  const m = new ModelBuilder(isBroken ? 'cas-broken' : 'cas');
  const value = m.shared('value', integer(0, limit));
  const pc = m.local('pc', enumeration('idle', 'loaded', 'compared', 'done'));
  const seen = m.local('seen', integer(0, limit));
  m.initially(eq(value.value, 0), pc.is('idle'), eq(seen.value, 0));
  m.command('read', pc.is('idle'), set(seen, value.value), set(pc, pc.code('loaded')));
  m.command(
    'fail',
    and(pc.is('loaded'), ne(value.value, seen.value)),
    set(seen, 0),
    set(pc, pc.code('idle')),
  );
  const isUnchanged = and(pc.is('loaded'), eq(value.value, seen.value));
  if (isBroken) {
    m.command('compare', isUnchanged, set(pc, pc.code('compared')));
    m.command(
      'swap',
      pc.is('compared'),
      set(value, sum(seen.value, 1)),
      set(seen, 0),
      set(pc, pc.code('done')),
    );
  } else {
    m.command('succeed', isUnchanged, set(value, sum(seen.value, 1)), set(seen, 0), set(pc, pc.code('done')));
  }
  m.property('no increment is lost', eq(value.value, count(pc.is('done'))), {
    text: 'the counter is the number of threads that have finished',
  });
  return m.build();
}
