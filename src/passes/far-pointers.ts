/**
 * Checks pointer arithmetic that leaves every object: `p + n` wraps around, or `n` is larger than
 * any object. An access through such a pointer is reported at the access. A pointer that is
 * compared, stored or passed on is checked where it is computed.
 *
 * ```
 *                                      %near = icmp ule i64 %n, 2^31 / stride       of an unsigned offset
 *                                      br i1 %near, %cont, %far
 *   %q = getelementptr i32, %p, %n     far: call @__rz_far_pointer(%p, %n * stride, 1)
 * ```
 *
 * No block has 2 GiB, so a larger offset is invalid for every object. An offset of an unsigned type
 * that is negative as a signed one (`p + (size_t)-1`) has wrapped; if that leads back into the
 * object or to its end, the handler reports nothing, because programs step back in this way and it
 * works on every machine.
 *
 * Why not `-fsanitize=pointer-overflow`? It checks every index, even if an access follows, and it
 * uses addresses, which have referent numbers in their upper halves here. An offset that was an
 * `int` never wraps and is not checked.
 */

import { AttributeSet, attribute } from '../ir/attributes.js';
import { getOrDeclareFunction } from '../ir/builder.js';
import { integerConstant } from '../ir/constants.js';
import { DataLayout } from '../ir/data-layout.js';
import {
  Flag,
  type GetElementPtrInstruction,
  type IrFunction,
  type Module,
  type Value,
} from '../ir/model.js';
import { functionType, i32, i64, ptr, voidType } from '../ir/types.js';
import { type InsertedTest, insertTests } from './inserted-tests.js';
import { farPointerHandler } from './promise-handlers.js';
import { isUsedAsValue, usedSteps } from './used-steps.js';

/** Larger than any object of the engines. */
const farBytes = 2 ** 31;

interface Step {
  readonly index: Value;
  readonly strideBytes: number;
}

export function checkFarPointers(module: Module): void {
  const layout = new DataLayout(module.dataLayout);
  let handler: IrFunction | undefined;
  for (const target of module.functions) {
    const steps = stepsOf(target, layout);
    if (steps.size === 0) continue;
    handler ??= getOrDeclareFunction(module, farPointerHandler, functionType(voidType, [ptr, i64, i32]));
    handler.attributes = AttributeSet.of(attribute('nounwind'), attribute('cold'), attribute('nofree'));
    const report = handler;
    insertTests(target, new Map([...steps].map(([sum, step]) => [sum, distanceTest(sum, step, report)])));
  }
}

/** The pointer steps that are checked. */
function stepsOf(target: IrFunction, layout: DataLayout): ReadonlyMap<GetElementPtrInstruction, Step> {
  const steps = new Map<GetElementPtrInstruction, Step>();
  for (const step of usedSteps(target, isUsedAsValue)) {
    const { scaled, constantBytes } = layout.gepSteps(step.sourceType, step.indices);
    const [only] = scaled;
    if (only === undefined) {
      const isFar = constantBytes > farBytes || constantBytes < -farBytes;
      if (isFar) steps.set(step, { index: integerConstant(i64, constantBytes), strideBytes: 1 });
    } else if (scaled.length === 1 && only.strideBytes > 0 && mayBeFar(only.index)) steps.set(step, only);
  }
  return steps;
}

function mayBeFar(index: Value): boolean {
  if (index.type !== i64) return false;
  if (index.kind !== 'instruction') return true;
  return index.op !== 'sext' && index.op !== 'zext' && !/^sub\.ptr\./.test(index.name ?? '');
}

function distanceTest(
  sum: GetElementPtrInstruction,
  { index, strideBytes }: Step,
  handler: IrFunction,
): InsertedTest {
  const isUnsigned = (sum.flags & Flag.nuw) !== 0;
  const limit = Math.floor(farBytes / strideBytes);
  return {
    condition: builder => {
      const from = isUnsigned ? index : builder.binary('add', index, integerConstant(i64, limit));
      return builder.icmp('ule', from, integerConstant(i64, isUnsigned ? limit : 2 * limit));
    },
    report: builder => {
      const bytes = builder.binary('mul', index, integerConstant(i64, strideBytes));
      builder.call(handler, [sum.base, bytes, integerConstant(i32, isUnsigned ? 1 : 0)]);
    },
  };
}
