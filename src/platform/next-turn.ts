/** Resolves after pending timers and messages have been handled. */
export function nextTurn(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve));
}
