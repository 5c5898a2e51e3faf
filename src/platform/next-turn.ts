/** Resolves behind what waits for its turn already: timers, messages. */
export function nextTurn(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve));
}
