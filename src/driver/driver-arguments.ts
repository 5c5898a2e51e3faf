/**
 * Parses the command line of `redzone cc`, which is that of gcc and clang: the action, the files,
 * and the flags for the compiler.
 *
 *     redzone-cc -O2 -Iinc -c -MD a.c -o a.o -lm
 *                ^^^^^^^^^      ^^^ ^^^         flags for the front end, dependencies, inputs, output
 *
 * No file is read except `@file`, by a function of the caller.
 */
import { meansNothing } from '../support/known-flags.js';
import { LinkerWords } from './linker-words.js';

/** The last step that is applied to the files. */
export type Action = 'link' | 'compile' | 'assembly' | 'preprocess' | 'dependencies' | 'syntax';

/**
 * The inputs are in the order of the command line, which is the order in which a linker searches
 * symbols.
 */
export type DriverInput =
  | {
      readonly kind: 'source';
      readonly path: string;
      readonly isPreprocessed: boolean;
      /** It is to be compiled as a precompiled header. */
      readonly isHeader?: true;
    }
  | {
      readonly kind: 'linked';
      readonly path: string;
      readonly isWhole: boolean;
    }
  | {
      readonly kind: 'library';
      readonly name: string;
      readonly isStatic: boolean;
      readonly isWhole: boolean;
    };

export interface DriverPlan {
  readonly action: Action;
  readonly inputs: readonly DriverInput[];
  readonly output: string | undefined;
  /** Flags for the front end, read by `front/flags.ts`. */
  readonly flags: readonly string[];
  readonly libraryFolders: readonly string[];
  /** `-shared` and `-r` make a library or an object of all inputs. */
  readonly product: 'program' | 'shared' | 'object';
  /** `-u` */
  readonly needed: readonly string[];
  /** `-Wl,--wrap=NAME` */
  readonly wrapped: readonly string[];
  readonly allowsUndefined: boolean;
  readonly allowsDuplicates: boolean;
  /** `-E`: `-P`, `-dM`, … as clang's front end spells them. */
  readonly preprocessorFlags: readonly string[];
  readonly dependencies: DependencyPlan | undefined;
  readonly isVerbose: boolean;
  /** `-###` */
  readonly isDryRun: boolean;
  /** Warnings about ignored flags that would have an effect. */
  readonly notes: readonly string[];
}

export interface DependencyPlan {
  readonly file: string | undefined;
  readonly targets: readonly string[];
  readonly withSystemHeaders: boolean;
  /** `-MP` */
  readonly withPhonyTargets: boolean;
  /** `-MG`: missing headers are generated later. */
  readonly expectsHeaders: boolean;
}

/** A query that is answered at once, for example `--version`. */
export interface Question {
  readonly question: string;
}

/** An error message in gcc's wording. */
export interface Misuse {
  readonly error: string;
}

/** Flags whose value is the next argument; those in `joined` may also have it attached. */
const separate = new Set(
  `-o -x -I -isystem -iquote -idirafter -include -imacros -D -U -L -l -MF -MT -MQ -Xlinker -Xpreprocessor -Xassembler -Xclang
  -T -u -z -e -h -arch -target --param -isysroot --sysroot -B -iprefix -iwithprefix -iwithprefixbefore -A -R -b -V
  -dumpbase -dumpdir -aux-info -soname -rpath -rpath-link -version-script`.split(/\s+/),
);
const joined = [
  '-o',
  '-x',
  '-I',
  '-isystem',
  '-iquote',
  '-idirafter',
  '-D',
  '-U',
  '-L',
  '-l',
  '-u',
  '-T',
  '-B',
  '-MF',
  '-MT',
  '-MQ',
  '-z',
  '-R',
];

const questions =
  /^(--version|-dumpversion|-dumpfullversion|-dumpmachine|-dumpspecs|--help(=.*)?|--target-help|-print-.*|--print-.*)$/;

const languages: Readonly<Record<string, 'c' | 'preprocessed' | 'none' | 'header'>> = {
  c: 'c',
  'cpp-output': 'preprocessed',
  none: 'none',
  'c-header': 'header',
};

/** `readResponse` returns the text of an `@file`; undefined leaves the argument unchanged. */
export function readDriverArguments(
  given: readonly string[],
  readResponse: (path: string) => string | undefined,
): DriverPlan | Question | Misuse {
  const args = expandResponses(given, readResponse, 0);
  const reader = new ArgumentReader(args);
  return reader.read();
}

/** The nesting limit of response files, for a file that includes itself. */
const deepestResponse = 20;

function expandResponses(
  args: readonly string[],
  readResponse: (path: string) => string | undefined,
  depth: number,
): string[] {
  return args.flatMap(arg => {
    const text = arg.startsWith('@') && depth < deepestResponse ? readResponse(arg.slice(1)) : undefined;
    return text === undefined ? [arg] : expandResponses(wordsOf(text), readResponse, depth + 1);
  });
}

