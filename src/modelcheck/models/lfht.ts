/**
 * The migration of the lock-free hash table: appendix D of the SRI report, corrected.
 *
 * A table that is too full *grows*: a new header of twice the size becomes the current one, and
 * every thread that adds an entry first moves M entries (the tax) from the old header to the new
 * one. The claim, MInv: by the time the new header is itself too full, the old one has been
 * emptied, so there are never three headers in use.
 *
 *              ┌──────── full ────────┐
 *              ▼                      │
 *     ──▶  init ── migrate, ──▶ ready-to-add ── add ──▶ added ── out of memory ──▶ error
 *              ▲   no migrate                             │
 *              └──────────── grow, no grow ───────────────┘
 *
 * The errors in the text of the SRI report, which its authors' own model does not have: both
 * migrate guards need a negation; migrating lowers `toMigrate`, not `entries`; lemma 22 holds while
 * the old header is *not* assimilated; lemma 28 divides the whole migrated count; T is the
 * threshold in some lemmas and the tax in others; lemma 3 as printed assumes that a header is both
 * full and not.
 */
import { array, bool, enumeration, integer, record } from '../cells.js';
import type { LfhtVariant } from '../engine-names.js';
import {
  and,
  type BoolExpr,
  count,
  div,
  eq,
  ge,
  gt,
  type IntExpr,
  type IntLike,
  iff,
  implies,
  int,
  ite,
  le,
  lt,
  min,
  ne,
  not,
  or,
  scale,
  sub,
  sum,
} from '../expression.js';
import { type Model, ModelBuilder, set } from '../model-builder.js';

export interface LfhtParameters {
  /** How many headers there may be. */
  readonly tables: number;
  /** How many entries a thread moves on each visit. */
  readonly tax: number;
  /** A header is too full above this part of its size. */
  readonly threshold: { readonly numerator: number; readonly denominator: number };
  readonly firstSize: number;
  /**
   * `report`: the protocol as published. `grow-when-assimilated`: a header grows only when its
   * predecessor has been emptied. `reserve`: moreover, an entry is added only where room is left
   * for all that is still to be migrated.
   */
  readonly variant: LfhtVariant;
}

export const REPORT_PARAMETERS: LfhtParameters = {
  tables: 3,
  tax: 8,
  threshold: { numerator: 6, denominator: 10 },
  firstSize: 32,
  variant: 'report',
};

/** Table D.1 of the SRI report: which lemmas each proof used there. */
export const REPORT_DEPENDENCIES: Readonly<Record<string, readonly number[]>> = {
  L2: [1],
  L6: [5],
  L7: [5],
  L8: [5],
  L9: [8],
  L10: [6],
  L11: [1, 6, 8],
  L12: [8, 10],
  L14: [13],
  L15: [13],
  L19: [18],
  L27: [1, 2, 3, 4, 5, 7, 8, 9, 10, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26],
  L28: [8, 11, 14, 15, 18, 19, 20, 22, 23],
  MInv: [5, 13, 15, 19, 20, 21, 22, 23, 26, 27, 28],
};

