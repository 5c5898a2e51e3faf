/**
 * Runs the engines' commands from one script whose compiled code is kept.
 *
 * A command such as `explore` uses a hundred files of `dist/bundle`, in two threads. Node takes a
 * third of a millisecond to load each, and V8 compiles every function when it is first called. The
 * build therefore also joins all modules into one script, `dist/bundle/redzone.cjs`. V8 can save
 * the code of a script, but not that of modules (docs/decisions/0258):
 *
 *     first run    | compile lazily | run | save what was compiled ─▶ <cache>/code/<key>
 *     later runs   | load the code  | run
 *
 * The key has everything that V8 compares before it accepts code, so an entry is not replaced again
 * and again, and the name of the command, because each calls other functions. A second folder,
 * read-only, comes with the package, like the results of the compiler (`front/cache.ts`).
 *
 * Invariant: whether code is found changes nothing but the time.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Script } from 'node:vm';
import { readCode, writeCode } from './code-file.js';
import { cacheFolder, contentHash } from './files.js';
import { optimizeLater, packageRoot, resetV8Flags } from './node.js';

/** The modules of the two threads, and how the worker keeps its code: `scripts/bundle.mjs`. */
interface Entries {
  readonly start: () => Promise<{ readonly startHere: () => Promise<void> }>;
  readonly worker: () => Promise<unknown>;
  readonly onKeepCompiledCode: (keep: () => void) => void;
}

type Body = (
  exports: object,
  require: NodeJS.Require,
  dirname: string,
  url: string,
  load: (specifier: string) => Promise<unknown>,
) => Entries;

const file = `${packageRoot}dist/bundle/redzone.cjs`;

/** Runs a command in this thread. */
export async function runFromScript(command: string): Promise<void> {
  // Before the script is loaded, since its code is saved for the flags of that time.
  optimizeLater();
  const { entries, keep } = loadScript(command);
  const { startHere } = await entries.start();
  await startHere();
  // V8 refuses code that was saved under other flags, and no program runs any more.
  resetV8Flags();
  keep();
}

/** Runs the worker of `api/apart.ts`. */
export async function runWorkerFromScript(command: string): Promise<void> {
  const { entries, keep } = loadScript(`${command} apart`);
  entries.onKeepCompiledCode(keep);
  await entries.worker();
}

function loadScript(name: string): { entries: Entries; keep: () => void } {
  const key = contentHash([
    ...['code', name, readFileSync(`${packageRoot}dist/bundle/stamp`, 'latin1')],
    ...[process.version, process.arch, process.env.NODE_OPTIONS ?? '', ...process.execArgv],
  ]);
  const path = `${cacheFolder()}/code/${key}`;
  const kept = readCode(path) ?? readCode(`${packageRoot}dist/library/code/${key}`);
  // The build writes ASCII only.
  const script = new Script(readFileSync(file, 'latin1'), {
    filename: file,
    ...(kept && { cachedData: kept }),
  });
  const isKept = kept !== undefined && script.cachedDataRejected === false;
  const flagsAtStart = isKept ? undefined : stateOfFlags();
  const keep = (): void => {
    if (flagsAtStart === undefined || !flagsAtStart.equals(stateOfFlags())) return;
    writeCode(path, script.createCachedData());
  };
  const body = script.runInThisContext() as Body;
  const url = pathToFileURL(file).href;
  const entries = body({}, createRequire(file), dirname(file), url, specifier => import(specifier));
  return { entries, keep };
}

/**
 * Begins every saved code; it differs if V8's flags do. V8 compares it before it accepts the code.
 */
function stateOfFlags(): Buffer {
  return new Script('0').createCachedData().subarray(0, 16);
}
