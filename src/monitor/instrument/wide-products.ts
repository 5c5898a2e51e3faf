/**
 * Tests whether both factors of a checked 64-bit product have 32 bits, before its overflow is
 * computed:
 *
 * ```
 *   %pair = call @llvm.smul.with.overflow.i64(%a, %b)      %product = mul %a, %b
 *   %product = extractvalue %pair, 0                       %near = add %a, 1 << 31         also of %b
 *   %over = extractvalue %pair, 1               becomes    %small = icmp ult %near, 1 << 32
 *   %fits = xor %over, true                                br %small, %cont, %wide
 *   br %fits, %cont, %handler                       wide:  … the pair, whose product is not used
 *                                                          br %fits, %cont, %handler
 * ```
 *
 * WebAssembly has no product of 128 bits, so LLVM calls `__multi3`, which makes four products and
 * returns its result in memory. Few factors have more than 32 bits, and for many the optimiser
 * knows it.
 */
import { Builder, makeBlock } from '../../ir/builder.js';
import { calledName } from '../../ir/called-functions.js';
import { integerConstant, signedValue } from '../../ir/constants.js';
import type {
  Block,
  CallInstruction,
  ConditionalBranchInstruction,
  Instruction,
  IrFunction,
  Value,
} from '../../ir/model.js';
import { mapOperands, terminatorOf } from '../../ir/operands.js';
import { i64 } from '../../ir/types.js';
import { usesOf } from '../../passes/value-uses.js';
import { likely } from './rewriter.js';

/** A product with its test, at the end of a block. */
interface CheckedProduct {
  readonly pair: CallInstruction;
  /** What becomes the plain product. */
  readonly results: readonly Instruction[];
  readonly overflow: Instruction;
  readonly fits: Instruction;
  readonly branch: ConditionalBranchInstruction;
}

const half = 1n << 31n;

export function testSmallFactors(target: IrFunction): void {
  if (!target.blocks.some(({ instructions }) => instructions.some(isProduct))) return;
  const uses = usesOf(target);
  const replaced = new Map<Value, Value>();
  target.blocks = target.blocks.flatMap(block => {
    const found = checkedProduct(block, uses);
    return found === undefined ? [block] : [block, split(block, found, replaced)];
  });
  for (const { instructions } of target.blocks)
    for (const instruction of instructions) mapOperands(instruction, value => replaced.get(value) ?? value);
}

function isProduct(instruction: Instruction): instruction is CallInstruction {
  return calledName(instruction) === 'llvm.smul.with.overflow.i64';
}

function checkedProduct(
  block: Block,
  uses: ReadonlyMap<Value, readonly Instruction[]>,
): CheckedProduct | undefined {
  const branch = terminatorOf(block);
  if (branch?.op !== 'condbr') return undefined;
  const fits = branch.condition;
  if (fits.kind !== 'instruction' || fits.op !== 'xor' || uses.get(fits)?.length !== 1) return undefined;
  const overflow = fits.left;
  if (overflow.kind !== 'instruction' || overflow.op !== 'extractvalue' || overflow.path[0] !== 1)
    return undefined;
  const pair = overflow.aggregate;
  if (pair.kind !== 'instruction' || !isProduct(pair) || uses.get(overflow)?.length !== 1) return undefined;
  if (![pair, overflow, fits].every(each => block.instructions.includes(each))) return undefined;
  if (!mayBeSmall(pair.args)) return undefined;
  const results = uses.get(pair)!.filter(each => each !== overflow);
  const areResults = results.every(each => each.op === 'extractvalue' && each.path[0] === 0);
  return areResults ? { pair, results, overflow, fits, branch } : undefined;
}

/** Returns the block in which the overflow is computed. */
function split(
  block: Block,
  { pair, results, overflow, fits, branch }: CheckedProduct,
  replaced: Map<Value, Value>,
): Block {
  const wide = makeBlock('wide');
  wide.instructions.push(pair, overflow, fits, branch);
  const moved = new Set<Instruction>([...wide.instructions, ...results]);
  const made: Instruction[] = [];
  const builder = new Builder(made);
  const [left, right] = pair.args as [Value, Value];
  for (const instruction of block.instructions) {
    if (instruction === pair) {
      const product = builder.binary('mul', left, right);
      for (const result of results) replaced.set(result, product);
    } else if (!moved.has(instruction)) made.push(instruction);
  }
  const factors = [...new Set([left, right])].filter(({ kind }) => kind !== 'integer');
  const areSmall = factors
    .map(each => isNear(each, builder))
    .reduce((all, test) => builder.binary('and', all, test));
  builder.condBr(areSmall, branch.ifTrue, wide).metadata = likely;
  block.instructions = made;
  joinPhis(branch, block, wide);
  return wide;
}

/** The handler is reached from the new block alone, and the code after the check from both. */
function joinPhis({ ifTrue, ifFalse }: ConditionalBranchInstruction, block: Block, wide: Block): void {
  for (const phi of ifFalse.instructions)
    if (phi.op === 'phi') phi.blocks = phi.blocks.map(source => (source === block ? wide : source));
  for (const phi of ifTrue.instructions) {
    if (phi.op !== 'phi') continue;
    phi.values.push(phi.values[phi.blocks.indexOf(block)]!);
    phi.blocks.push(wide);
  }
}

function isNear(factor: Value, builder: Builder): Instruction {
  const moved = builder.binary('add', factor, integerConstant(i64, half));
  return builder.icmp('ult', moved, integerConstant(i64, 2n * half));
}

/** Whether a factor is variable, and the others may have 32 bits. */
function mayBeSmall(factors: readonly Value[]): boolean {
  const constants = factors.filter(each => each.kind === 'integer').map(signedValue);
  return constants.length < factors.length && constants.every(each => each >= -half && each < half);
}
