/**
 * The parts that the SRI report omitted from its model: handles, reference counts, and the atomic
 * steps of which an addition really consists (its appendix C).
 *
 * Tables are numbered in the order of their creation; the list leads from `head` down to the
 * oldest. A thread's handle holds the tables from `hdr` down to `last`: it has counted a reference
 * on each. One operation of a thread, where every phrase is a separate step:
 *
 *     update      head read into hdr; a reference taken on every newer table, one by one; released on every older one, one by one;
 *                 the thread that releases the last one searches for tables to free
 *     migrate     an entry copied, then marked; when nothing is left: old table assimilated; then state EXPANDED, and another search for tables to free
 *     add         head read again, into `work`, without any reference; the entry written there; head compared with hdr
 *     grow        a new head, under the lock
 *
 * The sections that hold the lock are those of the SRI report; such a section is one step. The load
 * of tables is not modelled: a thread may grow whenever the predecessor is assimilated, which is
 * more than the code can do. Every migration has `entries` entries.
 *
 * The claim: no thread accesses a freed table. It depends on something that the SRI report does not
 * state. Adding works on a table to which the thread has no reference. If tables are freed oldest
 * first, the thread's references to older tables protect it. If any table without references may
 * be freed (`any`), it is not protected.
 */
import { array, bool, enumeration, integer } from '../cells.js';
import {
  and,
  type BoolExpr,
  count,
  eq,
  FALSE,
  ge,
  gt,
  type IntExpr,
  implies,
  lt,
  ne,
  not,
  or,
  sub,
  sum,
  TRUE,
} from '../expression.js';
import { type CellAssignment, type Model, ModelBuilder, set } from '../model-builder.js';

export interface HandleParameters {
  readonly tables: number;
  readonly threads: number;
  readonly entries: number;
  /** In which order tables without references are freed. */
  readonly freeing: 'oldest-first' | 'any';
}

