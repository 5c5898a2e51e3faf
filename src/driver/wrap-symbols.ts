/**
 * `ld --wrap=f` on IR: a source that uses `f` without defining it gets `__wrap_f` instead, and `f`
 * in place of `__real_f`. Test suites replace functions by mocks in this way.
 *
 * The text of the IR is changed, not a parsed module, so that linking needs no parser. Names in
 * strings are left alone. The declaration of a replaced name is dropped if the other name is
 * already known, since a module may mention a name only once.
 */
import type { Symbols } from './units.js';

/** Whether an object with these symbols is changed. */
export function isWrapped(symbols: Symbols, names: readonly string[]): boolean {
  return replacements(symbols, names).size > 0;
}

export function withWrappedSymbols(ir: string, symbols: Symbols, names: readonly string[]): string {
  const renamed = replacements(symbols, names);
  const kept = new Set([...symbols.strong, ...symbols.weak, ...symbols.common]);
  for (const name of [...symbols.undefined, ...symbols.weakUndefined]) if (!renamed.has(name)) kept.add(name);
  const withoutDeclarations = ir.replace(declarations, (line, func?: string, variable?: string) => {
    const other = renamed.get(func ?? variable!);
    return other !== undefined && kept.has(other) ? '' : line;
  });
  return withoutDeclarations.replace(/"[^"]*"|@([\w.$-]+)/g, (all, name: string | undefined) => {
    const other = name === undefined ? undefined : renamed.get(name);
    return other === undefined ? all : `@${other}`;
  });
}

const declarations = /^(?:declare [^@\n]*@([\w.$-]+)\(|@([\w.$-]+) = external ).*\n/gm;

function replacements({ undefined: missing, weakUndefined }: Symbols, names: readonly string[]) {
  const used = new Set([...missing, ...weakUndefined]);
  const pairs = names.flatMap(name => [[name, `__wrap_${name}`] as const, [`__real_${name}`, name] as const]);
  return new Map(pairs.filter(([from]) => used.has(from)));
}
