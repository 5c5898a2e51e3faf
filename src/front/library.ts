/**
 * The C library for the linkers: the member of `runtime/` that defines each symbol, and how members
 * are compiled.
 *
 * `runtime/libc/symbols.json` is the index, one line per symbol, made by `npm run libc:index`. A
 * program links only the members that define what it needs. The library may be compiled in two
 * ways: for an engine, with the range functions of `engine.h` left as imports, and plain, without
 * them.
 */
import { type Diagnostic, InputError } from '../findings/diagnostic.js';
import { filesBelow, readFileIfAny } from '../platform/files.js';
import { packageRoot } from '../platform/node.js';
import { assert } from '../support/assert.js';
import { runtimeMount } from './includes.js';
import { valueOrThrow } from './step-outcome.js';
import type { Toolchain } from './toolchain.js';

export type LibraryVariant = 'engine' | 'plain';

/** Symbols to members, written `libc/string/strlen.c`. */
export type SymbolIndex = ReadonlyMap<string, string>;

/** `-fno-builtin`: or the loop inside `memset` becomes a call to `memset`. */
export function libraryFlags(variant: LibraryVariant): readonly string[] {
  const flags = [`-I${runtimeMount}/libc/internal`, '-DRZ_LIBRARY', '-fno-builtin', '-O2'];
  return variant === 'plain' ? [...flags, '-DRZ_NO_ENGINE'] : flags;
}

export function memberPath(member: string): string {
  return `${runtimeMount}/${member}`;
}

let symbols: SymbolIndex | undefined;

export function librarySymbols(): SymbolIndex {
  if (symbols === undefined) {
    const text = readFileIfAny(`${packageRoot}runtime/libc/symbols.json`);
    assert(text !== undefined, 'runtime/libc/symbols.json is missing: run `npm run libc:index`');
    symbols = new Map(Object.entries(JSON.parse(new TextDecoder().decode(text))));
  }
  return symbols;
}

/**
 * Members that are linked as object files, after the IR was compiled, and never instrumented:
 * functions that the code generator itself calls (128-bit integers, quads), setjmp, whose calls it
 * rewrites, and the allocator for runs without an engine.
 */
export function isObjectMember(member: string): boolean {
  return member.startsWith('plain/') || member.startsWith('libc/rt/');
}

/** All members there are. */
export function libraryMembers(): string[] {
  return ['libc', 'plain']
    .flatMap(folder => filesBelow(`${packageRoot}runtime/${folder}`).map(name => `${folder}/${name}`))
    .filter(name => name.endsWith('.c'));
}

/**
 * Rebuilds the index from the sources. Throws an InputError if two members define the same symbol.
 */
export async function makeSymbolIndex(toolchain: Toolchain): Promise<SymbolIndex> {
  const members = libraryMembers();
  const outcomes = await toolchain.compileRuntime(members.map(memberPath), { flags: libraryFlags('plain') });
  const index = new Map<string, string>();
  const duplicates: Diagnostic[] = [];
  for (const [i, member] of members.entries()) {
    for (const symbol of definedSymbols(valueOrThrow(outcomes[i]!))) {
      const other = index.get(symbol);
      if (other !== undefined) {
        duplicates.push({
          severity: 'error',
          message: `'${symbol}' is defined by ${other} and by ${member}`,
        });
      }
      index.set(symbol, member);
    }
  }
  if (duplicates.length > 0) throw new InputError(...duplicates);
  return new Map([...index].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The external symbols, from the text of a module as clang writes it. */
export function definedSymbols(ir: string): string[] {
  const symbols: string[] = [];
  for (const [, name, rest, functionName] of ir.matchAll(definition)) {
    if (functionName !== undefined) symbols.push(functionName);
    else if (!/^(private|internal|external|extern_weak|available_externally)\b/.test(rest!))
      symbols.push(name!);
  }
  return symbols;
}

const definition =
  /^@([\w.$-]+) = (.*)$|^define (?!internal |private |available_externally )[^@\n]*@([\w.$-]+)\(/gm;
