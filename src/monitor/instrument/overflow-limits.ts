/**
 * Computes the overflow of a sum with a constant by one comparison.
 *
 * ```
 *   %pair = call @llvm.sadd.with.overflow.i32(%i, 1)
 *   %sum  = extractvalue %pair, 0                        %sum  = add %i, 1
 *   %over = extractvalue %pair, 1          becomes
 *   %fits = xor %over, true                              %fits = icmp sle %i, INT_MAX - 1
 *   br %fits, %go-on, %handler                           br %fits, %go-on, %handler
 * ```
 *
 * clang's optimiser has less code to process, and sees when the condition of a loop implies the
 * comparison. The WebAssembly back end, which has no overflow flag, would compare twice.
 *
 * This pass runs last: until then, the pair distinguishes clang's overflow checks from comparisons
 * of the program.
 */
import { Builder } from '../../ir/builder.js';
import { calledName } from '../../ir/called-functions.js';
import { integerConstant, signedValue, trueConstant } from '../../ir/constants.js';
import type { BinaryInstruction, Instruction, IntegerConstant, IrFunction, Value } from '../../ir/model.js';
import { forEachOperand, mapOperands } from '../../ir/operands.js';
import { type IntegerType, i1 } from '../../ir/types.js';

/** The sum of a value and a constant. */
interface Sum {
  readonly op: 'add' | 'sub';
  readonly left: Value;
  readonly right: IntegerConstant;
}

export function compareWithLimits(target: IrFunction): void {
  const { sums, asked } = sumsIn(target);
  if (sums.size === 0) return;
  const replaced = new Map<Value, Value>();
  for (const block of target.blocks) {
    const instructions: Instruction[] = [];
    const builder = new Builder(instructions);
    for (const instruction of block.instructions) {
      if (sums.has(instruction)) continue;
      const result = sums.get(partOf(instruction, 0));
      const overflow = sums.get(partOf(instruction, 1));
      const negated = isNegation(instruction) ? sums.get(partOf(instruction.left, 1)) : undefined;
      if (result !== undefined)
        replaced.set(instruction, builder.binary(result.op, result.left, result.right));
      else if (negated !== undefined) replaced.set(instruction, compare(negated, false, builder));
      else if (overflow === undefined) instructions.push(instruction);
      else if (asked.has(instruction)) replaced.set(instruction, compare(overflow, true, builder));
    }
    block.instructions = instructions;
  }
  for (const { instructions } of target.blocks)
    for (const instruction of instructions) mapOperands(instruction, value => replaced.get(value) ?? value);
}

interface FoundSums {
  /** The checked sums with a constant whose results are only extracted. */
  readonly sums: ReadonlyMap<Value | undefined, Sum>;
  /** Their overflow bits that have uses other than a negation. */
  readonly asked: ReadonlySet<Value>;
}

function sumsIn(target: IrFunction): FoundSums {
  const sums = new Map<Value | undefined, Sum>();
  const asked = new Set<Value>();
  for (const { instructions } of target.blocks) {
    for (const instruction of instructions) {
      const sum = sumOf(instruction);
      if (sum !== undefined) sums.set(instruction, sum);
    }
  }
  if (sums.size === 0) return { sums, asked };
  for (const { instructions } of target.blocks) {
    for (const instruction of instructions) {
      if (instruction.op === 'extractvalue' || isNegation(instruction)) continue;
      forEachOperand(instruction, operand => {
        sums.delete(operand);
        if (partOf(operand, 1) !== undefined) asked.add(operand);
      });
    }
  }
  return { sums, asked };
}

function sumOf(instruction: Instruction): Sum | undefined {
  if (instruction.op !== 'call') return undefined;
  const op = /^llvm\.s(add|sub)\.with\.overflow\.i\d+$/.exec(calledName(instruction))?.[1];
  const [left, right] = instruction.args;
  if ((op !== 'add' && op !== 'sub') || right?.kind !== 'integer') return undefined;
  return { op, left: left!, right };
}

function isNegation(instruction: Instruction): instruction is BinaryInstruction {
  return instruction.op === 'xor' && instruction.type === i1 && instruction.right === trueConstant;
}

/** The pair of which the value is the given part. */
function partOf(value: Value, part: number): Value | undefined {
  const isPart = value.kind === 'instruction' && value.op === 'extractvalue' && value.path[0] === part;
  return isPart ? value.aggregate : undefined;
}

/** The comparison whether the sum overflows, or whether it does not. */
function compare({ op, left, right }: Sum, overflows: boolean, builder: Builder): Value {
  const type = right.type as IntegerType;
  const half = 1n << BigInt(type.bits - 1);
  const change = op === 'add' ? signedValue(right) : -signedValue(right);
  const grows = change >= 0n;
  const last = grows ? half - 1n - change : -half - change;
  const predicate = overflows ? (grows ? 'sgt' : 'slt') : grows ? 'sle' : 'sge';
  return builder.icmp(predicate, left, integerConstant(type, last));
}
