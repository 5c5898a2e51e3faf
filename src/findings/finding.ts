/**
 * A Finding: one error in the program under test, as plain data.
 *
 * Every engine reports Findings and nothing else; the renderers (text, JSON, SARIF) read only this.
 * The JSON form is part of the contract with scripts, so a field is added here or not at all.
 */
import type { AnyCode } from './codes.js';

export interface SourceLocation {
  readonly file: string;
  /** 1-based; 0 when the program was built without debug information. */
  readonly line: number;
  /** 1-based; 0 when unknown. */
  readonly column: number;
  readonly function?: string;
}

/**
 * Whether a location is in Redzone's runtime and not in the program. The runtime's sources are
 * mounted in their own folder.
 */
export function isInLibrary({ file }: { readonly file: string }): boolean {
  return file.startsWith('/redzone/');
}

/** Innermost frame first. */
export type Stack = readonly SourceLocation[];

/**
 * The innermost frame in the program's own code, or the innermost frame if there is none. Undefined
 * for an empty stack.
 */
export function ownFrame(stack: Stack): SourceLocation | undefined {
  return stack.find(frame => !isInLibrary(frame)) ?? stack[0];
}

export type Severity = 'error' | 'warning' | 'note';
export type AccessKind = 'read' | 'write' | 'free';
export type ObjectKind = 'heap' | 'stack' | 'global' | 'constant';

export interface Access {
  readonly kind: AccessKind;
  readonly bytes: number;
}

/** The name of a structure that exists only within an expression. */
export const temporary = 'temporary object';
/** The name of memory that `alloca` returned. */
export const allocaMemory = 'memory of `alloca`';

/** The memory object that the finding is about. */
export interface MemoryObject {
  readonly kind: ObjectKind;
  readonly name?: string;
  readonly bytes: number;
  readonly allocated?: Stack;
  readonly freed?: Stack;
  /** The middle of these stacks was not kept: the frames after the first ones are unknown. */
  readonly omitsFrames?: true;
}

export interface Note {
  readonly message: string;
  readonly location?: SourceLocation;
}

/** An access of one of two threads that race. */
export interface ThreadAccess {
  readonly kind: AccessKind;
  /** 1 is main. */
  readonly thread: number;
  readonly stack: Stack;
}

export interface LoopLine {
  readonly file: string;
  readonly line: number;
}

/** The cycle of an infinite loop. */
export interface Loop {
  /** The number of instructions per round. */
  readonly instructions: number;
  /** The lines of the program that it runs, in order. */
  readonly lines: readonly LoopLine[];
}

/** A limit of `--budget` that the program exceeds, and the amount that it uses. */
export interface OverBudget {
  readonly resource: 'stack' | 'heap' | 'allocations' | 'depth';
  readonly used: number;
  readonly limit: number;
}

/** A term of an annotation as written, and its value. */
export interface TermValue {
  readonly term: string;
  readonly value: string;
}

export interface Finding {
  readonly code: AnyCode;
  readonly severity: Severity;
  readonly cwe?: number;
  /** One lowercase sentence without a final period that can be understood alone. */
  readonly message: string;
  /** The user's line. For an error inside libc it is the line of the call from user code. */
  readonly location: SourceLocation;
  readonly stack: Stack;
  /** The number of frames that are left out of the middle of a very deep `stack`. */
  readonly omittedFrames?: number;
  readonly access?: Access;
  readonly object?: MemoryObject;
  /** The label under the carets, e.g. "4 bytes after the end of the block". */
  readonly label?: string;
  readonly notes?: readonly Note[];
  readonly help?: string;
  /** For `acsl-violation`: requires, ensures, assert, invariant, variant, assigns, … */
  readonly annotation?: string;
  /** The text of the annotation that does not hold, and the values of the terms in it. */
  readonly clause?: string;
  readonly values?: readonly TermValue[];
  /** For `data-race`: the access that completes the race, then the earlier one. */
  readonly accesses?: readonly ThreadAccess[];
  /** For `infinite-loop`, if a repeated state was observed. */
  readonly loop?: Loop;
  readonly budget?: OverBudget;
  /** `fuzz`: the file with the bytes of the input. */
  readonly input?: string;
  readonly test?: string;
  readonly confirmed?: boolean;
}
