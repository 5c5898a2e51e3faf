/**
 * Thread-local variables of a program with threads. The variable itself belongs to the main thread;
 * another thread gets a copy of the initial value, which a constant holds, when it first requests
 * the address (`__rz_thread_local`).
 */
import { makeVariable } from '../../ir/builder.js';
import type { GlobalVariable, Module } from '../../ir/model.js';

export function copyThreadLocals(module: Module): Map<GlobalVariable, GlobalVariable> {
  const copies = new Map<GlobalVariable, GlobalVariable>();
  for (const variable of [...module.variables]) {
    const { initializer, threadLocal, name, valueType, align } = variable;
    if (threadLocal === undefined || initializer === undefined || initializer.kind === 'zero') continue;
    const copy = makeVariable(`${name}.at-first`, valueType, initializer);
    copy.linkage = 'internal';
    copy.isConstant = true;
    copy.align = align;
    module.variables.push(copy);
    copies.set(variable, copy);
  }
  return copies;
}
