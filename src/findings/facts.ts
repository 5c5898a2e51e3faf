/**
 * What an engine knows of an error, before it is put into words.
 *
 * `monitor` and `explore` deliver these facts and nothing else; `describe.ts` alone chooses code,
 * message, label, notes and help. So the same error reads the same whichever engine found it. To
 * report something new: a member of the union here, a case there.
 *
 * **Invariant:** facts are about the program: no field holds words of ours, but for those that the
 * C library or a plug-in passes on (`AbortFacts`, `PluginFacts`) and names of what is not
 * supported.
 */

import type { AnyCode } from './codes.js';
import type { LoopLine, MemoryObject, Note, SourceLocation, Stack, TermValue } from './finding.js';
import type { ThreadWait } from './thread-waits.js';

/** Where an error was noticed. */
export interface Occurrence {
  /** The innermost place that is the program's own. */
  readonly location: SourceLocation;
  readonly stack: Stack;
  readonly omittedFrames?: number;
}

export type Life = 'live' | 'freed' | 'out-of-scope' | 'returned';

export interface ObjectFacts extends MemoryObject {
  readonly life: Life;
}

export interface AccessFacts {
  readonly kind: 'access';
  readonly operation: 'read' | 'write';
  readonly bytes: number;
  /** The address of the first byte. */
  readonly address: bigint;
  /** The object that the pointer was made from; none for null and for wild pointers. */
  readonly object?: ObjectFacts;
  /** The offset of the first byte in the object. */
  readonly offset?: number;
  /** What lies at the address now, if that is another object. */
  readonly ownerNow?: ObjectFacts;
  /** How a pointer without an object lost its provenance, where that is known. */
  readonly stray?: 'integer' | 'overwritten' | 'forgotten';
  /** An index has left this array, which is a part of the object. */
  readonly element?: ElementFacts;
  /** For a null pointer, the last failed request for memory. */
  readonly withoutMemory?: RequestFacts;
}

/** A request that there was no memory for. */
export interface RequestFacts {
  readonly bytes: number;
  readonly location?: SourceLocation;
}

export interface ElementFacts {
  readonly index: bigint;
  /** The type, as `int[4]`. */
  readonly array: string;
  /** Is only the address of the element computed? */
  readonly isAddress: boolean;
}

/** A function has written more to an array inside of an object than there is room for. */
export interface RoomFacts {
  readonly kind: 'room';
  readonly object: ObjectFacts;
  readonly bytes: number;
  readonly room: number;
  readonly isText: boolean;
}

/** An access that left the memory of the program before it was checked. */
export interface OutsideMemoryFacts {
  readonly kind: 'outside-memory';
}

/** A read of more variadic arguments than the call passes. */
export interface VariadicFacts {
  readonly kind: 'variadic';
  readonly operation: 'read' | 'write';
  readonly bytes: number;
  readonly passedBytes: number;
  /** Does the C library read them for a format? */
  readonly isFormat: boolean;
}

export interface FreeFacts {
  readonly kind: 'free';
  readonly operation: 'free' | 'realloc';
  readonly address: bigint;
  readonly object?: ObjectFacts;
  /** From the start of the object. */
  readonly offset?: number;
}

/** A value is used of which bytes were never written. */
export interface UnwrittenFacts {
  readonly kind: 'unwritten';
  /** How many bytes were not written. */
  readonly bytes: number;
  /** Were some of their bits written? */
  readonly isPartial?: boolean;
  readonly object?: ObjectFacts;
  /** The offset of the first of them in the object. */
  readonly offset?: number;
  /** The whole value that the program read there, if it is larger. */
  readonly value?: { readonly offset: number; readonly bytes: number };
}

export interface OverlapFacts {
  readonly kind: 'overlap';
  readonly bytes: number;
  readonly distance: number;
}

/** A call through a pointer that leads to no function, or to one of another type. */
export interface CallFacts {
  readonly kind: 'call';
  readonly target: bigint | 'mismatch';
}

/** Blocks of one origin that nothing points to. */
export interface LeakFacts {
  readonly kind: 'leak';
  /** The oldest of them. */
  readonly object: ObjectFacts;
  readonly sizes: readonly number[];
  /** Blocks that only these lead to. */
  readonly behind: { readonly blocks: number; readonly bytes: number };
}

