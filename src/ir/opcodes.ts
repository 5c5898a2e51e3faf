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
 * | `unused` | `passes/dead-code.ts` |
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
   * Whether it can be removed if its result is unused, without hiding an error of the program.
   * Divisions, shifts and loads may fail and are kept. Others are kept if they have a flag that an
   * engine checks, like `nsw`.
   */
  readonly unused: 'removable' | 'kept' | 'kept if flagged';
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
    unused: 'kept',
    undefined: 'passes',
    strict: [],
    isRepeatable: true,
    ...columns,
  };
}

const twoSides = ['left', 'right'] as const;
const oneOperand = ['operand'] as const;
const sum = row(twoSides, { unused: 'kept if flagged' });
const division = row(twoSides, { strict: ['right'] });
const removable = { unused: 'removable' } as const;
const bits = row(twoSides, removable);
const cast = row(oneOperand, removable);
const terminator = { isTerminator: true } as const;

export const opcodes: { readonly [O in Op]: Opcode<OperandField<InstructionOf<O>>> } = {
  add: sum,
  sub: sum,
  mul: sum,
  udiv: division,
  sdiv: division,
  urem: division,
  srem: division,
  shl: division,
  lshr: division,
  ashr: division,
  and: bits,
  or: bits,
  xor: bits,
  fadd: bits,
  fsub: bits,
  fmul: bits,
  fdiv: bits,
  frem: bits,
  icmp: bits,
  fcmp: bits,
  shufflevector: bits,
  fneg: cast,
  freeze: row(oneOperand, { unused: 'removable', undefined: 'stops' }),
  trunc: cast,
  zext: cast,
  sext: cast,
  fptrunc: cast,
  fpext: cast,
  // A value that does not fit is reported.
  fptoui: row(oneOperand),
  fptosi: row(oneOperand),
  uitofp: cast,
  sitofp: cast,
  ptrtoint: cast,
  ptrtoaddr: cast,
  inttoptr: cast,
  bitcast: cast,
  addrspacecast: cast,
  select: row(['condition', 'ifTrue', 'ifFalse'], { unused: 'removable', strict: ['condition'] }),
  phi: row(['values'], removable),
  alloca: row(['count'], { undefined: 'stops', isRepeatable: false }),
  load: row(['pointer'], { undefined: 'stops', strict: ['pointer'] }),
  store: row(['value', 'pointer'], { strict: ['pointer'] }),
  getelementptr: row(['base', 'indices'], { unused: 'kept if flagged' }),
  fence: row([]),
  cmpxchg: row(['pointer', 'expected', 'replacement'], {
    undefined: 'stops',
    strict: ['pointer'],
    isRepeatable: false,
  }),
  atomicrmw: row(['pointer', 'value'], { undefined: 'stops', strict: ['pointer'], isRepeatable: false }),
  extractelement: row(['vector', 'index'], { unused: 'removable', undefined: 'stops' }),
  insertelement: row(['vector', 'element', 'index'], { unused: 'removable', undefined: 'stops' }),
  extractvalue: row(['aggregate'], { unused: 'removable', undefined: 'stops' }),
  insertvalue: row(['aggregate', 'element'], { unused: 'removable', undefined: 'stops' }),
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
