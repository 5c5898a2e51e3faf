/**
 * A flag that another thread sets to stop this one. Code that does not return to the event loop for
 * a long time, such as a query, polls it; all other work is stopped by an AbortSignal.
 */
let flag: Int32Array | undefined;

/** The flag of this thread. It is set when its first word is not zero. */
export function setStopFlag(shared: SharedArrayBuffer): void {
  flag = new Int32Array(shared);
}

export function isStopRaised(): boolean {
  return flag !== undefined && Atomics.load(flag, 0) !== 0;
}

/** `deadline` is on the clock of `performance`. */
export function isTimeUp(deadline: number): boolean {
  return performance.now() >= deadline || isStopRaised();
}
