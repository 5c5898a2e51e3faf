/** The numbers that compiled code, which knows them as `C`, and the machine share. */
export const Counter = {
  /** Instructions run so far. */
  instructions: 0,
  /** Where compiled code has to leave. */
  leave: 1,
  /** Calls nested in JavaScript. */
  calls: 2,
  /** 1 while the code is new, see `leaveSoon`. */
  isNew: 3,
  /** The greatest value of `leave` in this run of the state, and where the run has begun. */
  latest: 4,
  runStart: 5,
  /** So many calls may be nested in JavaScript; deeper ones are made by the interpreter. */
  mostCalls: 6,
} as const;