/** Values and types are as they are shown; a type is between backquotes, or a width: `32 bits`. */
export type ArithmeticFacts =
  | {
      readonly kind: 'overflow';
      readonly operator: '+' | '-' | '*' | '/';
      readonly left: string;
      readonly right: string;
      readonly type: string;
    }
  | { readonly kind: 'negation'; readonly value: string; readonly type: string }
  /** A quotient, where its operands are not known. */
  | { readonly kind: 'quotient' }
  | { readonly kind: 'zero-divisor'; readonly dividend: string }
  | {
      readonly kind: 'shift';
      readonly value: string;
      readonly amount: bigint;
      /** The width of the shifted value. */
      readonly bits: number;
      readonly type: string;
    }
  | { readonly kind: 'float-cast'; readonly value: string; readonly type: string }
  | { readonly kind: 'array-length'; readonly elements: string }
  /** A value that its type does not have: a `bool` of 123. */
  | { readonly kind: 'no-value-of-type'; readonly value: string; readonly type: string }
  /** The number of leading or trailing zeros of 0. */
  | { readonly kind: 'zero-argument'; readonly builtin: string }
  /** Null where an attribute promises that there is none. */
  | { readonly kind: 'null-argument'; readonly position: number }
  | { readonly kind: 'null-result' }
  | { readonly kind: 'missing-return' }
  | { readonly kind: 'unreachable' };

/** An access that is right but for its address, which is no multiple of what its type needs. */
export interface MisalignedFacts {
  readonly kind: 'misaligned';
  readonly operation: 'read' | 'write';
  readonly bytes: number;
  readonly object?: ObjectFacts;
  /** The offset of the first byte in the object. */
  readonly offset?: number;
}

/** A pointer is moved to no address, or farther than any object reaches. */
export interface FarPointerFacts {
  readonly kind: 'far-pointer';
  /** In bytes, as the program computed it. */
  readonly step: bigint;
  readonly object?: ObjectFacts;
}

/** clang has seen two accesses of one expression that nothing orders. */
export interface UnsequencedFacts {
  readonly kind: 'unsequenced';
  readonly variable: string;
  readonly areBothWrites: boolean;
}

/** A resource is used up. */
export type ExhaustionFacts =
  | { readonly kind: 'calls'; readonly depth: number }
  | { readonly kind: 'locals'; readonly limitBytes: number };

/** More is used than the user allows. */
export interface BudgetFacts {
  readonly kind: 'budget';
  readonly resource: 'stack' | 'heap' | 'allocations' | 'depth';
  readonly used: number;
  readonly limit: number;
}

/** The program ends itself; `code` and `message` are what the C library passes on. */
export interface AbortFacts {
  readonly kind: 'abort';
  readonly code: string;
  readonly message: string;
}

export interface TrapFacts {
  readonly kind: 'trap';
}

/** One input keeps a program that is fuzzed busy for longer than it may. */
export interface EndlessFacts {
  readonly kind: 'endless';
  readonly steps: number;
}

/** The program is in the same state as before, and will be again. */
export interface LoopFacts {
  readonly kind: 'loop';
  /** How many are run until it is. */
  readonly instructions: number;
  /** The lines of the program that they belong to, in order; none if all are the library's. */
  readonly lines: readonly LoopLine[];
}

/** `longjmp` to a function that has returned. */
export interface StaleJumpFacts {
  readonly kind: 'stale-jump';
}

/** A computed `goto` to no label. */
export interface LostGotoFacts {
  readonly kind: 'lost-goto';
}

export interface UnsupportedFacts {
  readonly kind: 'unsupported';
  /** A noun: "inline assembly". */
  readonly what: string;
}

/** A function that the program does not have. */
export interface ExternalFacts {
  readonly kind: 'external';
  readonly name: string;
  readonly outcome:
    | { readonly kind: 'missing' }
    | { readonly kind: 'unavailable'; readonly reason: string }
    | { readonly kind: 'types' }
    | { readonly kind: 'crashed'; readonly signal: string }
    | { readonly kind: 'late'; readonly seconds: number };
}

/** An annotation of ACSL that does not hold, or that has no value. */
export interface AnnotationFacts {
  readonly kind: 'annotation';
  /** As it is written: `loop invariant`, … */
  readonly annotation: string;
  readonly clause: string;
  readonly values: readonly TermValue[];
  readonly places: readonly { readonly message: string; readonly location?: SourceLocation }[];
  /** What is written in violation of an `assigns` clause. */
  readonly written?: string;
  /** Why a term has no value. */
  readonly undefinedBecause?: string;
}

