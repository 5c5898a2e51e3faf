/**
 * Marks values that are assigned to local variables declared `restrict` (`--checks +restrict`). In
 * IR such a variable is like any other: only debug information has the word.
 *
 * ```
 *   int *restrict p = a;        %restrict.p = getelementptr i8, ptr %a, i64 0
 *                               store ptr %restrict.p, ptr %p
 * ```
 *
 * The step changes nothing, keeps the value as undefined as it was, and survives the promotion of
 * locals, so every address that is computed from `p` is known by the name of the step.
 *
 * Only variables of the whole function are marked: the scope of others is a block, whose executions
 * nothing in the code of a promoted local tells apart.
 */
import { Builder } from '../ir/builder.js';
import { integerConstant } from '../ir/constants.js';
import { isDeclaredRestrict, recordVariable } from '../ir/debug.js';
import type { Block, Instruction, IrFunction, Module, Value } from '../ir/model.js';
import { restrictMark } from '../ir/restrict-marks.js';
import { i8, i64 } from '../ir/types.js';

export function markRestrictLocals(module: Module): void {
  for (const target of module.functions) {
    const locals = restrictLocals(target);
    if (locals.size > 0) for (const block of target.blocks) markIn(block, locals);
  }
}

/** The names of the variables, by their memory. */
function restrictLocals({ blocks }: IrFunction): ReadonlyMap<Value, string> {
  const locals = new Map<Value, string>();
  for (const record of blocks.flatMap(({ instructions }) => instructions)) {
    if (record.op !== 'debug-record' || record.record !== 'declare') continue;
    const [memory] = record.values;
    const variable = recordVariable(record);
    if (memory === undefined || variable === undefined || variable.isParameter) continue;
    if (variable.isOfWholeFunction && isDeclaredRestrict(record)) locals.set(memory, variable.name);
  }
  return locals;
}

function markIn(block: Block, locals: ReadonlyMap<Value, string>): void {
  const marked: Instruction[] = [];
  for (const instruction of block.instructions) {
    const name = instruction.op === 'store' ? locals.get(instruction.pointer) : undefined;
    if (instruction.op === 'store' && name !== undefined && instruction.value.type.kind === 'pointer') {
      const builder = new Builder(marked, instruction.debugLocation);
      instruction.value = builder.gep(i8, instruction.value, [integerConstant(i64, 0)], restrictMark(name));
    }
    marked.push(instruction);
  }
  block.instructions = marked;
}
