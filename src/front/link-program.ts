/**
 * Links the user's modules and the library members that they need into one module.
 *
 * The walk starts at the roots and follows references by name from module to module. A name that no
 * module defines is looked up in the library's index; the outlines of the members of one round are
 * fetched together, and the walk continues inside them. A symbol that remains undefined is an
 * error, unless it is supplied later:
 *
 *     kind                                     supplied by
 *     llvm.*                                   the code generator
 *     functions with an import module          the engine
 *     `provided`                               the engine
 *     __heap_base, __wasm_call_ctors, …        wasm-ld
 *     members that are linked as objects       wasm-ld (see `isObjectMember`)
 *
 * The result contains only what is reachable from the roots. The engines execute nothing else, and
 * processing the rest would double the time.
 */
import type { Diagnostic } from '../findings/diagnostic.js';
import type { SourceLocation } from '../findings/finding.js';
import { DataLayout } from '../ir/data-layout.js';
import { stackOf } from '../ir/debug.js';
import { forEachReference } from '../ir/global-references.js';
import type { GlobalValue, Module } from '../ir/model.js';
import { forEachOperand } from '../ir/operands.js';
import { readModule } from '../ir/reader.js';
import { fits, redeclare, signatureOf } from '../ir/signatures.js';
import { widenVariadicArguments } from '../ir/variadic-slots.js';
import { closestTo } from '../support/closest.js';
import { removeExcludedCode } from './excluded-code.js';
import { isObjectMember, type LibraryVariant, librarySymbols, memberPath } from './library.js';
import { definitionOf, globalsOf, isDeclaration, linkModules } from './link.js';
import { Members } from './members.js';
import { definitionsOf, isKeptAlways, type Outline, type OutlineNode, outlineOf } from './outline.js';
import { failure, type Outcome, success } from './step-outcome.js';
import type { Toolchain } from './toolchain.js';
import { makeMainUsual } from './unusual-main.js';

