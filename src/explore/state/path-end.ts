/**
 * Why a path has ended. Thrown through the interpreter, so not an Error: no stack of ours is of
 * interest.
 */
import type { Finding } from '../../findings/finding.js';

export type Ending =
  /** The end of the program, with what it has left behind. */
  | { readonly kind: 'exit'; readonly status: number; readonly leaks: readonly Finding[] }
  | { readonly kind: 'finding'; readonly finding: Finding }
  /** An assumption does not hold: the path says nothing about the program. */
  | { readonly kind: 'unwanted' }
  /** The path was given up before its end. */
  | { readonly kind: 'partial'; readonly reason: string };

/** What there is to report about a path. */
export function findingsOf(ending: Ending): readonly Finding[] {
  switch (ending.kind) {
    case 'exit':
      return ending.leaks;
    case 'finding':
      return [ending.finding];
    default:
      return [];
  }
}

export class PathEnd {
  readonly ending: Ending;

  constructor(ending: Ending) {
    this.ending = ending;
  }
}
