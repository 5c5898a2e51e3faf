/**
 * The in-memory form of an LLVM IR module: what the reader makes, the passes and the monitor
 * rewrite, the linker joins, the explorer compiles and the writer prints.
 *
 * Everything is plain data. A value is an object and an operand is a reference to it; `kind` tells
 * the values apart and `op` the instructions, so that a `switch` narrows to the fields of one
 * instruction:
 *
 * ```
 *   Module ── functions ──▶ Function ── blocks ──▶ Block ── instructions ──▶ Instruction
 *     ├ variables ─▶ GlobalVariable ── initializer ─▶ Constant                 │ operands by name:
 *     └ namedMetadata ─▶ MetadataNode                                          ▼ load.pointer, add.left, ...
 *                                                   Argument · Instruction · Constant · GlobalValue
 * ```
 *
 * There are no use lists and no parent links: what can be computed in one walk over a function is
 * not kept up to date by hand at every edit. `operands.ts` visits and replaces operands whatever
 * the instruction.
 *
 * **Invariants** (checked by `verify.ts`): a block's last instruction, and only that, is a
 * terminator; phis stand first; every local operand is defined in the same function and dominates
 * its use; operand types fit. A local name is a hint: the writer makes names unique and numbers
 * what has none. The name of a global is its identity; an empty name is a numbered, unnamed global.
 *
 * Debug records (`#dbg_value(...)`) are members of `instructions` with the op `debug-record`. They
 * are not uses of what they name, produce nothing, and an interpreter skips them.
 */
import type { AttributeSet } from './attributes.js';
import type { MetadataNode, MetadataString, MetadataValue } from './metadata.js';
import type {
  ArrayType,
  FloatType,
  FunctionType,
  IntegerType,
  LabelType,
  MetadataType,
  PointerType,
  StructType,
  Type,
} from './types.js';

// ------------------------------------------------------------------------------------------ module

export interface Module {
  /** The file that the module was read from, for messages. */
  file: string;
  sourceFilename: string | undefined;
  dataLayout: string | undefined;
  triple: string | undefined;
  /** Lines of `module asm`. */
  assembly: string[];
  /**
   * Identified structs in the order of their definitions; the writer adds those that only code
   * mentions.
   */
  structs: StructType[];
  comdats: Comdat[];
  variables: GlobalVariable[];
  functions: IrFunction[];
  aliases: GlobalAlias[];
  ifuncs: GlobalIfunc[];
  namedMetadata: Map<string, MetadataNode[]>;
}

export type ComdatSelection = 'any' | 'exactmatch' | 'largest' | 'nodeduplicate' | 'samesize';

export interface Comdat {
  name: string;
  selection: ComdatSelection;
}

export type Linkage =
  | 'external'
  | 'private'
  | 'internal'
  | 'available_externally'
  | 'linkonce'
  | 'linkonce_odr'
  | 'weak'
  | 'weak_odr'
  | 'common'
  | 'appending'
  | 'extern_weak';
export type Visibility = 'default' | 'hidden' | 'protected';
export type ThreadLocalMode = 'generaldynamic' | 'localdynamic' | 'initialexec' | 'localexec';

/** What variables, functions, aliases and ifuncs share. */
export interface GlobalCommon {
  name: string;
  type: PointerType;
  linkage: Linkage;
  visibility: Visibility;
  dllStorage: 'dllimport' | 'dllexport' | undefined;
  dsoLocal: boolean;
  unnamedAddress: 'unnamed_addr' | 'local_unnamed_addr' | undefined;
  section: string | undefined;
  partition: string | undefined;
  comdat: Comdat | undefined;
  metadata: MetadataAttachment[] | undefined;
}

export interface GlobalVariable extends GlobalCommon {
  readonly kind: 'variable';
  valueType: Type;
  isConstant: boolean;
  externallyInitialized: boolean;
  threadLocal: ThreadLocalMode | undefined;
  /** Absent for a declaration. */
  initializer: Constant | undefined;
  /** In bytes; 0 when none is written. */
  align: number;
  codeModel: string | undefined;
  /** `no_sanitize_address`, `sanitize_memtag`, ... */
  sanitizer: string[] | undefined;
  attributes: AttributeSet;
}

