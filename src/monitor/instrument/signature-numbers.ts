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
 * WebAssembly has a check of its own at each indirect call, which does not do: it takes a structure
 * that is passed by value for a pointer, and the optimiser makes a direct call of one whose target
 * it knows, for which the code generator converts arguments and results as it sees fit. So where a
 * function of another type could be the target, the optimiser must not see what is called (`hide`).
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
 * Computed from the module as clang wrote it: instrumented functions say less about how they take
 * their arguments.
 */
export function numberFunctions(module: Module, layout: DataLayout): NumberedFunction[] {
  return [...addressTaken(module)]
    .filter(
      target => !target.name.startsWith('llvm.') && hasPrototype(target) && target.linkage !== 'extern_weak',
    )
    .map(target => ({ target, number: numberOfSignature(signatureOf(target, layout)) }));
}

/**
 * What is declared without a prototype, and defined by the runtime, is what it is first called as.
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

/** May the optimiser find out that the call is one of a function with another type? */
export function mayBeAnother(call: CallInstruction, functions: readonly NumberedFunction[]): boolean {
  return functions.some(({ target }) => target.functionType !== call.functionType);
}

/** The same pointer, of which the optimiser knows nothing. */
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
