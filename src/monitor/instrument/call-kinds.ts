/**
 * Classifies instructions for the instrumentation: calls that have a frame, markers, range
 * operations.
 */
import { isMathImport } from '../../host/wire.js';
import { calledName } from '../../ir/called-functions.js';
import type { Argument, Instruction } from '../../ir/model.js';
import { readName, writeName } from '../../passes/inlined-functions.js';
import { listName } from '../../passes/variadic-lists.js';
import { handlerPrefix } from './runtime.js';

/** Whether `fast-loops.ts` inserted the call. */
export function isOwnCall(instruction: Instruction): boolean {
  return /^__rz_((first_)?window|settled_(read|write)|unmarked|seldom)$/.test(calledName(instruction));
}

/**
 * Whether the call has a frame: it is neither an intrinsic nor inline assembly. The check of a
 * whole structure is reported like that of a range operation.
 */
export function isRealCall(instruction: Instruction): boolean {
  if (instruction.op !== 'call' || instruction.callee.kind === 'assembly' || isOwnCall(instruction))
    return false;
  const name = calledName(instruction);
  return !name.startsWith('llvm.') || isBulkIntrinsic(name) || name === readName || name === writeName;
}

/** What clang's own checks call when they fail. */
export function isHandlerCall(instruction: Instruction): boolean {
  return calledName(instruction).startsWith(handlerPrefix);
}

/** An intrinsic that is an operation on its operands, or a check. */
export function isPureIntrinsic(instruction: Instruction): boolean {
  return /^llvm\.([su](add|sub|mul)\.with\.overflow|abs|[su](min|max)|fabs|sqrt|ceil|floor|trunc|rint|nearbyint|copysign|fma|fmuladd|ctpop|ctlz|cttz|bswap|bitreverse|fsh[lr]|expect|is\.constant|objectsize|assume|redzone\.(apart|defined|read))\b/.test(
    calledName(instruction),
  );
}

export function isBulkIntrinsic(name: string): boolean {
  return /^llvm\.mem(cpy|move|set)\./.test(name);
}

/**
 * The helpers of the C library through which all its range operations write: `(destination, …,
 * bytes)`.
 */
export function isRawWriter(name: string): boolean {
  return name === '__rz_raw_memmove' || name === '__rz_raw_memset';
}

/**
 * In the C library: a call of raw code that reports nothing (`runtime/libc/internal/raw.h`), or of
 * a mathematical function of the host.
 */
export function isRawLoop(instruction: Instruction): boolean {
  const name = calledName(instruction);
  return name.startsWith('__rz_raw_') || isMathImport(name);
}

export function isDynamicAlloca(instruction: Instruction): boolean {
  return instruction.op === 'alloca' && instruction.count !== undefined;
}

export function isVariadicStart(instruction: Instruction): boolean {
  const name = calledName(instruction);
  return name === listName || name.startsWith('llvm.va_start');
}

export function isByValue(argument: Argument): boolean {
  return argument.attributes.has('byval');
}
