/**
 * The type of a table of options, and the types that are derived from it.
 *
 *     export const proveOptions = {
 *       engine: { flags: ['--engine'], kind: 'choice', choices: …, default: 'auto', help: 'how to decide' },
 *     } as const;
 *     Given<typeof proveOptions>       what the library's function takes: { engine?: 'auto' | 'bmc' | … }
 *     Settings<typeof proveOptions>    what the engine gets, defaults filled in: { engine: 'auto' | 'bmc' | … }
 *
 * A table is pure data. Parsing (`cli/arguments.ts`), help texts, `docs/options.md`,
 * `docs/options.schema.json` and the two types come from it, and the key of a row is the name of
 * the option in the library. So each option is declared once, and no code translates option names.
 *
 * Invariant: the modules of this folder import nothing but lists of names, so that `--help` loads
 * no engine.
 */

/** How the text after a flag is read, and the type of its value. */
export type OptionKind =
  /** No text; true, or false in a row with `negates`. */
  | 'flag'
  | 'text'
  /** A list of texts; the option may be repeated. */
  | 'list'
  | 'number'
  /** One number for each of the row's `fields`. */
  | 'numbers'
  /** A duration, in milliseconds. */
  | 'duration'
  | 'bytes'
  /** One of the row's `choices`. */
  | 'choice'
  /** Several of the row's `choices`, separated by commas. */
  | 'choices'
  /** The contents of a text file. */
  | 'file'
  /** The contents of files, by the names that the user gave; may be repeated. */
  | 'files'
  /** `NAME=VALUE`, by name; may be repeated. */
  | 'variables'
  /** The value that the row's `read` returns for the text. */
  | 'parsed'
  /** Passed on to clang as part of `clangFlags`; not an option of the library. */
  | 'clang';

export interface OptionSpec {
  /** All spellings. */
  readonly flags: readonly string[];
  readonly kind: OptionKind;
  /**
   * What the option does, as a sentence without its full stop. The code that prints it adds the
   * default and the choices.
   */
  readonly help: string;
  /** The placeholder for the value in help texts; a `choice` without it shows its choices. */
  readonly value?: string;
  /** Used when the option is not given. */
  readonly default?: unknown;
  /** `choice` and `choices`: the list of choices, taken from the engine. */
  readonly choices?: readonly string[];
  /** `choices`: `-NAME` means all choices except that one. */
  readonly excludes?: boolean;
  /** `choices`: the choices that apply without the option; `+NAME` adds to them. */
  readonly usual?: readonly string[];
  /** `number`, `bytes` and `duration`: the smallest value that makes sense. */
  readonly least?: number;
  /**
   * `list`: a regular expression that each text must match; messages show `value` as the expected
   * form.
   */
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
  /** The key of an option without which this one has no effect; giving it alone is an error. */
  readonly needs?: string;
  /** The key of an option with which this one has no effect; giving both is an error. */
  readonly offWith?: string;
  /** The key of an option and its only value with which this one has an effect. */
  readonly needsValue?: readonly [key: string, value: string];
}

export type OptionTable = Readonly<Record<string, OptionSpec>>;

/** The options as a caller passes them: everything is optional. */
export type Given<Table> = {
  readonly [Key in keyof Table as IsOption<Table[Key], Key>]?: ValueOf<Table[Key]> | undefined;
};

/** The options as an engine receives them: every option with a default has a value. */
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