/** What a plug-in reports, in its own words. */
export interface PluginFacts {
  readonly kind: 'plugin';
  readonly code: AnyCode;
  readonly message: string;
  readonly notes: readonly Note[];
}

/** A thread of the program: 1 is main, and the others are numbered as they are created. */
export interface ThreadFacts {
  readonly id: number;
  /** Where the thread was created; absent for the main thread. */
  readonly created?: Stack;
}

export interface RaceAccess {
  readonly operation: 'read' | 'write' | 'free';
  readonly isAtomic: boolean;
  readonly thread: ThreadFacts;
  readonly stack: Stack;
  /** The locks that the thread held, as they are called. */
  readonly locks: readonly string[];
}

/** Two accesses to the same memory that nothing orders, of which one writes. */
export interface RaceFacts {
  readonly kind: 'race';
  readonly now: RaceAccess;
  readonly earlier: RaceAccess;
  readonly bytes: number;
  readonly object?: ObjectFacts;
  /** From the start of the object. */
  readonly offset?: number;
  /** The seed that repeats the run. */
  readonly seed?: number;
}

export interface WaitingThread {
  readonly thread: ThreadFacts;
  readonly waits: ThreadWait;
  /** What it waits at, as it is called. */
  readonly lock?: string;
  /** The thread that holds it, or that is waited for. */
  readonly holder?: number;
  readonly stack: Stack;
  readonly holds: readonly { readonly lock: string; readonly stack: Stack }[];
}

/** Every thread waits, and nothing can end it. Those that wait for the end of another come last. */
export interface DeadlockFacts {
  readonly kind: 'deadlock';
  readonly threads: readonly WaitingThread[];
  readonly seed?: number;
}

/**
 * One thread took `second` while it held `first`; another asked for a lock while it held `second`,
 * which is `first` or, by way of more threads, leads to it.
 */
export interface LockOrderFacts {
  readonly kind: 'lock-order';
  readonly first: string;
  readonly second: string;
  readonly now: { readonly thread: ThreadFacts; readonly held: Stack };
  readonly earlier: {
    readonly thread: ThreadFacts;
    readonly asked: string;
    readonly held: Stack;
    readonly stack: Stack;
  };
  readonly seed?: number;
}

/** A thread that was not joined is still there when the program ends. */
export interface LeftThreadFacts {
  readonly kind: 'left-thread';
  readonly thread: ThreadFacts;
  readonly isRunning: boolean;
}

/** What a labelled value decides; `expected-none` where the program says that there is no label. */
export type FlowSink =
  | 'expected-none'
  | 'size'
  | 'index'
  | 'format'
  | 'path'
  | 'command'
  | 'loop'
  | 'divisor'
  | 'call'
  | 'branch'
  | 'lookup';

/** Where labelled bytes came in. */
export interface FlowSource {
  readonly what: 'stdin' | 'argument' | 'variable' | 'file' | 'input' | 'label' | 'function';
  /** The number of an argument, the path of a file, … */
  readonly name: string;
  readonly first: number;
  readonly last: number;
  readonly location?: SourceLocation;
}

/** A value that was made from an input decides something. */
export interface FlowFacts {
  readonly kind: 'flow';
  readonly sink: FlowSink;
  readonly isSecret: boolean;
  /** All its labels. */
  readonly names: readonly string[];
  readonly source?: FlowSource;
  /** The last places where it was assigned, the first of them first. */
  readonly way: readonly SourceLocation[];
}

export type FindingFacts =
  | MisalignedFacts
  | FarPointerFacts
  | UnsequencedFacts
  | RaceFacts
  | DeadlockFacts
  | LockOrderFacts
  | LeftThreadFacts
  | FlowFacts
  | PluginFacts
  | AccessFacts
  | RoomFacts
  | OutsideMemoryFacts
  | VariadicFacts
  | FreeFacts
  | UnwrittenFacts
  | OverlapFacts
  | CallFacts
  | LeakFacts
  | ArithmeticFacts
  | ExhaustionFacts
  | BudgetFacts
  | AbortFacts
  | TrapFacts
  | EndlessFacts
  | LoopFacts
  | StaleJumpFacts
  | LostGotoFacts
  | UnsupportedFacts
  | ExternalFacts
  | AnnotationFacts;
