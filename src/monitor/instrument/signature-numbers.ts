/**
 * Calls through pointers are checked by a table in the runtime that has a number for the signature
 * of each function whose address the program takes, by its index in the table of functions
 * (`runtime/monitor/check.h`).
 *
 * ```
 *   ok = callee < 16384 & signatures[callee & 16383] == NUMBER          NUMBER = hash of "i32(ptr,ptr)"
 *   br ok ? call : slow
 * ```
 *
 * WebAssembly checks each indirect call itself, which is not sufficient: it does not distinguish a
 * structure that is passed by value from a pointer, and the optimiser makes a call with a known
 * target direct, for which the code generator converts arguments and results silently. So where a
 * function of another type could be the target, the callee is hidden from the optimiser (`hide`).
 */
import type { Builder } from '../../ir/builder.js';
import type { DataLayout } from '../../ir/data-layout.js';
import type { CallInstruction, InlineAssembly, IrFunction, Module, Value } from '../../ir/model.js';
import { canonical, hasPrototype, redeclare, signatureOf, signatureOfCall } from '../../ir/signatures.js';
import { functionType, ptr } from '../../ir/types.js';
import { addressTaken } from '../../passes/observation.js';
import { hash27 } from './globals.js';

/** A function whose address is taken, and the number of its signature. */
export interface NumberedFunction {
  readonly target: IrFunction;
  readonly number: number;
}

/**
 * Computed from the module as clang wrote it, because instrumented functions have less information
 * about their parameters.
 */
export function numberFunctions(module: Module, layout: DataLayout): NumberedFunction[] {
  return [...addressTaken(module)]
    .filter(
      target => !target.name.startsWith('llvm.') && hasPrototype(target) && target.linkage !== 'extern_weak',
    )
    .map(target => ({ target, number: numberOfSignature(signatureOf(target, layout)) }));
}

/**
 * A function that is declared without a prototype and defined by the runtime gets the type of its
 * first call.
 */
export function declareAsCalled(module: Module, layout: DataLayout): void {
  const unknown = new Set(
    module.functions.filter(target => target.blocks.length === 0 && !hasPrototype(target)),
  );
  if (unknown.size === 0) return;
  for (const { blocks } of module.functions)
    for (const { instructions } of blocks)
      for (const call of instructions)
        if (call.op === 'call' && call.callee.kind === 'function' && unknown.delete(call.callee))
          redeclare(call.callee, signatureOfCall(call, layout));
}

/** Never 0. */
export function numberOfSignature(signature: string): number {
  return hash27(canonical(signature));
}

/** Whether the optimiser could see that the call's target is a function of another type. */
export function mayBeAnother(call: CallInstruction, functions: readonly NumberedFunction[]): boolean {
  return functions.some(({ target }) => target.functionType !== call.functionType);
}

/** The same pointer, with its value hidden from the optimiser. */
export function hide(builder: Builder, pointer: Value): Value {
  return builder.callPointer(functionType(ptr, [ptr]), nothing, [pointer]);
}

const nothing: InlineAssembly = {
  kind: 'assembly',
  type: ptr,
  text: '',
  constraints: '=r,0',
  sideEffect: false,
  alignStack: false,
  intelDialect: false,
  mayUnwind: false,
};
