/**
 * Runs C programs on our library, without checks, and natively for comparison.
 *
 *     const program = await build('int main(void) { puts("hi"); }');       // or buildFiles(['a.c'])
 *     const { stdout, status } = run(program, { arguments: ['x'] });
 *
 * The program is compiled by itself and linked with the members of the library that it needs, as
 * object files; a member or a symbol that is new must be in the index first (`npm run libc:index`).
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sharedToolchain } from '../../src/api/shared-toolchain.js';
import { emitModule } from '../../src/emit/emit-module.js';
import { linkObjects } from '../../src/front/build.js';
import { libraryFlags, memberPath } from '../../src/front/library.js';
import { readIr } from '../../src/front/link-program.js';
import { valueOrThrow } from '../../src/front/step-outcome.js';
import { bindHost } from '../../src/host/bind.js';
import type { Host } from '../../src/host/host.js';
import { ModelHost, type ModelHostOptions } from '../../src/host/model-host.js';
import { ProgramEnd, plainEngine } from '../../src/host/plain-engine.js';
import type { Module } from '../../src/ir/model.js';
import { writeModule } from '../../src/ir/writer.js';
import { lowerMemory64 } from '../../src/wasm/lower.js';
import { hasTool } from '../optional-tools.js';

/** The one of the whole process: test files that share a process share a warm compiler. */
const tools = await sharedToolchain();

// ── compiling ──

export interface BuildOptions {
  /** `-D…`, `-I…` for the program's own sources. */
  flags?: readonly string[];
  /** How the program's code is optimised; `-O2` by default. */
  optimisation?: string;
  /** Whether our own emitter compiles it. */
  emits?: boolean;
  /** Whether the IR is optimized, at the level of `flags`, before it is compiled. */
  optimise?: boolean;
}

/** One C source to a runnable module. */
export async function build(source: string, options: BuildOptions = {}): Promise<WebAssembly.Module> {
  const object = await compile('program.c', new TextEncoder().encode(source), options);
  return link([object]);
}

export async function buildFiles(
  paths: readonly string[],
  options: BuildOptions = {},
): Promise<WebAssembly.Module> {
  const objects: Uint8Array[] = [];
  for (const path of paths) objects.push(await compile(path, readFileSync(path), options));
  return link(objects);
}

async function compile(path: string, content: Uint8Array, options: BuildOptions): Promise<Uint8Array> {
  const { flags = [], optimisation = '-O2', optimise = false } = options;
  const ir = valueOrThrow(await tools.compileToIr({ path, content }, { flags, optimise }));
  // Reading gives variable arguments the slots that the library expects.
  const module = valueOrThrow(readIr(ir, path));
  if (options.emits) return emit(module);
  return valueOrThrow(await tools.compileIrToObject(writeModule(module), { optimisation }));
}

function emit(module: Module): Uint8Array {
  const emitted = emitModule(module);
  if (emitted.kind !== 'object') throw new Error(`${emitted.where}: ${emitted.reason} is left to LLVM`);
  return emitted.object;
}

async function link(objects: readonly Uint8Array[]): Promise<WebAssembly.Module> {
  const startFlags = { flags: libraryFlags('plain') };
  const start = await tools.compileRuntimeObjects([memberPath('libc/start/start.c')], startFlags);
  const all = [...objects, ...start.map(valueOrThrow)];
  const binary = valueOrThrow(await linkObjects(tools, all, { isForeseen: () => true }));
  return new WebAssembly.Module(lowerMemory64(binary) as BufferSource);
}

// ── running ──

export interface RunResult {
  stdout: string;
  stderr: string;
  /** The exit status; -1 if the program was aborted or trapped, and `reason` says why. */
  status: number;
  reason: string;
}

/** On a model host with these files, arguments (without the program's name) and input. */
export function run(
  program: WebAssembly.Module,
  options: Partial<ModelHostOptions> = {},
): RunResult & { host: ModelHost } {
  const host = new ModelHost({ ...options, arguments: ['program', ...(options.arguments ?? [])] });
  const end = runOn(program, host);
  const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { stdout: decode(host.stdout), stderr: decode(host.stderr), ...end, host };
}

/** On any host. */
export function runOn(program: WebAssembly.Module, host: Host): { status: number; reason: string } {
  let memory: WebAssembly.Memory | undefined;
  const late = new Proxy({} as WebAssembly.Memory, {
    get: (_target, property) => Reflect.get(memory!, property, memory!),
  });
  const imports = lazily(() => ({ ...plainEngine(late), ...bindHost(host, late) }));
  const redzone = Object.fromEntries(
    WebAssembly.Module.imports(program).map(({ name }) => [
      name,
      (...values: never[]) => imports()[name]!(...values),
    ]),
  );
  const instance = new WebAssembly.Instance(program, { redzone });
  memory = instance.exports.memory as WebAssembly.Memory;
  try {
    (instance.exports.__rz_start as () => void)();
  } catch (error) {
    if (error instanceof ProgramEnd) {
      const { end } = error;
      return end.kind === 'exit'
        ? { status: end.status & 0xff, reason: '' }
        : { status: -1, reason: end.message };
    }
    return { status: -1, reason: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
  return { status: -1, reason: 'the program returned' };
}

function lazily<T>(make: () => T): () => T {
  let value: T | undefined;
  return () => {
    value ??= make();
    return value;
  };
}

/** Builds and runs one source. */
export async function runSource(
  source: string,
  options: Partial<ModelHostOptions> & BuildOptions = {},
): Promise<RunResult> {
  return run(await build(source, options), options);
}

// ── natively ──

export const hasGcc: boolean = hasTool(
  'gcc',
  'nothing is compared with the C library and the sanitizers of the machine',
);

/** The same source by the machine's own gcc and library. Requires `hasGcc`. */
export function nativeRun(
  source: string,
  options: {
    arguments?: readonly string[];
    stdin?: string;
    flags?: readonly string[];
    timeoutMs?: number;
  } = {},
): RunResult {
  const folder = mkdtempSync(join(tmpdir(), 'redzone-native-'));
  try {
    const program = join(folder, 'program');
    writeFileSync(join(folder, 'program.c'), source);
    const flags = ['-w', '-O1', '-D_GNU_SOURCE', ...(options.flags ?? [])];
    execFileSync('gcc', [...flags, join(folder, 'program.c'), '-o', program, '-lm', '-lpthread']);
    const result = spawnSync(program, options.arguments ?? [], {
      cwd: folder,
      input: options.stdin ?? '',
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
      argv0: 'program',
      ...(options.timeoutMs === undefined ? {} : { timeout: options.timeoutMs }),
    });
    return {
      stdout: result.stdout,
      stderr: result.stderr,
      status: result.status ?? -1,
      reason: result.signal ?? '',
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