export interface IrFunction extends GlobalCommon {
  readonly kind: 'function';
  functionType: FunctionType;
  arguments: Argument[];
  /** Empty for a declaration. The first block is the entry. */
  blocks: Block[];
  returnAttributes: AttributeSet;
  attributes: AttributeSet;
  callingConvention: string;
  /** In bytes; 0 when none is written. */
  align: number;
  /** `prefalign(N)`: the preferred alignment in bytes; 0 when none is written. */
  preferredAlign: number;
  garbageCollector: string | undefined;
  prefix: Constant | undefined;
  prologue: Constant | undefined;
  personality: Constant | undefined;
}

export interface GlobalAlias extends GlobalCommon {
  readonly kind: 'alias';
  valueType: Type;
  threadLocal: ThreadLocalMode | undefined;
  aliasee: Constant;
}

export interface GlobalIfunc extends GlobalCommon {
  readonly kind: 'ifunc';
  valueType: Type;
  resolver: Constant;
}

export type GlobalValue = GlobalVariable | IrFunction | GlobalAlias | GlobalIfunc;

export interface MetadataAttachment {
  /** Without the `!`: `tbaa`, `llvm.loop`, `srcloc`. */
  readonly name: string;
  readonly node: MetadataNode;
}

export interface Argument {
  readonly kind: 'argument';
  type: Type;
  name: string | undefined;
  attributes: AttributeSet;
}

export interface Block {
  readonly kind: 'block';
  readonly type: LabelType;
  name: string | undefined;
  instructions: Instruction[];
}

// --------------------------------------------------------------------------------------- constants

export interface IntegerConstant {
  readonly kind: 'integer';
  readonly type: IntegerType;
  /** Unsigned: 0 <= value < 2^bits. One object per type and value (`integerConstant`). */
  readonly value: bigint;
}
export interface FloatConstant {
  readonly kind: 'float';
  readonly type: FloatType;
  /** The bits of the number in its own format. */
  readonly bits: bigint;
}
export interface NullConstant {
  readonly kind: 'null';
  readonly type: PointerType;
}
/** `zeroinitializer`: all zero bits, of an aggregate, vector or target type. */
export interface ZeroConstant {
  readonly kind: 'zero';
  readonly type: Type;
}
export interface UndefConstant {
  readonly kind: 'undef';
  readonly type: Type;
}
export interface PoisonConstant {
  readonly kind: 'poison';
  readonly type: Type;
}
/** A token that is none. */
export interface NoneConstant {
  readonly kind: 'none';
  readonly type: Type;
}
/** An array, struct or vector, written element by element. */
export interface AggregateConstant {
  readonly kind: 'aggregate';
  readonly type: Type;
  readonly elements: Constant[];
}
/** `c"..."`: an array of i8. */
export interface BytesConstant {
  readonly kind: 'bytes';
  readonly type: ArrayType;
  /** One character, 0 to 255, for each byte. */
  readonly data: string;
}
/** An operation on constants: `getelementptr`, `ptrtoint`, `sub`, ... */
export interface ConstantExpression {
  readonly kind: 'expression';
  readonly op: ConstantOp;
  readonly type: Type;
  readonly operands: Constant[];
  readonly flags: number;
  /** The type that the first index of `getelementptr` steps over. */
  readonly sourceType: Type | undefined;
  /** The `inrange(low, high)` of `getelementptr`. */
  readonly inRange: { readonly low: bigint; readonly high: bigint } | undefined;
}
export interface BlockAddress {
  readonly kind: 'blockaddress';
  readonly type: PointerType;
  function: IrFunction;
  block: Block;
}
/** `dso_local_equivalent @f` and `no_cfi @f`. */
export interface GlobalReference {
  readonly kind: 'dso_local_equivalent' | 'no_cfi';
  readonly type: PointerType;
  target: GlobalValue;
}

