// C libraries from npm packages: where their sources are, and how to compile them.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const packages = join(import.meta.dirname, 'node_modules');

const zlibFiles = 'adler32 compress crc32 deflate inffast inflate inftrees trees uncompr zutil';
const zopfliFiles =
  'blocksplitter cache deflate gzip_container hash katajainen lz77 squeeze tree util zlib_container zopfli_lib';
const luaFiles =
  'lapi lauxlib lbaselib lcode lctype ldebug ldo ldump lfunc lgc llex lmem lobject lopcodes lparser lstate lstring lstrlib ltable ltablib ltm lundump lvm lzio';

/**
 * For each name, the folder of the sources, their names, and flags. A name that begins with a slash
 * is that of a file of another package.
 *
 * The suppressed findings are verified. Valgrind reports as well that zlib 1.3.1 uses an entry of
 * its hash chain that was never written, and gcc's UBSan the misaligned reads of zopfli. Duktape
 * shifts a one into the sign of an `int`, which C11 6.5.7 leaves undefined.
 *
 * @type {Record<
 *   string,
 *   { folder: string, files: string, flags?: string[], suppressions?: string }
 * >}
 */
const libraries = {
  lz4: { folder: 'lz4/deps/lz4/lib', files: 'lz4 lz4hc' },
  zlib: {
    folder: 'zlib-sync/deps/zlib',
    files: zlibFiles,
    suppressions: 'uninitialized-read:slide_hash',
  },
  zopfli: {
    folder: 'node-zopfli-es/zopfli/src/zopfli',
    files: zopfliFiles,
    suppressions: 'misaligned-access:GetMatch',
  },
  expat: {
    folder: 'node-expat/deps/libexpat/lib',
    files: 'xmlparse xmltok xmlrole',
    flags: ['-DHAVE_EXPAT_CONFIG_H', '-I..'],
  },
  duktape: {
    folder: 'duktape/lib/duktape/src',
    files: 'duktape',
    suppressions: 'shift-out-of-bounds',
  },
  lua: { folder: 'lua.vm.js/lua/src', files: luaFiles },
  'tree-sitter': {
    folder: 'tree-sitter/vendor/tree-sitter/lib',
    files: 'src/lib /tree-sitter-c/src/parser',
    flags: ['-Iinclude', '-Isrc', '-I/tree-sitter-c/src'],
  },
  'tree-sitter-json': {
    folder: 'tree-sitter/vendor/tree-sitter/lib',
    files: 'src/lib /tree-sitter-json/src/parser',
    flags: ['-Iinclude', '-Isrc', '-DGRAMMAR=tree_sitter_json'],
  },
  sqlite: {
    folder: 'better-sqlite3/deps/sqlite3',
    files: 'sqlite3',
    flags: ['-DSQLITE_THREADSAFE=0', '-DSQLITE_OMIT_LOAD_EXTENSION'],
  },
};

/** Installs the packages unless they are installed. Their scripts are not run. */
export function installPackages() {
  const { dependencies } = JSON.parse(readFileSync(join(import.meta.dirname, 'package.json'), 'utf8'));
  if (Object.keys(dependencies).every(name => existsSync(join(packages, name)))) return;
  const flags = ['--ignore-scripts', '--omit=optional', '--legacy-peer-deps', '--no-package-lock'];
  const options = { cwd: import.meta.dirname, stdio: /** @type {const} */ ('ignore') };
  execFileSync('npm', ['install', ...flags, '--no-audit', '--no-fund'], options);
}

/**
 * The sources and flags that compile a driver with a library, and its suppressions.
 *
 * @param {string} name @param {string} driver
 */
export function sourcesOf(name, driver) {
  const library = libraries[name];
  if (library === undefined) throw new Error(`there is no library '${name}'`);
  const home = join(packages, library.folder);
  const pathOf = (/** @type {string} */ path) => join(path.startsWith('/') ? packages : home, path);
  const flags = (library.flags ?? []).map(flag =>
    flag.startsWith('-I') ? `-I${pathOf(flag.slice(2))}` : flag,
  );
  return {
    inputs: [driver, ...library.files.split(' ').map(file => `${pathOf(file)}.c`)],
    clangFlags: ['-w', `-I${home}`, ...flags],
    suppressions: library.suppressions ?? '',
  };
}
