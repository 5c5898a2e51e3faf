/**
 * Finds the files that a C source may include, so that they can be mounted for the embedded clang,
 * and hashed for the cache, without running a preprocessor.
 *
 * The scan reads every `#include`, `#embed` and `__has_include` as text, whatever `#if` stands
 * around it, and looks the name up in all folders that clang would search. It finds more than clang
 * will read, never less, save for a name that macros put together from pieces; for those the
 * compiler's own "file not found" is answered by mounting that file and trying again (see
 * `toolchain.ts`). A macro whose whole body is a file name (`#define CONFIG "config.h"`) is found
 * here, and so is a name in a condition (`#if HAS(<x.h>)`). Where macros are part of the question
 * whether there is a file, no error would tell, so the scan says so.
 *
 * Paths are virtual: a user's file has its absolute path, Redzone's own runtime lies at `/redzone`,
 * wherever the package is installed, so that results do not depend on that place.
 *
 * Why not mount whole -I folders: `-I /usr/include` would be thousands of files. Why not ask clang
 * (`-M`): one start of clang per round of discovery, and the cache must answer without starting it.
 */
import { absolutePath, readFileIfAny, resolvedPath } from '../platform/files.js';
import { packageRoot } from '../platform/node.js';
import { withPortableAssembly } from './x86-assembly.js';

/** Where `runtime/` appears to the compiler: in diagnostics, in debug information, in findings. */
export const runtimeMount = '/redzone';

/** The real path behind a virtual one. */
export function realPath(virtual: string): string {
  return virtual.startsWith(`${runtimeMount}/`)
    ? `${packageRoot}runtime${virtual.slice(runtimeMount.length)}`
    : virtual;
}

/**
 * Reads each file once: all steps of a run that share it see the same contents, whoever writes to
 * the disk meanwhile. One that lies over another sees the other's files, but for those that it was
 * given.
 */
export class SourceFiles {
  readonly #below: SourceFiles | undefined;
  readonly #contents = new Map<string, Uint8Array | undefined>();
  readonly #forClang = new Map<string, Uint8Array>();
  readonly #mentions = new Map<string, Mentions>();

  constructor(below?: SourceFiles) {
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

  /** All names that were asked for, with what they had. */
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
   * Some names are known to the preprocessor alone: in an `#include`, or in a question that is
   * answered with no where the file is not found.
   */
  readonly computes?: 'include' | 'question';
}

/** The folders that clang searches, as absolute virtual paths, in its order. */
export interface SearchPath {
  /** For `"name"` only, after the folder of the including file. */
  readonly quoted: readonly string[];
  readonly all: readonly string[];
  /**
   * Folders whose files may be read, links resolved: a source sees no more of the machine than the
   * program does.
   */
  readonly granted: readonly string[];
}

/** The folders as `granted` has them; those that do not exist grant nothing. */
export function grantedFolders(folders: Iterable<string>): string[] {
  return [...new Set([...folders].flatMap(folder => resolvedPath(folder) ?? []))];
}

/** May a source include the file? Redzone's own files may be included by all. */
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
  files: SourceFiles,
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
  // A Set may grow while it is walked: every file that is added is visited too.
  for (const path of found) follow(folderOf(path), files.mentionsIn(path));
  return [...found];
}

/**
 * What clang's "file not found" errors name and this machine has, and all that is reachable from
 * there.
 */
export function findMissing(
  files: SourceFiles,
  diagnostics: string,
  mounted: readonly string[],
  search: SearchPath,
): string[] {
  const known = new Set(mounted);
  const names = [...diagnostics.matchAll(/error: '(.+)' file not found/g)].map(match => match[1]!);
  if (names.length === 0) return [];
  // Which file includes it is not asked: every folder that has an included file may be the one.
  const folders = new Set(mounted.map(folderOf));
  const mentions = { quoted: names, angled: names };
  return [...folders]
    .flatMap(from => reachableFiles(files, [], search, { ...mentions, from }))
    .filter(path => !known.has(path) && known.add(path));
}

/**
 * The files that clang's "file not found" errors name, that this machine has, and that no source
 * may read.
 */
export function refusedFiles(diagnostics: string, mounted: readonly string[], search: SearchPath): string[] {
  const names = [...diagnostics.matchAll(/error: '(.+)' file not found/g)].map(match => match[1]!);
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
/**
 * Most macros that are strings are no file names: only what looks like one is worth a look at the
 * disk.
 */
const macroFileName = String.raw`(?:"([\w./+-]+\.\w+)"|<([\w./+-]+)>)`;
const macro = String.raw`${hash}define${blank}\w+[ \t]${blank}${macroFileName}`;
const mention = new RegExp(`(?:${include}|${hasInclude})${fileName}|${macro}`, 'g');
const condition = new RegExp(String.raw`${hash}(?:el)?if\b.*`, 'g');
const nameInCondition = /"([^"]+)"|<([\w./+-]+)>/g;
const computedInclude = new RegExp(`${include}[A-Za-z_]`);
/**
 * Not where the name itself is defined, for compilers that do not know it. The look behind comes
 * late: it is slow, and the text may be large.
 */
const computedQuestion = new RegExp(
  `${hasInclude.replace('__has_', String.raw`__has_(?<!define[ \t]+__has_)`)}[A-Za-z_]`,
);

export function findMentions(text: string): Mentions {
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
