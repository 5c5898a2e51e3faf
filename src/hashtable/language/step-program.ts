/**
 * Programs of atomic steps: the language in which the table and its pool are written.
 *
 * The code of the table must run at full speed on real threads, and the same code must run under a
 * scheduler that controls every atomic step. So it is written once, in a language that is small
 * enough to be executed in two ways: `emit-wasm.ts` compiles it to WebAssembly, where a step is one
 * instruction, and `interpret.ts` executes it step by step, with an explicit state of each
 * thread.
 *
 *     field table;                                a word of the handle, private to one thread: `my.table`
 *     fn find(key: i64): i64 { … }                `export fn`: callable from outside; `inline fn`: put into its callers
 *     let word = load64('value.read', entry + VALUE);
 *
 * Types are i32 (the default), i64, and f64 only for values from and to JavaScript. Operators are
 * C's, signed; `>>>` is the logical shift; both operands have one type. Statements are `while`,
 * `if`, `return`, `break`, `continue`, `assert(condition, 'why');`. Names in capitals are constants
 * that are passed with the program. A later definition of a function replaces the earlier one, so
 * that tests can insert mistakes.
 *
 * **Invariants.** Every expression has the type that its node states. Operands are evaluated from
 * left to right.
 */
import type { StepName } from '../shared-memory.js';

export type Type = 'i32' | 'i64' | 'f64' | 'void';

type Operands = readonly ('i32' | 'i64' | 'f64')[];

export type StepOperation =
  | 'load32'
  | 'store32'
  | 'add32'
  | 'cas32'
  | 'load64'
  | 'store64'
  | 'add64'
  | 'cas64'
  | 'zero'
  | 'own';

/**
 * The steps: each is one atomic access to shared memory. `add` answers the sum, `cas` whether it
 * succeeded.
 */
export const stepOperations: Readonly<
  Record<
    StepOperation,
    { readonly operands: Operands; readonly result: 'i32' | 'i64' | 'void'; readonly byteCount: number }
  >
> = {
  load32: { operands: ['i32'], result: 'i32', byteCount: 4 },
  store32: { operands: ['i32', 'i32'], result: 'void', byteCount: 4 },
  add32: { operands: ['i32', 'i32'], result: 'i32', byteCount: 4 },
  cas32: { operands: ['i32', 'i32', 'i32'], result: 'i32', byteCount: 4 },
  load64: { operands: ['i32'], result: 'i64', byteCount: 8 },
  store64: { operands: ['i32', 'i64'], result: 'void', byteCount: 8 },
  add64: { operands: ['i32', 'i64'], result: 'i64', byteCount: 8 },
  cas64: { operands: ['i32', 'i64', 'i64'], result: 'i32', byteCount: 8 },
  /** Clears memory that no other thread can reach. */
  zero: { operands: ['i32', 'i32'], result: 'void', byteCount: 0 },
  /** Stores a zero, not atomically, to a byte that is always zero: only the cache changes. */
  own: { operands: ['i32'], result: 'void', byteCount: 1 },
};

export type Conversion = 'low' | 'high' | 'join' | 'toNumber' | 'fromNumber' | 'clz';

/** Functions of their operands alone. */
export const conversions: Readonly<
  Record<Conversion, { readonly operands: Operands; readonly result: 'i32' | 'i64' | 'f64' }>
> = {
  /** The lower and the upper half of a word, and a word of two halves. */
  low: { operands: ['i64'], result: 'i32' },
  high: { operands: ['i64'], result: 'i32' },
  join: { operands: ['i32', 'i32'], result: 'i64' },
  /** A word as a number of JavaScript, and back. */
  toNumber: { operands: ['i64'], result: 'f64' },
  fromNumber: { operands: ['f64'], result: 'i64' },
  /** How many bits are zero before the first one. */
  clz: { operands: ['i32'], result: 'i32' },
};

export const comparisons: ReadonlySet<string> = new Set(['==', '!=', '<', '>', '<=', '>=']);

export type BinaryOperator = '+' | '-' | '*' | '/' | '&' | '|' | '^' | '<<' | '>>' | '>>>' | Comparison;
type Comparison = '==' | '!=' | '<' | '>' | '<=' | '>=';

export type Expression =
  | { readonly kind: 'constant'; readonly type: Type; readonly value: number | bigint }
  | { readonly kind: 'local' | 'field'; readonly type: Type; readonly index: number }
  | {
      readonly kind: 'binary';
      readonly type: Type;
      readonly operator: BinaryOperator;
      readonly left: Expression;
      readonly right: Expression;
    }
  | {
      readonly kind: 'logical';
      readonly type: 'i32';
      readonly operator: '&&' | '||';
      readonly left: Expression;
      readonly right: Expression;
    }
  | {
      readonly kind: 'convert';
      readonly type: Type;
      readonly conversion: Conversion;
      readonly operands: readonly Expression[];
    }
  | {
      readonly kind: 'step';
      readonly type: Type;
      readonly step: StepName;
      readonly operation: StepOperation;
      readonly operands: readonly Expression[];
    }
  | {
      readonly kind: 'call';
      readonly type: Type;
      readonly callee: string;
      readonly operands: readonly Expression[];
    };

export type Statement =
  | { readonly kind: 'set-local' | 'set-field'; readonly index: number; readonly value: Expression }
  | { readonly kind: 'evaluate'; readonly value: Expression }
  | {
      readonly kind: 'if';
      readonly condition: Expression;
      readonly then: readonly Statement[];
      readonly otherwise: readonly Statement[];
    }
  | { readonly kind: 'while'; readonly condition: Expression; readonly body: readonly Statement[] }
  | { readonly kind: 'break' | 'continue' }
  | { readonly kind: 'return'; readonly value?: Expression }
  | { readonly kind: 'assert'; readonly condition: Expression; readonly message: string };

export interface Signature {
  readonly name: string;
  readonly access: 'export' | 'inline' | 'internal';
  readonly parameters: readonly { readonly name: string; readonly type: Type }[];
  readonly result: Type;
}

export interface FunctionSource extends Signature {
  /** The types of its parameters and its variables. */
  readonly locals: readonly Type[];
  readonly body: readonly Statement[];
}

export interface Field {
  readonly name: string;
  readonly type: Type;
  /** In bytes, from the start of the handle. */
  readonly offset: number;
}

export interface StepProgram {
  readonly fields: readonly Field[];
  readonly functions: ReadonlyMap<string, FunctionSource>;
}

export type NamedConstants = Readonly<Record<string, number | bigint>>;
