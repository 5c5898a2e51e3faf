/**
 * Names that an edit elsewhere does not change, so that other parts of the program stay the same.
 * clang numbers string literals, and the descriptions of its own checks have no names.
 */
import { forEachReference } from '../../ir/global-references.js';
import type { GlobalVariable, Module } from '../../ir/model.js';
import { contentHash } from '../../platform/files.js';

/** Names string literals by their content. */
export function nameStrings({ variables }: Module): void {
  const literals = variables.filter(isLiteral);
  const taken = new Set(variables.filter(variable => !isLiteral(variable)).map(({ name }) => name));
  for (const literal of literals) {
    let number = numberOf(literal);
    while (taken.has(`.str.${number}`)) number++;
    literal.name = `.str.${number}`;
    taken.add(literal.name);
  }
}

function isLiteral({ name, linkage, initializer }: GlobalVariable): boolean {
  return linkage === 'private' && initializer?.kind === 'bytes' && /^\.str(\.\d+)*$/.test(name);
}

/** In 48 bits. */
function numberOf({ initializer, align }: GlobalVariable): number {
  const data = initializer?.kind === 'bytes' ? initializer.data : '';
  return Number.parseInt(contentHash([data, String(align)]).slice(0, 12), 16);
}

/** Names for variables without one that functions mention: by the first function that does. */
export function namesOfUnnamed({ functions }: Module): Map<GlobalVariable, string> {
  const names = new Map<GlobalVariable, string>();
  for (const target of functions) {
    let count = 0;
    forEachReference(target, global => {
      if (global.kind !== 'variable' || global.name !== '' || names.has(global)) return;
      names.set(global, `__rz_unnamed.${target.name}.${count++}`);
    });
  }
  return names;
}
