/**
 * What a table of options is, and which types follow from it.
 *
 *     export const proveOptions = {
 *       engine: { flags: ['--engine'], kind: 'choice', choices: …, default: 'auto', help: 'how to decide' },
 *     } as const;
 *     Given<typeof proveOptions>       what the library's function takes: { engine?: 'auto' | 'bmc' | … }
 *     Settings<typeof proveOptions>    what the engine gets, defaults filled in: { engine: 'auto' | 'bmc' | … }
 *
 * A table is pure data. Parsing (`cli/arguments.ts`), help texts, `docs/options.md`,
 * `docs/options.schema.json` and the two types come from it, and the key of a row is the name of
 * the option in the library. So an option is declared once and translated nowhere.
 *
 * Invariant: the modules of this folder import nothing but lists of names, so that `--help` loads
 * no engine.
 */

/** How the text behind a flag is read, and which type it becomes. */
export type OptionKind =
  /** No text; true, or false in a row with `negates`. */
  | 'flag'
  | 'text'
  /** May be repeated. */
  | 'list'
  | 'number'
  /** One number for each of the row's `fields`. */
  | 'numbers'
  /** Milliseconds. */
  | 'duration'
  | 'bytes'
  /** One of the row's `choices`. */
  | 'choice'
  /** Several of them, with commas between. */
  | 'choices'
  /** The contents of a text file. */
  | 'file'
  /** The contents of files, by the names that they were given under; may be repeated. */
  | 'files'
  /** `NAME=VALUE`, by name; may be repeated. */
  | 'variables'
  /** What the row's `read` makes of the text. */
  | 'parsed'
  /** Passed on to clang: part of `clangFlags`, and no option by itself. */
  | 'clang';

export interface OptionSpec {
  /** All spellings. */
  readonly flags: readonly string[];
  readonly kind: OptionKind;
  /**
   * A sentence without an end: what the option does. The default and the choices are added by
   * whoever shows it.
   */
  readonly help: string;
  /** What stands for the value in help texts; a `choice` without it shows its choices. */
  readonly value?: string;
  /** Used when the option is not given. */
  readonly default?: unknown;
  /** `choice` and `choices`: the engine's own list. */
  readonly choices?: readonly string[];
  /** `choices`: `-NAME` stands for all but that one. */
  readonly excludes?: boolean;
  /** Of those, the choices that hold if there is no option: others are added with `+`. */
  readonly usual?: readonly string[];
  /** `number`, `bytes` and `duration`: the smallest value that makes sense. */
  readonly least?: number;
  /** `list`: what each text begins with, as a regular expression; what is expected is `value`. */
  readonly pattern?: string;
  /** `numbers` */
  readonly fields?: readonly string[];
  /** `flag`: turns off what is on by default. */
  readonly negates?: boolean;
  /** `parsed`: undefined when the text cannot be read. */
  readonly read?: (text: string) => unknown;
  /** `parsed`: what `read` accepts, for messages and help. */
  readonly expected?: string;
  /** `parsed`: the JSON schema of what `read` returns. */
  readonly json?: object;
  /** `clang`: the value may be the next argument, as in `-I dir`. */
  readonly separable?: boolean;
}

export type OptionTable = Readonly<Record<string, OptionSpec>>;

/** What a caller gives: everything is optional. */
export type Given<Table> = {
  readonly [Key in keyof Table as IsOption<Table[Key], Key>]?: ValueOf<Table[Key]> | undefined;
};

/** What an engine gets: everything is there that has a default. */
export type Settings<Table> = {
  readonly [Key in keyof Table as IsOption<Table[Key], Key>]: Table[Key] extends { default: unknown }
    ? ValueOf<Table[Key]>
    : ValueOf<Table[Key]> | undefined;
};

type IsOption<Row, Key> = Row extends { kind: 'clang' } ? never : Key;

type ValueOf<Row> = Row extends { kind: 'choice'; choices: readonly (infer Choice)[] }
  ? Choice
  : Row extends { kind: 'choices'; choices: readonly (infer Choice)[] }
    ? readonly Choice[]
    : Row extends { kind: 'numbers'; fields: readonly (infer Field extends string)[] }
      ? { readonly [Name in Field]: number }
      : Row extends { kind: 'parsed'; read: (text: string) => infer Value }
        ? NonNullable<Value>
        : Row extends { kind: infer Kind extends keyof ValueOfKind }
          ? ValueOfKind[Kind]
          : never;

interface ValueOfKind {
  flag: boolean;
  text: string;
  list: readonly string[];
  number: number;
  duration: number;
  bytes: number;
  file: string;
  files: Readonly<Record<string, Uint8Array | string>>;
  variables: Readonly<Record<string, string>>;
}
