/**
 * C to IR, IR to an object file, object files to a wasm64 binary: the compiler and the linker
 * behind one interface.
 *
 *     const toolchain = new Toolchain();
 *     const ir = await toolchain.compileToIr({ path: 'a.c' });           // Outcome<string>
 *     const object = await toolchain.compileIrToObject(text);           // Outcome<Uint8Array>
 *     const binary = await toolchain.linkWasm([object], { flags: ['--no-entry', '--export=main'] });
 *     await toolchain.close();
 *
 * Every step is answered from the cache if possible, without starting clang.
 *
 * Invariant: a result depends only on what is hashed into its key: the tools' version, the
 * arguments, and the names (as seen from the working folder) and contents of all files that were
 * mounted.
 */
import type { Diagnostic } from '../findings/diagnostic.js';
import {
  absolutePath,
  readFileIfAny,
  relativePath,
  whyUnreadable,
  workingFolder,
} from '../platform/files.js';
import { packageRoot } from '../platform/node.js';
import { runProgram } from '../platform/spawn-program.js';
import { assert, InternalError } from '../support/assert.js';
import { concatenate } from '../support/concatenate.js';
import { Cache } from './cache.js';
import { type Flags, headersOfMachine, parseFlags } from './flags.js';
import {
  findMissing,
  folderOf,
  grantedFolders,
  IncludedFiles,
  missingNames,
  reachableFiles,
  refusedFiles,
  runtimeMount,
  type SearchPath,
} from './includes.js';
import { largeInitializers, largeNumbers } from './large-initializers.js';
import { failure, fromClang, type Outcome, success } from './step-outcome.js';
import { analysisFlags, cFlags, codeFlags, driverFlags, gnuMacros, irFlags } from './target.js';
import { type ToolResult, Tools } from './tools.js';

/** The folder of files that do not exist on this machine. */
const mountFolder = '/.redzone';

/** A C source: a file, or text that is not in one (`-` is standard input). */
export interface CSource {
  /** The path as the user wrote it; diagnostics and debug information repeat it. */
  readonly path: string;
  readonly content?: Uint8Array;
  /** The content is preprocessed: line markers have the origin of its lines. */
  readonly preprocessed?: boolean;
}

export interface ToolchainOptions {
  /** The cache of results; `undefined` for none. The user's cache folder by default. */
  readonly cache?: Cache | undefined;
  /** A clang of this machine that compiles C in place of the embedded one. */
  readonly clang?: string | undefined;
}

export interface CompileOptions {
  /** `-I -D -U -std= -include -O …` as clang spells them. */
  readonly flags?: readonly string[];
  /**
   * Runs LLVM's passes at the level of `-O`. Without it the IR is as the analyses need it: not
   * optimised, with lifetime markers.
   */
  readonly optimise?: boolean;
  /** The base of relative names: the working folder by default. */
  readonly folder?: string;
  /** The files read so far; by default each step reads them anew. */
  readonly files?: IncludedFiles;
  /**
   * Called when clang reads, or may read, a file that the scan for headers has not found: the
   * result depends on more than its key.
   */
  readonly onUnforeseen?: () => void;
  /**
   * Folders whose files may be included, in addition to the working folder, those of the sources
   * and the search folders.
   */
  readonly granted?: readonly string[];
  /** The absolute folder in debug information, so that tools elsewhere find the sources. */
  readonly debugFolder?: string;
  /** Failures are cached, too: `configure` repeats the same compilation many times. */
  readonly keepsFailures?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** The result of compiling a source for a compiler driver. */
export interface CompiledUnit {
  readonly ir: string;
  /** The files that were read, the source first, under clang's names. */
  readonly dependencies: readonly string[];
}

export interface ObjectOptions {
  /** `-O2` by default. */
  readonly optimisation?: string;
  /** More flags of clang's front end. */
  readonly flags?: readonly string[];
  /** Does not use the cache: the caller stores its own result. */
  readonly keepsNothing?: boolean;
  readonly signal?: AbortSignal | undefined;
}

export interface LinkOptions {
  /** Flags of `wasm-ld`: `--no-entry` by default. */
  readonly flags?: readonly string[];
  /** As for objects. */
  readonly keepsNothing?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** A source prepared for compilation: the arguments and the mounted files. */
interface Prepared {
  readonly source: CSource;
  readonly path: string;
  readonly folder: string;
  readonly flags: Flags;
  readonly search: SearchPath;
  readonly files: IncludedFiles;
  readonly mounted: readonly string[];
  /** The arguments of clang's front end without the paths of inputs and outputs. */
  readonly args: readonly string[];
}

/** The size of IR per run of clang: about a second. */
const bytesOfBatch = 400_000;

export class Toolchain {
  readonly #tools: Tools;
  readonly #systemClang: string | undefined;
  /** The cache of results, if there is one. */
  readonly cache: Cache | undefined;

