/**
 * Divides the functions of a module among several modules, which are compiled separately and
 * linked.
 *
 * ```
 *   module   f g h i          groups  [f g] [h i], h is short, f calls h, h calls i
 *
 *   part 0   define f, g      available_externally h      declare i
 *   part 1   define h, i
 * ```
 *
 * A short function of another part is included as a copy that may be inlined and is never compiled
 * itself, so that a part is optimised as the whole would have been. A part declares only what it
 * mentions, so a change in one part does not change the text of the others.
 *
 * Static functions that other parts mention are exported under unique names. Aliases of a function
 * are defined with it, and declared as functions elsewhere.
 */
import { forEachReference } from '../ir/global-references.js';
import type { GlobalAlias, GlobalValue, GlobalVariable, IrFunction, Module } from '../ir/model.js';

/** Makes static functions visible to other parts, whether or not they mention them. */
export function exportStatics({ functions, aliases }: Module, suffix: string): void {
  for (const target of [...functions, ...aliases]) makeVisible(target, suffix);
}

export interface SplitOptions {
  /** The suffix of static functions that other parts refer to. */
  readonly suffix: string;
  /** Whether callers in other parts may have a copy of the function. */
  readonly isShort: (target: IrFunction) => boolean;
}

/**
 * Whether the module can be divided. Assembly that mentions functions must stay with them, and it
 * is unknown to which part an unusual alias belongs.
 */
export function isDivisible({ aliases, ifuncs, assembly }: Module): boolean {
  return ifuncs.length + assembly.length === 0 && aliases.every(alias => functionOf(alias) !== undefined);
}

/** The function that an alias is another name of. */
function functionOf({ aliasee }: GlobalAlias): IrFunction | undefined {
  return aliasee.kind === 'function' && aliasee.blocks.length > 0 ? aliasee : undefined;
}

/**
 * Requires that the groups hold every function that has a body, and that the module is divisible.
 */
export function splitModule(
  module: Module,
  groups: readonly (readonly IrFunction[])[],
  { suffix, isShort }: SplitOptions,
): Module[] {
  const groupOf = new Map<GlobalValue, number>(
    groups.flatMap((group, i) => group.map(target => [target, i] as const)),
  );
  for (const alias of module.aliases) groupOf.set(alias, groupOf.get(functionOf(alias)!)!);
  const isCopied = (target: IrFunction): boolean =>
    (target.linkage === 'external' || target.linkage === 'internal') && isShort(target);
  const parts = groups.map((group, i) => {
    // The lists of constructors are the only variables with a value in a module of code; the first
    // part has them.
    const values = i === 0 ? module.variables.filter(({ initializer }) => initializer !== undefined) : [];
    return mentionedBy([...group, ...values], isCopied);
  });
  for (const [i, { mentioned }] of parts.entries())
    for (const global of mentioned) if ((groupOf.get(global) ?? i) !== i) makeVisible(global, suffix);
  return parts.map(({ mentioned, copied }, i) => ({
    ...module,
    structs: [],
    variables: module.variables.filter(variable => mentioned.has(variable) || isOwn(variable, i)),
    aliases: module.aliases.filter(alias => groupOf.get(alias) === i),
    functions: [
      ...module.functions.filter(target => groupOf.get(target) === i),
      ...inOrderOfNames([
        ...module.functions
          .filter(target => mentioned.has(target) && groupOf.get(target) !== i)
          .map(target =>
            copied.has(target) ? { ...target, linkage: 'available_externally' as const } : declared(target),
          ),
        ...module.aliases
          .filter(alias => mentioned.has(alias) && groupOf.get(alias) !== i)
          .map(alias => ({
            ...declared(functionOf(alias)!),
            name: alias.name,
            visibility: alias.visibility,
          })),
      ]),
    ],
  }));
}

/** Their order in the module depends on which part mentions them first. */
function inOrderOfNames(functions: readonly IrFunction[]): IrFunction[] {
  return [...functions].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

function declared(target: IrFunction): IrFunction {
  const linkage = target.blocks.length > 0 ? 'external' : target.linkage;
  return { ...target, blocks: [], linkage, comdat: undefined };
}

function isOwn({ initializer }: GlobalVariable, part: number): boolean {
  return part === 0 && initializer !== undefined;
}

/** The globals that functions and their copies mention. */
function mentionedBy(
  globals: readonly GlobalValue[],
  isCopied: (target: IrFunction) => boolean,
): { readonly mentioned: ReadonlySet<GlobalValue>; readonly copied: ReadonlySet<GlobalValue> } {
  const mentioned = new Set<GlobalValue>();
  const copied = new Set<GlobalValue>();
  const own = new Set(globals);
  const pending = [...globals];
  for (let next = pending.pop(); next !== undefined; next = pending.pop())
    forEachReference(next, global => {
      if (mentioned.has(global)) return;
      mentioned.add(global);
      if (global.kind !== 'function' || own.has(global) || global.blocks.length === 0) return;
      if (!isCopied(global)) return;
      copied.add(global);
      pending.push(global);
    });
  return { mentioned, copied };
}

function makeVisible(target: GlobalValue, suffix: string): void {
  if (target.linkage !== 'internal' && target.linkage !== 'private') return;
  target.name += suffix;
  target.linkage = 'external';
  target.visibility = 'hidden';
}