/** `threads` is P where a formula names it: a number, or the variable of an unknown number. */
export function lfhtModel(parameters: LfhtParameters, threads: IntLike): Model {
  const { tables, tax, firstSize, variant } = parameters;
  const m = new ModelBuilder('lfht');
  const header = record({ entries: integer(0), toMigrate: integer(0), assimilated: bool });
  const ht = m.shared('ht', array(1, tables, header));
  const old = m.shared('old', integer(1, tables));
  const current = m.shared('new', integer(1, tables));
  const size = m.shared('size', integer());
  const pending = m.shared('pending', integer());
  const freebies = m.shared('freebies', integer());
  const movers = m.shared('movers', integer());
  const added = m.shared('added', integer());
  const migrated = m.shared('migrated', integer());
  const pc = m.local('pc', enumeration('init', 'ready-to-add', 'added', 'error'));

  const oldHeader = ht.at(old.value);
  const newHeader = ht.at(current.value);
  const isGrown = lt(old.value, current.value);
  const all = Array.from({ length: tables }, (_, i) => i + 1);

  m.initially(
    ...all.flatMap(i => [
      eq(ht.at(i).entries.value, 0),
      eq(ht.at(i).toMigrate.value, 0),
      not(ht.at(i).assimilated.value),
    ]),
    eq(old.value, 1),
    eq(current.value, 1),
    eq(size.value, firstSize),
    ...[pending, freebies, movers, added, migrated].map(counter => eq(counter.value, 0)),
    pc.is('init'),
  );

  const mustMigrate = and(isGrown, not(oldHeader.assimilated.value));
  const moved = min(oldHeader.toMigrate.value, tax);
  m.command(
    'migrate',
    and(pc.is('init'), mustMigrate),
    set(newHeader.entries, sum(newHeader.entries.value, moved)),
    set(oldHeader.toMigrate, sub(oldHeader.toMigrate.value, moved)),
    set(oldHeader.assimilated, le(oldHeader.toMigrate.value, tax)),
    set(pending, sum(pending.value, 1)),
    set(movers, sum(movers.value, 1)),
    set(migrated, sum(migrated.value, moved)),
    set(pc, pc.code('ready-to-add')),
  );
  m.command(
    'no migrate',
    and(pc.is('init'), not(mustMigrate)),
    set(pending, sum(pending.value, 1)),
    set(pc, pc.code('ready-to-add')),
  );

  const reserved = variant === 'reserve' ? ite(isGrown, oldHeader.toMigrate.value, 0) : int(0);
  const hasRoom = lt(sum(newHeader.entries.value, reserved), size.value);
  m.command(
    'add',
    and(pc.is('ready-to-add'), hasRoom),
    set(newHeader.entries, sum(newHeader.entries.value, 1)),
    set(pending, sub(pending.value, 1)),
    set(added, sum(added.value, 1)),
    set(pc, pc.code('added')),
  );
  m.command(
    'full',
    and(pc.is('ready-to-add'), not(hasRoom)),
    set(pending, sub(pending.value, 1)),
    set(freebies, sub(freebies.value, 1)),
    set(pc, pc.code('init')),
  );

  const isTooFull = exceeds(parameters, newHeader.entries.value, size.value);
  const mayGrow =
    variant === 'report' ? isTooFull : and(isTooFull, or(not(isGrown), oldHeader.assimilated.value));
  const next = ht.at(sum(current.value, 1));
  m.command(
    'grow',
    and(pc.is('added'), mayGrow, lt(current.value, tables)),
    set(size, scale(2, size.value)),
    set(old, current.value),
    set(current, sum(current.value, 1)),
    set(next.entries, 0),
    set(next.toMigrate, 0),
    set(next.assimilated, { kind: 'bool', value: false }),
    set(newHeader.toMigrate, newHeader.entries.value),
    set(freebies, pending.value),
    set(movers, 0),
    set(migrated, 0),
    set(added, 0),
    set(pc, pc.code('init')),
  );
  m.command('no grow', and(pc.is('added'), not(mayGrow)), set(pc, pc.code('init')));
  m.command(
    'out of memory',
    and(pc.is('added'), mayGrow, ge(current.value, tables)),
    set(pc, pc.code('error')),
  );

  const forAll = (formula: (i: number) => BoolExpr): BoolExpr => and(...all.map(formula));
  const sizeOf = (i: number): number => firstSize * 2 ** (i - 1);
  const entriesOf = (i: number): IntExpr => ht.at(i).entries.value;
  const isEmpty = (i: number): BoolExpr =>
    and(eq(entriesOf(i), 0), eq(ht.at(i).toMigrate.value, 0), not(ht.at(i).assimilated.value));
  const isFull = (i: number): BoolExpr => reaches(parameters, entriesOf(i), sizeOf(i));
  /** A formula about the header that `index` names. */
  const atIndex = (index: IntExpr, formula: (i: number) => BoolExpr): BoolExpr =>
    or(...all.map(i => and(eq(index, i), formula(i))));
  const limitOf = (i: number): number => thresholdOf(parameters, sizeOf(i));
  // The last mover may carry a new header over its threshold: by how much follows from what the old
  // one and the freebies can have together, and from how many movers it takes to empty the old one.
  // The first has no more entries than slots.
  const slacks = [0];
  for (let i = 1; i < tables; i++) {
    const most = limitOf(i) + slacks[i - 1]! + mostThreads(threads);
    const mostMovers = Math.floor(((i === 1 ? Math.min(most, firstSize) : most) - 1) / tax);
    slacks.push(Math.max(0, most + mostMovers - limitOf(i + 1)));
  }
  // While no header can be full, nothing lowers the number of freebies, and everything has bounds.
  const hasBounds =
    variant === 'report' &&
    !isUnbounded(threads) &&
    all.every(i => limitOf(i) + slacks[i - 1]! + mostThreads(threads) <= sizeOf(i));
  const restingOn = (name: string): string[] =>
    (OWN_DEPENDENCIES[name] ?? REPORT_DEPENDENCIES[name] ?? [])
      .filter(number => number !== 31 || hasBounds)
      .map(number => `L${number}`);
  const leftOld = oldHeader.toMigrate.value;
  const movedOut = sub(oldHeader.entries.value, leftOld);
  const lemma = (
    number: number,
    text: string,
    formula: BoolExpr,
    more: { inductionSteps?: number } = {},
  ): void => m.lemma(`L${number}`, formula, { text, restsOn: restingOn(`L${number}`), ...more });

  lemma(
    1,
    'how old and new relate',
    or(and(eq(current.value, 1), eq(old.value, 1)), eq(current.value, sum(old.value, 1))),
  );
  lemma(
    2,
    'headers after the new one are empty',
    forAll(i => implies(lt(current.value, i), isEmpty(i))),
  );
  lemma(
    3,
    'behind a header that is not full, all are empty',
    and(...all.slice(0, -1).map(i => implies(not(isFull(i)), and(...all.filter(j => j > i).map(isEmpty))))),
  );
  lemma(
    4,
    'no more to migrate than there are entries',
    forAll(i => le(ht.at(i).toMigrate.value, entriesOf(i))),
  );
  lemma(
    5,
    'the size of the new header',
    atIndex(current.value, i => eq(size.value, sizeOf(i))),
  );
  lemma(6, 'the new header is not assimilated', not(newHeader.assimilated.value));
  lemma(7, 'the new header has nothing to migrate', eq(newHeader.toMigrate.value, 0));
  lemma(8, 'the old header is full', implies(ne(old.value, current.value), atIndex(old.value, isFull)));
  lemma(
    9,
    'what is not full is not assimilated',
    forAll(i => implies(not(isFull(i)), not(ht.at(i).assimilated.value))),
  );
  lemma(
    10,
    'an assimilated header has nothing to migrate',
    forAll(i => implies(ht.at(i).assimilated.value, eq(ht.at(i).toMigrate.value, 0))),
  );
  lemma(
    11,
    'up to the old header, assimilated means nothing left',
    forAll(i => {
      const isDone = eq(ht.at(i).toMigrate.value, 0);
      const { assimilated } = ht.at(i);
      return implies(
        and(ge(old.value, i), isGrown),
        and(
          implies(isFull(i), iff(isDone, assimilated.value)),
          or(isFull(i), not(and(isDone, assimilated.value))),
        ),
      );
    }),
  );
  lemma(
    12,
    'just after growing, some thread is at the start',
    implies(
      and(ne(old.value, current.value), eq(movedOut, 0), eq(newHeader.entries.value, 0)),
      ge(count(pc.is('init')), 1),
    ),
  );
  lemma(
    13,
    'pending counts the threads that are ready to add',
    eq(pending.value, count(pc.is('ready-to-add'))),
  );
  lemma(14, 'pending is not negative', ge(pending.value, 0));
  lemma(15, 'freebies are fewer than threads', lt(freebies.value, threads));
  lemma(16, 'no movers before the first growth', implies(eq(old.value, current.value), eq(movers.value, 0)));
  lemma(17, 'movers is not negative', ge(movers.value, 0));
  lemma(18, 'what was migrated is what is missing', implies(isGrown, eq(migrated.value, movedOut)));
  lemma(19, 'no more migrated than there was', implies(isGrown, le(migrated.value, oldHeader.entries.value)));
  lemma(
    20,
    'until the last, every mover moves the whole tax',
    implies(and(isGrown, gt(leftOld, 0)), eq(migrated.value, scale(tax, movers.value))),
  );
  lemma(21, 'added is not negative', ge(added.value, 0));
  lemma(
    22,
    'during migration, who adds has moved or is a freebie',
    implies(
      and(isGrown, not(oldHeader.assimilated.value)),
      eq(sum(added.value, pending.value), sum(movers.value, freebies.value)),
    ),
  );
  const broughtBy = sum(scale(tax, movers.value), added.value);
  lemma(
    23,
    'the new header has at most what was moved and added',
    implies(isGrown, le(newHeader.entries.value, broughtBy)),
  );
  lemma(
    24,
    'and exactly that while much is left',
    implies(and(isGrown, ge(leftOld, tax)), eq(newHeader.entries.value, broughtBy)),
  );
  lemma(
    25,
    'the new header has what is missing in the old, and what was added',
    implies(isGrown, eq(newHeader.entries.value, sum(movedOut, added.value))),
  );
  lemma(
    26,
    'out of memory only at the last header',
    implies(ge(count(pc.is('error')), 1), eq(current.value, tables)),
  );
  lemma(
    27,
    'no header but the last exceeds its threshold by more than the threads',
    and(...all.slice(0, -1).map(i => isAtMost(parameters, entriesOf(i), sizeOf(i), threads))),
    { inductionSteps: 2 * (isUnbounded(threads) ? Number.POSITIVE_INFINITY : mostThreads(threads)) + 1 },
  );
  lemma(
    28,
    'during migration the new header lags behind',
    implies(
      and(isGrown, not(oldHeader.assimilated.value)),
      le(newHeader.entries.value, sum(movedOut, div(movedOut, tax), threads, -1, pending.value)),
    ),
  );
  if (variant === 'report') ownLemmas();
  const isAssimilatedBefore = forAll(i => implies(lt(i, old.value), ht.at(i).assimilated.value));
  m.property('MInv', isAssimilatedBefore, {
    text: 'every header before the old one is assimilated',
    restsOn: variant === 'report' ? restingOn('MInv') : ['L1'],
  });
  if (variant !== 'report') {
    const waiting = ite(isGrown, leftOld, 0);
    if (variant === 'reserve')
      m.lemma('L32', le(sum(newHeader.entries.value, waiting), size.value), {
        text: 'there is room for all that is still to be migrated',
        restsOn: ['L1', 'L4', 'L5', 'L7'],
      });
    m.property('Room', le(newHeader.entries.value, size.value), {
      text: 'no header has more entries than slots',
      restsOn: variant === 'reserve' ? ['L32'] : ['L1', 'L4', 'L5', 'L7'],
    });
  }

  /**
   * Additional lemmas: with them every proof is by plain induction, for every number of threads
   * that MInv allows at once.
   */
  function ownLemmas(): void {
    const inHands = count(or(pc.is('added'), pc.is('error')));
    m.lemma(
      'L29',
      implies(
        eq(current.value, 1),
        and(le(entriesOf(1), firstSize), le(entriesOf(1), sum(limitOf(1), inHands))),
      ),
      {
        text: 'what exceeds the first threshold was added by threads that have not looked yet',
        restsOn: restingOn('L29'),
      },
    );
    const slack = (i: number): number => slacks[i - 1]!;
    // Each half of L30 needs the other one step earlier.
    const whileMigrating = implies(
      and(isGrown, not(oldHeader.assimilated.value)),
      and(
        ge(freebies.value, 0),
        ...all
          .slice(0, -1)
          .map(i =>
            implies(
              eq(old.value, i),
              and(
                le(sum(entriesOf(i), freebies.value), sum(limitOf(i) + slack(i), threads)),
                ...(i === 1 ? [le(entriesOf(1), firstSize)] : []),
                le(newHeader.entries.value, limitOf(i + 1)),
              ),
            ),
          ),
      ),
    );
    const always = all
      .slice(1)
      .map(i => implies(eq(current.value, i), le(entriesOf(i), sum(limitOf(i) + slack(i), inHands))));
    m.lemma('L30', and(whileMigrating, ...always), {
      text: 'until the old header is assimilated the new one is below its threshold, and then not far above',
      restsOn: restingOn('L30'),
    });
    if (hasBounds)
      m.lemma('L31', and(...bounds()), {
        text: 'how large every number can get',
        restsOn: restingOn('L31'),
      });
  }

  /**
   * A header has at most the entries of its predecessor and those that were added; both bounds are
   * inductive only together with their initial values.
   */
  function bounds(): BoolExpr[] {
    const mostIn = (i: number): number => firstSize * (2 ** i - 1);
    const mostMoved = mostIn(Math.max(1, tables - 1));
    const within = (value: IntExpr, low: number, high: IntLike): BoolExpr[] => [
      ge(value, low),
      le(value, high),
    ];
    return [
      ...all.flatMap(i => [le(entriesOf(i), mostIn(i)), le(ht.at(i).toMigrate.value, mostIn(i))]),
      ...within(size.value, firstSize, sizeOf(tables)),
      ...within(pending.value, 0, threads),
      ...within(freebies.value, 0, threads),
      ...within(movers.value, 0, Math.ceil(mostMoved / tax)),
      ...within(migrated.value, 0, mostMoved),
      ...within(added.value, 0, sizeOf(tables)),
      le(added.value, size.value),
      implies(eq(current.value, 1), and(eq(added.value, entriesOf(1)), eq(migrated.value, 0))),
    ];
  }
  return m.build();
}

