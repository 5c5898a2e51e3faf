/** An error in a model file, with its location: thrown inside a reader, and returned as data. */
import type { Diagnostic } from '../../findings/diagnostic.js';
import type { System } from '../system.js';

/** 1-based. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

export class Problem extends Error {
  constructor(
    message: string,
    readonly at: Position,
    readonly help?: string,
  ) {
    super(message);
  }
}

export type ReadResult =
  | { readonly kind: 'systems'; readonly systems: readonly System[] }
  | { readonly kind: 'invalid'; readonly diagnostic: Diagnostic };

/** Runs a reader; whatever is wrong with the text comes back as a diagnostic. */
export function reading(file: string, read: () => readonly System[]): ReadResult {
  try {
    return { kind: 'systems', systems: read() };
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem;
    const { message, at, help } = problem;
    const location = { file, line: at.line, column: at.column };
    return {
      kind: 'invalid',
      diagnostic: { severity: 'error', message, location, ...(help !== undefined && { help }) },
    };
  }
}
