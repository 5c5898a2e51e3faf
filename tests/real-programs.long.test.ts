/**
 * Third-party C from the registry: SQLite, tree-sitter with its C grammar, LMDB.
 *
 * Each program is built twice: directly (clang, wasm-ld) and by way of our IR (read, linked with
 * the library as IR, written, compiled again). Both must print the same, and the same as a native
 * build where gcc is there. Each file alone, read and written, must also give the very object file
 * that clang makes of its own IR.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { sharedToolchain } from '../src/api/shared-toolchain.js';
import { buildWasm } from '../src/front/build.js';
import { linkProgram, readIr } from '../src/front/link-program.js';
import { valueOrThrow } from '../src/front/step-outcome.js';
import { readModule } from '../src/ir/reader.js';
import { writeModule } from '../src/ir/writer.js';
import { assert } from '../src/support/assert.js';
import { lowerMemory64 } from '../src/wasm/lower.js';
import { buildFiles, hasGcc, run } from './libc/harness.js';
import { folder, installSources, type RealProgram, realPrograms } from './real-programs/programs.js';

const toolchain = await sharedToolchain();

beforeAll(() => {
  installSources();
});

const runProgram = (program: WebAssembly.Module, { stdin, argument }: RealProgram) => {
  const { stdout, stderr, status, reason } = run(program, {
    stdin: readFileSync(join(folder, stdin)),
    arguments: [argument],
    files: { 'data/keep': new Uint8Array(0) },
  });
  return { stdout, stderr, status, reason };
};

describe.each(realPrograms)('$name', program => {
  const { sources, flags, says } = program;
  test.each(sources.map(path => [path.slice(folder.length + 1), path]))(
    '%s: clang makes the same object of the IR that we wrote',
    async (_, path) => {
      const ir = valueOrThrow(await toolchain.compileToIr({ path }, { flags }));
      // Not by `readIr`, which widens variable arguments (record 0240).
      const read = readModule(ir, path);
      assert(read.kind === 'module', 'what clang writes can be read');
      const written = writeModule(read.module);
      const [direct, ours] = await toolchain.compileIrToObjects([ir, written], { optimisation: '-O0' });
      expect(Buffer.compare(valueOrThrow(direct!), valueOrThrow(ours!))).toBe(0);
    },
  );

  test('computes the same whichever way it was built', async () => {
    const direct = runProgram(await buildFiles(sources, { flags }), program);
    expect(direct).toMatchObject({ status: 0, reason: '', stdout: expect.stringContaining(says) });

    const irs = await Promise.all(
      sources.map(async path => valueOrThrow(await toolchain.compileToIr({ path }, { flags }))),
    );
    const modules = irs.map((ir, i) => valueOrThrow(readIr(ir, sources[i]!)));
    const linked = valueOrThrow(
      await linkProgram(toolchain, modules, { roots: ['__rz_start'], library: 'plain' }),
    );
    const binary = valueOrThrow(await buildWasm(toolchain, writeModule(linked)));
    const ours = runProgram(new WebAssembly.Module(lowerMemory64(binary) as BufferSource), program);
    expect(ours).toEqual(direct);

    if (hasGcc) expect(nativeOutput(program)).toBe(direct.stdout);
  });
});

function nativeOutput({ sources, flags, stdin, argument }: RealProgram): string {
  const here = mkdtempSync(join(tmpdir(), 'redzone-real-'));
  try {
    const executable = join(here, 'program');
    execFileSync('gcc', ['-O1', ...flags, ...sources, '-lm', '-lpthread', '-o', executable]);
    mkdirSync(join(here, 'data'));
    return execFileSync(executable, [argument], {
      cwd: here,
      input: readFileSync(join(folder, stdin)),
      encoding: 'utf8',
    });
  } finally {
    rmSync(here, { recursive: true });
  }
}
