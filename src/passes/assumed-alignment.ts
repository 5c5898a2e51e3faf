/**
 * Checks promises about the alignment of a pointer by `__builtin_assume_aligned`. clang passes them
 * on as bundles of `llvm.assume`, and optimizers rely on them.
 *
 * ```
 *                                                      %low = and i64 (%p - offset), 15
 *   call @llvm.assume(i1 true) [ "align"(%p, 16) ]     br i1 (icmp eq %low, 0), %near, %far
 *                                                      far: call @__rz_assumed_alignment(%p, 16)
 * ```
 *
 * The upper half of a pointer under `check` has its referent number, which no alignment reaches.
 */
import { AttributeSet, attribute } from '../ir/attributes.js';
import { getOrDeclareFunction } from '../ir/builder.js';
import { integerConstant } from '../ir/constants.js';
import type { Instruction, IrFunction, Module, Value } from '../ir/model.js';
import { functionType, i64, ptr, voidType } from '../ir/types.js';
import { type InsertedTest, insertTests } from './inserted-tests.js';
import { assumedAlignmentHandler } from './promise-handlers.js';

export function checkAssumedAlignment(module: Module): void {
  let handler: IrFunction | undefined;
  for (const target of module.functions) {
    const promises = target.blocks.flatMap(({ instructions }) => instructions).filter(isPromise);
    if (promises.length === 0) continue;
    handler ??= getOrDeclareFunction(module, assumedAlignmentHandler, functionType(voidType, [ptr, i64]));
    handler.attributes = AttributeSet.of(attribute('nounwind'), attribute('cold'), attribute('nofree'));
    const report = handler;
    insertTests(target, new Map(promises.map(promise => [promise, alignmentTest(promise, report)])));
  }
}

function isPromise(instruction: Instruction): boolean {
  return operandsOf(instruction) !== undefined;
}

/** The pointer, its alignment, and the offset from an aligned address, which may be absent. */
function operandsOf(instruction: Instruction): readonly Value[] | undefined {
  const isAssumption =
    instruction.op === 'call' &&
    instruction.callee.kind === 'function' &&
    instruction.callee.name === 'llvm.assume';
  return isAssumption ? instruction.bundles?.find(({ tag }) => tag === 'align')?.operands : undefined;
}

function alignmentTest(promise: Instruction, handler: IrFunction): InsertedTest {
  const [pointer, alignment, offset] = operandsOf(promise)!;
  return {
    condition: builder => {
      const address = builder.cast('ptrtoint', pointer!, i64);
      const start = offset === undefined ? address : builder.binary('sub', address, offset);
      const mask = builder.binary('sub', alignment!, integerConstant(i64, 1));
      return builder.icmp('eq', builder.binary('and', start, mask), integerConstant(i64, 0));
    },
    report: builder => builder.call(handler, [pointer!, alignment!]),
  };
}
