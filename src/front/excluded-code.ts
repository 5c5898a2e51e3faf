/**
 * Removes code that constant conditions exclude.
 *
 *     if (ready && HAS_RANDOM) read_random(to);      with HAS_RANDOM 0, and without read_random
 *
 * gcc and clang remove such a call, even without optimization or with the first level of it, and
 * programs rely on that instead of `#if`. clang's front end keeps it, so its function would be
 * undefined. Linkers ask for this only if something is undefined: other programs are linked as they
 * are.
 */
import { forEachReference } from '../ir/global-references.js';
import type { Module } from '../ir/model.js';
import { foldConstantBranches } from '../passes/constant-branches.js';
import { globalsOf, isDeclaration } from './link.js';

/** Functions that jump to computed addresses stay as they are. */
export function removeExcludedCode(module: Module): void {
  for (const target of module.functions) {
    const jumpsAnywhere = target.blocks.some(({ instructions }) => instructions.at(-1)?.op === 'indirectbr');
    if (target.blocks.length > 0 && !jumpsAnywhere) foldConstantBranches(target);
  }
}

/** The names that the definitions of the module refer to, without excluded code. */
export function referencedNames(module: Module): Set<string> {
  removeExcludedCode(module);
  const names = new Set<string>();
  for (const global of globalsOf(module))
    if (!isDeclaration(global)) forEachReference(global, ({ name }) => names.add(name));
  return names;
}
