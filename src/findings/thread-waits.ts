/** What a thread can wait for, in the order of `enum __rz_waiting` of the C library. */
export const threadWaits = [
  'nothing',
  'mutex',
  'own mutex',
  'condition',
  'read lock',
  'write lock',
  'readers',
  'barrier',
  'semaphore',
  'spin lock',
  'once',
  'thread',
  'time',
  'all threads',
  'pipe',
] as const;

export type ThreadWait = (typeof threadWaits)[number];
