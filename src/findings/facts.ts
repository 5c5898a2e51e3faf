/**
 * The facts that an engine knows about an error, before they are put into words.
 *
 * `monitor` and `explore` deliver only these facts; `describe.ts` chooses code, message, label,
 * notes and help. So an error has the same text whichever engine found it. To report something new,
 * add a member to the union here and a case there.
 *
 * **Invariant:** facts are about the program. No field holds a text of ours, except texts that the
 * C library or a plug-in passes on (`AbortFacts`, `PluginFacts`) and names of unsupported features.
 */

import type { AnyCode } from './codes.js';
import type {
  LoopLine,
  MemoryObject,
  Note,
  OverBudget,
  SourceLocation,
  Stack,
  TermValue,
} from './finding.js';
import type { ThreadWait } from './thread-waits.js';

/** Where an error was detected. */
export interface Occurrence {
  /** The innermost frame in the program's own code. */
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
  /**
   * The object from which the pointer was derived (its provenance); none for null and wild
   * pointers.
   */
  readonly object?: ObjectFacts;
  /** The offset of the first byte in the object. */
  readonly offset?: number;
  /** The object at this address now, if it is another one. */
  readonly ownerNow?: ObjectFacts;
  /** An integer that never was a pointer, or a pointer whose object is no longer known. */
  readonly stray?: 'integer' | 'forgotten' | undefined;
  /** An index is outside this array, which is a part of the object. */
  readonly element?: ElementFacts;
  /** For a null pointer, the last failed request for memory. */
  readonly withoutMemory?: RequestFacts;
}

/** A request for memory that failed. */
export interface RequestFacts {
  readonly bytes: number;
  readonly location?: SourceLocation;
}

export interface ElementFacts {
  readonly index: bigint;
  /** The type, as `int[4]`. */
  readonly array: string;
  /** Whether only the address of the element is computed. */
  readonly isAddress: boolean;
}

/** A function wrote more to an array inside an object than fits into it. */
export interface RoomFacts {
  readonly kind: 'room';
  readonly object: ObjectFacts;
  readonly bytes: number;
  readonly room: number;
  readonly isText: boolean;
}

/** An access outside the program's memory that trapped before it was checked. */
export interface OutsideMemoryFacts {
  readonly kind: 'outside-memory';
}

