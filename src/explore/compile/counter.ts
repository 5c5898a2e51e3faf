/** Indices of the counters that compiled code (where they are `C`) and the machine share. */
export const Counter = {
  /** Instructions run so far. */
  instructions: 0,
  /** The instruction count at which compiled code must exit. */
  leave: 1,
  /** Calls nested in JavaScript. */
  calls: 2,
  /** 1 while the code is new: see `leaveSoon`. */
  isNew: 3,
  /** The largest value of `leave` in this time slice of the state, and the count at its start. */
  latest: 4,
  runStart: 5,
  /** The limit of calls nested in JavaScript; deeper ones are made by the interpreter. */
  mostCalls: 6,
} as const;
