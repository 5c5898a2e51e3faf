/**
 * An IR module to a wasm64 binary: compile it, link it, and bring the members of the library that only the
 * code generator knew to ask for.
 *
 *     module.ll ──clang -O2──▶ module.o ──┐
 *     setjmp, __multi3, malloc … as .o ───┴─wasm-ld──▶ binary (wasm64; see `lowerMemory64` of the room `wasm`)
 *            ▲                                │
 *            └──── undefined symbols ◀────────┘
 *
 * Functions that carry an import module in the IR (`import_module("redzone")`) stay imports.
 */
import { libraryFlags, librarySymbols, memberPath } from './library.js';
import type { Outcome } from './outcome.js';
import type { Toolchain } from './toolchain.js';

export interface BuildOptions {
  /** Symbols to export, besides `__stack_pointer`, `__heap_base`, `__data_end` and the table. Those that do not exist are left out. */
  readonly exports?: readonly string[];
  /** The memory is exported as `memory`, or imported as `env.memory`. */
  readonly memory?: 'export' | 'import';
  /** The stack lies first in memory, so that its overflow traps instead of reaching the globals. */
  readonly stackBytes?: number;
  readonly initialMemoryBytes?: number;
  readonly maximumMemoryBytes?: number;
  /** `-O2` unless told otherwise. */
  readonly optimisation?: string;
  /** Compiles members of the library (`libc/string/strlen.c`) to objects in another way than plain C, e.g. instrumented. */
  readonly compileMembers?: (members: readonly string[]) => Promise<Outcome<Uint8Array>[]>;
  /** Members of the library that are known to be needed; what else is missing is found by linking. */
  readonly members?: readonly string[];
  /** As for objects: what is linked is kept by the caller. */
  readonly keepsNothing?: boolean;
  /** More flags of `wasm-ld`. */
  readonly linkFlags?: readonly string[];
  readonly signal?: AbortSignal | undefined;
}

/** What engines find in the binary, whatever the program. */
const alwaysExported = ['__rz_start', '__stack_pointer', '__heap_base', '__data_end', '__wasm_call_ctors'];

const defaultStackBytes = 1 << 20;

export async function buildWasm(
  toolchain: Toolchain,
  ir: string,
  options: BuildOptions = {},
): Promise<Outcome<Uint8Array>> {
  const { optimisation = '-O2', signal } = options;
  const object = await toolchain.compileIrToObject(ir, { optimisation, signal });
  return object.ok ? linkObjects(toolchain, [object.value], options) : object;
}

/** Links object files and the members of the library, of any kind, that they need. */
export async function linkObjects(
  toolchain: Toolchain,
  objects: readonly Uint8Array[],
  options: BuildOptions = {},
): Promise<Outcome<Uint8Array>> {
  const { keepsNothing = false, signal } = options;
  const flags = linkFlags(options);
  const plainMembers = (members: readonly string[]) =>
    toolchain.compileRuntimeObjects(members.map(memberPath), { flags: libraryFlags('plain'), signal });
  const compileMembers = options.compileMembers ?? plainMembers;
  const linked = new Set<string>();
  const inputs = [...objects];
  let members = new Set(options.members);
  for (;;) {
    for (const outcome of await compileMembers([...members])) {
      if (!outcome.ok) return outcome;
      inputs.push(outcome.value);
    }
    for (const member of members) linked.add(member);
    const binary = await toolchain.linkWasm(inputs, { flags, keepsNothing, signal });
    if (binary.ok) return binary;
    const notes = binary.diagnostics.map(diagnostic => diagnostic.verbatim ?? diagnostic.message).join('\n');
    members = new Set(undefinedSymbols(notes).flatMap(symbol => memberFor(symbol, linked) ?? []));
    if (members.size === 0) return binary;
  }
}

function linkFlags(options: BuildOptions): string[] {
  const { exports = [], memory = 'export', stackBytes = defaultStackBytes } = options;
  const { initialMemoryBytes, maximumMemoryBytes } = options;
  return [
    '--no-entry',
    ...['--export-table', '--growable-table', '--strip-debug', '--error-limit=0'],
    ...['--stack-first', '-z', `stack-size=${stackBytes}`],
    ...[...alwaysExported, ...exports].map(symbol => `--export-if-defined=${symbol}`),
    ...(memory === 'import' ? ['--import-memory'] : []),
    ...(initialMemoryBytes === undefined ? [] : [`--initial-memory=${initialMemoryBytes}`]),
    ...(maximumMemoryBytes === undefined ? [] : [`--max-memory=${maximumMemoryBytes}`]),
    ...(options.linkFlags ?? []),
  ];
}

/** A member that defines the symbol and is not linked yet. wasm-ld calls `__main_argc_argv` `main` as well. */
function memberFor(symbol: string, linked: ReadonlySet<string>): string | undefined {
  const names = symbol === 'main' ? ['__main_argc_argv', 'main'] : [symbol];
  return names
    .map(name => librarySymbols().get(name))
    .find(member => member !== undefined && !linked.has(member));
}

/** From what wasm-ld says: `wasm-ld: error: 0.o: undefined symbol: __multi3`. */
function undefinedSymbols(notes: string): string[] {
  return [...notes.matchAll(/undefined symbol: (\S+)/g)].map(match => match[1]!);
}
