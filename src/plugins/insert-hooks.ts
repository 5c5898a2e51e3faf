/**
 * Inserts hooks as calls of an intrinsic with the index of the hook, its condition, and the values.
 * The explorer executes functions that were changed in this way.
 */
import { Builder, makeFunction } from '../ir/builder.js';
import { integerConstant } from '../ir/constants.js';
import { functionLocation, subprogram } from '../ir/debug.js';
import { type MetadataNode, specializedNode } from '../ir/metadata.js';
import type { Instruction, IrFunction } from '../ir/model.js';
import { functionType, i1, i32, voidType } from '../ir/types.js';
import type { HookPoint, HookPoints } from './hook-points.js';

/** `llvm.rz.hook(index, isMeant, ...values)`; the values may be undefined. */
export const hookIntrinsic = 'llvm.rz.hook';

const hook = makeFunction(hookIntrinsic, functionType(voidType, [i32, i1], true));

export function insertHooks(target: IrFunction, { entry, before, after }: HookPoints): void {
  for (const block of target.blocks)
    block.instructions = block.instructions.flatMap(instruction => [
      ...callsOf(before.get(instruction), instruction.debugLocation),
      instruction,
      ...callsOf(after.get(instruction), instruction.debugLocation),
    ]);
  const first = target.blocks[0]!.instructions;
  const at = first.findIndex(({ op }) => op !== 'alloca' && op !== 'debug-record');
  first.splice(at, 0, ...callsOf(entry, startOf(target)));
}

/** The line of a function's declaration, as a location. */
function startOf(target: IrFunction): MetadataNode | undefined {
  const scope = subprogram(target);
  const line = functionLocation(target)?.line;
  if (scope === undefined || line === undefined) return undefined;
  return specializedNode('DILocation', { line: BigInt(line), column: 0n, scope });
}

function callsOf(points: readonly HookPoint[] = [], at: MetadataNode | undefined): Instruction[] {
  const made: Instruction[] = [];
  const builder = new Builder(made, at);
  for (const { site, values, only } of points) {
    const isMeant =
      only === undefined ? integerConstant(i1, 1) : builder.icmp('eq', only.callee, only.target);
    const type = functionType(voidType, [i32, i1, ...values.map(value => value.type)]);
    builder.callPointer(type, hook, [integerConstant(i32, site), isMeant, ...values]);
  }
  return made;
}
