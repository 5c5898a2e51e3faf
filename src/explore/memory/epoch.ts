/**
 * Changes whenever an object that compiled code may have cached is replaced, ends, or gets symbolic
 * bytes, and when another state begins to run: what compiled code remembers is good for one epoch.
 */
export const epoch: { now: number } = { now: 0 };
