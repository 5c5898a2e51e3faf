/**
 * Makes the run end at the first error of arithmetic, for units that were compiled so that it may
 * continue.
 *
 * ```
 *   handler:                                             handler:
 *     call @__ubsan_handle_add_overflow(…)     becomes     call @__ubsan_handle_add_overflow_abort(…)
 *     br label %cont                                       unreachable
 * ```
 *
 * A handler that returns makes its continuation a join, and every value that is live there a merge:
 * a function with hundreds of checks compiles and runs several times slower.
 */
import { Builder } from '../ir/builder.js';
import type { Block, CallInstruction, Instruction, IrFunction, Module } from '../ir/model.js';
import { successorsOf } from '../ir/operands.js';

/** `handlers` are names of handlers that return; the fatal variants append `_abort`. */
export function makeHandlersFatal(module: Module, handlers: ReadonlySet<string>): void {
  const fatal = new Map<IrFunction, IrFunction>();
  for (const handler of module.functions.filter(({ name }) => handlers.has(name))) {
    const name = `${handler.name}_abort`;
    const existing = module.functions.find(each => each.name === name);
    if (existing === undefined) handler.name = name;
    fatal.set(handler, existing ?? handler);
  }
  if (fatal.size === 0) return;
  for (const { blocks } of module.functions) {
    for (const block of blocks) {
      const at = block.instructions.findIndex(each => calleeIn(each, fatal) !== undefined);
      if (at < 0) continue;
      const call = block.instructions[at] as CallInstruction;
      call.callee = calleeIn(call, fatal)!;
      for (const next of successorsOf(block)) forgetPredecessor(next, block);
      block.instructions.length = at + 1;
      new Builder(block.instructions, call.debugLocation).unreachable();
    }
  }
}

function calleeIn(
  instruction: Instruction,
  fatal: ReadonlyMap<IrFunction, IrFunction>,
): IrFunction | undefined {
  if (instruction.op !== 'call' || instruction.callee.kind !== 'function') return undefined;
  return fatal.get(instruction.callee);
}

function forgetPredecessor(block: Block, predecessor: Block): void {
  for (const phi of block.instructions) {
    if (phi.op !== 'phi') return;
    phi.values = phi.values.filter((_, i) => phi.blocks[i] !== predecessor);
    phi.blocks = phi.blocks.filter(source => source !== predecessor);
  }
}
