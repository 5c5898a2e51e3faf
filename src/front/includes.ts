/**
 * Finds the files that a C source may include, so that they can be mounted for the embedded clang,
 * and hashed for the cache, without running a preprocessor.
 *
 * The scan reads every `#include`, `#embed` and `__has_include` as text, whatever `#if` stands
 * around it, and looks the name up in all folders that clang would search. It finds more than clang
 * will read, never less, except for a name that macros concatenate; for those, clang's "file not
 * found" is handled by mounting the file and trying again (see `toolchain.ts`). A macro whose whole
 * body is a file name (`#define CONFIG "config.h"`) is found here, and so is a name in a condition
 * (`#if HAS(<x.h>)`). If macros are part of a `__has_include`, clang would report no error, so the
 * scan reports this case.
 *
 * Paths are virtual: a user's file has its absolute path, Redzone's own runtime lies at `/redzone`,
 * wherever the package is installed, so that results do not depend on that place.
 *
 * Why not mount whole -I folders? `-I /usr/include` would be thousands of files. Why not use `clang
 * -M`? It would start clang once per round of discovery, and the cache must answer without starting
 * it.
 */
import { absolutePath, readFileIfAny, resolvedPath } from '../platform/files.js';
import { packageRoot } from '../platform/node.js';
import { withPortableAssembly } from './x86-assembly.js';

/** The path of `runtime/` for the compiler: in diagnostics, debug information and findings. */
export const runtimeMount = '/redzone';

/** The real path of a virtual one. */
export function realPath(virtual: string): string {
  return virtual.startsWith(`${runtimeMount}/`)
    ? `${packageRoot}runtime${virtual.slice(runtimeMount.length)}`
    : virtual;
}

/**
 * Reads each file once, so that all steps of a run see the same contents, even if the disk changes
 * meanwhile. One that is layered over another sees the other's files, except for those that it was
 * given.
 */
export class IncludedFiles {
  readonly #below: IncludedFiles | undefined;
  readonly #contents = new Map<string, Uint8Array | undefined>();
  readonly #forClang = new Map<string, Uint8Array>();
  readonly #mentions = new Map<string, Mentions>();

  constructor(below?: IncludedFiles) {
    this.#below = below;
  }

  /** Sets the content of a file that need not exist. */
  provide(virtual: string, content: Uint8Array): void {
    this.#contents.set(virtual, content);
    this.#forClang.delete(virtual);
  }

  read(virtual: string): Uint8Array | undefined {
    if (!this.#contents.has(virtual))
      this.#contents.set(
        virtual,
        this.#below === undefined ? readFileIfAny(realPath(virtual)) : this.#below.read(virtual),
      );
    return this.#contents.get(virtual);
  }

  /** The file as clang gets it. */
  forClang(virtual: string): Uint8Array {
    let content = this.#forClang.get(virtual);
    if (content === undefined) {
      content = withPortableAssembly(this.read(virtual)!);
      this.#forClang.set(virtual, content);
    }
    return content;
  }

  /** All requested names, with their contents. */
  seen(): Iterable<[virtual: string, content: Uint8Array | undefined]> {
    return this.#contents;
  }

