/**
 * Finds affine addresses of loops: `a[i + 1]`, where `i` is an induction variable.
 *
 * ```
 *   header:  %i = phi [ 0, %before ], [ %next, %latch ]       an induction: next = i + constant
 *            %c = icmp slt %i, %n                             n is invariant: the last i is n - 1
 *            br %c, %body, %exit                              whatever `body` dominates runs with i <= n - 1
 *   body:    %p = getelementptr a, sext(%i)                   affine: all p lie between p(i) and p(n - 1)
 * ```
 *
 * A value is affine when it is built from one induction and invariant values by additions and
 * multiplications that cannot wrap around, so that it is monotonic, and its first and last value
 * bound all others. 64-bit sums may wrap in theory: they are addresses, and no loop runs through
 * the whole address space.
 */
import type { Builder } from '../ir/builder.js';
import { calledName } from '../ir/called-functions.js';
import { integerConstant } from '../ir/constants.js';
import {
  type Block,
  Flag,
  type Instruction,
  type IntegerPredicate,
  type PhiInstruction,
  type Value,
} from '../ir/model.js';
import { terminatorOf } from '../ir/operands.js';
import { type IntegerType, i64 } from '../ir/types.js';
import type { DominatorTree } from './dominators.js';
import type { Loop } from './loops.js';

/** A counter of a loop that an exit branch bounds. */
export interface Induction {
  readonly phi: PhiInstruction;
  /** The increment per iteration. */
  readonly step: bigint;
  readonly ascends: boolean;
  readonly isSigned: boolean;
  /**
   * The last value with which the loop continues is at most (ascending) or at least this plus
   * `correction`.
   */
  readonly bound: Value;
  readonly correction: bigint;
  /** The bound holds in this block and the blocks that it dominates. */
  readonly within: Block;
  /** The sources of the loop's back edges. */
  readonly latches: ReadonlySet<Block>;
}

export class LoopAddresses {
  readonly #defined = new Set<Value>();
  readonly #inductions: Induction[];

  constructor(
    private readonly tree: DominatorTree,
    loop: Loop,
  ) {
    const blocks = loop.blocks.map(number => tree.cfg.blocks[number]!);
    for (const block of blocks) for (const instruction of block.instructions) this.#defined.add(instruction);
    this.#inductions = this.#findInductions(loop, blocks);
  }

  isInvariant(value: Value): boolean {
    return !this.#defined.has(value);
  }

  /**
   * The induction with bounds in the block on which the value depends; 'invariant' if it depends on
   * none.
   */
  paceOf(value: Value, block: Block): Induction | 'invariant' | undefined {
    const bounding = this.#inductions.filter(({ within }) => this.tree.blockDominates(within, block));
    const found = new Set<Induction>();
    if (!this.#isAffine(value, bounding, found)) return undefined;
    if (found.size === 0) return 'invariant';
    return found.size === 1 ? [...found][0] : undefined;
  }

  /** The largest number of iterations, if constants determine it. */
  get mostRounds(): bigint | undefined {
    const known = this.#inductions.map(roundsOf).filter(rounds => rounds !== undefined);
    return known.reduce<bigint | undefined>(
      (least, rounds) => (least === undefined || rounds < least ? rounds : least),
      undefined,
    );
  }

  /** Computes the value for a given value of the induction. */
  at(value: Value, induction: Induction | 'invariant', counter: Value | undefined, builder: Builder): Value {
    if (induction !== 'invariant' && value === induction.phi) return counter!;
    if (this.isInvariant(value) || value.kind !== 'instruction') return value;
    const again = (operand: Value) => this.at(operand, induction, counter, builder);
    const sum = arithmeticOf(value);
    if (sum !== undefined) return builder.binary(sum.op, again(sum.left), again(sum.right));
    if (value.op === 'sext' || value.op === 'zext')
      return builder.cast(value.op, again(value.operand), value.type);
    if (value.op === 'getelementptr')
      return builder.gep(value.sourceType, again(value.base), value.indices.map(again));
    return value;
  }

  #isAffine(value: Value, bounding: readonly Induction[], found: Set<Induction>): boolean {
    if (this.isInvariant(value)) return true;
    if (value.kind !== 'instruction') return false;
    const again = (operand: Value) => this.#isAffine(operand, bounding, found);
    const induction = bounding.find(({ phi }) => phi === value);
    if (induction !== undefined) {
      found.add(induction);
      return true;
    }
    const sum = arithmeticOf(value);
    if (sum?.op === 'mul')
      return (
        (this.isInvariant(sum.left) || this.isInvariant(sum.right)) && again(sum.left) && again(sum.right)
      );
    if (sum !== undefined) return again(sum.left) && again(sum.right);
    switch (value.op) {
      case 'sext':
      case 'zext': {
        const ok = again(value.operand);
        return ok && [...found].every(({ isSigned }) => isSigned === (value.op === 'sext'));
      }
      case 'getelementptr':
        return again(value.base) && value.indices.every(again);
      default:
        // Other operations are not affine, or are not recognized as such.
        return false;
    }
  }

