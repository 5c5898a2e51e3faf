/**
 * Joins the modules that the command line and its workers load into a few files, `dist/bundle`. Part of `npm run build`.
 *
 * Node spends about a third of a millisecond on each module, and a check of ten lines would load 150 of them. What is imported
 * late stays apart, so a command still loads only what it uses. The modules stay in `dist` for those who import Redzone.
 *
 * All files lie side by side, as deep as those of `dist/platform`: paths relative to `import.meta.url` mean the same in both.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';

rmSync('dist/bundle', { recursive: true, force: true });

/** What is started by name: see `src/platform/node.ts`. */
const started = readdirSync('dist', { recursive: true }).filter(file => /-(worker|child)\.js$/.test(file));

const { outputFiles, metafile } = await build({
  entryPoints: ['cli/main.js', ...started].map(file => `dist/${file}`),
  entryNames: '[name]',
  outdir: 'dist/bundle',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  packages: 'external',
  metafile: true,
  write: false,
});
mkdirSync('dist/bundle');
for (const { path, contents } of outputFiles) writeFileSync(path, contents);

// What tells this build from others (`src/platform/installation-stamp.ts`): our code and the sources of the C library.
const hash = createHash('sha256');
for (const { contents } of outputFiles) hash.update(contents);
for (const file of readdirSync('runtime', { recursive: true }).sort())
  if (statSync(`runtime/${file}`).isFile()) hash.update(file).update(readFileSync(`runtime/${file}`));
writeFileSync('dist/bundle/stamp', hash.digest('hex'));

// Which modules are in which file, for the tests.
const modules = Object.entries(metafile.outputs).map(([file, { inputs }]) => [file, Object.keys(inputs)]);
writeFileSync('dist/bundle/modules.json', JSON.stringify(Object.fromEntries(modules)));
