/**
 * A counter that changes whenever an object that compiled code may have cached is replaced, ends,
 * or gets symbolic bytes, and when another state runs: the caches of compiled code are valid for
 * one epoch.
 */
export const epoch: { now: number } = { now: 0 };
