/**
 * Prevents LLVM from recognizing malloc and its family, so that every call of the source reaches
 * the chosen malloc.
 *
 * LLVM removes an unused block with all its frees, treats stores before a free as dead, combines
 * malloc and memset into calloc, and assumes that no two blocks overlap. In a program that is
 * attacked, or whose calls are counted, each of these changes the result.
 *
 * LLVM recognizes the functions in three ways, each of which is sufficient:
 *
 * ```
 *     declare ptr @malloc(i64) #6        by the name, in every function that calls it    ─▶ "no-builtin-malloc" on the functions
 *                                        by the name, at the declaration: `inferattrs` gives it
 *                                        allockind, alloc-family, noalias …               ─▶ "no-builtin-malloc" on the declaration
 *     attributes #6 = { allocsize(0) }   by what clang wrote, there and at the calls      ─▶ no attributes
 * ```
 *
 * Other library functions are still recognized: a loop still becomes a memset. `-fno-builtin` does
 * not help, because clang ignores it for IR input.
 */
import { AttributeSet, stringAttribute } from '../ir/attributes.js';
import { calledName } from '../ir/called-functions.js';
import type { IrFunction, Module } from '../ir/model.js';
import { allocationFunctions } from './allocation-functions.js';

/** The functions that LLVM recognizes as allocating, resizing or freeing a block. */
const family: ReadonlySet<string> = new Set([
  ...allocationFunctions.filter(name => name !== 'malloc_usable_size'),
  ...['reallocf', 'pvalloc', 'strdup', 'strndup'],
]);

const unknown = [...family].map(name => stringAttribute(`no-builtin-${name}`));

export function makeAllocationOpaque(module: Module): void {
  for (const target of module.functions) {
    if (target.name.startsWith('llvm.')) continue;
    if (family.has(target.name) && target.blocks.length === 0) forgetPromises(target);
    target.attributes = unknown.reduce((set, attribute) => set.with(attribute), target.attributes);
    for (const { instructions } of target.blocks) {
      for (const instruction of instructions) {
        if (instruction.op !== 'call' || !family.has(calledName(instruction))) continue;
        instruction.attributes = AttributeSet.empty;
        instruction.returnAttributes = AttributeSet.empty;
      }
    }
  }
}

function forgetPromises(target: IrFunction): void {
  target.attributes = AttributeSet.empty;
  target.returnAttributes = AttributeSet.empty;
  for (const argument of target.arguments) argument.attributes = AttributeSet.empty;
}
