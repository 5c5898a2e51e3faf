#!/usr/bin/env node
/**
 * A clang for tests of `--clang`: a program of the machine, run like any other, that hands its
 * arguments to the embedded one and lets it see the files of the machine that are named on the
 * command line or lie in a folder to search.
 */
import { existsSync, readdirSync, readFileSync, statSync, writeSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const args = process.argv.slice(2);
if (args[0] === '--version') {
  writeSync(1, 'clang version 22.0.0 (the embedded one, as a program)\n');
  process.exit(0);
}

const { runWasi } = await import(`${root}dist/front/wasi.js`);
const { tarEntries } = await import(`${root}dist/front/tar.js`);
const gen = join(root, 'node_modules/@yowasp/clang/gen');

function filesIn(path) {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path).flatMap(name => filesIn(join(path, name)));
}

const folders = args.flatMap((arg, i) => {
  if (['-I', '-isystem', '-iquote'].includes(arg)) return [args[i + 1]];
  return arg.startsWith('-I') ? [arg.slice(2)] : [];
});
const sources = args.filter(arg => arg.endsWith('.c'));
const files = [...sources, ...folders].flatMap(path => filesIn(resolve(path)));
const headers = tarEntries(readFileSync(join(gen, 'llvm-resources.tar'))).map(([path, bytes]) => [
  `/usr/${path}`,
  bytes,
]);
const module = await WebAssembly.compile(readFileSync(join(gen, 'llvm.core.wasm')));
const result = runWasi(module, {
  args: ['llvm', 'clang', '-resource-dir', '/usr', '-working-directory', process.cwd(), ...args],
  stdin: args.at(-3) === '-' ? readFileSync(0) : new Uint8Array(0),
  files: [...headers, ...files.map(path => [path, readFileSync(path)])],
});
for (let at = 0; at < result.stdout.length; ) at += writeSync(1, result.stdout, at);
writeSync(2, result.stderr);
process.exit(result.exitCode);