export interface LinkedProgramOptions {
  /** The entry symbols; without any, everything that the user's modules define. */
  readonly roots?: readonly string[];
  /** Which library to link. */
  readonly library?: LibraryVariant | 'none';
  /** Symbols that the engine implements. */
  readonly provided?: ReadonlySet<string>;
  /** Undefined functions are not an error: the engine handles them when they are called. */
  readonly mayMissFunctions?: boolean;
  /** The library, with members that were read in advance (`expectMembers`). */
  readonly members?: Members;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Symbols that wasm-ld defines by itself, and setjmp, whose calls the code generator rewrites
 * (docs/decisions/0007).
 */
const linkerSymbols = new Set([
  ...'wasm_call_ctors heap_base heap_end data_end stack_low stack_high global_base memory_base table_base dso_handle tls_base'
    .split(' ')
    .map(name => `__${name}`),
  'setjmp',
]);

/**
 * The library's own `main` calls it: the library defines `main` for programs that have only this.
 */
const fuzzTarget = 'LLVMFuzzerTestOneInput';

/** Parses the text of a module that clang wrote, or of a user's `.ll` file. */
export function readIr(text: string, file: string): Outcome<Module> {
  const result = readModule(text, file);
  if (result.kind === 'module') {
    widenVariadicArguments(result.module);
    makeMainUsual(result.module);
    return { ok: true, value: result.module, warnings: [] };
  }
  const { line, column, message } = result.error;
  return failure({ severity: 'error', message, location: { file, line, column } });
}

/** The forms of `main`: a program defines one of them. */
const mains = ['__main_void', '__main_argc_argv', 'main'];

/**
 * Reads the members that a program will probably need, from its roots and some of the names that it
 * uses, while clang compiles it. Wrong guesses are ignored.
 */
export async function expectMembers(
  toolchain: Toolchain,
  names: readonly string[],
  options: LinkedProgramOptions,
): Promise<Members> {
  const library = new Members(toolchain, variantOf(options), options.signal);
  const walk = new Walk({ ...options, provided: new Set([...(options.provided ?? []), ...mains]) });
  for (const name of [...(options.roots ?? []), ...names]) walk.need(name, undefined);
  await library.prepare([...(await pull(walk, library, options)).keys()]);
  return library;
}

/** Links the modules, which are consumed, with the library members that they need. */
export async function linkProgram(
  toolchain: Toolchain,
  modules: readonly Module[],
  options: LinkedProgramOptions = {},
): Promise<Outcome<Module>> {
  const library = options.members ?? new Members(toolchain, variantOf(options), options.signal);
  const needed = await membersOf(modules, library, options);
  if (!needed.ok) return needed;
  const members = await library.modules([...needed.value.outlines.keys()]);
  const linked = linkModules([
    ...modules.map(module => ({ module })),
    ...members.map(module => ({ module, isLibrary: true })),
  ]);
  if (linked.ok && options.roots !== undefined) dropUnreachable(linked.value, options.roots);
  return linked;
}

export interface SeparateProgram {
  /** The user's modules, linked, without unreachable parts. */
  readonly program: Module;
  /** The names of the needed library members, and their source. */
  readonly members: readonly string[];
  readonly library: Members;
  /** The names of members that are linked as objects, as far as the IR shows. */
  readonly objectMembers: readonly string[];
}

/** Links the modules, which are consumed, but not the library members that they need. */
export async function linkSeparately(
  toolchain: Toolchain,
  modules: readonly Module[],
  options: LinkedProgramOptions = {},
): Promise<Outcome<SeparateProgram>> {
  const library = new Members(toolchain, variantOf(options), options.signal);
  const needed = await membersOf(modules, library, options);
  if (!needed.ok) return needed;
  const program = linkModules(modules.map(module => ({ module })));
  if (!program.ok) return program;
  if (options.roots !== undefined) {
    const ofMembers = [...needed.value.outlines.values()].flatMap(outline => [
      ...outline.declaredFunctions,
      ...outline.declaredVariables,
    ]);
    dropUnreachable(program.value, [...options.roots, ...(options.provided ?? []), ...ofMembers]);
  }
  declareAsDefined(program.value, [...needed.value.outlines.values()]);
  const members = [...needed.value.outlines.keys()];
  const { objectMembers } = needed.value;
  strengthenDefined(program.value, new Set([...members, ...objectMembers]), options.provided);
  return success({ program: program.value, members, library, objectMembers }, program.warnings);
}

/**
 * Functions of the library that the program declares without a prototype, or with another type, are
 * declared with their own type: otherwise wasm-ld would replace the function by a trap. Calls keep
 * the types for which they were compiled.
 */
function declareAsDefined(program: Module, library: readonly Outline[]): void {
  const layout = new DataLayout(program.dataLayout);
  const known = new Map(library.flatMap(({ nodes }) => nodes.map(node => [node.name, node.signature])));
  for (const declared of program.functions.filter(isDeclaration)) {
    const signature = known.get(declared.name);
    if (signature !== undefined && !fits(signature, signatureOf(declared, layout)))
      redeclare(declared, signature);
  }
}

/**
 * Weak references that a member or the engine defines become ordinary ones; those that are left are
 * null.
 */
function strengthenDefined(
  program: Module,
  members: ReadonlySet<string>,
  provided: ReadonlySet<string> | undefined,
): void {
  const symbols = librarySymbols();
  for (const global of [...program.functions, ...program.variables]) {
    if (global.linkage !== 'extern_weak') continue;
    const member = symbols.get(global.name);
    if ((member !== undefined && members.has(member)) || provided?.has(global.name))
      global.linkage = 'external';
  }
}

function variantOf({ library = 'engine' }: LinkedProgramOptions): LibraryVariant {
  return library === 'none' ? 'plain' : library;
}

interface NeededMembers {
  readonly outlines: ReadonlyMap<string, Outline>;
  readonly objectMembers: readonly string[];
}

/**
 * The members of the library that the modules need. A symbol is undefined only if code uses it that
 * no constant condition excludes.
 */
async function membersOf(
  modules: readonly Module[],
  library: Members,
  options: LinkedProgramOptions,
): Promise<Outcome<NeededMembers>> {
  const needed = await membersByReferences(modules, library, options);
  if (needed.ok) return needed;
  for (const module of modules) removeExcludedCode(module);
  return membersByReferences(modules, library, options);
}

async function membersByReferences(
  modules: readonly Module[],
  library: Members,
  options: LinkedProgramOptions,
): Promise<Outcome<NeededMembers>> {
  const walk = new Walk(options);
  for (const module of modules) {
    const outline = outlineOf(module);
    walk.add({ file: module.sourceFilename ?? module.file, outline, module }, options.roots === undefined);
  }
  for (const root of options.roots ?? []) walk.need(root, undefined);
  const pulled = await pull(walk, library, options);
  const errors = walk.undefinedSymbols();
  if (errors.length > 0) return failure(...errors);
  return success({ outlines: pulled, objectMembers: walk.neededMembers().filter(isObjectMember) });
}

/** Follows references as far as library members define them. */
async function pull(
  walk: Walk,
  library: Members,
  options: LinkedProgramOptions,
): Promise<Map<string, Outline>> {
  walk.run();
  const pulled = new Map<string, Outline>();
  while (options.library !== 'none') {
    const members = walk.neededMembers().filter(member => !isObjectMember(member) && !pulled.has(member));
    if (members.length === 0) break;
    for (const [i, outline] of (await library.outlines(members)).entries()) {
      pulled.set(members[i]!, outline);
      walk.add({ file: memberPath(members[i]!), outline }, false);
    }
    walk.run();
  }
  return pulled;
}

/** A module or a member of the library. */
interface Source {
  readonly file: string;
  readonly outline: Outline;
  /** Present in the user's modules, to say where a name is used. */
  readonly module?: Module;
}

interface Definition {
  readonly node: OutlineNode;
  readonly source: Source;
}

class Walk {
  readonly #options: LinkedProgramOptions;
  /** All definitions of a name; the linker decides between them. */
  readonly #definitions = new Map<string, Definition[]>();
  /** The first reference to the name; undefined for a root. */
  readonly #undefined = new Map<string, Definition | undefined>();
  /** Names to which there are weak references. */
  readonly #weak = new Set<string>();
  readonly #declaredFunctions = new Set<string>();
  readonly #visited = new Set<OutlineNode>();
  readonly #pending: Definition[] = [];

