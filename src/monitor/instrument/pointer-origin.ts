/** Statically determines the object into which a pointer points, and the offset. */
import type { DataLayout } from '../../ir/data-layout.js';
import type { AllocaInstruction, GlobalVariable, Value } from '../../ir/model.js';
import type { Type } from '../../ir/types.js';

export interface PointerOrigin {
  readonly object: AllocaInstruction | GlobalVariable;
  /** In bytes from the object's start; undefined when an index is not constant. */
  readonly offset: number | undefined;
}

/** Follows `getelementptr`s down to an alloca of fixed size or a global variable. */
export function pointerOrigin(pointer: Value, layout: DataLayout): PointerOrigin | undefined {
  let offset: number | undefined = 0;
  let value = pointer;
  for (;;) {
    if (value.kind === 'variable') return { object: value, offset };
    if (value.kind === 'instruction' && value.op === 'alloca')
      return value.count === undefined ? { object: value, offset } : undefined;
    const step = gepParts(value);
    if (step === undefined) return undefined;
    const { constantBytes, scaled } = layout.gepSteps(step.sourceType, step.indices);
    offset = offset === undefined || scaled.length > 0 ? undefined : offset + Number(constantBytes);
    value = step.base;
  }
}

/** The pointer from which constant offsets lead to this one, and the sum of these offsets. */
export function constantSteps(pointer: Value, layout: DataLayout): { base: Value; offset: number } {
  let [base, offset] = [pointer, 0];
  while (base.kind === 'instruction' && base.op === 'getelementptr') {
    const { constantBytes, scaled } = layout.gepSteps(base.sourceType, base.indices);
    if (scaled.length > 0) break;
    offset += Number(constantBytes);
    base = base.base;
  }
  return { base, offset };
}

function gepParts(value: Value): { base: Value; sourceType: Type; indices: Value[] } | undefined {
  if (value.kind === 'instruction' && value.op === 'getelementptr') return value;
  if (value.kind === 'expression' && value.op === 'getelementptr') {
    const [base, ...indices] = value.operands;
    return { base: base!, sourceType: value.sourceType!, indices };
  }
  return undefined;
}

/** Whether an access of this many bytes is inside its object in every execution. */
export function isInBounds(origin: PointerOrigin, bytes: number, objectBytes: number): boolean {
  return origin.offset !== undefined && origin.offset >= 0 && origin.offset + bytes <= objectBytes;
}
