/**
 * Sites: the places of a program that a report may name, numbered within one instrumented object.
 *
 * In the program a site is an address: the object defines an array with one byte per site, and the
 * linker lays the arrays of all objects apart. So objects can be instrumented and cached one by
 * one; what a site means stays here.
 */
import type { ObjectKind, SourceLocation } from '../findings/finding.js';

export interface Site {
  readonly location: SourceLocation;
  /**
   * Does the function have a slot in the call stack? Then the top slot is its own and not its
   * caller's.
   */
  readonly hasFrame: boolean;
  /** Is the place in the C library, not in the user's program? */
  readonly inLibrary: boolean;
  /** Set for a local variable, which begins at this site. */
  readonly variable?: string;
  /** Does that variable live as long as its function? */
  readonly ofWholeFunction?: boolean;
}

export interface GlobalSite {
  readonly name: string;
  readonly kind: Extract<ObjectKind, 'global' | 'constant'>;
  readonly bytes: number;
  readonly number: number;
  readonly location?: SourceLocation;
}

/** What an instrumented object knows about itself, kept beside it in the cache as JSON. */
export interface ObjectSites {
  /** 16 hexadecimal digits, as in the names of its hidden symbols. */
  readonly id: string;
  readonly sites: readonly Site[];
  readonly globals: readonly GlobalSite[];
  /** Is it a part of the C library? */
  readonly isLibrary?: boolean;
}