  #findInductions(loop: Loop, blocks: readonly Block[]): Induction[] {
    const header = this.tree.cfg.blocks[loop.header]!;
    const latches = new Set(loop.latches.map(number => this.tree.cfg.blocks[number]!));
    const found: Induction[] = [];
    for (const phi of header.instructions) {
      if (phi.op !== 'phi' || phi.type.kind !== 'integer') continue;
      const step = stepOf(phi, latches);
      if (step === undefined) continue;
      for (const block of blocks) {
        const bounded = this.#boundAt(block, phi, step, blocks);
        if (bounded !== undefined) found.push({ ...bounded, latches });
      }
    }
    return found;
  }

  /** The bound that the branch at the end of the block imposes on the counter. */
  #boundAt(
    block: Block,
    phi: PhiInstruction,
    step: bigint,
    blocks: readonly Block[],
  ): Omit<Induction, 'latches'> | undefined {
    const branch = terminatorOf(block);
    if (branch?.op !== 'condbr' || branch.condition.kind !== 'instruction') return undefined;
    const compare = branch.condition;
    if (compare.op !== 'icmp') return undefined;
    const staysIfTrue = blocks.includes(branch.ifTrue);
    if (staysIfTrue === blocks.includes(branch.ifFalse)) return undefined;
    const within = staysIfTrue ? branch.ifTrue : branch.ifFalse;
    const number = this.tree.cfg.numberOf.get(within)!;
    if (this.tree.cfg.predecessors[number]!.length !== 1) return undefined;
    const isLeft = compare.left === phi;
    const bound = isLeft ? compare.right : compare.left;
    if ((!isLeft && compare.right !== phi) || !this.isInvariant(bound)) return undefined;
    let predicate = isLeft ? compare.predicate : swapped[compare.predicate];
    if (!staysIfTrue) predicate = negated[predicate];
    const ascends = step > 0n;
    const correction = corrections[predicate];
    if (correction === undefined || correction.ascends !== ascends) return undefined;
    return {
      phi,
      step,
      ascends,
      isSigned: predicate.startsWith('s'),
      bound,
      correction: correction.by,
      within,
    };
  }
}

function roundsOf({ phi, step, bound, correction, isSigned, latches }: Induction): bigint | undefined {
  const [start, ...others] = phi.values.filter((_, i) => !latches.has(phi.blocks[i]!));
  if (start?.kind !== 'integer' || others.length > 0 || bound.kind !== 'integer') return undefined;
  const read = isSigned ? BigInt.asIntN : BigInt.asUintN;
  const [first, last] = [start, bound].map(({ type, value }) => read(type.bits, value)) as [bigint, bigint];
  const rounds = (last + correction - first) / step + 1n;
  return rounds > 0n ? rounds : 0n;
}

/** The last value of the counter, as an instruction. */
export function lastOf({ bound, correction }: Induction, builder: Builder): Value {
  if (correction === 0n) return bound;
  const type = bound.type as IntegerType;
  return builder.binary('add', bound, integerConstant(type, BigInt.asUintN(type.bits, correction)));
}

/**
 * A check that the step after the last value leaves the loop instead of wrapping around, as it does
 * in `for (i = n; i >= 0; i--)` with an unsigned `i`; undefined if it cannot wrap.
 */
