/**
 * Third-party C from the registry: where it is, how it is compiled, and what its output must say.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

export const folder: string = import.meta.dirname;
const inPackages = (path: string) => join(folder, 'node_modules', path);
const sqlite = inPackages('better-sqlite3/deps/sqlite3');
const treeSitter = inPackages('tree-sitter/vendor/tree-sitter/lib');
const grammar = inPackages('tree-sitter-c/src');
const lmdb = inPackages('lmdb/dependencies/lmdb/libraries/liblmdb');

export interface RealProgram {
  readonly name: string;
  readonly sources: readonly string[];
  readonly flags: readonly string[];
  readonly argument: string;
  /** A file beside this one. */
  readonly stdin: string;
  /** What the output must say, so that two programs that do nothing are not found equal. */
  readonly says: string;
}

export const realPrograms: readonly RealProgram[] = [
  {
    name: 'tree-sitter',
    sources: [join(folder, 'tree-sitter.c'), `${treeSitter}/src/lib.c`, `${grammar}/parser.c`],
    flags: [`-I${treeSitter}/include`, `-I${treeSitter}/src`, `-I${grammar}`, '-w'],
    argument: 'unused',
    stdin: 'sqlite.c',
    says: 'after the edit: nodes 391, errors 0\nfunction print_row\nfunction main\nfunction extra\n',
  },
  {
    name: 'lmdb',
    sources: [join(folder, 'lmdb.c'), `${lmdb}/mdb.c`, `${lmdb}/midl.c`],
    flags: [`-I${lmdb}`, '-w'],
    argument: 'data',
    stdin: 'sqlite.c',
    says: 'entries 1333, 1333, depth 2, sum 2297112809\n',
  },
  {
    name: 'sqlite',
    sources: [join(folder, 'sqlite.c'), `${sqlite}/sqlite3.c`],
    flags: [`-I${sqlite}`, '-DSQLITE_THREADSAFE=0', '-DSQLITE_OMIT_LOAD_EXTENSION', '-w'],
    argument: 'data/test.db',
    stdin: 'script.sql',
    says: '325|100.14285714285714|copy 997|62632.142857142855\n',
  },
];

/** Optimised code takes minutes to build for a run of two seconds. */
const quickly = ['--speed', 'quick'];

/** SQLite in its serialized mode, used by four threads. */
export const threadedSqlite: RealProgram = {
  name: 'sqlite with threads',
  sources: [join(folder, 'sqlite-threads.c'), `${sqlite}/sqlite3.c`],
  flags: [`-I${sqlite}`, '-DSQLITE_THREADSAFE=1', '-DSQLITE_OMIT_LOAD_EXTENSION', '-w', ...quickly],
  argument: 'data/threads.db',
  stdin: 'script.sql',
  says: '40|780|text 9\nsum|66\n',
};

/** LMDB with two writers and two readers, without the races that it has by design. */
export const threadedLmdb: RealProgram = {
  name: 'lmdb with threads',
  sources: [join(folder, 'lmdb-threads.c'), `${lmdb}/mdb.c`, `${lmdb}/midl.c`],
  flags: [
    `-I${lmdb}`,
    '-w',
    ...quickly,
    '--keep-going',
    '--suppress',
    join(folder, 'lmdb-threads.suppressions'),
  ],
  argument: 'data/threads.mdb',
  stdin: 'script.sql',
  says: 'entries 12\n',
};

/** Fetches the sources, unless they exist. */
export function installSources(): void {
  if (existsSync(inPackages('lmdb'))) return;
  // Not `npm ci`: versions of npm differ in which optional packages a lock file must name.
  execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock'], {
    cwd: folder,
  });
}
