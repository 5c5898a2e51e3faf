/**
 * Keeps only the attributes that still hold once a program is instrumented.
 *
 * clang declares that `malloc` reads no memory that the program can see, and that other functions
 * write none. But the monitor's malloc reads the call stack, and every function may report. With
 * such attributes the optimiser could remove what a report needs. So only attributes that are known
 * to hold are kept.
 */

import { handlerNames } from '../../findings/undefined-arithmetic.js';
import { AttributeSet, stringAttribute } from '../../ir/attributes.js';
import type { IrFunction } from '../../ir/model.js';
import { innerArrayHandlers } from '../../passes/inner-array-handlers.js';
import { promiseHandlers } from '../../passes/promise-handlers.js';

const kept = new Set([
  'noreturn',
  'returns_twice',
  'nounwind',
  'cold',
  'noinline',
  'alwaysinline',
  'target-cpu',
  'target-features',
  'wasm-import-module',
  'wasm-import-name',
  'wasm-export-name',
]);

const handlers = new Set([...handlerNames, ...innerArrayHandlers, ...promiseHandlers]);

export function honestAttributes(attributes: AttributeSet): AttributeSet {
  return AttributeSet.of(...attributes.list.filter(attribute => kept.has(attribute.name)));
}

/**
 * Also prevents the optimiser from recognizing library functions by name and replacing their calls.
 */
export function makeHonest(target: IrFunction): void {
  if (target.name.startsWith('llvm.')) return;
  target.attributes = honestAttributes(target.attributes).with(stringAttribute('no-builtins'));
  // The C library declares the range functions as imports; here the runtime defines them.
  if (/^__rz_(range|library)_/.test(target.name))
    target.attributes = target.attributes.without('wasm-import-module').without('wasm-import-name');
  if (handlers.has(target.name)) {
    target.attributes = target.attributes
      .with(stringAttribute('wasm-import-module', 'redzone'))
      .with(stringAttribute('wasm-import-name', target.name));
  }
  target.returnAttributes = AttributeSet.empty;
  for (const argument of target.arguments) {
    const passing = argument.attributes.list.filter(({ name }) => name === 'sret' || name === 'align');
    argument.attributes = AttributeSet.of(...passing);
  }
}
