/**
 * Builds the page into `dist/site`, a folder that any static server can serve
 * (`npm run build:site`), or into the folder that is given; `--fast` compresses less. With
 * `--local` the page is for `redzone serve` only: the compiler and Z3 are left out, because that
 * server compresses the installed ones.
 *
 *     index.html, service-worker.js      found under fixed names
 *     app-HASH/*.js, *.css, *.wasm       our code
 *     assets/NAME-HASH.bin               what is downloaded on first use, compressed by gzip
 *
 * The engines are bundled from `src` as they are. Their platform is exchanged by name: a module
 * of `src/platform` or `src/host` that `site/platform` has, too, is taken from there. Modules of
 * Node cannot be resolved in this build, so that it fails when an engine comes to need one.
 */
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { collectExamples } from './site-examples.mjs';

const [output = 'dist/site'] = process.argv.slice(2).filter(word => !word.startsWith('-'));
const level = process.argv.includes('--fast') ? 1 : 9;
const isLocal = process.argv.includes('--local');
const packageJson = JSON.parse(readFileSync('package.json', 'utf8'));
const clang = 'node_modules/@yowasp/clang';
const z3 = 'node_modules/z3-solver/build';

/** @param {string | Uint8Array} bytes */
const hashOf = bytes => createHash('sha256').update(bytes).digest('hex');

/** @param {string} folder */
const filesBelow = folder =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(file => statSync(join(folder, file)).isFile())
    .sort();

/**
 * As `filesOf` of `site/platform/assets.ts` reads it.
 * @param {readonly (readonly [path: string, bytes: Buffer])[]} entries
 */
function archive(entries) {
  const list = Buffer.from(JSON.stringify(entries.map(([path, bytes]) => [path, bytes.length])));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(list.length);
  return Buffer.concat([length, list, ...entries.map(([, bytes]) => bytes)]);
}

/**
 * Returns a smaller tar archive with the wanted files.
 * @param {Buffer} tar
 * @param {(path: string) => boolean} isWanted
 */
function withoutOthers(tar, isWanted) {
  const kept = [];
  for (let at = 0; at + 512 <= tar.length && tar[at] !== 0; ) {
    /** @type {(start: number, end: number) => string} */
    const field = (start, end) => tar.toString('latin1', at + start, at + end).replace(/\0.*$/s, '');
    const end = at + 512 + Math.ceil(Number.parseInt(field(124, 136), 8) / 512) * 512;
    if (isWanted(field(0, 100))) kept.push(tar.subarray(at, end));
    at = end;
  }
  return Buffer.concat([...kept, Buffer.alloc(1024)]);
}

if (!existsSync('dist/bundle/stamp')) throw new Error('`npm run build` comes first');
mkdirSync(`${output}/assets`, { recursive: true });

/**
 * Compressing the compiler takes half a minute, so an existing file with the same content is kept.
 * @param {string} name
 * @param {string} title
 * @param {Buffer} content
 */
function writeAsset(name, title, content) {
  const hash = hashOf(content).slice(0, 16);
  const file = `assets/${name}-${hash}.bin`;
  if (!existsSync(`${output}/${file}`)) {
    const unfinished = `${output}/${file}.${process.pid}`;
    writeFileSync(unfinished, gzipSync(content, { level }));
    renameSync(unfinished, `${output}/${file}`);
  }
  const packed = readFileSync(`${output}/${file}`);
  return { path: `../${file}`, bytes: packed.length, hash: hashOf(content), title };
}

/**
 * A file of a dependency, which `redzone serve` compresses by itself at level 1.
 * @param {string} name
 * @param {string} title
 * @param {Buffer} content
 */
function installedAsset(name, title, content) {
  if (!isLocal) return writeAsset(name, title, content);
  const hash = hashOf(content);
  const path = `../assets/${name}-${hash.slice(0, 16)}.bin`;
  return { path, bytes: gzipSync(content, { level: 1 }).length, hash, title };
}

const packaged = ['runtime', 'dist/library']
  .filter(folder => existsSync(folder))
  .flatMap(folder => filesBelow(folder).map(file => `${folder}/${file}`));
const assets = {
  package: writeAsset('library', 'the C library', archive(packaged.map(file => [file, readFileSync(file)]))),
  clang: installedAsset('clang', 'the compiler', readFileSync(`${clang}/gen/llvm.core.wasm`)),
  headers: writeAsset(
    'headers',
    "the compiler's headers",
    withoutOthers(readFileSync(`${clang}/gen/llvm-resources.tar`), path => /^include\/[^/]+$/.test(path)),
  ),
  z3: installedAsset('z3', 'Z3', readFileSync(`${z3}/z3-built.wasm`)),
};
/** As a module for its callers, and as a script for its own threads. */
const z3Script = `${readFileSync(`${z3}/z3-built.js`, 'utf8')}\nglobalThis.initZ3 = initZ3;\n`;
for (const file of readdirSync(`${output}/assets`))
  if (!Object.values(assets).some(({ path }) => path.endsWith(file)) && file.endsWith('.bin'))
    rmSync(`${output}/assets/${file}`, { force: true });

const replaced = new Set(readdirSync('site/platform').filter(file => file.endsWith('.ts')));