  constructor(options: ToolchainOptions = {}) {
    this.cache = 'cache' in options ? options.cache : Cache.ofUser();
    this.#tools = new Tools(this.cache);
    this.#systemClang = options.clang;
  }

  /**
   * The key of the result of `compileToIr`: everything on which it depends, except unforeseen
   * files. Undefined if there is none, because the source cannot be compiled, includes files with
   * unknown names, or is compiled by a clang of this machine, which may read any file.
   */
  keyOf(source: CSource, options: CompileOptions = {}): string | undefined {
    if (this.#systemClang !== undefined) return undefined;
    const prepared = prepare(source, options);
    return 'args' in prepared && !computes(prepared, 'question')
      ? this.#tools.keyOf(identityOf(prepared))
      : undefined;
  }

  /** C to the text of an IR module. */
  async compileToIr(source: CSource, options: CompileOptions = {}): Promise<Outcome<string>> {
    const prepared = prepare(source, options);
    if (!('args' in prepared)) return failure(prepared);
    if (this.#systemClang !== undefined)
      return textOutcome(await this.#compileWithSystemClang(this.#systemClang, prepared, options));
    try {
      return textOutcome(await this.#runEmbedded(prepared, ['-emit-llvm'], options));
    } catch (error) {
      const reason = crashOf(error);
      if (reason === undefined) throw error;
      return failure(...(await this.#whyCrashed(source, options, reason)));
    }
  }

  /** C to IR, with the files that it was made of. */
  async compileUnit(source: CSource, options: CompileOptions): Promise<Outcome<CompiledUnit>> {
    const prepared = prepare(source, options);
    if (!('args' in prepared)) return failure(prepared);
    try {
      const result = await this.#runEmbedded(prepared, [...dependencyFlags, '-emit-llvm'], options);
      return outcomeOf(result, output => {
        const text = new TextDecoder().decode(output);
        const at = text.lastIndexOf(`\n${dependencyTarget}:`) + 1;
        return { ir: text.slice(0, at), dependencies: dependenciesIn(text.slice(at)) };
      });
    } catch (error) {
      const reason = crashOf(error);
      if (reason === undefined) throw error;
      return failure(...(await this.#whyCrashed(source, options, reason)));
    }
  }

  /**
   * The files of which a source consists; with `-MG` in `flags`, missing ones are listed as named.
   */
  async dependenciesOf(
    source: CSource,
    flags: readonly string[],
    options: CompileOptions,
  ): Promise<Outcome<readonly string[]>> {
    const prepared = prepare(source, options);
    if (!('args' in prepared)) return failure(prepared);
    const result = await this.#runEmbedded(prepared, [...dependencyFlags, ...flags, '-Eonly'], options);
    return outcomeOf(result, output => dependenciesIn(new TextDecoder().decode(output)));
  }

  /** The preprocessed source; `flags` are those of the output, for example `-P`. */
  async preprocessedText(
    source: CSource,
    flags: readonly string[],
    options: CompileOptions,
  ): Promise<Outcome<Uint8Array>> {
    const prepared = prepare(source, options);
    if (!('args' in prepared)) return failure(prepared);
    return outcomeOf(await this.#runEmbedded(prepared, ['-E', ...flags], options), output => output);
  }

  /** Explains a crash of clang: by initial values that take gigabytes, or as unknown. */
  async #whyCrashed(source: CSource, options: CompileOptions, reason: string): Promise<Diagnostic[]> {
    const tree = await this.syntaxTree(source, options).catch(() => undefined);
    const text = new TextDecoder().decode(
      source.content ??
        new IncludedFiles(options.files).read(absolutePath(options.folder ?? workingFolder(), source.path)),
    );
    const large = tree?.ok ? largeInitializers(tree.value, source.path) : largeNumbers(text, source.path);
    if (large.length > 0) return large;
    return [
      {
        severity: 'error',
        message: `clang cannot compile '${source.path}': ${reason}`,
        help: 'another clang can be used with `--clang`',
      },
    ];
  }

  /**
   * The preprocessed source after `edit` has changed the user's files, given by their absolute
   * names. Undefined if it changes none.
   */
  async preprocess(
    source: CSource,
    options: CompileOptions,
    edit: (path: string, content: Uint8Array) => Uint8Array | undefined,
  ): Promise<Outcome<Uint8Array> | undefined> {
    const prepared = prepare(source, options);
    if (!('args' in prepared)) return failure(prepared);
    const { files } = prepared;
    let isChanged = false;
    for (const path of prepared.mounted) {
      if (path.startsWith(`${runtimeMount}/`)) continue;
      const changed = edit(path, files.read(path)!);
      if (changed === undefined) continue;
      files.provide(path, changed);
      isChanged = true;
    }
    if (!isChanged) return undefined;
    return outcomeOf(await this.#runEmbedded(prepared, ['-E'], options), output => output);
  }

  /** clang's syntax tree as JSON. */
  async syntaxTree(source: CSource, options: CompileOptions): Promise<Outcome<string>> {
    const prepared = prepare(source, options);
    if (!('args' in prepared)) return failure(prepared);
    return textOutcome(await this.#runEmbedded(prepared, ['-ast-dump=json'], options));
  }

  /** Members of the runtime (`/redzone/libc/string/strlen.c`) to IR. */
  async compileRuntime(paths: readonly string[], options: CompileOptions = {}): Promise<Outcome<string>[]> {
    return (await this.#compileTogether(paths, 'll', options)).map(textOutcome);
  }

  /**
   * Members of the runtime to object files, for functions that are only called after the IR was
   * compiled (`__multi3`).
   */
  async compileRuntimeObjects(
    paths: readonly string[],
    options: CompileOptions = {},
  ): Promise<Outcome<Uint8Array>[]> {
    const results = await this.#compileTogether(paths, 'o', { ...options, optimise: true });
    return results.map(result => outcomeOf(result, output => output));
  }

  /** The text of an IR module to a wasm64 object file. */
  async compileIrToObject(ir: string, options: ObjectOptions = {}): Promise<Outcome<Uint8Array>> {
    return (await this.compileIrToObjects([ir], options))[0]!;
  }

  /**
   * Compiles many IR modules to object files in a few parallel runs of clang; cached ones are
   * skipped.
   */
  async compileIrToObjects(
    modules: readonly string[],
    options: ObjectOptions = {},
  ): Promise<Outcome<Uint8Array>[]> {
    const { optimisation = '-O2', flags = [], keepsNothing = false, signal } = options;
    const args = ['clang', '-cc1', ...irFlags, optimisation, ...flags, '-emit-obj', '-x', 'ir'];
    const contents = modules.map(ir => new TextEncoder().encode(ir));
    const keys = contents.map(content => (keepsNothing ? undefined : this.#tools.keyOf([...args, content])));
    const results = keys.map(key => this.#tools.lookUp(key));
    const missing = results.flatMap((result, i) => (result === undefined ? [i] : []));
    const input = (i: number) => `${mountFolder}/${i}.ll`;
    const compileTogether = async (batch: readonly number[]): Promise<void> => {
      const compiled = await this.#tools.runMany(
        { args, files: batch.map(i => [input(i), contents[i]!] as const) },
        batch.map(i => ({ input: input(i), output: `${mountFolder}/${i}.o`, key: keys[i] })),
        signal,
      );
      for (const [at, i] of batch.entries()) results[i] = compiled[at];
    };
    await Promise.all(batchesOf(missing, i => contents[i]!.length).map(compileTogether));
    return results.map(result => outcomeOf(result!, output => output));
  }

  /**
   * Object files to a wasm64 binary. `lowerMemory64` of the room `wasm` makes it one that Node
   * runs.
   */
  async linkWasm(objects: readonly Uint8Array[], options: LinkOptions = {}): Promise<Outcome<Uint8Array>> {
    const { flags = ['--no-entry'], keepsNothing = false, signal } = options;
    const files = objects.map((bytes, i) => [`${mountFolder}/${i}.o`, bytes] as const);
    const args = ['wasm-ld', '-mwasm64', ...flags, ...files.map(([path]) => path), '-o', '-'];
    const identity = keepsNothing ? undefined : [...args, ...objects];
    const result = await this.#tools.run({ args, files, identity }, signal);
    return outcomeOf(result, output => output);
  }

  close(): Promise<void> {
    return this.#tools.close();
  }

  /**
   * Mounts the files of the scan; files that clang misses and this machine has are mounted for a
   * second try.
   */
  async #runEmbedded(
    prepared: Prepared,
    action: readonly string[],
    { signal, onUnforeseen, keepsFailures = false }: CompileOptions,
  ): Promise<ToolResult> {
    const { source, folder, files, path } = prepared;
    const stdin = source.path === '-' ? { stdin: files.forClang(path) } : {};
    const run = (mounted: readonly string[], identity: Iterable<string | Uint8Array> | undefined) =>
      this.#tools.run(
        {
          args: [
            ...[...prepared.args, ...action, '-working-directory', folder],
            ...['-main-file-name', baseName(source.path), '-o', '-', '-x', languageOf(source), source.path],
          ],
          // clang fails on `-include` if its working folder does not exist.
          files: [...contentsOf(files, mounted), [`${folder}/.redzone`, new Uint8Array()]],
          ...stdin,
          identity,
          keepsFailures,
        },
        signal,
      );
    let mounted = prepared.mounted;
    const identity = computes(prepared, 'question') ? undefined : identityFor(action, prepared);
    if (identity === undefined) onUnforeseen?.();
    let result = await run(mounted, identity);
    while (!result.ok) {
      const more = findMissing(files, result.notes, mounted, prepared.search);
      if (more.length === 0) break;
      onUnforeseen?.();
      mounted = [...mounted, ...more];
      result = await run(mounted, undefined);
    }
    return result.ok
      ? result
      : {
          ok: false,
          notes: result.notes + refusals(result.notes, mounted, prepared.search) + missing(result.notes),
        };
  }

  /**
   * Compiles many sources of the runtime in one run of clang, several times faster than one by one.
   */
  async #compileTogether(
    paths: readonly string[],
    extension: 'll' | 'o',
    options: CompileOptions,
  ): Promise<ToolResult[]> {
    const files = new IncludedFiles();
    const emit = extension === 'o' ? ['-emit-obj', ...codeFlags] : ['-emit-llvm'];
    const prepared = paths.map(path => {
      const one = prepare({ path }, { ...options, files });
      assert('args' in one, `the runtime has no ${path}`);
      return { ...one, key: this.#tools.keyOf([...emit, ...identityOf(one)]) };
    });
    const results = prepared.map(one => this.#tools.lookUp(one.key));
    const missing = prepared.filter((_, i) => results[i] === undefined);
    if (missing.length > 0) {
      const compiled = await this.#tools.runMany(
        {
          args: [...missing[0]!.args, ...emit, '-x', 'c'],
          files: contentsOf(files, new Set(missing.flatMap(one => one.mounted))),
        },
        missing.map(({ path, key }) => ({ input: path, output: path.replace(/c$/, extension), key })),
        options.signal,
      );
      for (const [i, one] of missing.entries()) results[prepared.indexOf(one)] = compiled[i];
    }
    return results.map(result => result!);
  }

  async #compileWithSystemClang(
    clang: string,
    prepared: Prepared,
    options: CompileOptions,
  ): Promise<ToolResult> {
    const { folder, flags } = prepared;
    const { signal } = options;
    const input = inputForProgram(prepared);
    const version = await runProgram(clang, ['--version'], { signal });
    if (version.kind === 'not-started') {
      return { ok: false, notes: `error: cannot run '${clang}': ${version.reason}` };
    }
    const tooOld = oldVersionIn(new TextDecoder().decode(version.stdout));
    if (tooOld !== undefined) {
      const needed = `--clang needs clang ${oldestClang} or newer`;
      return { ok: false, notes: `error: '${clang}' is clang ${tooOld}; ${needed}` };
    }
    const level = options.optimise
      ? [flags.optimisation ?? '-O0']
      : ['-O1', '-Xclang', '-disable-llvm-passes'];
    const args = [
      ...driverFlags(`${packageRoot}runtime`),
      ...gnuMacros(flags.args),
      ...[...level, ...flags.args, ...input.flags],
      ...['-x', languageOf(prepared.source), input.name, '-o', '-'],
    ];
    const key = Cache.keyOf([clang, version.stdout, ...identityOf(prepared)]);
    // clang does not report which files it has found under computed names.
    const cache = computes(prepared, 'include') || computes(prepared, 'question') ? undefined : this.cache;
    const known = cache?.get(key);
    if (known !== undefined) return { ok: true, output: known.result, notes: known.notes };
    const result = await runProgram(clang, args, {
      folder,
      signal,
      stdin: input.stdin,
      unset: searchVariables,
    });
    if (result.kind === 'not-started')
      return { ok: false, notes: `error: cannot run '${clang}': ${result.reason}` };
    if (result.exitCode !== 0) return { ok: false, notes: result.stderr };
    cache?.put(key, { result: result.stdout, notes: result.stderr });
    return { ok: true, output: result.stdout, notes: result.stderr };
  }
}

/** The first clang whose IR has only opaque pointers, and which knows all flags of `target.ts`. */
const oldestClang = 16;

/** The version that a clang prints, if it is too old. */
function oldVersionIn(text: string): string | undefined {
  const [, version = ''] = /clang version ([\d.]+)/.exec(text) ?? [];
  return version !== '' && Number.parseInt(version, 10) < oldestClang ? version : undefined;
}

/** clang's output before it crashed; undefined if something else went wrong. */
function crashOf(error: unknown): string | undefined {
  if (!(error instanceof InternalError)) return undefined;
  const lines = error.message.split('\n').map(line => line.trim());
  const first = lines.findIndex(line => line.includes('clang crashed: '));
  if (first < 0) return undefined;
  const said = lines.slice(first + 1).find(line => line !== '' && !line.startsWith('at '));
  return said ?? lines[first]!;
}

/** Groups neighbours up to this many bytes, because a run of clang takes a while to start. */
function batchesOf(items: readonly number[], bytesOf: (item: number) => number): number[][] {
  const batches: number[][] = [];
  let left = 0;
  for (const item of items) {
    left -= bytesOf(item);
    if (left < 0) {
      batches.push([]);
      left = bytesOfBatch - bytesOf(item);
    }
    batches.at(-1)!.push(item);
  }
  return batches;
}

/**
 * The headers of the C library that clang's own headers include (`stdatomic.h`). The scan does not
 * read those, and would mount these only for programs that include them in another way, too.
 */
const includedByClang = ['stdint.h'];

function prepare(source: CSource, options: CompileOptions): Prepared | Diagnostic {
  const files = new IncludedFiles(options.files);
  const folder = options.folder ?? workingFolder();
  const flags = parseFlags(options.flags ?? [], folder);
  if (!('args' in flags)) return flags;
  const path = source.path === '-' ? `${mountFolder}/stdin` : absolutePath(folder, source.path);
  if (source.content !== undefined) files.provide(path, source.content);
  if (files.read(path) === undefined) return { severity: 'error', message: whyUnreadable(path, source.path) };
  const { quoted, all, after } = flags.search;
  const included = flags.includes.map(name => absolutePath(folder, name));
  const granted = grantedFolders([
    ...[folder, folderOf(path), ...quoted, ...all, ...after, ...included.map(folderOf)],
    ...(options.granted ?? []).map(name => absolutePath(folder, name)),
  ]);
  const search = { quoted, all: [...all, `${runtimeMount}/include`, ...after], granted };
  const angled = [...flags.includes, ...includedByClang];
  const commandLine = { quoted: flags.includes, angled, from: folder };
  const level = options.optimise ? [flags.optimisation ?? '-O0'] : analysisFlags;
  return {
    ...{ source, path, folder, flags, search, files },
    mounted: reachableFiles(files, [path], search, commandLine),
    args: [
      ...['clang', '-cc1', ...cFlags, ...gnuMacros(flags.args), ...level],
      ...[...flags.args, ...debugFolderFlag(options)],
    ],
  };
}

function debugFolderFlag({ debugFolder }: CompileOptions): string[] {
  return debugFolder === undefined ? [] : [`-fdebug-compilation-dir=${debugFolder}`];
}

/** The list goes to standard output, after the IR. */
const dependencyTarget = 'redzone';
const dependencyFlags = ['-dependency-file', '-', '-MT', dependencyTarget, '-sys-header-deps'];

/** The names in a rule for make. */
function dependenciesIn(rule: string): string[] {
  return rule
    .slice(dependencyTarget.length + 1)
    .replaceAll('\\\n', ' ')
    .split(/(?<!\\)\s+/)
    .filter(name => name !== '')
    .map(name => name.replace(/\\([ #])/g, '$1').replaceAll('$$', '$'));
}

/** Whether a file of the user has computed file names at such a place. */
function computes({ files, mounted }: Prepared, where: 'include' | 'question'): boolean {
  return mounted.some(
    path => !path.startsWith(`${runtimeMount}/`) && files.mentionsIn(path).computes === where,
  );
}

/** Explains files that were not found because they may not be read. */
function refusals(notes: string, mounted: readonly string[], search: SearchPath): string {
  const refused = refusedFiles(notes, mounted, search).map(
    path => `note: '${path}' lies outside the folders that sources may use; -I or --dir grants a folder\n`,
  );
  const foreign = headersOfMachine(missingNames(notes)).map(path =>
    /GNU C Library|Linux-syscall-note/.test(new TextDecoder().decode(readFileIfAny(path)))
      ? `note: '${path}' is one of the headers of Linux that the C library of Redzone does not have\n`
      : `note: '${path}' belongs to a library that another compiler has built; build it with redzone cc, and name its headers with -I\n`,
  );
  return [...refused, ...foreign].join('');
}

/** Names an extension of gcc for which clang only reports an error. */
function missing(notes: string): string {
  return notes.includes('error: function definition is not allowed here')
    ? 'note: functions inside functions are an extension of gcc that is not supported\n'
    : '';
}

/** Folders that a clang of the machine would search, and the embedded one would not. */
const searchVariables = ['CPATH', 'C_INCLUDE_PATH'];

/**
 * How a clang of the machine receives the source: from its file or, if there is none, from stdin
 * under its name.
 */
function inputForProgram({ source, path, files }: Prepared): {
  readonly name: string;
  readonly flags: readonly string[];
  readonly stdin: Uint8Array;
} {
  if (source.content === undefined) return { name: source.path, flags: [], stdin: new Uint8Array(0) };
  const content = files.read(path)!;
  if (source.path === '-') return { name: '-', flags: [], stdin: content };
  const marker = new TextEncoder().encode(`# 1 ${JSON.stringify(source.path)}\n`);
  return {
    name: '-',
    flags: ['-iquote', path.slice(0, path.lastIndexOf('/')) || '/'],
    stdin: concatenate([marker, content]),
  };
}

/** The files that clang sees, under their absolute names on this machine. */
function contentsOf(files: IncludedFiles, paths: Iterable<string>): [path: string, bytes: Uint8Array][] {
  return Array.from(paths, path => [path, files.forClang(path)]);
}

/**
 * The folder itself is not included: names inside the result are as the user wrote them, or
 * relative to it.
 */
function* identityOf({ source, folder, files, mounted, args }: Prepared): Iterable<string | Uint8Array> {
  yield* args;
  yield source.path;
  if (source.preprocessed) yield 'preprocessed';
  for (const path of mounted) {
    yield path.startsWith(`${runtimeMount}/`) ? path : relativePath(folder, path);
    yield files.forClang(path);
  }
}

/** The identity of a run that may do something other than compile. */
function* identityFor(action: readonly string[], prepared: Prepared): Iterable<string | Uint8Array> {
  yield* identityOf(prepared);
  if (action[0] !== '-emit-llvm') yield* action;
}

function languageOf(source: CSource): string {
  return source.preprocessed ? 'cpp-output' : 'c';
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function outcomeOf<Value>(result: ToolResult, value: (output: Uint8Array) => Value): Outcome<Value> {
  if (result.ok) return success(value(result.output), fromClang(result.notes, 'warning'));
  return failure(...fromClang(result.notes || 'error: the compiler failed without a message', 'error'));
}

function textOutcome(result: ToolResult): Outcome<string> {
  return outcomeOf(result, output => new TextDecoder().decode(output));
}
