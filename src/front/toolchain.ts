/**
 * C to IR, IR to an object file, object files to a wasm64 binary: the compiler and the linker behind one interface.
 *
 *     const toolchain = new Toolchain();
 *     const ir = await toolchain.compileToIr({ path: 'a.c' });           // Outcome<string>
 *     const object = await toolchain.compileIrToObject(text);           // Outcome<Uint8Array>
 *     const binary = await toolchain.linkWasm([object], { exports: ['main'] });
 *     await toolchain.close();
 *
 * The embedded clang sees a virtual file system. Files lie flat in `/.redzone`, and an overlay (clang's
 * `-ivfsoverlay`) gives them the names that they have on this machine, so that relative names, `..` and
 * diagnostics come out exactly as if clang had run in the user's folder:
 *
 *     virtual name                       overlay           mounted
 *     /home/me/project/src/../x.h  ───▶  canonical  ───▶  /.redzone/3
 *     /redzone/include/stdio.h                            /.redzone/4
 *
 * Invariant: a result depends only on what is hashed into its cache key: the tool's version, the arguments, and the
 * names and contents of the files that were mounted.
 */
import type { Diagnostic } from '../findings/diagnostic.js';
import { absolutePath, workingFolder } from '../platform/files.js';
import { type Service, startService } from '../platform/service.js';
import type { ToolReply, ToolRequest } from './clang-worker.js';
import { type Flags, parseFlags } from './flags.js';
import { folderOf, reachableFiles, runtimeMount, SourceFiles } from './includes.js';
import { failure, fromClang, type Outcome, success } from './outcome.js';
import { analysisFlags, cFlags, irFlags } from './target.js';

/** A C source: a file, or text that is not in one (`-` is standard input). */
export interface CSource {
  /** As the user wrote it: diagnostics and debug information repeat it. */
  readonly path: string;
  readonly content?: Uint8Array;
}

export interface CompileOptions {
  /** `-I -D -U -std= -include -O …` as clang spells them. */
  readonly flags?: readonly string[];
  /** Runs LLVM's passes at the level of `-O`. Without it the IR is as the analyses want it: not optimised, with lifetime markers. */
  readonly optimise?: boolean;
  /** Relative names start here: the working folder unless told otherwise. */
  readonly folder?: string;
  readonly signal?: AbortSignal;
}

export interface ObjectOptions {
  /** `-O2` unless told otherwise. */
  readonly optimisation?: string;
  /** More flags of clang's front end. */
  readonly flags?: readonly string[];
  readonly signal?: AbortSignal;
}

export interface LinkOptions {
  /** Flags of `wasm-ld`; without any of the kind, the module has no entry. */
  readonly flags?: readonly string[];
  readonly signal?: AbortSignal;
}

export class Toolchain {
  readonly #clang: Service<ToolRequest, ToolReply> = startService('front/clang-worker');

  /** C to the text of an IR module. */
  async compileToIr(source: CSource, options: CompileOptions = {}): Promise<Outcome<string>> {
    const folder = options.folder ?? workingFolder();
    const flags = parseFlags(options.flags ?? [], folder);
    if (!('args' in flags)) return failure(flags);
    const files = new SourceFiles();
    const isStdin = source.path === '-';
    const path = isStdin ? '/.redzone/stdin' : absolutePath(folder, source.path);
    if (source.content !== undefined) files.provide(path, source.content);
    if (files.read(path) === undefined) return failure(noSuchFile(source.path));
    const search = { quoted: flags.search.quoted, all: [...flags.search.all, `${runtimeMount}/include`] };
    const mounted = reachableFiles(files, [path], search, {
      quoted: flags.includes,
      angled: flags.includes,
      from: folder,
    });
    const reply = await this.#clang.call(
      {
        args: [
          ...['clang', '-cc1', ...cFlags, ...levelOf(flags, options), '-emit-llvm', ...flags.args],
          ...['-working-directory', folder, '-ivfsoverlay', '/.redzone/overlay'],
          ...['-main-file-name', baseName(source.path), '-o', '-', '-x', 'c', source.path],
        ],
        files: mount(files, mounted),
        ...(isStdin ? { stdin: files.read(path)! } : {}),
      },
      options.signal,
    );
    return outcomeOf(reply, () => new TextDecoder().decode(reply.stdout));
  }

  /** The text of an IR module to a wasm64 object file. */
  async compileIrToObject(ir: string, options: ObjectOptions = {}): Promise<Outcome<Uint8Array>> {
    const { optimisation = '-O2', flags = [], signal } = options;
    const reply = await this.#clang.call(
      {
        args: [
          ...['clang', '-cc1', ...irFlags, optimisation, ...flags, '-emit-obj'],
          ...['-o', '-', '-x', 'ir', '/.redzone/module.ll'],
        ],
        files: [['/.redzone/module.ll', new TextEncoder().encode(ir)]],
      },
      signal,
    );
    return outcomeOf(reply, () => reply.stdout);
  }

  /** Object files to a wasm64 binary. `lowerMemory64` of the room `wasm` makes it one that Node runs. */
  async linkWasm(objects: readonly Uint8Array[], options: LinkOptions = {}): Promise<Outcome<Uint8Array>> {
    const files = objects.map((bytes, i) => [`/.redzone/${i}.o`, bytes] as const);
    const reply = await this.#clang.call(
      {
        args: [
          'wasm-ld',
          '-mwasm64',
          ...(options.flags ?? ['--no-entry']),
          ...files.map(([path]) => path),
          '-o',
          '-',
        ],
        files,
      },
      options.signal,
    );
    return outcomeOf(reply, () => reply.stdout);
  }

  close(): Promise<void> {
    return this.#clang.close();
  }
}

function levelOf(flags: Flags, options: CompileOptions): readonly string[] {
  return options.optimise ? [flags.optimisation ?? '-O0'] : analysisFlags;
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function noSuchFile(path: string): Diagnostic {
  const message = `no such file: '${path}'`;
  return { severity: 'error', message, verbatim: `redzone: error: ${message}` };
}

function outcomeOf<Value>(reply: ToolReply, value: () => Value): Outcome<Value> {
  if (reply.exitCode !== 0) return failure(...fromClang(reply.stderr || 'error: clang failed', 'error'));
  return success(value(), fromClang(reply.stderr, 'warning'));
}

/** Mounts the files flat, beside the overlay that gives them their names. */
function mount(files: SourceFiles, paths: readonly string[]): [string, Uint8Array][] {
  const mounted: [string, Uint8Array][] = paths.map((path, i) => [`/.redzone/${i}`, files.read(path)!]);
  const folders = new Map<string, object[]>();
  paths.forEach((path, i) => {
    const folder = folderOf(path);
    const name = baseName(path);
    const contents = folders.get(folder) ?? [];
    folders.set(folder, contents);
    contents.push({ type: 'file', name, 'external-contents': `/.redzone/${i}` });
  });
  const overlay = {
    version: 0,
    'case-sensitive': 'true',
    'use-external-names': false,
    roots: [...folders].map(([name, contents]) => ({ type: 'directory', name, contents })),
  };
  mounted.push(['/.redzone/overlay', new TextEncoder().encode(JSON.stringify(overlay))]);
  return mounted;
}