export function stepsPast(
  { step, ascends, isSigned, correction }: Induction,
  last: Value,
  builder: Builder,
): Value | undefined {
  // After a strict comparison a step of 1 leads to the bound itself.
  if (correction !== 0n && (step === 1n || step === -1n)) return undefined;
  const type = last.type as IntegerType;
  const half = 1n << BigInt(type.bits - 1);
  const [least, most] = isSigned ? [-half, half - 1n] : [0n, 2n * half - 1n];
  const edge = integerConstant(type, BigInt.asUintN(type.bits, (ascends ? most : least) - step));
  return builder.icmp(`${isSigned ? 's' : 'u'}${ascends ? 'le' : 'ge'}`, last, edge);
}

const corrections: Partial<Record<IntegerPredicate, { readonly ascends: boolean; readonly by: bigint }>> = {
  slt: { ascends: true, by: -1n },
  ult: { ascends: true, by: -1n },
  sle: { ascends: true, by: 0n },
  ule: { ascends: true, by: 0n },
  sgt: { ascends: false, by: 1n },
  ugt: { ascends: false, by: 1n },
  sge: { ascends: false, by: 0n },
  uge: { ascends: false, by: 0n },
};

const negated: Record<IntegerPredicate, IntegerPredicate> = {
  eq: 'ne',
  ne: 'eq',
  ugt: 'ule',
  uge: 'ult',
  ult: 'uge',
  ule: 'ugt',
  sgt: 'sle',
  sge: 'slt',
  slt: 'sge',
  sle: 'sgt',
};

const swapped: Record<IntegerPredicate, IntegerPredicate> = {
  eq: 'eq',
  ne: 'ne',
  ugt: 'ult',
  uge: 'ule',
  ult: 'ugt',
  ule: 'uge',
  sgt: 'slt',
  sge: 'sle',
  slt: 'sgt',
  sle: 'sge',
};

/** The increment of the phi per iteration; undefined if it is not a constant. */
function stepOf(phi: PhiInstruction, latches: ReadonlySet<Block>): bigint | undefined {
  const next = new Set(phi.values.filter((_, i) => latches.has(phi.blocks[i]!)));
  const [value] = next;
  if (next.size !== 1 || value?.kind !== 'instruction') return undefined;
  const sum = arithmeticOf(value) ?? (value.op === 'add' || value.op === 'sub' ? value : undefined);
  if (sum === undefined || sum.op === 'mul') return undefined;
  const constant =
    sum.left === phi ? sum.right : sum.op === 'add' && sum.right === phi ? sum.left : undefined;
  if (constant?.kind !== 'integer') return undefined;
  const step = BigInt.asIntN(constant.type.bits, constant.value) * (sum.op === 'add' ? 1n : -1n);
  return step === 0n ? undefined : step;
}

interface Arithmetic {
  readonly op: 'add' | 'sub' | 'mul';
  readonly left: Value;
  readonly right: Value;
}

/** A sum or product that does not wrap: it has a flag, is checked, or has 64 bits. */
export function arithmeticOf(value: Instruction): Arithmetic | undefined {
  switch (value.op) {
    case 'add':
    case 'sub':
    case 'mul': {
      const { op, left, right } = value;
      const isWide = op === 'mul' ? isSmall(left) || isSmall(right) : value.type === i64;
      return isWide || (value.flags & Flag.nsw) !== 0 ? { op, left, right } : undefined;
    }
    case 'extractvalue': {
      const checked = value.aggregate;
      if (value.path[0] !== 0 || checked.kind !== 'instruction' || checked.op !== 'call') return undefined;
      const op = /^llvm\.s(add|sub|mul)\.with\.overflow\./.exec(calledName(checked))?.[1] as
        | Arithmetic['op']
        | undefined;
      const [left, right] = checked.args;
      return op === undefined ? undefined : { op, left: left!, right: right! };
    }
    default:
      // Other instructions are not sums or products.
      return undefined;
  }
}

/** A 64-bit factor small enough that the product with a loop's length does not wrap. */
function isSmall(value: Value): boolean {
  return value.type === i64 && value.kind === 'integer' && value.value < 1n << 31n;
}