  mentionsIn(virtual: string): Mentions {
    if (this.#below !== undefined && this.#below.read(virtual) === this.read(virtual))
      return this.#below.mentionsIn(virtual);
    let mentions = this.#mentions.get(virtual);
    if (mentions === undefined) {
      mentions = findMentions(decoder.decode(this.read(virtual)));
      this.#mentions.set(virtual, mentions);
    }
    return mentions;
  }
}

const decoder = new TextDecoder();

/** File names that a source mentions. */
export interface Mentions {
  readonly quoted: readonly string[];
  readonly angled: readonly string[];
  /**
   * Some names are known only to the preprocessor: in an `#include`, or in a `__has_include`, which
   * silently fails if the file is not found.
   */
  readonly computes?: 'include' | 'question';
}

/** The folders that clang searches, as absolute virtual paths, in its order. */
export interface SearchPath {
  /** For `"name"` only, after the folder of the including file. */
  readonly quoted: readonly string[];
  readonly all: readonly string[];
  /**
   * Folders whose files may be read, with links resolved: a source sees no more of the machine than
   * the program does.
   */
  readonly granted: readonly string[];
}

/** The folders in the form of `granted`; missing ones grant nothing. */
export function grantedFolders(folders: Iterable<string>): string[] {
  return [...new Set([...folders].flatMap(folder => resolvedPath(folder) ?? []))];
}

/** Whether a source may include the file. Redzone's own files may always be included. */
function isGranted(path: string, { granted }: SearchPath): boolean {
  if (path.startsWith(`${runtimeMount}/`)) return true;
  const real = resolvedPath(path);
  return real !== undefined && granted.some(folder => real.startsWith(folder === '/' ? '/' : `${folder}/`));
}

/**
 * All files reachable from the roots, roots first. `extra` are names that the command line
 * includes.
 */
export function reachableFiles(
  files: IncludedFiles,
  roots: readonly string[],
  search: SearchPath,
  extra: Mentions & { readonly from: string },
): string[] {
  const found = new Set<string>(roots);
  const consider = (folder: string, name: string): void => {
    const path = absolutePath(folder, name);
    if (!found.has(path) && files.read(path) !== undefined && isGranted(path, search)) found.add(path);
  };
  const follow = (folder: string, mentions: Mentions): void => {
    for (const name of mentions.quoted) {
      consider(folder, name);
      for (const other of search.quoted) consider(other, name);
      for (const other of search.all) consider(other, name);
    }
    for (const name of mentions.angled) for (const other of search.all) consider(other, name);
  };
  follow(extra.from, extra);
  // A Set may grow during its iteration: added files are visited too.
  for (const path of found) follow(folderOf(path), files.mentionsIn(path));
  return [...found];
}

/**
 * The files named in clang's "file not found" errors that exist on this machine, and everything
 * reachable from them.
 */
export function findMissing(
  files: IncludedFiles,
  diagnostics: string,
  mounted: readonly string[],
  search: SearchPath,
): string[] {
  const known = new Set(mounted);
  const names = missingNames(diagnostics);
  if (names.length === 0) return [];
  // The including file is not determined: every folder with an included file is a candidate.
  const folders = new Set(mounted.map(folderOf));
  const mentions = { quoted: names, angled: names };
  return [...folders]
    .flatMap(from => reachableFiles(files, [], search, { ...mentions, from }))
    .filter(path => !known.has(path) && known.add(path));
}

/** The files named in clang's "file not found" errors. */
export function missingNames(diagnostics: string): string[] {
  return [...diagnostics.matchAll(/error: '(.+)' file not found/g)].map(match => match[1]!);
}

/**
 * The files named in clang's "file not found" errors that exist on this machine but may not be
 * read.
 */
export function refusedFiles(diagnostics: string, mounted: readonly string[], search: SearchPath): string[] {
  const names = missingNames(diagnostics);
  const folders = [...new Set(mounted.map(folderOf)), ...search.quoted, ...search.all];
  const paths = names.flatMap(name => folders.map(folder => absolutePath(folder, name)));
  return [...new Set(paths)].filter(path => resolvedPath(path) !== undefined && !isGranted(path, search));
}

export function folderOf(path: string): string {
  return path.slice(0, Math.max(1, path.lastIndexOf('/')));
}

const blank = String.raw`(?:[ \t]|\\\r?\n|/\*[^]*?\*/)*`;
const hash = String.raw`(?:#|%:|\?\?=)${blank}`;
const include = `${hash}(?:include(?:_next)?|import|embed)${blank}`;
const hasInclude = String.raw`__has_(?:include(?:_next)?|embed)${blank}\(${blank}`;
const fileName = String.raw`(?:"([^"\n]+)"|<([^>\n]+)>)`;
/** Most string macros are not file names: only likely ones are looked up on the disk. */
const macroFileName = String.raw`(?:"([\w./+-]+\.\w+)"|<([\w./+-]+)>)`;
const macro = String.raw`${hash}define${blank}\w+[ \t]${blank}${macroFileName}`;
const mention = new RegExp(`(?:${include}|${hasInclude})${fileName}|${macro}`, 'g');
const condition = new RegExp(String.raw`${hash}(?:el)?if\b.*`, 'g');
const nameInCondition = /"([^"]+)"|<([\w./+-]+)>/g;
const computedInclude = new RegExp(`${include}[A-Za-z_]`);
/**
 * Excludes definitions of the name itself, for compilers that do not know it. The lookbehind comes
 * last, because it is slow and the text may be large.
 */
const computedQuestion = new RegExp(
  `${hasInclude.replace('__has_', String.raw`__has_(?<!define[ \t]+__has_)`)}[A-Za-z_]`,
);

function findMentions(text: string): Mentions {
  const quoted = new Set<string>();
  const angled = new Set<string>();
  for (const [, quotedName, angledName, quotedMacro, angledMacro] of text.matchAll(mention)) {
    const quotation = quotedName ?? quotedMacro;
    if (quotation !== undefined) quoted.add(quotation);
    const angle = angledName ?? angledMacro;
    if (angle !== undefined) angled.add(angle);
  }
  for (const [line] of text.matchAll(condition)) {
    for (const [, quotedName, angledName] of line.matchAll(nameInCondition)) {
      if (quotedName !== undefined) quoted.add(quotedName);
      else angled.add(angledName!);
    }
  }
  const computes = computedQuestion.test(text)
    ? 'question'
    : computedInclude.test(text)
      ? 'include'
      : undefined;
  return { quoted: [...quoted], angled: [...angled], ...(computes && { computes }) };
}