/** @type {import('esbuild').Plugin} */
const platform = {
  name: 'platform of a page',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\.js$/ }, ({ path, resolveDir }) => {
      const full = resolve(resolveDir, path.replace(/\.js$/, '.ts'));
      const isOfMachine = /\/src\/(platform|host)\/[\w-]+\.ts$/.test(full);
      return isOfMachine && replaced.has(basename(full))
        ? { path: resolve('site/platform', basename(full)) }
        : undefined;
    });
    onResolve({ filter: /^worker-modules$/ }, () => ({ path: 'worker-modules', namespace: 'made' }));
    onLoad({ filter: /.*/, namespace: 'made' }, () => {
      const workers = filesBelow('src').filter(
        file => /-worker\.ts$/.test(file) && !/^((platform|host|fuzz)\/|api\/search-worker)/.test(file),
      );
      const lines = workers.map(
        file => `'${basename(file, '.ts')}': () => import('./src/${file.replace(/ts$/, 'js')}'),`,
      );
      return { contents: `export const modules = {\n${lines.join('\n')}\n};`, resolveDir: resolve('.') };
    });
    // A page has no queue on other machines, so what explores with one is never called there.
    onResolve({ filter: /\/(queue-orders|queue-force|queue\/connection)\.js$/ }, () => ({
      path: 'queue',
      namespace: 'absent',
    }));
    onLoad({ filter: /.*/, namespace: 'absent' }, () => ({ contents: 'export {};' }));
    onResolve({ filter: /^z3-solver$/ }, () => ({ path: resolve('site/platform/z3-solver.ts') }));
    // Emscripten imports these only when it runs in Node.
    onResolve({ filter: /^node:/ }, ({ importer, path }) =>
      importer.includes('/cadical-wasm/') ? { path, external: true } : undefined,
    );
  },
};

const facts = {
  version: packageJson.version,
  stamp: readFileSync('dist/bundle/stamp', 'utf8'),
  clangVersion: JSON.parse(readFileSync(`${clang}/package.json`, 'utf8')).version,
  assets,
};

const { outputFiles } = await build({
  entryPoints: ['site/main.ts', 'site/engine.ts', 'site/platform/boot-worker.ts', 'site/style.css'].map(
    file => ({
      in: file,
      out: basename(file).replace(/\.\w+$/, ''),
    }),
  ),
  outdir: `${output}/app`,
  bundle: true,
  splitting: true,
  minify: true,
  format: 'esm',
  platform: 'browser',
  target: ['chrome110', 'firefox114', 'safari16.4'],
  define: { REDZONE_BUILD: JSON.stringify(facts), REDZONE_EXAMPLES: JSON.stringify(collectExamples()) },
  plugins: [platform],
  write: false,
});
const cadical = readFileSync('node_modules/cadical-wasm/dist/cadical.wasm');
/** The pages of `redzone explain`, by code. */
const explained = JSON.stringify(
  Object.fromEntries(
    readdirSync('docs/explain').map(file => [
      basename(file, '.md'),
      readFileSync(`docs/explain/${file}`, 'utf8'),
    ]),
  ),
);
const files = {
  ...Object.fromEntries(outputFiles.map(({ path, contents }) => [basename(path), contents])),
  'cadical.wasm': cadical,
  'explain.json': explained,
  'z3-built.js': z3Script,
};
const contents = Object.values(files).map(content => Buffer.from(content));
const appHash = hashOf(Buffer.concat(contents)).slice(0, 12);
const app = `app-${appHash}`;
for (const folder of readdirSync(output))
  if (folder.startsWith('app-') && folder !== app)
    rmSync(`${output}/${folder}`, { recursive: true, force: true });
// Two builds of the same sources may run at the same time, and one of them be served.
if (!existsSync(`${output}/${app}`)) {
  const unfinished = `${output}/unfinished-${process.pid}`;
  mkdirSync(unfinished);
  for (const [name, content] of Object.entries(files)) writeFileSync(`${unfinished}/${name}`, content);
  try {
    renameSync(unfinished, `${output}/${app}`);
  } catch (error) {
    rmSync(unfinished, { recursive: true });
    if (!existsSync(`${output}/${app}`)) throw error;
  }
}

/** @param {string} text */
const fixed = text => text.replaceAll('APP', app).replaceAll('VERSION', packageJson.version);
writeFileSync(`${output}/index.html`, fixed(readFileSync('site/index.html', 'utf8')));
const list = JSON.stringify(Object.keys(files).map(file => `${app}/${file}`));
writeFileSync(
  `${output}/service-worker.js`,
  readFileSync('site/service-worker.js', 'utf8').replace('FILES', list).replaceAll('APP', app),
);

/** @param {number} bytes */
const megabytes = bytes => `${(bytes / 1e6).toFixed(1)} MB`;
const code = outputFiles.reduce((sum, { contents }) => sum + gzipSync(contents).length, 0);
console.log(
  [
    `${output}: code ${megabytes(code)}, CaDiCaL ${megabytes(gzipSync(cadical).length)}`,
    ...Object.values(assets).map(({ title, bytes }) => `${title} ${megabytes(bytes)}`),
  ].join(', '),
);