/** Splits an `@file` into words as gcc does: both kinds of quotes, and `\` before any character. */
export function wordsOf(text: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote = '';
  for (let i = 0; i < text.length; i++) {
    const character = text[i]!;
    if (character === '\\' && quote !== "'" && i + 1 < text.length) word = (word ?? '') + text[++i];
    else if (quote !== '') {
      if (character === quote) quote = '';
      else word += character;
    } else if (character === '"' || character === "'") {
      quote = character;
      word ??= '';
    } else if (/\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? '') + character;
  }
  if (word !== undefined) words.push(word);
  return words;
}

class ArgumentReader {
  readonly #args: string[];
  readonly #inputs: DriverInput[] = [];
  readonly #flags: string[] = [];
  readonly #libraryFolders: string[] = [];
  readonly #needed: string[] = [];
  readonly #preprocessorFlags: string[] = [];
  readonly #targets: string[] = [];
  readonly #notes: string[] = [];
  readonly #wrapped: string[] = [];
  readonly #linkerWords = new LinkerWords();
  #action: Action = 'link';
  #output: string | undefined;
  #product: DriverPlan['product'] = 'program';
  #language: 'c' | 'preprocessed' | 'none' | 'header' = 'none';
  #isStatic = false;
  #isWhole = false;
  #allowsUndefined = false;
  #allowsDuplicates = false;
  #isVerbose = false;
  #isDryRun = false;
  #dependencyMode: 'M' | 'MM' | 'MD' | 'MMD' | undefined;
  #dependencyFile: string | undefined;
  #hasPhonyTargets = false;
  #expectsHeaders = false;
  #error: string | undefined;

  constructor(args: readonly string[]) {
    this.#args = [...args];
  }

