/**
 * A lock in a word of shared memory: 0 free, 1 held, 2 held with a waiting thread.
 *
 * The compare-and-swap in `acquire` that finds 0 reads what the store in `release` wrote, so
 * everything that the last holder did is visible to the next one. A buffer that is not shared has
 * one user, so there the lock is always free.
 */

export function acquire(words: Int32Array, at: number): void {
  if (Atomics.compareExchange(words, at, 0, 1) === 0) return;
  for (let spins = 0; spins < 100; spins++) if (Atomics.compareExchange(words, at, 0, 1) === 0) return;
  // From here on the word is 2, so the holder of the lock wakes us.
  while (Atomics.exchange(words, at, 2) !== 0) Atomics.wait(words, at, 2);
}

export function release(words: Int32Array, at: number): void {
  if (Atomics.exchange(words, at, 0) === 2) Atomics.notify(words, at, 1);
}
