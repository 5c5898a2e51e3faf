/**
 * The table of instructions: the properties of operations that passes and engines share.
 *
 * A row is required for every `op` of `model.ts`, and its operands are names of fields that the
 * instruction has: an instruction without a row does not compile. Code that depends on more than
 * these properties is a `switch` that ends in `unreachable`: reader, writer, verifier, emitter and
 * the decoder of `explore`. So the compiler shows all places for a new instruction.
 *
 * | column | read by |
 * |---|---|
 * | `operands` | `operands.ts`, and through it every pass |
 * | `isTerminator` | `operands.ts` |
 * | `undefined`, `strict` | `monitor/instrument/undefined-values.ts` |
 * | `isRepeatable` | `monitor/instrument/fast-loops.ts` |
 */
import type { Instruction, Op, Value } from './model.js';

/** The instruction of an operation. */
export type InstructionOf<O extends Op> = Instruction extends infer I
  ? I extends { op: infer P }
    ? O extends P
      ? I
      : never
    : never
  : never;

/** Instructions without a pointer to memory that they access. */
export type WithoutAccess = Exclude<Instruction, { pointer: Value }>;

/** Fields that hold operands: one, one that may be missing, or a list. */
type OperandField<I> = {
  [F in keyof I]-?: I[F] extends Value | readonly Value[] | undefined ? F : never;
}[keyof I] &
  string;

export interface Opcode<Field extends string = string> {
  /** In the order of the text. Operand bundles of calls follow them. */
  readonly operands: readonly Field[];
  readonly isTerminator: boolean;
  /**
   * The effect of an undefined operand: the result is undefined too, or the value is not tracked
   * further.
   */
  readonly undefined: 'passes' | 'stops';
  /**
   * The operands that must be defined, because the effect of the instruction depends on them. For
   * calls, attributes decide.
   */
  readonly strict: readonly Field[];
  /** Whether a copy of its loop can execute it again from the start. */
  readonly isRepeatable: boolean;
}

type Columns<Field extends string> = Partial<Omit<Opcode<Field>, 'operands'>>;

function row<Field extends string>(operands: readonly Field[], columns: Columns<Field> = {}): Opcode<Field> {
  return {
    operands,
    isTerminator: false,
    undefined: 'passes',
    strict: [],
    isRepeatable: true,
    ...columns,
  };
}

const twoSides = ['left', 'right'] as const;
const oneOperand = ['operand'] as const;
const division = row(twoSides, { strict: ['right'] });
const binary = row(twoSides);
const unary = row(oneOperand);
const terminator = { isTerminator: true } as const;

export const opcodes: { readonly [O in Op]: Opcode<OperandField<InstructionOf<O>>> } = {
  add: binary,
  sub: binary,
  mul: binary,
  udiv: division,
  sdiv: division,
  urem: division,
  srem: division,
  shl: division,
  lshr: division,
  ashr: division,
  and: binary,
  or: binary,
  xor: binary,
  fadd: binary,
  fsub: binary,
  fmul: binary,
  fdiv: binary,
  frem: binary,
  icmp: binary,
  fcmp: binary,
  shufflevector: binary,
  fneg: unary,
  freeze: row(oneOperand, { undefined: 'stops' }),
  trunc: unary,
  zext: unary,
  sext: unary,
  fptrunc: unary,
  fpext: unary,
  fptoui: unary,
  fptosi: unary,
  uitofp: unary,
  sitofp: unary,
  ptrtoint: unary,
  ptrtoaddr: unary,
  inttoptr: unary,
  bitcast: unary,
  addrspacecast: unary,
  select: row(['condition', 'ifTrue', 'ifFalse'], { strict: ['condition'] }),
  phi: row(['values']),
  alloca: row(['count'], { undefined: 'stops', isRepeatable: false }),
  load: row(['pointer'], { undefined: 'stops', strict: ['pointer'] }),
  store: row(['value', 'pointer'], { strict: ['pointer'] }),
  getelementptr: row(['base', 'indices']),
  fence: row([]),
  cmpxchg: row(['pointer', 'expected', 'replacement'], {
    undefined: 'stops',
    strict: ['pointer'],
    isRepeatable: false,
  }),
  atomicrmw: row(['pointer', 'value'], { undefined: 'stops', strict: ['pointer'], isRepeatable: false }),
  extractelement: row(['vector', 'index'], { undefined: 'stops' }),
  insertelement: row(['vector', 'element', 'index'], { undefined: 'stops' }),
  extractvalue: row(['aggregate'], { undefined: 'stops' }),
  insertvalue: row(['aggregate', 'element'], { undefined: 'stops' }),
  va_arg: row(['list'], { undefined: 'stops', isRepeatable: false }),
  call: row(['args', 'callee'], { undefined: 'stops' }),
  callbr: row(['args', 'callee'], { isTerminator: true, undefined: 'stops', isRepeatable: false }),
  ret: row(['value'], { isTerminator: true, strict: ['value'] }),
  br: row([], terminator),
  condbr: row(['condition'], { isTerminator: true, strict: ['condition'] }),
  switch: row(['condition'], { isTerminator: true, strict: ['condition'] }),
  indirectbr: row(['address'], { isTerminator: true, strict: ['address'], isRepeatable: false }),
  unreachable: row([], terminator),
  // It describes the program and is not part of it.
  'debug-record': row([]),
};

/** The words that instructions begin with in the text. */
export type OpcodeWord = Exclude<Op, 'condbr' | 'debug-record'>;

export function isOpcodeWord(word: string): word is OpcodeWord {
  return word !== 'condbr' && word !== 'debug-record' && Object.hasOwn(opcodes, word);
}
