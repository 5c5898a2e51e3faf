/**
 * A whole program: the user's modules, the members of the library that they need, linked into one.
 *
 * The walk starts at the roots and follows references by name from module to module. A name that no module
 * defines is looked up in the library's index; the members of one round are compiled together, read, and the walk goes on
 * inside them. What is left undefined in the end is an error, unless somebody supplies it later:
 *
 *     kind                                     supplied by
 *     llvm.*                                   the code generator
 *     functions with an import module          the engine
 *     `provided`                               the engine
 *     __heap_base, __wasm_call_ctors, …        wasm-ld
 *     members that are linked as objects       wasm-ld (see `isObjectMember`)
 *
 * Only what the roots reach stays in the result: it is all that an engine will run, and half of the time
 * is spent on what it must not even see.
 */
import type { Diagnostic } from '../findings/diagnostic.js';
import type { SourceLocation } from '../findings/finding.js';
import { stackOf } from '../ir/debug.js';
import type { GlobalValue, Module } from '../ir/model.js';
import { forEachOperand } from '../ir/operands.js';
import { readModule } from '../ir/reader.js';
import { assert } from '../support/assert.js';
import { closestTo } from '../support/closest.js';
import { forEachReference } from './global-references.js';
import { isObjectMember, type LibraryVariant, libraryFlags, librarySymbols, memberPath } from './library.js';
import {
  definitionOf,
  globalsOf,
  isDeclaration,
  isImport,
  isLocal,
  type LinkInput,
  linkModules,
} from './link.js';
import { failure, type Outcome } from './outcome.js';
import type { Toolchain } from './toolchain.js';

