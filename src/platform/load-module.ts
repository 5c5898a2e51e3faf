/**
 * Modules of the user, by path or by the name of a package: where they are, and TypeScript made
 * into JavaScript.
 *
 * JavaScript is imported directly. TypeScript, which Node 20 does not run, and packages are bundled
 * by esbuild, with everything that they import, into a file of the cache whose name is the hash of
 * its content (docs/decisions/0131). Their imports of Redzone are resolved to this installation.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { isAbsolute, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { absolutePath, cacheFolder, contentHash, writeFileAtomically } from './files.js';
import { packageRoot } from './node.js';

/** An error in a module, and its location if that is known. */
export interface ModuleProblem {
  readonly message: string;
  readonly location?: { readonly file: string; readonly line: number; readonly column: number };
}

export type FoundModule =
  | { readonly kind: 'found'; readonly url: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'broken'; readonly problems: readonly ModuleProblem[] };

/** The address under which a module can be imported. */
export async function findModule(specifier: string, folder: string): Promise<FoundModule> {
  const path = absolutePath(folder, specifier);
  const isPath = /^\.{0,2}\//.test(specifier) || isAbsolute(specifier) || existsSync(path);
  if (isPath && !existsSync(path)) return { kind: 'missing' };
  if (isPath && /\.[cm]?js$/.test(path)) {
    const hash = contentHash([new Uint8Array(readFileSync(path))]).slice(0, 16);
    return { kind: 'found', url: `${pathToFileURL(path).href}?${hash}` };
  }
  if (isPath && statSync(path).isFile() && !/\.[cm]?ts$/.test(path))
    return {
      kind: 'broken',
      problems: [{ message: `'${specifier}' is not a module: its name must end in .ts, .mts, .js or .mjs` }],
    };
  return bundle(isPath ? path : specifier, folder);
}

/**
 * The default export of a module. Throws what the module throws, with stack traces of the source.
 */
export async function importDefault(url: string): Promise<unknown> {
  process.setSourceMapsEnabled(true);
  const module = (await import(/* @vite-ignore */ url)) as { readonly default?: unknown };
  return module.default;
}

async function bundle(entry: string, folder: string): Promise<FoundModule> {
  const { build } = await import('esbuild');
  const self = pathToFileURL(join(packageRoot, 'dist/bundle/index.js')).href;
  const result = await build({
    stdin: { contents: `export { default } from ${JSON.stringify(entry)};`, resolveDir: folder },
    absWorkingDir: folder,
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'silent',
    sourcemap: 'inline',
    sourceRoot: pathToFileURL(`${folder}/`).href,
    external: builtinModules.flatMap(name => [name, `node:${name}`]),
    plugins: [
      {
        name: 'redzone',
        setup: ({ onResolve }) => onResolve({ filter: /^redzone$/ }, () => ({ path: self, external: true })),
      },
    ],
  }).catch((error: unknown) => {
    const { errors } = error as { readonly errors?: readonly EsbuildMessage[] };
    if (errors === undefined) throw error;
    return errors;
  });
  if (Array.isArray(result)) return problemsIn(entry, result as readonly EsbuildMessage[]);
  const { contents } = (result as { readonly outputFiles: readonly { contents: Uint8Array }[] })
    .outputFiles[0]!;
  const kept = join(cacheFolder(), 'plugins');
  const file = join(kept, `${contentHash([contents]).slice(0, 32)}.mjs`);
  try {
    if (!existsSync(file)) writeFileAtomically(file, contents);
    return { kind: 'found', url: pathToFileURL(file).href };
  } catch {
    // The cache cannot be written. Stack traces of such a module are hard to read.
    const text = Buffer.from(contents).toString('base64');
    return { kind: 'found', url: `data:text/javascript;base64,${text}` };
  }
}

interface EsbuildMessage {
  readonly text: string;
  readonly location: { readonly file: string; readonly line: number; readonly column: number } | null;
}

function problemsIn(entry: string, messages: readonly EsbuildMessage[]): FoundModule {
  if (messages.some(({ text }) => text === `Could not resolve "${entry}"`)) return { kind: 'missing' };
  const problems = messages.map(({ text, location }): ModuleProblem => {
    const message = text.charAt(0).toLowerCase() + text.slice(1);
    if (location === null || location.file === '<stdin>') return { message };
    const { file, line, column } = location;
    return { message, location: { file, line, column: column + 1 } };
  });
  return { kind: 'broken', problems };
}