/** A read of more variadic arguments than the call passes. */
export interface VariadicFacts {
  readonly kind: 'variadic';
  readonly operation: 'read' | 'write';
  readonly bytes: number;
  readonly passedBytes: number;
  /** Whether the C library reads them for a format string. */
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

/** A value with uninitialized bytes is used. */
export interface UnwrittenFacts {
  readonly kind: 'unwritten';
  /** The number of uninitialized bytes. */
  readonly bytes: number;
  /** Whether some of their bits were written. */
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
  /** 0 for a source in the buffer that a formatted text is written to. */
  readonly distance: number;
}

/** A call through a pointer to no function, or to a function of another type. */
export interface CallFacts {
  readonly kind: 'call';
  readonly target: bigint | 'mismatch';
}

/** Blocks allocated at one site that no pointer refers to. */
export interface LeakFacts {
  readonly kind: 'leak';
  /** The oldest of them. */
  readonly object: ObjectFacts;
  readonly sizes: readonly number[];
  /** Blocks that are reachable only from these. */
  readonly behind: { readonly blocks: number; readonly bytes: number };
}

/** Values and types as they are shown; a type is in backquotes, or a width: `32 bits`. */
export type ArithmeticFacts =
  | {
      readonly kind: 'overflow';
      readonly operator: '+' | '-' | '*' | '/';
      readonly left: string;
      readonly right: string;
      readonly type: string;
    }
  | { readonly kind: 'negation'; readonly value: string; readonly type: string }
  /** A quotient with unknown operands. */
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
  /** A null pointer for a parameter with a `nonnull` attribute. */
  | { readonly kind: 'null-argument'; readonly position: number }
  | { readonly kind: 'null-result' }
  | { readonly kind: 'missing-return' }
  | { readonly kind: 'unreachable' };

/** An access whose address is not a multiple of its type's alignment. */
export interface MisalignedFacts {
  readonly kind: 'misaligned';
  readonly operation: 'read' | 'write';
  readonly bytes: number;
  readonly object?: ObjectFacts;
  /** The offset of the first byte in the object. */
  readonly offset?: number;
}

/** A pointer that is not aligned as the program promises to the compiler. */
export interface AssumedAlignmentFacts {
  readonly kind: 'assumed-alignment';
  readonly alignment: bigint;
  readonly object?: ObjectFacts;
  /** The offset of the address in the object. */
  readonly offset?: number;
}

/**
 * Pointer arithmetic that wraps around the address space, or moves farther than any object is
 * large.
 */
export interface FarPointerFacts {
  readonly kind: 'far-pointer';
  /** In bytes, as the program computed it. */
  readonly step: bigint;
  readonly object?: ObjectFacts;
}

/** Arithmetic on a null pointer. */
export interface NullOffsetFacts {
  readonly kind: 'null-offset';
  /** In bytes; not 0. */
  readonly offset: bigint;
}

/** clang has found two unsequenced accesses in one expression. */
export interface UnsequencedFacts {
  readonly kind: 'unsequenced';
  readonly variable: string;
  readonly areBothWrites: boolean;
}

/** The stack is exhausted. */
export interface ExhaustionFacts {
  readonly kind: 'exhaustion';
  /** The number of calls that have not returned. */
  readonly depth: number;
}

/** More is used than the user's budget allows. */
export interface BudgetFacts extends OverBudget {
  readonly kind: 'budget';
}

/** The program aborts; `code` and `message` come from the C library. */
export interface AbortFacts {
  readonly kind: 'abort';
  readonly code: string;
  readonly message: string;
}

export interface TrapFacts {
  readonly kind: 'trap';
}

/** One input of a fuzzed program exceeds the time limit. */
export interface EndlessFacts {
  readonly kind: 'endless';
  readonly steps: number;
}

/** The program has returned to an earlier state, and will do so again. */
export interface LoopFacts {
  readonly kind: 'loop';
  /** The number of instructions until the state repeats. */
  readonly instructions: number;
  /** The lines of the program in the loop, in order; none if the loop is in the library. */
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

/** A function that is not part of the program. */
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

/** An ACSL annotation that does not hold, or has no value. */
export interface AnnotationFacts {
  readonly kind: 'annotation';
  /** As it is written in the source: `loop invariant`, … */
  readonly annotation: string;
  readonly clause: string;
  readonly values: readonly TermValue[];
  readonly places: readonly { readonly message: string; readonly location?: SourceLocation }[];
  /** The location that is written in violation of an `assigns` clause. */
  readonly written?: string;
  /** Why a term has no value. */
  readonly undefinedBecause?: string;
}

/** A report of a plug-in, in its own words. */
export interface PluginFacts {
  readonly kind: 'plugin';
  readonly code: AnyCode;
  readonly message: string;
  readonly notes: readonly Note[];
}

/**
 * A thread of the program. Main is thread 1; the others are numbered in the order of their
 * creation.
 */
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
  /** The names of the locks that the thread held. */
  readonly locks: readonly string[];
}

/** Two unordered accesses to the same memory, at least one of which is a write. */
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

/** A thread that had not ended when the run was stopped. */
export interface LiveThread extends ThreadFacts {
  /** Its own frames. */
  readonly stack: Stack;
  readonly waits: ThreadWait;
  readonly holder?: number;
}

export interface WaitingThread {
  readonly thread: ThreadFacts;
  readonly waits: ThreadWait;
  /** The name of the lock for which the thread waits. */
  readonly lock?: string;
  /** The thread that holds the lock, or for which the thread waits. */
  readonly holder?: number;
  readonly stack: Stack;
  readonly holds: readonly { readonly lock: string; readonly stack: Stack }[];
}

/**
 * Every thread waits, and nothing can wake one. Threads that wait for the end of another come last.
 */
export interface DeadlockFacts {
  readonly kind: 'deadlock';
  readonly threads: readonly WaitingThread[];
  readonly seed?: number;
}

/**
 * Lock-order inversion: one thread took `second` while it held `first`. Another, which held
 * `second`, waited for a lock that is `first` or leads to it through further threads.
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

/** A thread that was neither joined nor detached still exists when the program ends. */
export interface LeftThreadFacts {
  readonly kind: 'left-thread';
  readonly thread: ThreadFacts;
  readonly isRunning: boolean;
}

/** What a labelled value decides; `expected-none` if the program asserts that there is no label. */
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
  | 'lookup'
  | 'extent';

/** Where labelled bytes entered the program. */
export interface FlowSource {
  readonly what: 'stdin' | 'argument' | 'variable' | 'file' | 'input' | 'label' | 'function';
  /** The number of an argument, the path of a file, … */
  readonly name: string;
  readonly first: number;
  readonly last: number;
  readonly location?: SourceLocation;
}

/** A value derived from an input decides something. */
export interface FlowFacts {
  readonly kind: 'flow';
  readonly sink: FlowSink;
  readonly isSecret: boolean;
  /** All its labels. */
  readonly names: readonly string[];
  readonly source?: FlowSource;
  /** The last assignments along the flow, in order of time. */
  readonly way: readonly SourceLocation[];
}

export type FindingFacts =
  | MisalignedFacts
  | AssumedAlignmentFacts
  | FarPointerFacts
  | NullOffsetFacts
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
