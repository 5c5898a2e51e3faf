/**
 * The details of an exploration, path by path, for views that draw it. They are not part of the
 * JSON document because they are too large; the folder of the exploration has them as files
 * (`forks.dot`, `coverage.info`).
 */
import type { FileCoverage } from './line-coverage.js';

/**
 * The tree of forks, in columns: a node is an index, and comes after its parent.
 *
 *     node        0            1            2           3        …
 *     label       sign.c:5     exit 10      sign.c:7    exit 11     where it forked, or how the path ended
 *     parent      -1           0            0           2
 *     holds       0            0            1           1           the condition at the parent holds here
 *     test        -            1            -           2           of an end: the number of its test, 0 if it has none
 */
export interface ForkColumns {
  readonly parents: readonly number[];
  readonly holds: readonly (0 | 1)[];
  /** 1 where a path has ended. */
  readonly ends: readonly (0 | 1)[];
  readonly tests: readonly number[];
  /** Indices into `texts`. */
  readonly labels: readonly number[];
  readonly texts: readonly string[];
  /** There were more nodes than were kept. */
  readonly isCut: boolean;
}

/** A path that has a test. */
export interface PathInWords {
  /** The number of its test. */
  readonly number: number;
  /** "`n` = 3", in at most one line. */
  readonly inputs: string;
  readonly instructions: number;
  /** Whether the path ended with an error. */
  readonly isError: boolean;
  /** The lines that it has executed; unknown for a path of workers or of an earlier run. */
  readonly lines?: PathLines;
}

/** Lines by file, both in order. Equal lists are one object. */
export type PathLines = readonly (readonly [file: string, lines: readonly number[]])[];

export interface ExplorationDetails {
  readonly forks: ForkColumns;
  readonly paths: readonly PathInWords[];
  readonly coverage: readonly FileCoverage[];
}