export type ConstantOp =
  | 'getelementptr'
  | 'add'
  | 'sub'
  | 'xor'
  | 'trunc'
  | 'ptrtoint'
  | 'ptrtoaddr'
  | 'inttoptr'
  | 'bitcast'
  | 'addrspacecast'
  | 'extractelement'
  | 'insertelement'
  | 'shufflevector';

/** Constants that hold no other value and name no global: a walk over constants may skip them. */
export type PlainConstant =
  | IntegerConstant
  | FloatConstant
  | NullConstant
  | ZeroConstant
  | UndefConstant
  | PoisonConstant
  | NoneConstant
  | BytesConstant;

export type Constant =
  | PlainConstant
  | AggregateConstant
  | ConstantExpression
  | BlockAddress
  | GlobalReference
  | GlobalValue;

// ------------------------------------------------------------------------------------------ values

/** `asm sideeffect "text", "constraints"`: only ever a callee. */
export interface InlineAssembly {
  readonly kind: 'assembly';
  readonly type: PointerType;
  readonly text: string;
  readonly constraints: string;
  readonly sideEffect: boolean;
  readonly alignStack: boolean;
  readonly intelDialect: boolean;
  readonly mayUnwind: boolean;
}

/** `metadata !7`, `metadata !"round.dynamic"`, `metadata i32 %x` as an operand of a call. */
export interface MetadataOperand {
  readonly kind: 'metadata';
  readonly type: MetadataType;
  metadata: MetadataNode | MetadataString | MetadataValue;
}

export type Value = Argument | Instruction | Constant | InlineAssembly | MetadataOperand;

// ------------------------------------------------------------------------------------ instructions

/**
 * Flags of instructions, as bits of `flags`. The reader sets `nusw` along with `inbounds`, which
 * implies it.
 */
export const Flag = {
  nuw: 1,
  nsw: 2,
  exact: 4,
  disjoint: 8,
  nneg: 16,
  samesign: 32,
  inbounds: 64,
  nusw: 128,
  nnan: 256,
  ninf: 512,
  nsz: 1024,
  arcp: 2048,
  contract: 4096,
  afn: 8192,
  reassoc: 16384,
  /** All seven fast-math flags. */
  fast: 0x7f00,
} as const;

export interface InstructionCommon {
  readonly kind: 'instruction';
  /** The type of the result; `void` when there is none. */
  type: Type;
  name: string | undefined;
  /** The `DILocation` of `!dbg`. */
  debugLocation: MetadataNode | undefined;
  /** Everything attached except `!dbg`. */
  metadata: MetadataAttachment[] | undefined;
}

export type BinaryOp =
  | 'add'
  | 'sub'
  | 'mul'
  | 'udiv'
  | 'sdiv'
  | 'urem'
  | 'srem'
  | 'shl'
  | 'lshr'
  | 'ashr'
  | 'and'
  | 'or'
  | 'xor'
  | 'fadd'
  | 'fsub'
  | 'fmul'
  | 'fdiv'
  | 'frem';

export interface BinaryInstruction extends InstructionCommon {
  readonly op: BinaryOp;
  flags: number;
  left: Value;
  right: Value;
}

export interface UnaryInstruction extends InstructionCommon {
  readonly op: 'fneg' | 'freeze';
  flags: number;
  operand: Value;
}

export type CastOp =
  | 'trunc'
  | 'zext'
  | 'sext'
  | 'fptrunc'
  | 'fpext'
  | 'fptoui'
  | 'fptosi'
  | 'uitofp'
  | 'sitofp'
  | 'ptrtoint'
  | 'ptrtoaddr'
  | 'inttoptr'
  | 'bitcast'
  | 'addrspacecast';

export interface CastInstruction extends InstructionCommon {
  readonly op: CastOp;
  flags: number;
  operand: Value;
}

