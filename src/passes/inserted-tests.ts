/**
 * Inserts tests before instructions: a branch to a cold block, which calls a handler and returns to
 * the instruction.
 *
 * ```
 *                                       %valid = …
 *                                       br i1 %valid, %near, %far
 *   %q = getelementptr i32, %p, %n      far:  call @handler(…)
 *                                             br %near
 *                                       near: %q = getelementptr i32, %p, %n
 * ```
 */
import { Builder, makeBlock } from '../ir/builder.js';
import { checkMark } from '../ir/check-marks.js';
import type { Block, Instruction, IrFunction, Value } from '../ir/model.js';

export interface InsertedTest {
  /** Whether the instruction is valid. */
  readonly condition: (builder: Builder) => Value;
  /** Calls the handler. */
  readonly report: (builder: Builder) => void;
}

export function insertTests(target: IrFunction, tests: ReadonlyMap<Instruction, InsertedTest>): void {
  const lastPiece = new Map<Block, Block>();
  const blocks: Block[] = [];
  const cold: Block[] = [];
  for (const block of target.blocks) {
    const { instructions } = block;
    block.instructions = [];
    let current = block;
    blocks.push(current);
    for (const instruction of instructions) {
      const test = tests.get(instruction);
      if (test !== undefined) {
        const { near, far } = branch(instruction, test, current);
        blocks.push(near);
        cold.push(far);
        current = near;
      }
      current.instructions.push(instruction);
    }
    if (current !== block) lastPiece.set(block, current);
  }
  target.blocks = [...blocks, ...cold];
  for (const { instructions } of target.blocks)
    for (const instruction of instructions)
      if (instruction.op === 'phi')
        instruction.blocks = instruction.blocks.map(source => lastPiece.get(source) ?? source);
}

function branch(
  { debugLocation }: Instruction,
  { condition, report }: InsertedTest,
  into: Block,
): { readonly near: Block; readonly far: Block } {
  const near = makeBlock('near');
  const far = makeBlock('far');
  const builder = new Builder(into.instructions, debugLocation);
  builder.condBr(condition(builder), near, far).metadata = checkMark;
  const cold = new Builder(far.instructions, debugLocation);
  report(cold);
  cold.br(near);
  return { near, far };
}