/**
 * What our proofs rest on, where it differs from the SRI report: lemma 3 says something once it is
 * corrected, lemma 12 needs that the old header is not after the new one, and MInv rests on L29
 * and L30 instead of lemma 27, which needs an induction over 2P + 1 steps. L31 bounds every
 * variable, so that this induction can be decided on bits.
 */
const OWN_DEPENDENCIES: Readonly<Record<string, readonly number[]>> = {
  L3: [1, 2, 5, 8],
  L12: [1, 8, 10],
  L27: [5, 15, 19, 20, 22, 25, 28, 31],
  L29: [1, 5],
  L30: [1, 5, 8, 11, 13, 14, 18, 20, 22, 25, 26, 29],
  L31: [1, 4, 5, 8, 11, 13, 14, 16, 17, 18, 19, 20, 25, 29, 30],
  MInv: [1, 5, 13, 30],
};

/** entries > threshold * size, in integers. */
function exceeds({ threshold }: LfhtParameters, entries: IntExpr, size: IntExpr): BoolExpr {
  return gt(scale(threshold.denominator, entries), scale(threshold.numerator, size));
}

/** entries >= threshold * size */
function reaches({ threshold }: LfhtParameters, entries: IntExpr, size: number): BoolExpr {
  return ge(scale(threshold.denominator, entries), threshold.numerator * size);
}

/** entries <= threshold * size + extra */
function isAtMost({ threshold }: LfhtParameters, entries: IntExpr, size: number, extra: IntLike): BoolExpr {
  const { numerator, denominator } = threshold;
  return le(scale(denominator, entries), sum(numerator * size, scale(denominator, extra)));
}

/** The most entries that a header of this size may have without being too full. */
export function thresholdOf({ threshold }: LfhtParameters, size: number): number {
  return Math.floor((threshold.numerator * size) / threshold.denominator);
}

function isUnbounded(threads: IntLike): boolean {
  if (typeof threads === 'number' || threads.kind !== 'var') return false;
  const { domain } = threads.variable;
  return domain.kind === 'int' && domain.max === undefined;
}

/** The largest number that P can be; where it has no bound, MInv fails and any number will do. */
function mostThreads(threads: IntLike): number {
  if (typeof threads === 'number') return threads;
  if (threads.kind === 'int') return threads.value;
  return threads.kind === 'var' && threads.variable.domain.kind === 'int'
    ? (threads.variable.domain.max ?? 1)
    : 1;
}
