/**
 * For how many threads MInv holds, and the run that breaks it with one more.
 *
 * Growth is too early when the new header passes its threshold before the old one is empty. Who can fill it? Entries that are moved come M at a time,
 * each with one entry of the mover; and *freebies*, threads that were ready to add when the header grew, add without moving anything.
 *
 *     a threads add beyond the first threshold t1 before one of them grows the header:    E = t1 + a entries to move, a <= size - t1
 *     the other P - a are freebies
 *     j movers leave something behind as long as j M < E
 *     so the new header can have   j (M + 1) + (P - a)   entries while the old one is not assimilated
 *
 * MInv breaks as soon as that exceeds the second threshold for some a. Later growths are harmless if the first is: sizes double, threads do not.
 * For no tax is every P safe: with P > t2 + 1 the freebies alone suffice. More threads than break it break it too: the others just stay where they are.
 */
import { type LfhtParameters, thresholdOf } from './lfht.js';

/** The most entries in the new header while the old one is not assimilated, and how many threads add before the growth for it. */
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

/** The largest number of threads for which MInv holds; 0 if it fails for one already. */
export function largestThreads(parameters: LfhtParameters): number {
  const limit = thresholdOf(parameters, 2 * parameters.firstSize);
  let threads = 0;
  while (worstCase(parameters, threads + 1).entries <= limit) threads++;
  return threads;
}

/** The commands of a run that ends with a growth too early; undefined if there is none. */
export function breakingRun(parameters: LfhtParameters, threads: number): readonly string[] | undefined {
  const { firstSize, tables } = parameters;
  const limit = thresholdOf(parameters, 2 * firstSize);
  const { entries, adders } = worstCase(parameters, threads);
  if (entries <= limit || tables < 3 || parameters.variant !== 'report') return undefined;
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
  // The new header fills: freebies first, then movers, each with an entry of its own, until one more is too many.
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
