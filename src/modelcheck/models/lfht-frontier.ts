/**
 * For how many threads MInv holds, and the run that violates it with one more.
 *
 * Growth is too early when the new header passes its threshold before the old one is empty. Two
 * kinds of entries fill it: entries that are moved come M at a time, each with one entry of the
 * mover; and *freebies*, threads that were ready to add when the header grew, add without moving.
 *
 *     a threads add beyond the first threshold t1 before one of them grows the header:    E = t1 + a entries to move, a <= size - t1
 *     the other P - a are freebies
 *     j movers leave something behind as long as j M < E
 *     so the new header can have   j (M + 1) + (P - a)   entries while the old one is not assimilated
 *
 * MInv fails as soon as that exceeds the second threshold for some a. Later growths are harmless if
 * the first is: sizes double, threads do not. The exception is a tax of one entry. Then a header
 * doubles while it is emptied, and the number of entries that the last mover carries over the
 * threshold doubles with it, so that even one thread is too late in the end. One thread does the
 * same in every run: `runOfOne` simulates it.
 *
 * No tax makes every P safe: with P > t2 + 1 the freebies alone suffice. If P threads violate MInv,
 * so do more: the additional ones need not move.
 */
import { type LfhtParameters, thresholdOf } from './lfht.js';

/**
 * The most entries in the new header while the old one is not assimilated, and how many threads add
 * before the growth for it.
 */
function worstCase(
  parameters: LfhtParameters,
  threads: number,
): { readonly entries: number; readonly adders: number } {
  const { tax, firstSize } = parameters;
  const first = thresholdOf(parameters, firstSize);
  let worst = { entries: 0, adders: 1 };
  for (let adders = 1; adders <= Math.min(threads, firstSize - first); adders++) {
    const movers = Math.floor((first + adders - 1) / tax);
    const entries = movers * (tax + 1) + threads - adders;
    if (entries > worst.entries) worst = { entries, adders };
  }
  return worst;
}

/**
 * The largest number of threads for which MInv holds; 0 if it fails for one already. With two
 * tables there is no second growth: no number breaks it.
 */
export function largestThreads(parameters: LfhtParameters): number {
  if (parameters.tables < 3) return Number.POSITIVE_INFINITY;
  const limit = thresholdOf(parameters, 2 * parameters.firstSize);
  let threads = 0;
  while (worstCase(parameters, threads + 1).entries <= limit) threads++;
  return runOfOne(parameters).breaks ? 0 : threads;
}

/** The run of a single thread until a growth comes too early or there is no memory left. */
function runOfOne(parameters: LfhtParameters): { readonly run: readonly string[]; readonly breaks: boolean } {
  const run: string[] = [];
  let size = parameters.firstSize;
  let entries = 0;
  let left = 0;
  for (let table = 1; table <= parameters.tables; ) {
    const moved = Math.min(left, parameters.tax);
    left -= moved;
    entries += moved + 1;
    run.push(moved > 0 ? 'migrate' : 'no migrate', 'add');
    if (entries <= thresholdOf(parameters, size)) {
      run.push('no grow');
      continue;
    }
    if (table === parameters.tables) break;
    run.push('grow');
    if (left > 0) return { run, breaks: true };
    table++;
    size *= 2;
    left = entries;
    entries = 0;
  }
  return { run, breaks: false };
}

/** The commands of a run that ends with a growth too early; undefined if there is none. */
export function breakingRun(parameters: LfhtParameters, threads: number): readonly string[] | undefined {
  const { firstSize, tables } = parameters;
  const limit = thresholdOf(parameters, 2 * firstSize);
  const { entries, adders } = worstCase(parameters, threads);
  if (tables < 3 || parameters.variant !== 'report') return undefined;
  if (entries <= limit) {
    const alone = runOfOne(parameters);
    return alone.breaks ? alone.run : undefined;
  }
  const first = thresholdOf(parameters, firstSize);
  const times = (count: number, ...commands: readonly string[]): string[] =>
    Array.from({ length: count }, () => commands).flat();
  const freebies = Math.min(threads - adders, limit + 1);
  const run = [
    ...times(first, 'no migrate', 'add', 'no grow'),
    ...times(adders + freebies, 'no migrate'),
    ...times(adders, 'add'),
    'grow',
    ...times(adders - 1, 'no grow'),
  ];
  // The new header fills: freebies first, then movers, each with one entry, until there is one too
  // many.
  let filled = 0;
  for (let i = 0; i < freebies && filled <= limit; i++) {
    run.push('add', ...(filled < limit ? ['no grow'] : []));
    filled++;
  }
  while (filled <= limit) {
    filled += parameters.tax + 1;
    run.push('migrate', 'add', ...(filled <= limit ? ['no grow'] : []));
  }
  return [...run, 'grow'];
}