export interface ProgramOptions {
  /** What is called from outside; without any, everything that the user's modules define. */
  readonly roots?: readonly string[];
  /** Which library to link. */
  readonly library?: LibraryVariant | 'none';
  /** Symbols that the engine supplies. */
  readonly provided?: ReadonlySet<string>;
  /** Functions that nobody defines are no error: the engine meets them when they are called. */
  readonly mayMissFunctions?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** What wasm-ld defines by itself, and setjmp, whose calls the code generator rewrites (docs/decisions/0007). */
const linkerSymbols = new Set([
  ...'wasm_call_ctors heap_base heap_end data_end stack_low stack_high global_base memory_base table_base dso_handle tls_base'
    .split(' ')
    .map(name => `__${name}`),
  'setjmp',
]);

/** The library's own `main` calls it: the library defines `main` for programs that have only this. */
const fuzzTarget = 'LLVMFuzzerTestOneInput';

/** Text to a module; for text that clang wrote, and for a user's `.ll` file. */
export function readIr(text: string, file: string): Outcome<Module> {
  const result = readModule(text, file);
  if (result.kind === 'module') return { ok: true, value: result.module, warnings: [] };
  const { line, column, message } = result.error;
  return failure({ severity: 'error', message, location: { file, line, column } });
}

/** Links the modules, which are used up, with what they need of the library. */
export async function linkProgram(
  toolchain: Toolchain,
  modules: readonly Module[],
  options: ProgramOptions = {},
): Promise<Outcome<Module>> {
  const inputs = await gather(toolchain, modules, options);
  if (!inputs.ok) return inputs;
  const linked = linkModules([...inputs.value.own, ...inputs.value.members.map(asLibrary)]);
  if (linked.ok && options.roots !== undefined) dropUnreachable(linked.value, options.roots);
  return linked;
}

export interface SeparateProgram {
  /** The user's modules, linked; of them, what the roots and the members reach. */
  readonly program: Module;
  /** What they need of the library, each member by itself: the same for every program that needs it. */
  readonly members: readonly Member[];
}

/** A member of the library, as clang wrote it and as it was read. */
export interface Member {
  readonly text: string;
  readonly module: Module;
}

/** Links the modules, which are used up, and leaves the members of the library that they need apart. */
export async function linkSeparately(
  toolchain: Toolchain,
  modules: readonly Module[],
  options: ProgramOptions = {},
): Promise<Outcome<SeparateProgram>> {
  const inputs = await gather(toolchain, modules, options);
  if (!inputs.ok) return inputs;
  const { own, members } = inputs.value;
  const program = linkModules(own);
  if (!program.ok) return program;
  if (options.roots !== undefined) {
    const ofMembers = members.flatMap(({ module }) => [...globalsOf(module)].filter(isDeclaration));
    const roots = [...options.roots, ...(options.provided ?? []), ...ofMembers.map(({ name }) => name)];
    dropUnreachable(program.value, roots);
  }
  return { ok: true, value: { program: program.value, members }, warnings: program.warnings };
}

/** The modules and the members of the library that they need, not linked yet. */
async function gather(
  toolchain: Toolchain,
  modules: readonly Module[],
  options: ProgramOptions,
): Promise<Outcome<{ own: LinkInput[]; members: Member[] }>> {
  const { library = 'engine', signal } = options;
  const needed: Member[] = [];
  const walk = new Walk(options);
  for (const module of modules) walk.add(module, options.roots === undefined);
  for (const root of options.roots ?? []) walk.need(root, undefined);
  walk.run();

  const pulled = new Set<string>();
  while (library !== 'none') {
    const members = walk.neededMembers().filter(member => !pulled.has(member));
    if (members.length === 0) break;
    for (const member of members) pulled.add(member);
    const flags = libraryFlags(library);
    const outcomes = await toolchain.compileRuntime(members.map(memberPath), { flags, signal });
    for (const [i, outcome] of outcomes.entries()) {
      if (!outcome.ok) return outcome;
      const read = readModule(outcome.value, memberPath(members[i]!));
      assert(read.kind === 'module', `${members[i]} cannot be read`);
      needed.push({ text: outcome.value, module: read.module });
      walk.add(read.module, false);
    }
    walk.run();
  }

  const errors = walk.undefinedSymbols();
  if (errors.length > 0) return failure(...errors);
  return { ok: true, value: { own: modules.map(module => ({ module })), members: needed }, warnings: [] };
}

function asLibrary({ module }: Member): LinkInput {
  return { module, isLibrary: true };
}

/** Who refers to a name; undefined for a root. */
interface Referrer {
  readonly global: GlobalValue;
  readonly module: Module;
}

class Walk {
  readonly #options: ProgramOptions;
  /** All definitions of a name: which of them wins is for the linker to say. */
  readonly #definitions = new Map<string, Referrer[]>();
  readonly #undefined = new Map<string, Referrer | undefined>();
  readonly #declaredFunctions = new Set<string>();
  readonly #visited = new Set<GlobalValue>();
  readonly #pending: Referrer[] = [];

  constructor(options: ProgramOptions) {
    this.#options = options;
  }

