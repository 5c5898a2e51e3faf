/**
 * Builds a wasm64 binary from an IR module: compiles and links it, and adds the library members
 * that only the code generator requests.
 *
 *     module.ll ──clang -O2──▶ module.o ──┐
 *     setjmp, __multi3, malloc … as .o ───┴─wasm-ld──▶ binary (wasm64; see `lowerMemory64` of the room `wasm`)
 *            ▲                                │
 *            └──── undefined symbols ◀────────┘
 *
 * Finding members by linking takes a run of wasm-ld for each step, so most are read from the
 * objects first. Only the linker knows what is reachable, though, so members that should not be
 * linked unnecessarily are left to it.
 *
 * Functions that carry an import module in the IR (`import_module("redzone")`) stay imports.
 */
import { objectSymbols } from '../wasm/object-symbols.js';
import { librarySymbols } from './library.js';
import { Members } from './members.js';
import type { Outcome } from './step-outcome.js';
import type { Toolchain } from './toolchain.js';

export interface BuildOptions {
  /**
   * Symbols to export, in addition to `__stack_pointer`, `__heap_base`, `__data_end` and the table.
   * Missing ones are ignored.
   */
  readonly exports?: readonly string[];
  /** The memory is exported as `memory`, or imported as `env.memory`. */
  readonly memory?: 'export' | 'import';
  /** The stack is first in memory, so that its overflow traps instead of reaching the globals. */
  readonly stackBytes?: number;
  readonly initialMemoryBytes?: number;
  readonly maximumMemoryBytes?: number;
  /** `-O2` by default. */
  readonly optimisation?: string;
  /** Members of the library that are known to be needed; others are found by linking. */
  readonly members?: readonly string[];
  /**
   * Whether the member is linked as soon as an object names it, reachable or not. By default those
   * that the code generator calls.
   */
  readonly isForeseen?: (member: string) => boolean;
  /** As for objects: the caller stores the linked result. */
  readonly keepsNothing?: boolean;
  /** More flags of `wasm-ld`. */
  readonly linkFlags?: readonly string[];
  readonly signal?: AbortSignal | undefined;
}

/** The symbols that engines use, whatever the program. */
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
  const library = new Members(toolchain, 'plain', signal);
  const { isForeseen = member => member.startsWith('libc/rt/') } = options;
  const linked = new Set<string>();
  const inputs: Uint8Array[] = [];
  const [defined, wanted] = [new Set<string>(), new Set<string>()];
  const add = (object: Uint8Array): void => {
    const symbols = objectSymbols(object);
    for (const symbol of symbols.defined) defined.add(symbol);
    for (const symbol of symbols.undefined) wanted.add(symbol);
    inputs.push(object);
  };
  const membersFor = (symbols: readonly string[]): string[] =>
    symbols.flatMap(symbol => memberFor(symbol, linked) ?? []);
  const foreseen = (): string[] =>
    membersFor([...wanted].filter(symbol => !defined.has(symbol))).filter(isForeseen);
  objects.forEach(add);
  let members = new Set([...(options.members ?? []), ...foreseen()]);
  for (;;) {
    while (members.size > 0) {
      for (const object of await library.plainObjects([...members])) add(object);
      for (const member of members) linked.add(member);
      members = new Set(foreseen());
    }
    const binary = await toolchain.linkWasm(inputs, { flags, keepsNothing, signal });
    if (binary.ok) return binary;
    const notes = binary.diagnostics.map(diagnostic => diagnostic.verbatim ?? diagnostic.message).join('\n');
    members = new Set(membersFor(undefinedSymbols(notes)));
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

/**
 * A member that defines the symbol and is not linked yet. wasm-ld also calls `__main_argc_argv`
 * `main`.
 */
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