  constructor(options: LinkedProgramOptions) {
    this.#options = options;
  }

  /** Registers the definitions of a module and follows pending references to them. */
  add(source: Source, allAreRoots: boolean): void {
    for (const name of source.outline.declaredFunctions) this.#declaredFunctions.add(name);
    for (const node of source.outline.nodes) {
      if (allAreRoots || node.isKept) this.#pending.push({ node, source });
      if (!node.isVisible) continue;
      const others = this.#definitions.get(node.name);
      if (others !== undefined) others.push({ node, source });
      else this.#definitions.set(node.name, [{ node, source }]);
      const isNeeded = this.#undefined.delete(node.name) || this.#weak.has(node.name);
      if (isNeeded) this.#pending.push({ node, source });
    }
  }

  need(name: string, referrer: Definition | undefined): void {
    const definitions = this.#definitions.get(name);
    if (definitions !== undefined) this.#pending.push(...definitions);
    else if (!this.#undefined.has(name) && !this.#isSuppliedLater(name)) this.#undefined.set(name, referrer);
  }

  /**
   * A weak reference is followed to a definition, but may stay without one. One of the program's
   * finds the library's functions, as in a program that is linked with a shared libc; one of the
   * library's asks whether the program uses another part of it.
   */
  #needWeakly(name: string, referrer: Definition): void {
    this.#weak.add(name);
    const isOfLibrary = this.#options.library !== 'none' && librarySymbols().has(name);
    const pulls = isOfLibrary && referrer.source.module !== undefined;
    if (pulls || this.#definitions.has(name)) this.need(name, referrer);
  }

  /** Follows references within the known modules. */
  run(): void {
    for (let from = this.#pending.pop(); from !== undefined; from = this.#pending.pop()) {
      if (this.#visited.has(from.node)) continue;
      this.#visited.add(from.node);
      const { node, source } = from;
      for (const target of node.references) {
        if (typeof target === 'string') this.need(target, from);
        else this.#pending.push({ node: source.outline.nodes[target]!, source });
      }
      for (const name of node.weakReferences ?? []) this.#needWeakly(name, from);
    }
  }

  /** The library members that define missing names. */
  neededMembers(): string[] {
    const symbols = librarySymbols();
    const members = [...this.#undefined.keys()].flatMap(name => symbols.get(name) ?? []);
    return [...new Set(members)];
  }

  undefinedSymbols(): Diagnostic[] {
    const symbols = this.#options.library === 'none' ? new Map<string, string>() : librarySymbols();
    const known = [...this.#definitions.keys(), ...symbols.keys()];
    if (this.#undefined.has(fuzzTarget)) {
      return [
        {
          severity: 'error',
          message: `the program has neither 'main' nor '${fuzzTarget}'`,
          help: 'to run one function, add a file with a `main` that calls it',
        },
      ];
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

/**
 * Removes everything that is not reachable from the roots and from globals that are always kept.
 */
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

function undefinedSymbol(
  name: string,
  referrer: Definition | undefined,
  known: readonly string[],
): Diagnostic {
  const similar = closestTo(name, known);
  const help = similar === undefined ? {} : { help: `did you mean '${similar}'?` };
  if (referrer === undefined) return { severity: 'error', message: `undefined symbol '${name}'`, ...help };
  const { node, source } = referrer;
  const location = placeOf(name, referrer);
  return {
    severity: 'error',
    message: `undefined symbol '${name}', used by '${node.name}' in '${source.file}'`,
    ...(location === undefined ? {} : { location }),
    ...help,
  };
}

function placeOf(
  name: string,
  { node, source: { module, outline } }: Definition,
): SourceLocation | undefined {
  if (module === undefined) return undefined;
  const global = definitionsOf(module)[outline.nodes.indexOf(node)]!;
  return firstReference(global, name) ?? { ...definitionOf(global, module), function: global.name };
}

/** The first reference to the name in a function; undefined without debug information. */
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
