/**
 * Removes the calls of handlers, for a program that was compiled with checks and is built without
 * them. What a check compares stays, and LLVM deletes it; after a handler that does not return the
 * optimiser assumes, as without checks, that the error does not occur.
 */
import { calledName } from '../ir/called-functions.js';
import type { Module } from '../ir/model.js';

export function removeHandlers(module: Module, handlers: ReadonlySet<string>): void {
  for (const { blocks } of module.functions)
    for (const block of blocks)
      block.instructions = block.instructions.filter(each => !handlers.has(calledName(each)));
}
