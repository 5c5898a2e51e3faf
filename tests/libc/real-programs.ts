/**
 * Third-party C from npm packages, each with a driver of ours: how to build it here and natively.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildFiles } from './harness.js';

const home = join(import.meta.dirname, '../real-programs');
const packages = join(home, 'node_modules');
const programs = join(import.meta.dirname, 'programs');

export interface RealProgram {
  name: string;
  files: readonly string[];
  flags: readonly string[];
}

const sqlite = join(packages, 'better-sqlite3/deps/sqlite3');
const lmdb = join(packages, 'lmdb/dependencies/lmdb/libraries/liblmdb');
export const treeSitter: string = join(packages, 'tree-sitter/vendor/tree-sitter/lib');
const grammar = join(packages, 'tree-sitter-c/src');

export const realPrograms: Record<'sqlite' | 'lmdb' | 'treeSitter', RealProgram> = {
  sqlite: {
    name: 'SQLite',
    files: [join(programs, 'sqlite-driver.c'), join(sqlite, 'sqlite3.c')],
    flags: ['-I', sqlite, '-DSQLITE_THREADSAFE=0', '-DSQLITE_OMIT_LOAD_EXTENSION'],
  },
  lmdb: {
    name: 'LMDB',
    files: [join(programs, 'lmdb-driver.c'), join(lmdb, 'mdb.c'), join(lmdb, 'midl.c')],
    flags: ['-I', lmdb],
  },
  treeSitter: {
    name: 'tree-sitter',
    files: [join(programs, 'tree-sitter-driver.c'), join(treeSitter, 'src/lib.c'), join(grammar, 'parser.c')],
    flags: ['-I', join(treeSitter, 'include'), '-I', join(treeSitter, 'src'), '-I', grammar],
  },
};

/** Fetches the packages, once, without running anything of theirs. */
export function installRealPrograms(): void {
  if (existsSync(join(packages, 'tree-sitter-c'))) return;
  const flags = ['--ignore-scripts', '--omit=optional', '--no-save', '--no-audit', '--no-fund'];
  execFileSync('npm', ['install', ...flags], { cwd: home, stdio: 'ignore' });
}

export function buildReal(program: RealProgram): Promise<WebAssembly.Module> {
  return buildFiles(program.files, { flags: program.flags });
}

/**
 * A native build; the caller runs it in folders of its own and removes the whole with `dispose`.
 */
export function buildNatively(program: RealProgram, optimisation: string): NativeProgram {
  const folder = mkdtempSync(join(tmpdir(), 'redzone-real-'));
  const path = join(folder, 'program');
  execFileSync('gcc', [
    '-w',
    '-D_GNU_SOURCE',
    optimisation,
    ...program.flags,
    ...program.files,
    '-o',
    path,
    '-lm',
    '-lpthread',
  ]);
  return {
    run(args, cwd) {
      const result = spawnSync(path, args, { cwd, encoding: 'utf8', maxBuffer: 2 ** 28 });
      return { stdout: result.stdout, status: result.status ?? -1 };
    },
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export interface NativeProgram {
  run(args: readonly string[], cwd: string): { stdout: string; status: number };
  dispose(): void;
}
