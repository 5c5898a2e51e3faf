/**
 * Raw functions: code of the C library that the monitor trusts and does not instrument
 * (`runtime/libc/internal/raw.h`).
 *
 * Range loops, and the functions that woven annotations call, have names that begin with
 * `__rz_raw_`. Library code that computes with its own locals and tables has an attribute. The
 * attribute is ignored in a program under test, where it would hide locals from the monitor whose
 * addresses are passed to checked code.
 */
import type { IrFunction } from '../../ir/model.js';

export function isRaw(target: IrFunction, isLibrary: boolean): boolean {
  return target.name.startsWith('__rz_raw_') || (isLibrary && isComputation(target));
}

/** Whether it only accesses its own variables, and memory that its caller has checked. */
export function isComputation({ attributes }: IrFunction): boolean {
  return attributes.has('disable_sanitizer_instrumentation');
}
