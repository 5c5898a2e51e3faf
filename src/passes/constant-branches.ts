/**
 * Branches on constants, with the block behind each joined to the block before it.
 *
 * clang asks before each shift whether the count fits, also where both are constants: reading the
 * fields of an instruction word is `br i1 true` three times a field. Each splits a block, and what
 * is known of a value within a block (that it is checked, that it is defined) ends there.
 *
 * ```
 *   before: ...                                  before: ...
 *           br true, %after, %handler   becomes          %y = lshr ...
 *   after:  %y = lshr ...                                ...
 *           ...
 * ```
 *
 * Only such blocks are joined: a program's own blocks stay, and with them where an undefined value
 * is reported, at its load or at its use. What cannot be reached any more is for
 * `removeUnreachableBlocks` to remove.
 */
import { Builder } from '../ir/builder.js';
import type { Block, Instruction, IrFunction, Value } from '../ir/model.js';
import { mapOperands, successorsOf, terminatorOf } from '../ir/operands.js';
import { i1 } from '../ir/types.js';
import { removeUnreachableBlocks } from './dead-code.js';

export function foldConstantBranches(target: IrFunction): void {
  const folded = new Set<Block>();
  // A folded branch can leave one value to a phi that another branch depends on.
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

/** Makes a branch of a branch on a constant, and says where it leads. */
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

/** clang joins the two questions of a shift of a signed number by a phi and an `and`. */
function constantOf(value: Value): boolean | undefined {
  if (value.kind === 'integer') return value.value !== 0n;
  if (value.kind !== 'instruction') return undefined;
  if (value.op === 'phi') return value.values.length === 1 ? constantOf(value.values[0]!) : undefined;
  if (value.op !== 'and') return undefined;
  const [left, right] = [constantOf(value.left), constantOf(value.right)];
  if (left === false || right === false) return false;
  return left === undefined ? undefined : right;
}

/** The phis of `to` have no value from `from` any more. */
function forgetEdge(from: Block, to: Block): void {
  for (const phi of to.instructions) {
    if (phi.op !== 'phi') return;
    const index = phi.blocks.indexOf(from);
    phi.blocks.splice(index, 1);
    phi.values.splice(index, 1);
  }
}

/** Appends those of `candidates` to the block before them that are entered from it alone. */
function join(target: IrFunction, candidates: ReadonlySet<Block>): void {
  const predecessors = new Map<Block, Block[]>();
  for (const block of target.blocks)
    for (const next of successorsOf(block)) {
      const known = predecessors.get(next);
      if (known === undefined) predecessors.set(next, [block]);
      else known.push(block);
    }
  /** Where the instructions of a block went, and what its phis were. */
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

/** No phi, or one of the answers to questions of clang, which no debug record names. */
function isAnswer(instruction: Instruction): boolean {
  return instruction.op !== 'phi' || (instruction.type === i1 && instruction.values.length === 1);
}

function lastOf<T>(next: ReadonlyMap<T, T>, start: T): T {
  let last = start;
  for (let found = next.get(last); found !== undefined; found = next.get(last)) last = found;
  return last;
}
