/**
 * `redzone doctor`: lists the parts that Redzone depends on and tests that they work.
 *
 * The self-test uses the whole tool chain: it compiles C to IR, an object file and wasm64, lowers
 * that to what Node supports, and calls it. Optional parts are used when they are installed; their
 * absence is not an error.
 */
import { cacheFolder, fileStatus, filesBelow } from '../platform/files.js';
import { installedVersion, machine, nodeVersion } from '../platform/node.js';
import { ownVersion } from '../platform/own-version.js';
import { runProgram } from '../platform/spawn-program.js';
import type { RunControl } from './run-control.js';

export interface Part {
  readonly name: string;
  /** Absent when the part was not found. */
  readonly version?: string;
  /** The purpose of the part. */
  readonly purpose: string;
}

export interface DoctorReport {
  readonly version: string;
  readonly node: string;
  /** Operating system and processor. */
  readonly machine: string;
  /** The parts that the package contains. A part without a version means a broken installation. */
  readonly parts: readonly Part[];
  readonly optional: readonly Part[];
  readonly cache: { readonly folder: string; readonly files: number; readonly bytes: number };
  readonly selfTest:
    | { readonly ok: true; readonly ms: number }
    | { readonly ok: false; readonly reason: string };
  /** Every part is there and the self-test passed. */
  readonly healthy: boolean;
}

export async function doctor({ signal, onEvent }: RunControl = {}): Promise<DoctorReport> {
  const parts = packages.map(({ name, packageName, purpose }) =>
    partOf(name, purpose, installedVersion(packageName)),
  );
  onEvent?.({ kind: 'phase', text: 'looking for optional parts' });
  const optional = [
    ...(await Promise.all(
      programs.map(async ({ name, purpose }) => partOf(name, purpose, await programVersion(name, signal))),
    )),
    partOf('koffi', 'calls of native functions', await koffiVersion()),
  ];
  onEvent?.({ kind: 'phase', text: 'compiling a program' });
  const selfTest = await runSelfTest(signal);
  return {
    version: ownVersion(),
    node: nodeVersion,
    machine,
    parts,
    optional,
    cache: measureCache(),
    selfTest,
    healthy: selfTest.ok && parts.every(part => part.version !== undefined),
  };
}

const packages = [
  { name: 'clang', packageName: '@yowasp/clang', purpose: 'compiles C' },
  { name: 'CaDiCaL', packageName: 'cadical-wasm', purpose: 'decides path conditions' },
  { name: 'Z3', packageName: 'z3-solver', purpose: 'second opinion' },
] as const;

const programs = [
  { name: 'clang', purpose: '--clang PATH' },
  { name: 'gcc', purpose: 'comparison in tests' },
  { name: 'valgrind', purpose: 'comparison in benchmarks' },
] as const;

function partOf(name: string, purpose: string, found: string | undefined): Part {
  return found === undefined ? { name, purpose } : { name, version: found, purpose };
}

async function programVersion(name: string, signal: AbortSignal | undefined): Promise<string | undefined> {
  const result = await runProgram(name, ['--version'], { signal });
  if (result.kind !== 'exited' || result.exitCode !== 0) return undefined;
  const firstLine = new TextDecoder().decode(result.stdout).split('\n')[0] ?? '';
  return /\d+(\.\d+)+/.exec(firstLine)?.[0] ?? firstLine;
}

/**
 * The version, if the module can be loaded here: the package may be installed without a binary for
 * this platform.
 */
async function koffiVersion(): Promise<string | undefined> {
  try {
    await import('koffi');
    return installedVersion('koffi');
  } catch {
    return undefined;
  }
}

function measureCache(): DoctorReport['cache'] {
  const folder = cacheFolder();
  const files = filesBelow(folder);
  const bytes = files.reduce((sum, file) => sum + (fileStatus(`${folder}/${file}`)?.bytes ?? 0), 0);
  return { folder, files: files.length, bytes };
}

const selfTestProgram = `
#include <limits.h>
__attribute__((export_name("self_test"))) int self_test(void) {
  int digits[] = {4, 2};
  return CHAR_BIT == 8 && sizeof(long) == 8 ? digits[0] * 10 + digits[1] : 0;
}
`;

async function runSelfTest(signal: AbortSignal | undefined): Promise<DoctorReport['selfTest']> {
  const [{ Toolchain }, { valueOrThrow }, { lowerMemory64 }] = await Promise.all([
    import('../front/toolchain.js'),
    import('../front/step-outcome.js'),
    import('../wasm/lower.js'),
  ]);
  // The cache is not used, because a cached result would not test the tool chain.
  const toolchain = new Toolchain({ cache: undefined });
  const control = signal === undefined ? {} : { signal };
  const start = performance.now();
  try {
    const source = { path: 'self-test.c', content: new TextEncoder().encode(selfTestProgram) };
    const ir = valueOrThrow(await toolchain.compileToIr(source, control));
    const object = valueOrThrow(await toolchain.compileIrToObject(ir, control));
    const binary = lowerMemory64(valueOrThrow(await toolchain.linkWasm([object], control)));
    const { instance } = await WebAssembly.instantiate(new Uint8Array(binary));
    const answer = (instance.exports.self_test as () => number)();
    if (answer !== 42) return { ok: false, reason: `the program answered ${answer} instead of 42` };
    return { ok: true, ms: Math.round(performance.now() - start) };
  } catch (error) {
    if (signal?.aborted) throw error;
    return { ok: false, reason: String(error) };
  } finally {
    await toolchain.close();
  }
}
