/**
 * Runs C programs on our library, without checks, and natively for comparison.
 *
 *     const program = await build('int main(void) { puts("hi"); }');       // or buildFiles(['a.c'])
 *     const { stdout, status } = await run(program, { arguments: ['x'] });
 *
 * The members of the library are compiled one by one, with RZ_NO_ENGINE, and linked as a static library would be: a
 * member comes in when something needs a symbol that it defines. Objects are kept in the system's folder for temporary
 * files under a hash of their source and of every header that it can reach, so only what changed is compiled again.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { Toolchain } from '../../src/front/toolchain.js';
import { bindHost } from '../../src/host/bind.js';
import type { Host } from '../../src/host/host.js';
import { ModelHost, type ModelHostOptions } from '../../src/host/model-host.js';
import { ProgramEnd, plainEngine } from '../../src/host/plain-engine.js';
import { assert } from '../../src/support/assert.js';
import { lowerMemory64 } from '../../src/wasm/lower.js';
import { objectSymbols } from './object-symbols.js';

const root = join(import.meta.dirname, '../..');
const runtime = join(root, 'runtime');
const cacheFolder = join(tmpdir(), 'redzone-libc-objects');

/** Code is generated with setjmp for wasm (docs/decisions/0007); the file that supplies it is not rewritten itself. */
const sjljFlags = ['-exception-model=wasm', '-mllvm', '-wasm-enable-sjlj'];

let toolchain: Toolchain | undefined;

function tools(): Toolchain {
  toolchain ??= new Toolchain();
  return toolchain;
}

/** Call it when the last program is built: the compiler's worker keeps the process alive. */
export async function closeHarness(): Promise<void> {
  await toolchain?.close();
  toolchain = undefined;
}

// ── compiling ──

export interface BuildOptions {
  /** `-D…`, `-I…` for the program's own sources. */
  flags?: readonly string[];
  /** Of the program's code; `-O2` by default. */
  optimisation?: string;
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
  const flags = [...(options.flags ?? [])];
  const optimisation = options.optimisation ?? '-O2';
  const key = hashOf(path, content, [...flags, optimisation]);
  return cached(key, async () => {
    const ir = await tools().compileToIr({ path, content }, { flags });
    assert(ir.ok, `${path} does not compile:\n${JSON.stringify(ir, null, 1)}`);
    const objectFlags = path.endsWith('plain/sjlj.c') ? [] : sjljFlags;
    const object = await tools().compileIrToObject(ir.value, { optimisation, flags: objectFlags });
    assert(object.ok, `${path}: no object code:\n${JSON.stringify(object, null, 1)}`);
    return object.value;
  });
}

async function cached(key: string, make: () => Promise<Uint8Array>): Promise<Uint8Array> {
  const file = join(cacheFolder, key);
  if (existsSync(file)) return readFileSync(file);
  const bytes = await make();
  mkdirSync(cacheFolder, { recursive: true });
  const partial = `${file}.${process.pid}`;
  writeFileSync(partial, bytes);
  renameSync(partial, file);
  return bytes;
}

/** Changes whenever the object might. */
function hashOf(path: string, content: Uint8Array, flags: readonly string[]): string {
  const hash = createHash('sha256')
    .update('2')
    .update(JSON.stringify([path.replace(root, ''), flags]));
  hash.update(content);
  const seen = new Set<string>();
  const pending = [{ text: new TextDecoder().decode(content), folder: dirname(path) }];
  for (let at = pending.pop(); at; at = pending.pop()) {
    for (const [, name] of at.text.matchAll(/^\s*#\s*include\s*[<"]([^>"]+)[>"]/gm)) {
      const folders = [at.folder, join(runtime, 'libc/internal'), join(runtime, 'include')];
      const header = folders.map(folder => join(folder, name!)).find(existsSync);
      if (!header || seen.has(header)) continue;
      seen.add(header);
      const text = readFileSync(header, 'utf8');
      hash.update(text);
      pending.push({ text, folder: dirname(header) });
    }
  }
  return hash.digest('hex');
}

// ── linking ──

interface Member {
  path: string;
  object: Uint8Array;
  defined: string[];
  needed: string[];
}

let library: Promise<Map<string, Member>> | undefined;

/** Every member of the library, by the symbols that it defines. */
function libraryIndex(): Promise<Map<string, Member>> {
  library ??= (async () => {
    const index = new Map<string, Member>();
    for (const folder of ['libc', 'plain']) {
      const entries = readdirSync(join(runtime, folder), { recursive: true, withFileTypes: true });
      for (const entry of entries) {
        if (!entry.name.endsWith('.c')) continue;
        const path = join(entry.parentPath, entry.name);
        const flags = ['-DRZ_NO_ENGINE', '-I', join(runtime, 'libc/internal'), '-fno-builtin'];
        const object = await compile(path, readFileSync(path), { flags });
        const member = { path: relative(runtime, path), object, ...objectSymbols(object) };
        for (const symbol of member.defined) {
          const other = index.get(symbol);
          assert(!other, `${symbol} is defined by ${member.path} and by ${other?.path}`);
          index.set(symbol, member);
        }
      }
    }
    return index;
  })();
  return library;
}

async function link(objects: readonly Uint8Array[]): Promise<WebAssembly.Module> {
  const index = await libraryIndex();
  const defined = new Set<string>();
  const pending = ['__rz_start'];
  const take = (symbols: { defined: string[]; needed: string[] }) => {
    for (const symbol of symbols.defined) defined.add(symbol);
    pending.push(...symbols.needed);
  };
  for (const object of objects) take(objectSymbols(object));
  const members = new Set<Member>();
  for (let symbol = pending.pop(); symbol !== undefined; symbol = pending.pop()) {
    const member = defined.has(symbol) ? undefined : index.get(symbol);
    if (!member || members.has(member)) continue;
    members.add(member);
    take(member);
  }
  const all = [...objects, ...[...members].map(member => member.object)];
  const flags = [
    '--no-entry',
    '--export=__rz_start',
    '--export-memory',
    '-z',
    'stack-size=1048576',
    '--stack-first',
  ];
  const binary = await tools().linkWasm(all, { flags });
  assert(binary.ok, `does not link:\n${JSON.stringify(binary, null, 1)}`);
  return new WebAssembly.Module(lowerMemory64(binary.value) as BufferSource);
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

export const hasGcc: boolean = spawnSync('gcc', ['--version']).status === 0;

/** The same source by the machine's own gcc and library. Requires `hasGcc`. */
export function nativeRun(
  source: string,
  options: { arguments?: readonly string[]; stdin?: string; flags?: readonly string[] } = {},
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
