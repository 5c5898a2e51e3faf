/**
 * Raw functions: code of the C library that the monitor trusts and leaves as it is
 * (`runtime/libc/internal/raw.h`).
 *
 * Range loops, and what woven annotations call, have names that begin with `__rz_raw_`. Code of the
 * library that computes with its own locals and tables has an attribute, which means nothing in a
 * program under test: there it would hide locals from the monitor that checked code is given
 * pointers to.
 */
import type { IrFunction } from '../../ir/model.js';

export function isRaw(target: IrFunction, isLibrary: boolean): boolean {
  return target.name.startsWith('__rz_raw_') || (isLibrary && isComputation(target));
}

/** Does it touch its own variables only, and those that its caller has checked? */
export function isComputation({ attributes }: IrFunction): boolean {
  return attributes.has('disable_sanitizer_instrumentation');
}
