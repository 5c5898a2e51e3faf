/**
 * Sites: the locations of a program that a report may name, numbered within one instrumented
 * object.
 *
 * In the program a site is an address: the object defines an array with one byte per site, and the
 * linker places the arrays of all objects at different addresses. So objects can be instrumented
 * and cached separately; the meaning of a site is kept here.
 */
import type { ObjectKind, SourceLocation } from '../findings/finding.js';

export interface CodeSite {
  readonly location: SourceLocation;
  /**
   * Whether the function has a slot in the call stack. If so, the top slot is its own and not its
   * caller's.
   */
  readonly hasFrame: boolean;
  /** Whether the location is in the C library. */
  readonly inLibrary: boolean;
  /**
   * The calls that were inlined around the location, innermost first:
   * `passes/inlined-functions.ts`.
   */
  readonly callers?: readonly SourceLocation[];
  /** Set for a local variable, which begins at this site. */
  readonly variable?: string;
  /** Whether that variable lives as long as its function. */
  readonly ofWholeFunction?: boolean;
}

export interface GlobalSite {
  readonly name: string;
  readonly kind: Extract<ObjectKind, 'global' | 'constant'>;
  readonly bytes: number;
  readonly number: number;
  readonly location?: SourceLocation;
}

/** The metadata of an instrumented object, stored with it in the cache as JSON. */
export interface ObjectSites {
  /** 16 hexadecimal digits, as in the names of its hidden symbols. */
  readonly id: string;
  readonly sites: readonly CodeSite[];
  readonly globals: readonly GlobalSite[];
  /** Whether it is a part of the C library. */
  readonly isLibrary?: boolean;
}
