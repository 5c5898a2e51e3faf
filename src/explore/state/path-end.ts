/**
 * Why a path has ended. It is thrown through the interpreter, and is not an Error because no
 * JavaScript stack is needed.
 */
import type { Finding } from '../../findings/finding.js';

export type Ending =
  /** The end of the program, with its leaks. */
  | { readonly kind: 'exit'; readonly status: number; readonly leaks: readonly Finding[] }
  | { readonly kind: 'finding'; readonly finding: Finding }
  /** An assumption does not hold: the path is irrelevant. */
  | { readonly kind: 'unwanted' }
  /** The path was abandoned. */
  | { readonly kind: 'partial'; readonly reason: string };

/** The findings of a path. */
export function findingsOf(ending: Ending): readonly Finding[] {
  switch (ending.kind) {
    case 'exit':
      return ending.leaks;
    case 'finding':
      return [ending.finding];
    case 'unwanted':
    case 'partial':
      return [];
  }
}

export class PathEnd {
  readonly ending: Ending;

  constructor(ending: Ending) {
    this.ending = ending;
  }
}
