/**
 * Thrown when tasks cannot be done for now although they are correct: the run stops, reports the
 * reason, and can be resumed.
 */
export class CannotGoOn extends Error {}
