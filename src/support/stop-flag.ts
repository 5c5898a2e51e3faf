/**
 * A flag that another thread raises to stop this one. Work that does not return to the event loop
 * for long, such as a query, looks at it; all other work is stopped by an AbortSignal.
 */
let flag: Int32Array | undefined;

/** The flag of this thread. It is raised when the first word is not zero. */
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
