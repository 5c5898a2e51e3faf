/** Why a path has ended. Thrown through the interpreter, so not an Error: no stack of ours is of interest. */
import type { Finding } from '../findings/finding.js';

export type Ending =
  | { readonly kind: 'exit'; readonly status: number }
  | { readonly kind: 'finding'; readonly finding: Finding }
  /** An assumption does not hold: the path says nothing about the program. */
  | { readonly kind: 'unwanted' }
  /** The path was given up before its end. */
  | { readonly kind: 'partial'; readonly reason: string };

export class PathEnd {
  readonly ending: Ending;

  constructor(ending: Ending) {
    this.ending = ending;
  }
}
