/**
 * The references between the definitions of a module, which is all that the walk from the roots
 * needs. It is small enough to be cached for each library member, which is then read only when an
 * engine needs its code.
 *
 *     static int twice(int x) { … }         nodes[0] = { name: 'twice', isVisible: false, references: [] }
 *     int main(void) { puts(…); twice(…) }  nodes[1] = { name: 'main', isVisible: true, references: ['puts', 0] }
 */

import { DataLayout } from '../ir/data-layout.js';
import { forEachReference } from '../ir/global-references.js';
import type { GlobalValue, Module } from '../ir/model.js';
import { signatureOf } from '../ir/signatures.js';
import { globalsOf, isDeclaration, isImport, isLocal } from './link.js';

export interface Outline {
  /** One for each definition, in the order of `definitionsOf`. */
  readonly nodes: readonly OutlineNode[];
  readonly declaredFunctions: readonly string[];
  readonly declaredVariables: readonly string[];
}

export interface OutlineNode {
  readonly name: string;
  /** Whether other modules may refer to it by name. */
  readonly isVisible: boolean;
  /** The signature of a visible function (`ir/signatures.ts`). */
  readonly signature?: string;
  /** Kept even without references. */
  readonly isKept: boolean;
  /** A name that must be defined, or the index of a local node. */
  readonly references: readonly (string | number)[];
  /** Names that may be missing (`extern_weak`); absent if there are none. */
  readonly weakReferences?: readonly string[];
}

export function outlineOf(module: Module): Outline {
  const definitions = definitionsOf(module);
  const indices = new Map(definitions.map((global, index) => [global, index]));
  const declarations = [...globalsOf(module)].filter(isDeclaration);
  const namesOf = (kind: GlobalValue['kind']) =>
    declarations.filter(global => global.kind === kind).map(({ name }) => name);
  const layout = new DataLayout(module.dataLayout);
  return {
    nodes: definitions.map(global => ({
      name: global.name,
      isVisible: !isLocal(global) && global.linkage !== 'appending',
      ...(global.kind === 'function' && !isLocal(global) && { signature: signatureOf(global, layout) }),
      isKept: isKeptAlways(global),
      ...referencesOf(global, indices),
    })),
    declaredFunctions: namesOf('function'),
    declaredVariables: namesOf('variable'),
  };
}

/** The definitions of a module. */
export function definitionsOf(module: Module): GlobalValue[] {
  return [...globalsOf(module)].filter(global => !isDeclaration(global));
}

function referencesOf(
  global: GlobalValue,
  indices: ReadonlyMap<GlobalValue, number>,
): Pick<OutlineNode, 'references' | 'weakReferences'> {
  const references = new Set<string | number>();
  const weak = new Set<string>();
  forEachReference(global, target => {
    if (isLocal(target)) references.add(indices.get(target)!);
    else if (isImport(target)) return;
    else if (target.linkage === 'extern_weak') weak.add(target.name);
    else references.add(target.name);
  });
  return { references: [...references], ...(weak.size > 0 && { weakReferences: [...weak] }) };
}

/** Constructors, `__attribute__((used))`, `__attribute__((export_name))`. */
export function isKeptAlways(global: GlobalValue): boolean {
  if (global.kind === 'function') return global.attributes.has('wasm-export-name');
  return global.linkage === 'appending' && global.name !== 'llvm.compiler.used';
}