  /** Makes the definitions of a module known and follows what was waiting for them. */
  add(module: Module, allAreRoots: boolean): void {
    for (const global of globalsOf(module)) {
      if (isDeclaration(global)) {
        if (global.kind === 'function') this.#declaredFunctions.add(global.name);
        continue;
      }
      if (allAreRoots || isKeptAlways(global)) this.#pending.push({ global, module });
      if (isLocal(global) || global.linkage === 'appending') continue;
      const others = this.#definitions.get(global.name);
      if (others !== undefined) others.push({ global, module });
      else this.#definitions.set(global.name, [{ global, module }]);
      if (this.#undefined.delete(global.name)) this.#pending.push({ global, module });
    }
  }

  need(name: string, referrer: Referrer | undefined): void {
    const definitions = this.#definitions.get(name);
    if (definitions !== undefined) this.#pending.push(...definitions);
    else if (!this.#undefined.has(name) && !this.#isSuppliedLater(name)) this.#undefined.set(name, referrer);
  }

  /** Follows references as far as the known modules go. */
  run(): void {
    for (let from = this.#pending.pop(); from !== undefined; from = this.#pending.pop()) {
      if (this.#visited.has(from.global)) continue;
      this.#visited.add(from.global);
      const referrer = from;
      forEachReference(referrer.global, target => {
        if (isLocal(target)) this.#pending.push({ global: target, module: referrer.module });
        else if (target.linkage !== 'extern_weak' && !isImport(target)) this.need(target.name, referrer);
      });
    }
  }

  /** The members of the library that define what is missing. */
  neededMembers(): string[] {
    const symbols = librarySymbols();
    const members = [...this.#undefined.keys()].flatMap(name => symbols.get(name) ?? []);
    return [...new Set(members)].filter(member => !isObjectMember(member));
  }

  undefinedSymbols(): Diagnostic[] {
    const symbols = this.#options.library === 'none' ? new Map<string, string>() : librarySymbols();
    const known = [...this.#definitions.keys(), ...symbols.keys()];
    if (this.#undefined.has(fuzzTarget)) {
      return [{ severity: 'error', message: `the program has neither 'main' nor '${fuzzTarget}'` }];
    }
    return [...this.#undefined]
      .filter(([name]) => !isObjectMember(symbols.get(name) ?? '') && !this.#mayMiss(name))
      .map(([name, referrer]) => undefinedSymbol(name, referrer, known));
  }

  #mayMiss(name: string): boolean {
    return this.#options.mayMissFunctions === true && this.#declaredFunctions.has(name);
  }

  #isSuppliedLater(name: string): boolean {
    return name.startsWith('llvm.') || linkerSymbols.has(name) || this.#options.provided?.has(name) === true;
  }
}

/** Constructors, `__attribute__((used))`, `__attribute__((export_name))`. */
function isKeptAlways(global: GlobalValue): boolean {
  if (global.kind === 'function') return global.attributes.has('wasm-export-name');
  return global.linkage === 'appending' && global.name !== 'llvm.compiler.used';
}

/** Removes what neither the roots nor what is always kept refers to, directly or not. */
export function dropUnreachable(module: Module, roots: readonly string[]): void {
  const names = new Set(roots);
  const reached = new Set<GlobalValue>();
  const pending = [...globalsOf(module)].filter(global => names.has(global.name) || isKeptAlways(global));
  for (let global = pending.pop(); global !== undefined; global = pending.pop()) {
    if (reached.has(global)) continue;
    reached.add(global);
    forEachReference(global, target => pending.push(target));
  }
  module.variables = module.variables.filter(variable => reached.has(variable));
  module.functions = module.functions.filter(definition => reached.has(definition));
  module.aliases = module.aliases.filter(alias => reached.has(alias));
  module.ifuncs = module.ifuncs.filter(ifunc => reached.has(ifunc));
}

function undefinedSymbol(name: string, referrer: Referrer | undefined, known: readonly string[]): Diagnostic {
  const similar = closestTo(name, known);
  const help = similar === undefined ? {} : { help: `did you mean '${similar}'?` };
  if (referrer === undefined) return { severity: 'error', message: `undefined symbol '${name}'`, ...help };
  const { global, module } = referrer;
  const file = module.sourceFilename ?? module.file;
  return {
    severity: 'error',
    message: `undefined symbol '${name}', used by '${global.name}' in '${file}'`,
    location: firstReference(global, name) ?? { ...definitionOf(global, module), function: global.name },
    ...help,
  };
}

/** Where a function first refers to the name; undefined when the program has no debug information. */
function firstReference(global: GlobalValue, name: string): SourceLocation | undefined {
  if (global.kind !== 'function') return undefined;
  for (const { instructions } of global.blocks) {
    for (const instruction of instructions) {
      let refers = false;
      forEachOperand(instruction, operand => {
        refers ||= operand.kind === 'function' || operand.kind === 'variable' ? operand.name === name : false;
      });
      const [place] = refers ? stackOf(instruction) : [];
      if (place !== undefined) return place;
    }
  }
  return undefined;
}
