/**
 * Parses the compiler flags of the command line, in clang's spelling: the parts that Redzone must
 * understand (search folders, included files) and the flags that are passed to clang.
 */
import type { Diagnostic } from '../findings/diagnostic.js';
import { absolutePath, kindOf } from '../platform/files.js';
import { builtInLibraries, meansNothing } from '../support/known-flags.js';
import type { SearchPath } from './includes.js';

export interface Flags {
  /** The flags for clang's front end: everything except -O, in the given order. */
  readonly args: readonly string[];
  /** `-O2`, … as given last. */
  readonly optimisation: string | undefined;
  /** Absolute; the runtime's headers lie between `all` and `after`. */
  readonly search: Omit<SearchPath, 'granted'> & { readonly after: readonly string[] };
  /** Names from `-include`, and from macros whose value is a file name. */
  readonly includes: readonly string[];
}

/** Flags with a value, which may be the next argument. */
const valued = ['-include', '-isystem', '-iquote', '-idirafter', '-I', '-D', '-U'] as const;
/** Passed on as they are; clang's front end (`-cc1`) spells them as its driver does. */
const passed =
  /^(-std=.+|-pedantic(-errors)?|-w|-W(?![lap],).*|-f(wrapv|short-enums|gnu89-inline|strict-flex-arrays=[0-3]|common|ms-extensions|no-builtin(-.+)?|(no-)?sanitize(-[a-z-]+)?(=.+)?))$/;
/** Further flags that are common in build files and have no effect here (`known-flags.ts`). */
const ignored = /^(-c|-pthread|-M(D|MD|P|G))$/;
/** Flags that the driver translates. */
const translated: Readonly<Record<string, string>> = {
  '-ansi': '-std=c89',
  '-funsigned-char': '-fno-signed-char',
};

export function parseFlags(flags: readonly string[], folder: string): Flags | Diagnostic {
  const args: string[] = [];
  const includes: string[] = [];
  const folders = {
    quoted: [] as string[],
    user: [] as string[],
    system: [] as string[],
    after: [] as string[],
  };
  let optimisation: string | undefined;

  for (let i = 0; i < flags.length; i++) {
    const flag = flags[i]!;
    const name = valued.find(prefix => flag.startsWith(prefix));
    if (name !== undefined) {
      const isApart = flag === name;
      const value = isApart ? flags[++i] : flag.slice(name.length);
      if (value === undefined) return { severity: 'error', message: `argument to '${flag}' is missing` };
      if (isFolderOfMachine(name, value)) continue;
      args.push(name, value);
      if (name === '-include') includes.push(value);
      if (name === '-iquote') folders.quoted.push(absolutePath(folder, value));
      if (name === '-I') folders.user.push(absolutePath(folder, value));
      if (name === '-idirafter') folders.after.push(absolutePath(folder, value));
      if (name === '-isystem') folders.system.push(absolutePath(folder, value));
      const macroFile = name === '-D' ? /=["<](.+)[">]$/.exec(value)?.[1] : undefined;
      if (macroFile !== undefined) includes.push(macroFile);
    } else if (/^-O([0-3szg]|fast)?$/.test(flag)) {
      optimisation = flag === '-O' ? '-O1' : flag;
    } else if (passed.test(flag) || flag in translated) {
      args.push(translated[flag] ?? flag);
    } else if (flag.startsWith('-l') && !builtInLibraries.has(flag.slice(2))) {
      return {
        severity: 'error',
        message: `'${flag}' is not part of the C library`,
        help: 'name the sources of the library, too, or link the program with `redzone cc`',
      };
    } else if (!ignored.test(flag) && !meansNothing(flag) && !flag.startsWith('-l')) {
      return { severity: 'error', message: `unknown compiler flag '${flag}'` };
    }
  }
  return {
    args,
    optimisation,
    search: {
      quoted: folders.quoted,
      all: [...folders.user, ...folders.system],
      after: folders.after,
    },
    includes,
  };
}

/**
 * Folders of headers that every compiler searches, so that gcc ignores their names in flags. The
 * headers of the machine's C library there do not fit ours.
 */
function isFolderOfMachine(name: string, value: string): boolean {
  return /^-(I|isystem|idirafter)$/.test(name) && machineFolders.test(value);
}

const machineFolders = /^\/usr\/include(\/[\w.]+-linux-gnu)?\/*$/;

/** Headers of the machine with these names, which the front end does not read. */
export function headersOfMachine(names: readonly string[]): string[] {
  const folders = ['/usr/include', '/usr/include/x86_64-linux-gnu', '/usr/include/aarch64-linux-gnu'];
  return names
    .flatMap(name => folders.map(folder => `${folder}/${name}`))
    .filter(path => kindOf(path) === 'file');
}

/** The flags without those for the preprocessor. */
export function withoutPreprocessing(flags: readonly string[]): string[] {
  const rest: string[] = [];
  for (let i = 0; i < flags.length; i++) {
    const flag = flags[i]!;
    const name = valued.find(prefix => flag.startsWith(prefix));
    if (name === undefined) rest.push(flag);
    else if (flag === name) i++;
  }
  return rest;
}
