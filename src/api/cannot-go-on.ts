/**
 * Why tasks cannot be done now, though nothing is wrong with them: the run stops, says so, and can
 * be resumed.
 */
export class CannotGoOn extends Error {}
