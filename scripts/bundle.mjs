/**
 * Joins the modules of the command line, of its workers and of the library into a few files,
 * `dist/bundle`. Part of `npm run build`.
 *
 * Node spends about a third of a millisecond on each module, and a check of ten lines would load
 * 150 of them. Modules that are imported with `import()` stay in files of their own, so a command
 * still loads only what it uses. The package holds the bundle and the declarations of `dist`; the
 * modules of `dist` themselves are for benches and are not shipped.
 *
 * All files lie side by side, as deep as those of `dist/platform`: paths relative to
 * `import.meta.url` mean the same in both.
 */
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, resolve } from 'node:path';
import { build } from 'esbuild';

const begun = new Date();

// The compiler does not remove the output of sources that have been moved or deleted; it must not
// be packed.
for (const file of readdirSync('dist', { recursive: true, encoding: 'utf8' })) {
  const isModule = /\.(js|d\.ts)$/.test(file) && !/^(bundle|library|site|site-of-tests)\//.test(file);
  if (isModule && !existsSync(`src/${file.replace(/\.(js|d\.ts)$/, '.ts')}`)) rmSync(`dist/${file}`);
}

/**
 * The modules that are started by name: see `src/platform/node.ts`. They are listed from the
 * sources, because `dist` may hold renamed modules.
 */
const started = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter(file => /-(worker|child)\.ts$/.test(file))
  .map(file => file.replace(/ts$/, 'js'))
  .filter(file => file !== 'run/run-worker.js');

/** What `package.json` exports, each under the name of its room. */
const libraries = ['kdalloc', 'hashtable', 'malloc', 'solver'];

/**
 * Bundles the modules into `dist/bundle`, as files that are not written yet.
 *
 * @param {Record<string, string>} entries The modules below `dist`, by the names of their files.
 * @param {Partial<import('esbuild').BuildOptions>} [options]
 */
const bundleOf = async (entries, options) => {
  const { outputFiles = [], metafile } = await build({
    entryPoints: Object.entries(entries).map(([out, file]) => ({ in: `dist/${file}`, out })),
    outdir: 'dist/bundle',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    metafile: true,
    write: false,
    ...options,
  });
  return { outputFiles, outputs: metafile?.outputs ?? {} };
};

/** @param {string[]} files */
const named = files => Object.fromEntries(files.map(file => [basename(file, '.js'), file]));

const common = await bundleOf({
  ...named(['index.js', 'cli/main.js', 'cli/redzone-cc.js', ...started]),
  ...Object.fromEntries(libraries.map(room => [room, `${room}/index.js`])),
});

/** The files of the common bundle by the modules that they start with. */
const fileOf = new Map(
  Object.entries(common.outputs).flatMap(([file, { entryPoint }]) =>
    entryPoint === undefined ? [] : [[resolve(entryPoint), `./${basename(file)}`]],
  ),
);

/**
 * What a run of a linked program loads is bundled again, so that it is one file for each of its two
 * threads: a test suite may start hundreds of short processes (docs/decisions/0273). Files of the
 * common bundle that such a run imports on demand have their own instances of shared modules.
 */
const always = /\/(check-pipeline|live-threads)\.js$/;
const ofPrograms = [
  await bundleOf(named(['cli/start-program.js']), {
    splitting: false,
    // Node takes 6 ms to import a CommonJS package.
    packages: 'bundle',
    external: ['esbuild'],
    plugins: [
      {
        name: 'on demand from the common bundle',
        setup: ({ onResolve }) =>
          onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) => {
            const file = fileOf.get(resolve(resolveDir, path));
            if (kind !== 'dynamic-import' || always.test(path) || file === undefined) return undefined;
            return { path: file, external: true };
          }),
      },
    ],
  }),
  await bundleOf(named(['run/run-worker.js'])),
];

/** Later files replace earlier ones of the same name. */
const outputFiles = [common, ...ofPrograms].flatMap(bundle => bundle.outputFiles);
/** @type {import('esbuild').Metafile['outputs']} */
const outputs = Object.assign({}, ...[common, ...ofPrograms].map(bundle => bundle.outputs));

// All modules once more, as one script: V8 can save the compiled code of a script
// (`src/platform/load-script.ts`). A module is evaluated when it is first imported, as before. What
// a script lacks are its parameters: its own address, and `import` for packages.
const exported = `
  export const start = () => import('./dist/cli/main.js');
  export const worker = () => import('./dist/api/apart-worker.js');
  export { onKeepCompiledCode } from './dist/platform/compiled-code.js';`;
const parameters = ['exports', 'require', '__dirname', 'moduleUrl', 'importPackage'];
const {
  outputFiles: [script],
} = await build({
  stdin: { contents: exported, resolveDir: process.cwd() },
  outfile: 'dist/bundle/redzone.cjs',
  bundle: true,
  format: 'cjs',
  platform: 'node',
  target: 'node20',
  packages: 'external',
  define: { 'import.meta.url': 'moduleUrl' },
  write: false,
});
const scriptText = `(function (${parameters.join(', ')}, module = {}) {
${script.text.replace(/(?<![\w#.$])import\(/g, 'importPackage(')}
return module.exports; })`;
rmSync('dist/bundle', { recursive: true, force: true });
mkdirSync('dist/bundle');
for (const { path, contents } of outputFiles) writeFileSync(path, contents);

writeFileSync('dist/bundle/redzone.cjs', scriptText);

// The identity of this build (`src/platform/installation-stamp.ts`): our code and the sources of
// the C library.
const hash = createHash('sha256');
for (const { contents } of outputFiles) hash.update(contents);
hash.update(scriptText);
for (const file of readdirSync('runtime', { recursive: true }).sort())
  if (statSync(`runtime/${file}`).isFile()) hash.update(file).update(readFileSync(`runtime/${file}`));
// The modules in each file, for the tests.
const modules = Object.entries(outputs).map(([file, { inputs }]) => [file, Object.keys(inputs)]);
writeFileSync('dist/bundle/modules.json', JSON.stringify(Object.fromEntries(modules)));

// Written last, and as old as the beginning of this build: a source that was changed meanwhile is
// newer (`tests/fresh-build.ts`).
writeFileSync('dist/bundle/stamp', hash.digest('hex'));
utimesSync('dist/bundle/stamp', begun, begun);
