/**
 * Checks arithmetic on null (`--checks +null-offset`): `p + n` or `&p->member`, where `p` is null
 * and the sum is another address. It is tested where the sum is compared, stored or passed on; an
 * access through it is reported at the access.
 *
 * ```
 *   %a = getelementptr %s, %p, 0, 2          br i1 (icmp ne %p, null), %cont, %cold
 *   %b = getelementptr i32, %a, %n           cold: call @__rz_null_offset(offset of field 2 + %n * 4)
 * ```
 *
 * Only the last step of an expression is tested. The handler ignores an offset of 0, which C2y
 * allows.
 *
 * Programs that work do this where a buffer may be absent, so it is off by default (record 0303).
 * Constants are not tested, because `offsetof` is often written as `&((struct s *)0)->member`.
 */
import { AttributeSet, attribute } from '../ir/attributes.js';
import { type Builder, getOrDeclareFunction } from '../ir/builder.js';
import { integerConstant, nullConstant } from '../ir/constants.js';
import { DataLayout } from '../ir/data-layout.js';
import type { GetElementPtrInstruction, IrFunction, Module, Value } from '../ir/model.js';
import { functionType, i64, voidType } from '../ir/types.js';
import { type InsertedTest, insertTests } from './inserted-tests.js';
import { nullOffsetHandler } from './promise-handlers.js';
import { isUsedAsValue, usedSteps } from './used-steps.js';

export function checkNullOffsets(module: Module): void {
  // In the logic of annotations, arithmetic on null is no error.
  if (module.functions.some(({ name }) => name.startsWith('__rz_acsl_'))) return;
  const layout = new DataLayout(module.dataLayout);
  let handler: IrFunction | undefined;
  for (const target of module.functions) {
    const used = usedSteps(target, isUsedAsValue);
    const bases = new Set<Value>(used.map(({ base }) => base));
    const steps = used.filter(step => !bases.has(step) && mayBeNull(startOf(step)));
    if (steps.length === 0) continue;
    handler ??= getOrDeclareFunction(module, nullOffsetHandler, functionType(voidType, [i64]));
    handler.attributes = AttributeSet.of(attribute('nounwind'), attribute('cold'), attribute('nofree'));
    const report = handler;
    insertTests(target, new Map(steps.map(step => [step, nullTest(step, report, layout)])));
  }
}

function startOf(step: GetElementPtrInstruction): Value {
  let start: Value = step;
  while (start.kind === 'instruction' && start.op === 'getelementptr') start = start.base;
  return start;
}

function mayBeNull(start: Value): boolean {
  if (start.kind === 'argument')
    return !['nonnull', 'byval', 'sret'].some(name => start.attributes.has(name));
  return start.kind === 'instruction' && start.op !== 'alloca';
}

function nullTest(step: GetElementPtrInstruction, handler: IrFunction, layout: DataLayout): InsertedTest {
  return {
    condition: builder => builder.icmp('ne', startOf(step), nullConstant),
    report: builder => builder.call(handler, [offsetOf(builder, step, layout)]),
  };
}

/** From the start, in bytes. */
function offsetOf(builder: Builder, step: GetElementPtrInstruction, layout: DataLayout): Value {
  let offset: Value = integerConstant(i64, 0);
  for (let at: Value = step; at.kind === 'instruction' && at.op === 'getelementptr'; at = at.base) {
    const { scaled, constantBytes } = layout.gepSteps(at.sourceType, at.indices);
    offset = builder.binary('add', offset, integerConstant(i64, constantBytes));
    for (const { index, strideBytes } of scaled) {
      const wide = index.type === i64 ? index : builder.cast('sext', index, i64);
      offset = builder.binary('add', offset, builder.binary('mul', wide, integerConstant(i64, strideBytes)));
    }
  }
  return offset;
}
