/**
 * Folds branches on constants, and merges each remaining successor into its predecessor.
 *
 * clang checks the count before each shift, even if both operands are constants: reading the fields
 * of an instruction word is `br i1 true` three times a field. Each splits a block, and facts that
 * are tracked per block (a pointer is checked, a value is defined) are lost there.
 *
 * ```
 *   before: ...                                  before: ...
 *           br true, %after, %handler   becomes          %y = lshr ...
 *   after:  %y = lshr ...                                ...
 *           ...
 * ```
 *
 * Only such blocks are merged: the program's own blocks stay, which determine whether an undefined
 * value is reported at its load or at its use. `removeUnreachableBlocks` removes unreachable
 * blocks.
 */
import { Builder } from '../ir/builder.js';
import type { Block, Instruction, IrFunction, Value } from '../ir/model.js';
import { mapOperands, successorsOf, terminatorOf } from '../ir/operands.js';
import { i1 } from '../ir/types.js';
import { removeUnreachableBlocks } from './unreachable-blocks.js';

export function foldConstantBranches(target: IrFunction): void {
  const folded = new Set<Block>();
  // A folded branch may leave a phi, on which another branch depends, with one value.
  for (let known = -1; known < folded.size; ) {
    known = folded.size;
    for (const block of target.blocks) {
      const taken = fold(block);
      if (taken !== undefined) folded.add(taken);
    }
    if (folded.size > known) removeUnreachableBlocks(target);
  }
  if (folded.size > 0) join(target, folded);
}

/** Folds a branch on a constant, and returns its target. */
function fold(block: Block): Block | undefined {
  const branch = terminatorOf(block);
  if (branch?.op !== 'condbr' || branch.ifTrue === branch.ifFalse) return undefined;
  const condition = constantOf(branch.condition);
  if (condition === undefined) return undefined;
  const [taken, left] = condition ? [branch.ifTrue, branch.ifFalse] : [branch.ifFalse, branch.ifTrue];
  forgetEdge(block, left);
  block.instructions.pop();
  new Builder(block.instructions).br(taken).debugLocation = branch.debugLocation;
  return taken;
}

/**
 * clang combines the two conditions of a signed shift by a phi and an `and`, and those of a
 * division by an `or`.
 */
function constantOf(value: Value): boolean | undefined {
  if (value.kind === 'integer') return value.value !== 0n;
  if (value.kind !== 'instruction') return undefined;
  if (value.op === 'phi') return constantOfPhi(value.values);
  if (value.op !== 'and' && value.op !== 'or') return undefined;
  const [left, right] = [constantOf(value.left), constantOf(value.right)];
  const decides = value.op === 'or';
  if (left === decides || right === decides) return decides;
  return left === undefined ? undefined : right;
}

/** One value, or the same constant from everywhere, as in `while (x && 0)`. */
function constantOfPhi([first, ...others]: readonly Value[]): boolean | undefined {
  if (others.length === 0) return first && constantOf(first);
  return others.every(value => value === first) && first?.kind === 'integer' ? first.value !== 0n : undefined;
}

/** Removes the phi entries of `to` for `from`. */
function forgetEdge(from: Block, to: Block): void {
  for (const phi of to.instructions) {
    if (phi.op !== 'phi') return;
    const index = phi.blocks.indexOf(from);
    phi.blocks.splice(index, 1);
    phi.values.splice(index, 1);
  }
}

/** Merges those of `candidates` into their only predecessor. */
function join(target: IrFunction, candidates: ReadonlySet<Block>): void {
  const predecessors = new Map<Block, Block[]>();
  for (const block of target.blocks)
    for (const next of successorsOf(block)) {
      const known = predecessors.get(next);
      if (known === undefined) predecessors.set(next, [block]);
      else known.push(block);
    }
  /** The new blocks of moved instructions, and the values of removed phis. */
  const homes = new Map<Block, Block>();
  const values = new Map<Value, Value>();
  const homeOf = (block: Block): Block => lastOf(homes, block);
  for (const block of candidates) {
    const [before, ...others] = predecessors.get(block) ?? [];
    if (before === undefined || others.length > 0 || block === target.blocks[0]) continue;
    const home = homeOf(before);
    if (home === block || terminatorOf(home)?.op !== 'br' || !block.instructions.every(isAnswer)) continue;
    home.instructions.pop();
    for (const instruction of block.instructions)
      if (instruction.op === 'phi') values.set(instruction, instruction.values[0]!);
      else home.instructions.push(instruction);
    homes.set(block, home);
  }
  target.blocks = target.blocks.filter(block => !homes.has(block));
  for (const { instructions } of target.blocks)
    for (const instruction of instructions) {
      if (instruction.op === 'phi') instruction.blocks = instruction.blocks.map(homeOf);
      if (values.size > 0) mapOperands(instruction, operand => lastOf(values, operand));
    }
}

/** Whether it is not a phi, or a phi of clang's own conditions, which no debug record names. */
function isAnswer(instruction: Instruction): boolean {
  return instruction.op !== 'phi' || (instruction.type === i1 && instruction.values.length === 1);
}

function lastOf<T>(next: ReadonlyMap<T, T>, start: T): T {
  let last = start;
  for (let found = next.get(last); found !== undefined; found = next.get(last)) last = found;
  return last;
}