export type IntegerPredicate = 'eq' | 'ne' | 'ugt' | 'uge' | 'ult' | 'ule' | 'sgt' | 'sge' | 'slt' | 'sle';
export type FloatPredicate =
  | 'false'
  | 'oeq'
  | 'ogt'
  | 'oge'
  | 'olt'
  | 'ole'
  | 'one'
  | 'ord'
  | 'ueq'
  | 'ugt'
  | 'uge'
  | 'ult'
  | 'ule'
  | 'une'
  | 'uno'
  | 'true';

export interface IcmpInstruction extends InstructionCommon {
  readonly op: 'icmp';
  predicate: IntegerPredicate;
  flags: number;
  left: Value;
  right: Value;
}

export interface FcmpInstruction extends InstructionCommon {
  readonly op: 'fcmp';
  predicate: FloatPredicate;
  flags: number;
  left: Value;
  right: Value;
}

export interface SelectInstruction extends InstructionCommon {
  readonly op: 'select';
  flags: number;
  condition: Value;
  ifTrue: Value;
  ifFalse: Value;
}

export interface PhiInstruction extends InstructionCommon {
  readonly op: 'phi';
  flags: number;
  /** `values[i]` arrives from `blocks[i]`. */
  values: Value[];
  blocks: Block[];
}

export interface AllocaInstruction extends InstructionCommon {
  readonly op: 'alloca';
  allocatedType: Type;
  /** How many of them; one when absent. */
  count: Value | undefined;
  align: number;
  inalloca: boolean;
  swiftError: boolean;
}

export type Ordering = 'unordered' | 'monotonic' | 'acquire' | 'release' | 'acq_rel' | 'seq_cst';

export interface LoadInstruction extends InstructionCommon {
  readonly op: 'load';
  pointer: Value;
  /** In bytes; 0 when none is written. The same holds for every `align` here. */
  align: number;
  volatile: boolean;
  /** Present on atomic accesses only. */
  ordering: Ordering | undefined;
  syncScope: string | undefined;
}

export interface StoreInstruction extends InstructionCommon {
  readonly op: 'store';
  value: Value;
  pointer: Value;
  align: number;
  volatile: boolean;
  ordering: Ordering | undefined;
  syncScope: string | undefined;
}

export interface GetElementPtrInstruction extends InstructionCommon {
  readonly op: 'getelementptr';
  flags: number;
  sourceType: Type;
  base: Value;
  indices: Value[];
}

export interface FenceInstruction extends InstructionCommon {
  readonly op: 'fence';
  ordering: Ordering;
  syncScope: string | undefined;
}

/** Its type is `{ T, i1 }`: the value found, and whether it was replaced. */
export interface CompareExchangeInstruction extends InstructionCommon {
  readonly op: 'cmpxchg';
  pointer: Value;
  expected: Value;
  replacement: Value;
  weak: boolean;
  volatile: boolean;
  successOrdering: Ordering;
  failureOrdering: Ordering;
  syncScope: string | undefined;
  align: number;
}

export type AtomicOp =
  | 'xchg'
  | 'add'
  | 'sub'
  | 'and'
  | 'nand'
  | 'or'
  | 'xor'
  | 'max'
  | 'min'
  | 'umax'
  | 'umin'
  | 'fadd'
  | 'fsub'
  | 'fmax'
  | 'fmin'
  | 'fmaximum'
  | 'fminimum'
  | 'uinc_wrap'
  | 'udec_wrap'
  | 'usub_cond'
  | 'usub_sat';

export interface AtomicRmwInstruction extends InstructionCommon {
  readonly op: 'atomicrmw';
  operation: AtomicOp;
  pointer: Value;
  value: Value;
  volatile: boolean;
  ordering: Ordering;
  syncScope: string | undefined;
  align: number;
}

export interface ExtractElementInstruction extends InstructionCommon {
  readonly op: 'extractelement';
  vector: Value;
  index: Value;
}

export interface InsertElementInstruction extends InstructionCommon {
  readonly op: 'insertelement';
  vector: Value;
  element: Value;
  index: Value;
}

export interface ShuffleVectorInstruction extends InstructionCommon {
  readonly op: 'shufflevector';
  left: Value;
  right: Value;
  mask: Constant;
}

