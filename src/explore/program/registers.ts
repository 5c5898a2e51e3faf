/**
 * Register allocation for the values of a function.
 *
 *     | arguments | values that cross blocks | values of one block, sharing registers |
 *
 * Most values are last used in the block that computes them, so a few registers serve those of all
 * blocks. A frame is copied at forks, and written and read at each exit from and entry to compiled
 * code, which dominates the cost of calls in large functions.
 *
 * **Invariants.** The result of an instruction has another register than its operands, so that an
 * abandoned instruction can be executed again. If a call may return twice, each value has its own
 * register, because values are needed again after the second return.
 */
import { returnsTwice } from '../../ir/called-functions.js';
import type { Instruction, IrFunction, Value } from '../../ir/model.js';
import { forEachOperand } from '../../ir/operands.js';
import { rootOf } from './root.js';

export interface Registers {
  readonly of: Map<Value, number>;
  readonly count: number;
}

export function assignRegisters(ir: IrFunction): Registers {
  const of = new Map<Value, number>();
  for (const argument of ir.arguments) of.set(argument, of.size);
  const isEnteredAgain = ir.blocks.some(({ instructions }) => instructions.some(returnsTwice));
  const lastUses = isEnteredAgain ? new Map<Instruction, Instruction>() : usedUpInBlock(ir);
  let count = of.size;
  for (const { instructions } of ir.blocks) {
    for (const instruction of instructions) {
      if (instruction.type.kind !== 'void' && !lastUses.has(instruction)) of.set(instruction, count++);
    }
  }
  const firstShared = count;
  for (const { instructions } of ir.blocks) {
    const free = Array.from({ length: count - firstShared }, (_, i) => count - 1 - i);
    const endingAt = new Map<Instruction, number[]>();
    for (const instruction of instructions) {
      const last = lastUses.get(instruction);
      if (last !== undefined) {
        const register = free.pop() ?? count++;
        of.set(instruction, register);
        const others = endingAt.get(last);
        if (others === undefined) endingAt.set(last, [register]);
        else others.push(register);
      }
      free.push(...(endingAt.get(instruction) ?? []));
    }
  }
  return { of, count };
}

/**
 * The values that no other block and no phi uses, with their last use; for an unused value, its
 * definition.
 */
function usedUpInBlock({ blocks }: IrFunction): Map<Instruction, Instruction> {
  const lastUses = new Map<Instruction, Instruction>();
  const crossing = new Set<Instruction>();
  for (const { instructions } of blocks) {
    const own = new Set<Value>();
    for (const instruction of instructions) {
      const use = (operand: Value): void => {
        if (operand.kind !== 'instruction') return;
        if (own.has(operand) && instruction.op !== 'phi') lastUses.set(operand, instruction);
        else crossing.add(operand);
      };
      forEachOperand(instruction, use);
      if (instruction.op === 'load' || instruction.op === 'store') use(rootOf(instruction.pointer));
      if (instruction.type.kind === 'void' || instruction.op === 'debug-record') continue;
      own.add(instruction);
      if (instruction.op !== 'phi' && instruction.op !== 'alloca') lastUses.set(instruction, instruction);
    }
  }
  for (const instruction of crossing) lastUses.delete(instruction);
  return lastUses;
}