  read(): DriverPlan | Question | Misuse {
    const question = this.#args.find(arg => questions.test(arg));
    if (question !== undefined) return { question };
    // meson uses this flag to get the name of the linker.
    if (this.#args.some(arg => /^-Wl,(--version|-v)$/.test(arg)) && !this.#args.some(isSourceName))
      return { question: '-Wl,--version' };
    for (let i = 0; i < this.#args.length; i++) {
      const arg = this.#args[i]!;
      let value: string | undefined;
      let name = arg;
      if (separate.has(arg)) {
        value = this.#args[++i];
        if (value === undefined) return { error: `missing argument to '${arg}'` };
      } else {
        const prefix = joined.find(flag => arg.startsWith(flag) && arg.length > flag.length);
        // `-undef` is a flag by itself, not `-u ndef`.
        if (prefix !== undefined && arg !== '-undef') {
          name = prefix;
          value = arg.slice(prefix.length);
        }
      }
      if (value === undefined) this.#take(arg);
      else this.#takeValued(name, value);
      if (this.#error !== undefined) return { error: this.#error };
    }
    const misuse = this.#misuse();
    return misuse === undefined ? this.#plan() : { error: misuse };
  }

  #misuse(): string | undefined {
    if (this.#inputs.length === 0 && !this.#isVerbose) return 'no input files';
    const sources = this.#inputs.filter(({ kind }) => kind === 'source');
    const isApart =
      (this.#action !== 'link' && this.#action !== 'syntax') || sources.some(input => 'isHeader' in input);
    if (this.#output !== undefined && isApart && sources.length > 1)
      return "cannot specify '-o' with '-c', '-S' or '-E' with multiple files";
    return undefined;
  }

  #plan(): DriverPlan {
    const mode = this.#dependencyMode;
    const hasHeader = this.#inputs.some(input => input.kind === 'source' && input.isHeader);
    return {
      action: hasHeader ? furthest(this.#action, 'compile') : this.#action,
      inputs: this.#inputs,
      output: this.#output,
      flags: this.#flags,
      libraryFolders: this.#libraryFolders,
      product: this.#product,
      needed: this.#needed,
      wrapped: this.#wrapped,
      allowsUndefined: this.#allowsUndefined,
      allowsDuplicates: this.#allowsDuplicates,
      preprocessorFlags: this.#preprocessorFlags,
      dependencies:
        mode === undefined
          ? undefined
          : {
              file: this.#dependencyFile,
              targets: this.#targets,
              withSystemHeaders: mode === 'M' || mode === 'MD',
              withPhonyTargets: this.#hasPhonyTargets,
              expectsHeaders: this.#expectsHeaders,
            },
      isVerbose: this.#isVerbose,
      isDryRun: this.#isDryRun,
      notes: this.#notes,
    };
  }

  #take(arg: string): void {
    if (arg === '-' || !arg.startsWith('-')) return void this.#takeFile(arg);
    const action = actions[arg];
    if (action !== undefined) {
      this.#action = furthest(this.#action, action);
      return;
    }
    if (arg.startsWith('-Wl,')) return void this.#takeLinkerFlags(arg.slice(4).split(','));
    if (arg.startsWith('-Wp,')) return void this.#takePreprocessorFlags(arg.slice(4).split(','));
    if (arg.startsWith('-Wa,')) return;
    if (/^-M(M|D|MD|P|G)?$/.test(arg)) return void this.#takeDependencyFlag(arg);
    if (/^-(P|C|CC|dM|dD|dN|dI|dU|undef|H)$/.test(arg)) return void this.#preprocessorFlags.push(arg);
    if (arg === '-v') this.#isVerbose = true;
    else if (arg === '-###') this.#isDryRun = true;
    else if (arg === '-static' || arg === '--static') this.#isStatic = true;
    else if (arg in products) this.#product = products[arg]!;
    else if (arg in passedOn) this.#flags.push(passedOn[arg]!);
    else if (/^-m(32|x32|16)$/.test(arg))
      this.#error = `'${arg}' is not supported: programs have 64-bit pointers`;
    else if (arg !== '-all-static' && arg !== '-dynamic') this.#takeByForm(arg);
  }

  /** Takes a flag that is recognized by its beginning. */
  #takeByForm(arg: string): void {
    const effect = missed.find(([flag]) => flag.test(arg))?.[1];
    if (effect !== undefined) {
      const note = `'${arg}' is ignored: ${effect}`;
      if (!this.#notes.includes(note)) this.#notes.push(note);
    } else if (/^--std=/.test(arg)) this.#flags.push(arg.slice(1));
    else if (/^(-std=|-pedantic|-O([0-3szg]|fast)?$|-W|-fno-builtin-|-fstrict-flex-arrays=[0-3]$)/.test(arg))
      this.#flags.push(this.#warning(arg));
    else if (/^-(include|imacros).+/.test(arg))
      this.#takeValued(/^-(include|imacros)/.exec(arg)![0], arg.replace(/^-(include|imacros)/, ''));
    else if (!meansNothing(arg)) this.#error = `unrecognized command-line option '${arg}'`;
  }

  /** Translates gcc's spellings that clang does not know. */
  #warning(flag: string): string {
    return flag === '-pedantic-errors' || !flag.startsWith('-W')
      ? flag
      : flag.replace(/^(-Wformat)=1$/, '$1');
  }

  #takeFile(path: string): void {
    const isPreprocessed =
      this.#language === 'preprocessed' || (this.#language === 'none' && path.endsWith('.i'));
    if (this.#language === 'header' || (this.#language === 'none' && /\.h$/.test(path))) {
      this.#inputs.push({ kind: 'source', path, isPreprocessed: false, isHeader: true });
    } else if (this.#language !== 'none' || isSourceName(path) || isPreprocessed) {
      this.#inputs.push({ kind: 'source', path, isPreprocessed });
    } else if (path === '-') {
      if (this.#action === 'link') this.#error = "'-x' or '-E' is required when input is from standard input";
      else this.#inputs.push({ kind: 'source', path, isPreprocessed: false });
    } else if (/\.(cc|cp|cxx|cpp|CPP|c\+\+|C|ii|mm?|M|f|F|f90|go|d|adb)$/.test(path)) {
      this.#error = `'${path}' is not C: redzone cc compiles C only`;
    } else if (/\.(s|S|sx|asm)$/.test(path)) {
      this.#error = `'${path}' is assembly, which has no meaning for the checked machine: build without it`;
    } else this.#inputs.push({ kind: 'linked', path, isWhole: this.#isWhole });
  }

  #takeValued(name: string, value: string): void {
    switch (name) {
      case '-o':
        this.#output = value;
        return;
      case '-x': {
        const language = languages[value];
        if (language === undefined)
          this.#error = `language '${value}' is not supported: redzone cc compiles C only`;
        else this.#language = language;
        return;
      }
      case '-L':
        this.#libraryFolders.push(value);
        return;
      case '-l':
        this.#inputs.push({ kind: 'library', name: value, isStatic: this.#isStatic, isWhole: this.#isWhole });
        return;
      case '-MF':
        this.#dependencyFile = value;
        return;
      case '-MT':
        this.#targets.push(value);
        return;
      case '-MQ':
        this.#targets.push(quotedForMake(value));
        return;
      case '-u':
        this.#needed.push(value);
        return;
      case '-Xlinker':
        return void this.#takeLinkerFlags([value]);
      case '-Xpreprocessor':
        return void this.#takePreprocessorFlags([value]);
      case '-I':
      case '-D':
      case '-U':
      case '-isystem':
      case '-iquote':
      case '-idirafter':
      case '-include':
        this.#flags.push(name, value);
        return;
      case '-imacros':
        this.#flags.push('-include', value);
        return;
    }
  }

  #takeDependencyFlag(arg: string): void {
    switch (arg) {
      case '-M':
      case '-MM':
        this.#dependencyMode = arg === '-M' ? 'M' : 'MM';
        this.#action = furthest(this.#action, 'dependencies');
        return;
      case '-MD':
      case '-MMD':
        this.#dependencyMode = arg === '-MD' ? 'MD' : 'MMD';
        return;
      case '-MG':
        this.#expectsHeaders = true;
        break;
      case '-MP':
        this.#hasPhonyTargets = true;
    }
  }

