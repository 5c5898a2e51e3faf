/**
 * The machine code of clang that is made at installation: V8 accepts it in the processes of other
 * commands, and results are the same with it, without it, and with a damaged file.
 */
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { growInLargeSteps } from '../../src/front/clang-memory.js';
import { runWasi } from '../../src/front/wasi.js';
import { dependencyFile } from '../../src/platform/node.js';
import { compileTrustedWasm } from '../../src/platform/trusted-wasm.js';

const root = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'redzone-clang-code-'));
afterAll(() => rmSync(folder, { recursive: true }));

const source = join(folder, 'a.c');
writeFileSync(source, 'int main(void) { return 0; }\n');
const file = join(folder, 'clang-code');
/** Saved code is only known to work in V8 11. */
const isSaved = Number.parseInt(process.versions.v8, 10) < 12;

/** Runs a command with an empty cache, so that it needs clang. */
function run(...args: readonly string[]): string {
  const cache = mkdtempSync(join(folder, 'cache-'));
  const { status, stdout } = spawnSync(process.execPath, [join(root, 'bin/redzone.js'), ...args, source], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, REDZONE_CACHE: cache, REDZONE_CLANG_CODE: file },
  });
  expect(status).toBe(0);
  return stdout;
}

test('code that one command saves is used by others, and replaced if it is cut short', () => {
  const first = run('ir');
  expect(first).toContain('define');
  expect(existsSync(file)).toBe(isSaved);
  if (!isSaved) return;
  // Code that V8 refuses is replaced by another file.
  const { ino } = statSync(file);
  expect(run('ir')).toBe(first);
  run('check');
  run('cc', '-o', join(folder, 'a.out'));
  run('explore', '-o', join(folder, 'explored'));
  expect(statSync(file).ino).toBe(ino);
  truncateSync(file, 100_000);
  expect(run('ir')).toBe(first);
  expect(statSync(file).ino).not.toBe(ino);
}, 300_000);

test('the memory of clang grows in steps of 4 MiB', async () => {
  const binary = readFileSync(dependencyFile('@yowasp/clang', 'gen/llvm.core.wasm'));
  expect(growInLargeSteps(binary)).toBe(true);
  const { module } = await compileTrustedWasm(binary, '@yowasp/clang');
  const memories: WebAssembly.Memory[] = [];
  const { Instance } = WebAssembly;
  const sizeOf = (): number => memories[0]!.buffer.byteLength;
  let before = 0;
  vi.stubGlobal('WebAssembly', {
    ...{ Memory: WebAssembly.Memory, Module: WebAssembly.Module },
    Instance: function instantiate(of: WebAssembly.Module, imports: WebAssembly.Imports) {
      const instance = new Instance(of, imports);
      memories.push(instance.exports.memory as WebAssembly.Memory);
      before = sizeOf();
      return instance;
    },
  });
  // Neither a large input nor a large result: each piece of memory is small.
  const text = Array.from({ length: 20_000 }, (_, i) => `int f${i}(void);`).join('\n');
  const files = [['/a.c', new TextEncoder().encode(text)]] as const;
  const result = runWasi(module, { args: ['llvm', 'clang', '-cc1', '-emit-llvm', '-o', '-', '/a.c'], files });
  vi.unstubAllGlobals();
  expect(result.exitCode).toBe(0);
  expect(sizeOf()).toBeGreaterThan(before);
  expect((sizeOf() - before) % (4 << 20)).toBe(0);
}, 120_000);
