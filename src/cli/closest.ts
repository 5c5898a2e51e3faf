/** "Did you mean …?": the candidate with the smallest edit distance, if it is small enough to be a slip. */
export function closest(word: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined;
  let bestDistance = Math.max(2, Math.floor(word.length / 3)) + 1;
  for (const candidate of candidates) {
    const distance = editDistance(word, candidate);
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/** Insertions, deletions, replacements, and swaps of neighbours that turn one word into the other. */
export function editDistance(a: string, b: string): number {
  let [beforePrevious, previous]: [number[], number[]] = [
    [],
    Array.from({ length: b.length + 1 }, (_, j) => j),
  ];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = previous[j - 1]! + Number(a[i - 1] !== b[j - 1]);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwap ? beforePrevious[j - 2]! + 1 : Number.POSITIVE_INFINITY;
      row[j] = Math.min(replaced, swapped, previous[j]! + 1, row[j - 1]! + 1);
    }
    [beforePrevious, previous] = [previous, row];
  }
  return previous[b.length]!;
}