  /** `-Wp,-MD,file`, and other flags for the preprocessor. */
  #takePreprocessorFlags(words: readonly string[]): void {
    for (let i = 0; i < words.length; i++) {
      const word = words[i]!;
      if (word === '-MD' || word === '-MMD') {
        this.#takeDependencyFlag(word);
        this.#dependencyFile = words[++i] ?? this.#dependencyFile;
      } else if (separate.has(word) && words[i + 1] !== undefined) this.#takeValued(word, words[++i]!);
      else {
        const prefix = joined.find(flag => word.startsWith(flag) && word.length > flag.length);
        if (prefix === undefined) this.#take(word);
        else this.#takeValued(prefix, word.slice(prefix.length));
      }
    }
  }

  #takeLinkerFlags(words: readonly string[]): void {
    for (const flag of this.#linkerWords.read(words)) {
      switch (flag.kind) {
        case 'whole':
          this.#isWhole = flag.value;
          break;
        case 'static':
          this.#isStatic = flag.value;
          break;
        case 'product':
          this.#product = flag.product;
          break;
        case 'allows':
          if (flag.what === 'undefined') this.#allowsUndefined = true;
          else this.#allowsDuplicates = true;
          break;
        case 'needed':
          this.#needed.push(flag.name);
          break;
        case 'wrap':
          this.#wrapped.push(flag.name);
          break;
        case 'folder':
          this.#libraryFolders.push(flag.path);
          break;
        case 'library':
          this.#takeValued('-l', flag.name);
          break;
        case 'file':
          this.#inputs.push({ kind: 'linked', path: flag.path, isWhole: this.#isWhole });
          break;
        case 'unsupported':
          this.#error = `the linker option '${flag.option}' is not supported: symbols keep their names`;
      }
    }
  }
}

/** Flags that are ignored although they change what a program does, and what is different. */
const missed: readonly (readonly [RegExp, string])[] = [
  [/^-fopenmp(=|$)/, 'the pragmas of OpenMP have no effect, and the program is serial'],
  [/^-fpack-struct(=|$)/, 'structures keep their padding'],
  [/^-fshort-wchar$/, 'wchar_t has 32 bits'],
  [/^-funsigned-bitfields$/, 'plain bit-fields are signed'],
  [/^-finstrument-functions$/, 'functions call no profiler'],
  [/^(--?coverage|-fprofile-arcs|-ftest-coverage)$/, 'no coverage data is written'],
  [/^-f(exec|wide-exec|input)-charset=(?!utf-?8$)/i, 'sources and strings are UTF-8'],
  [/^-nostdinc$/, 'the headers of the C library are those of Redzone'],
];

const products: Readonly<Record<string, DriverPlan['product']>> = {
  '-shared': 'shared',
  '--shared': 'shared',
  '-dynamiclib': 'shared',
  '-bundle': 'shared',
  '-r': 'object',
  '-nostdlib-r': 'object',
};

/** Flags for clang, with its spelling. */
const passedOn: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [
      ...['-ansi', '-w', '-funsigned-char', '-fno-builtin', '-fshort-enums', '-fgnu89-inline'],
      ...['-fwrapv', '-fms-extensions', '-fcommon'],
    ].map(flag => [flag, flag]),
  ),
  '-fno-strict-overflow': '-fwrapv',
  '-pthread': '-D_REENTRANT=1',
};

const actions: Readonly<Record<string, Action>> = {
  '-c': 'compile',
  '-S': 'assembly',
  '-E': 'preprocess',
  '-fsyntax-only': 'syntax',
};

/** Of several actions the earliest step wins, as for gcc. */
function furthest(one: Action, other: Action): Action {
  const order: readonly Action[] = ['dependencies', 'preprocess', 'syntax', 'assembly', 'compile', 'link'];
  return order[Math.min(order.indexOf(one), order.indexOf(other))]!;
}

function isSourceName(path: string): boolean {
  return /\.(c|i)$/.test(path);
}

export function quotedForMake(name: string): string {
  return name.replace(/\$/g, '$$$$').replace(/[ #]/g, '\\$&');
}