export function lfhtHandlesModel({ tables, threads, entries, freeing }: HandleParameters): Model {
  const m = new ModelBuilder(freeing === 'any' ? 'lfht-handles-broken' : 'lfht-handles');
  const table = integer(0, tables);
  const head = m.shared('head', integer(1, tables));
  const isExpanding = m.shared('expanding', bool);
  const refs = m.shared('refs', array(1, tables, integer(0, threads)));
  const assimilated = m.shared('assimilated', array(1, tables, bool));
  const freed = m.shared('freed', array(1, tables, bool));
  const left = m.shared('left', integer(0, entries));
  const copied = m.shared('copied', integer(0, entries));
  const pc = m.local(
    'pc',
    enumeration(
      ...(['closed', 'idle', 'take', 'drop', 'look', 'migrate', 'copy', 'mark', 'finish', 'expand'] as const),
      ...(['add', 'probe', 'added', 'grow'] as const),
    ),
  );
  const hdr = m.local('hdr', table);
  const last = m.local('last', table);
  const from = m.local('from', table);
  const at = m.local('at', table);
  const work = m.local('work', table);
  const all = Array.from({ length: tables }, (_, i) => i + 1);

  m.initially(
    eq(head.value, 1),
    not(isExpanding.value),
    eq(left.value, 0),
    eq(copied.value, 0),
    ...all.flatMap(i => [eq(refs.at(i).value, 0), not(assimilated.at(i).value), not(freed.at(i).value)]),
    pc.is('closed'),
    ...[hdr, last, from, at, work].map(cell => eq(cell.value, 0)),
  );
  const go = (state: Parameters<typeof pc.code>[0]): CellAssignment => set(pc, pc.code(state));
  const isUpToDate = eq(head.value, hdr.value);
  const previous = (cell: { readonly value: IntExpr }): IntExpr => sub(cell.value, 1);
  /** Frees what may be freed, given which tables are unreferenced. */
  const free = (): CellAssignment[] => {
    let olderAreFreed: BoolExpr = TRUE;
    return all.slice(0, -1).map(i => {
      const may = and(gt(head.value, i), assimilated.at(i).value, eq(refs.at(i).value, 0));
      const isFreed = or(freed.at(i).value, and(may, freeing === 'any' ? TRUE : olderAreFreed));
      olderAreFreed = isFreed;
      return set(freed.at(i), isFreed);
    });
  };

  const isPreviousNeeded = and(gt(head.value, 1), not(assimilated.at(previous(head)).value));
  const opened = [
    set(hdr, head.value),
    set(refs.at(head.value), sum(refs.at(head.value).value, 1)),
    go('idle'),
  ];
  m.command('open', and(pc.is('closed'), not(isPreviousNeeded)), ...opened, set(last, head.value));
  m.command(
    'open while expanding',
    and(pc.is('closed'), isPreviousNeeded),
    ...opened,
    set(refs.at(previous(head)), sum(refs.at(previous(head)).value, 1)),
    set(last, previous(head)),
  );

  m.command('is up to date', and(pc.is('idle'), isUpToDate), go('migrate'));
  m.command(
    'notice growth',
    and(pc.is('idle'), not(isUpToDate)),
    set(from, hdr.value),
    set(hdr, head.value),
    set(at, head.value),
    go('take'),
  );
  const taken = set(refs.at(at.value), sum(refs.at(at.value).value, 1));
  const isLastToTake = eq(previous(at), from.value);
  const done = [set(from, 0), set(at, 0)];
  m.command('take', and(pc.is('take'), not(isLastToTake)), taken, set(at, previous(at)));
  m.command(
    'take last',
    and(pc.is('take'), isLastToTake, eq(from.value, last.value)),
    taken,
    ...done,
    go('migrate'),
  );
  m.command(
    'take last, drop others',
    and(pc.is('take'), isLastToTake, ne(from.value, last.value)),
    taken,
    set(at, previous(from)),
    go('drop'),
  );
  const dropped = set(refs.at(at.value), sub(refs.at(at.value).value, 1));
  const isLastToDrop = eq(at.value, last.value);
  m.command('drop', and(pc.is('drop'), not(isLastToDrop)), dropped, set(at, previous(at)));
  m.command(
    'drop last',
    and(pc.is('drop'), isLastToDrop, gt(refs.at(at.value).value, 1)),
    dropped,
    set(last, from.value),
    ...done,
    go('migrate'),
  );
  m.command(
    'drop last, to zero',
    and(pc.is('drop'), isLastToDrop, eq(refs.at(at.value).value, 1)),
    dropped,
    set(last, from.value),
    ...done,
    go('look'),
  );
  m.command('free unreferenced', pc.is('look'), ...free(), go('migrate'));

  const mustMigrate = and(isExpanding.value, isUpToDate, ne(head.value, last.value));
  m.command('start over', and(pc.is('migrate'), isExpanding.value, not(isUpToDate)), go('idle'));
  m.command('pay', and(pc.is('migrate'), mustMigrate), go('copy'));
  m.command(
    'owe nothing',
    and(pc.is('migrate'), or(not(isExpanding.value), and(isUpToDate, eq(head.value, last.value)))),
    go('add'),
  );
  m.command(
    'copy entry',
    and(pc.is('copy'), isUpToDate, gt(left.value, 0)),
    set(left, sub(left.value, 1)),
    set(copied, sum(copied.value, 1)),
    go('mark'),
  );
  m.command('copy again', and(pc.is('copy'), isUpToDate, eq(left.value, 0), gt(copied.value, 0)), go('mark'));
  const isEmptied = or(not(isUpToDate), and(eq(left.value, 0), eq(copied.value, 0)));
  m.command('find nothing', and(pc.is('copy'), isEmptied), go('finish'));
  m.command(
    'mark entry',
    and(pc.is('mark'), isUpToDate, gt(copied.value, 0)),
    set(copied, sub(copied.value, 1)),
    go('add'),
  );
  m.command('marked already', and(pc.is('mark'), or(not(isUpToDate), eq(copied.value, 0))), go('add'));
  const emptied = assimilated.at(previous(hdr));
  m.command('assimilate', and(pc.is('finish'), not(emptied.value)), set(emptied, TRUE), go('expand'));
  m.command('assimilated already', and(pc.is('finish'), emptied.value), go('add'));
  m.command(
    'expand',
    and(pc.is('expand'), isExpanding.value, isUpToDate),
    set(isExpanding, FALSE),
    ...free(),
    go('add'),
  );
  m.command('expanded already', and(pc.is('expand'), not(and(isExpanding.value, isUpToDate))), go('add'));

  m.command('read head', pc.is('add'), set(work, head.value), go('probe'));
  m.command('write entry', pc.is('probe'), go('added'));
  m.command('added to the current table', and(pc.is('added'), isUpToDate), set(work, 0), go('grow'));
  m.command('added to an old table', and(pc.is('added'), not(isUpToDate)), set(work, 0), go('idle'));
  m.command('do not grow', pc.is('grow'), go('idle'));
  m.command(
    'grow',
    and(pc.is('grow'), isUpToDate, not(isExpanding.value), lt(head.value, tables)),
    set(head, sum(head.value, 1)),
    set(isExpanding, TRUE),
    set(left, entries),
    go('idle'),
  );

  const someThread = (condition: BoolExpr): BoolExpr => ge(count(condition), 1);
  const touches = (i: number): BoolExpr =>
    or(
      and(pc.is('probe'), eq(work.value, i)),
      and(pc.is('take', 'drop'), eq(at.value, i)),
      and(pc.is('copy', 'mark', 'finish'), or(eq(hdr.value, i), eq(previous(hdr), i))),
    );
  m.property(
    'nothing freed is touched',
    and(...all.map(i => implies(freed.at(i).value, not(someThread(touches(i)))))),
    {
      text: 'no step of any thread reads or writes a table that was freed',
    },
  );
  const holds = (i: number): BoolExpr =>
    and(
      pc.is('idle', 'migrate', 'add', 'probe', 'added', 'grow'),
      ge(hdr.value, i),
      gt(i + 1, last.value),
      gt(last.value, 0),
    );
  m.property('handles hold', and(...all.map(i => implies(freed.at(i).value, not(someThread(holds(i)))))), {
    text: 'no table between hdr and last of a handle is freed',
  });
  m.property(
    'only assimilated tables are given up',
    and(...all.map(i => or(assimilated.at(i).value, not(someThread(and(pc.is('drop'), eq(at.value, i))))))),
    { text: 'the assertion in update_handle holds' },
  );
  m.property(
    'one migration',
    implies(isExpanding.value, and(...all.map(i => or(assimilated.at(i).value, ge(i + 1, head.value))))),
    {
      text: 'during a migration all tables before the old one are assimilated',
    },
  );
  return m.build();
}