export interface ExtractValueInstruction extends InstructionCommon {
  readonly op: 'extractvalue';
  aggregate: Value;
  path: number[];
}

export interface InsertValueInstruction extends InstructionCommon {
  readonly op: 'insertvalue';
  aggregate: Value;
  element: Value;
  path: number[];
}

export interface VaArgInstruction extends InstructionCommon {
  readonly op: 'va_arg';
  list: Value;
}

export interface OperandBundle {
  readonly tag: string;
  readonly operands: Value[];
}

export interface CallCommon extends InstructionCommon {
  functionType: FunctionType;
  callee: Value;
  args: Value[];
  /** One for each argument. */
  argAttributes: AttributeSet[];
  returnAttributes: AttributeSet;
  attributes: AttributeSet;
  /** Empty for C's own. */
  callingConvention: string;
  bundles: OperandBundle[] | undefined;
}

export interface CallInstruction extends CallCommon {
  readonly op: 'call';
  tail: '' | 'tail' | 'musttail' | 'notail';
  flags: number;
}

/** `asm goto`. */
export interface CallBranchInstruction extends CallCommon {
  readonly op: 'callbr';
  fallthrough: Block;
  targets: Block[];
}

export interface ReturnInstruction extends InstructionCommon {
  readonly op: 'ret';
  value: Value | undefined;
}

export interface BranchInstruction extends InstructionCommon {
  readonly op: 'br';
  target: Block;
}

export interface ConditionalBranchInstruction extends InstructionCommon {
  readonly op: 'condbr';
  condition: Value;
  ifTrue: Block;
  ifFalse: Block;
}

export interface SwitchInstruction extends InstructionCommon {
  readonly op: 'switch';
  condition: Value;
  defaultTarget: Block;
  /** `caseValues[i]` goes to `caseTargets[i]`. */
  caseValues: IntegerConstant[];
  caseTargets: Block[];
}

export interface IndirectBranchInstruction extends InstructionCommon {
  readonly op: 'indirectbr';
  address: Value;
  targets: Block[];
}

export interface UnreachableInstruction extends InstructionCommon {
  readonly op: 'unreachable';
}

/** `#dbg_declare(ptr %x, !var, !DIExpression(), !location)` and similar records. */
export interface DebugRecord extends InstructionCommon {
  readonly op: 'debug-record';
  record: 'declare' | 'value' | 'assign' | 'label' | 'declare_value';
  /**
   * The value or address of the variable; several for a `!DIArgList`; none if the value is lost
   * (`!{}`) or for a label.
   */
  values: Value[];
  /** Whether the values were written as a `!DIArgList`. */
  isList: boolean;
  /** The `DILocalVariable`, or the `DILabel`. */
  variable: MetadataNode;
  expression: MetadataNode | undefined;
  assign: AssignRecord | undefined;
}

/** The further operands of `#dbg_assign`. */
export interface AssignRecord {
  id: MetadataNode;
  address: Value | undefined;
  addressExpression: MetadataNode;
}

export type Terminator =
  | ReturnInstruction
  | BranchInstruction
  | ConditionalBranchInstruction
  | SwitchInstruction
  | IndirectBranchInstruction
  | CallBranchInstruction
  | UnreachableInstruction;

export type Instruction =
  | BinaryInstruction
  | UnaryInstruction
  | CastInstruction
  | IcmpInstruction
  | FcmpInstruction
  | SelectInstruction
  | PhiInstruction
  | AllocaInstruction
  | LoadInstruction
  | StoreInstruction
  | GetElementPtrInstruction
  | FenceInstruction
  | CompareExchangeInstruction
  | AtomicRmwInstruction
  | ExtractElementInstruction
  | InsertElementInstruction
  | ShuffleVectorInstruction
  | ExtractValueInstruction
  | InsertValueInstruction
  | VaArgInstruction
  | CallInstruction
  | DebugRecord
  | Terminator;

export type Op = Instruction['op'];
