/**
 * Keeps LLVM from knowing malloc and its family, so that every call of the source reaches the
 * malloc that was chosen.
 *
 * LLVM drops an unused block with all its frees, treats stores before a free as dead, makes one
 * calloc of malloc and memset, and believes that no two blocks overlap. In a program that is
 * attacked, or whose calls are counted, each of these changes the result.
 *
 * There are three ways in which it knows, and each alone is enough:
 *
 * ```
 *     declare ptr @malloc(i64) #6        by the name, in every function that calls it    ─▶ "no-builtin-malloc" on the functions
 *                                        by the name, at the declaration: `inferattrs` gives it
 *                                        allockind, alloc-family, noalias …               ─▶ "no-builtin-malloc" on the declaration
 *     attributes #6 = { allocsize(0) }   by what clang wrote, there and at the calls      ─▶ no attributes
 * ```
 *
 * Other functions of the library stay known: a loop still becomes a memset. `-fno-builtin` is no
 * way out: clang does not look at it when it reads IR.
 */
import { AttributeSet, stringAttribute } from '../ir/attributes.js';
import type { IrFunction, Module } from '../ir/model.js';
import { allocationFunctions } from './allocation-functions.js';

/** What LLVM takes for a function that gives, moves or frees a block. */
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
        if (instruction.op !== 'call' || instruction.callee.kind !== 'function') continue;
        if (!family.has(instruction.callee.name)) continue;
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
