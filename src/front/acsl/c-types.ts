/**
 * Parses C types as clang spells them (`struct node *`, `int (*)[4]`, `const size_t`), and prints
 * declarations.
 *
 * Typedefs are resolved; qualifiers are dropped, because annotations only read, except in the
 * parameters of functions, where they distinguish types.
 */

export type CType =
  | { readonly kind: 'void' }
  | { readonly kind: 'integer'; readonly bits: number; readonly signed: boolean; readonly spelling: string }
  | { readonly kind: 'float'; readonly spelling: 'float' | 'double' | 'long double' }
  | { readonly kind: 'pointer'; readonly to: CType }
  | { readonly kind: 'array'; readonly of: CType; readonly count: number | undefined }
  /** `spelling` names it in C: `struct node`, or the typedef of a struct without a tag. */
  | { readonly kind: 'record'; readonly spelling: string }
  | { readonly kind: 'function'; readonly result: CType; readonly parameters: string }
  /** A type that annotations do not support: a vector, a complex number. */
  | { readonly kind: 'other'; readonly spelling: string };

/** The meaning of a name in a type. */
export interface TypedefMeaning {
  readonly spelling: string;
  /** True for a struct or union without a tag, which clang spells as if the typedef were one. */
  readonly isOnlyName: boolean;
}

export type LookUpTypedef = (name: string) => TypedefMeaning | undefined;

const integers: Readonly<Record<string, readonly [bits: number, signed: boolean]>> = {
  _Bool: [1, false],
  bool: [1, false],
  char: [8, true],
  'signed char': [8, true],
  'unsigned char': [8, false],
  short: [16, true],
  'unsigned short': [16, false],
  int: [32, true],
  'unsigned int': [32, false],
  long: [64, true],
  'unsigned long': [64, false],
  'long long': [64, true],
  'unsigned long long': [64, false],
  __int128: [128, true],
  'unsigned __int128': [128, false],
};

const word = /\s+|[A-Za-z_$][\w$]*|\d+|\(unnamed[^)]*\)|\(anonymous[^)]*\)|[\s\S]/g;
const qualifiers = new Set([
  'const',
  'volatile',
  'restrict',
  '__restrict',
  '_Nonnull',
  '_Nullable',
  '_Atomic',
  'register',
]);

export function parseCType(spelling: string, typedefs: LookUpTypedef): CType {
  return new TypeReader(spelling, typedefs).read();
}

class TypeReader {
  readonly #words: string[];
  #at = 0;

  constructor(
    private readonly spelling: string,
    private readonly typedefs: LookUpTypedef,
  ) {
    this.#words = [...spelling.matchAll(word)].map(match => match[0].trim()).filter(text => text !== '');
  }

  read(): CType {
    const base = this.#base();
    const type = this.#declarator(base);
    return this.#at < this.#words.length ? { kind: 'other', spelling: this.spelling } : type;
  }

  #base(): CType {
    const names: string[] = [];
    let isTag = false;
    while (this.#at < this.#words.length) {
      this.#skipQualifiers();
      const text = this.#words[this.#at] ?? '';
      if (!/^[A-Za-z_$(:]/.test(text) || text === '(') break;
      names.push(text);
      this.#at++;
      isTag ||= /^(struct|union|enum)$/.test(text);
    }
    const name = names.join(' ');
    if (name === 'void') return { kind: 'void' };
    if (name === 'float' || name === 'double' || name === 'long double')
      return { kind: 'float', spelling: name };
    const integer = integers[normalInteger(names)];
    if (integer !== undefined)
      return { kind: 'integer', bits: integer[0], signed: integer[1], spelling: name };
    if (isTag) {
      if (names[0] === 'enum') return { kind: 'integer', bits: 33, signed: true, spelling: name };
      return { kind: 'record', spelling: name };
    }
    const meaning = this.typedefs(name);
    if (meaning === undefined) return { kind: 'other', spelling: name };
    const type = parseCType(meaning.spelling, this.typedefs);
    return type.kind === 'record' && meaning.isOnlyName ? { ...type, spelling: name } : type;
  }

  #skipQualifiers(): void {
    while (qualifiers.has(this.#words[this.#at] ?? '')) this.#at++;
  }

  /**
   * An abstract declarator around a type: pointers, then what is in parentheses, arrays and
   * parameters.
   */
  #declarator(inner: CType): CType {
    let type = inner;
    while (this.#words[this.#at] === '*') {
      this.#at++;
      this.#skipQualifiers();
      type = { kind: 'pointer', to: type };
    }
    if (this.#words[this.#at] === '(' && /^[*(]$/.test(this.#words[this.#at + 1] ?? '')) {
      this.#at++;
      const start = this.#at;
      let depth = 1;
      while (depth > 0 && this.#at < this.#words.length) {
        const text = this.#words[this.#at++]!;
        if (text === '(') depth++;
        if (text === ')') depth--;
      }
      const outer = this.#suffixes(type);
      const end = this.#at;
      this.#at = start;
      const made = this.#declarator(outer);
      this.#at = end;
      return made;
    }
    return this.#suffixes(type);
  }

  #suffixes(inner: CType): CType {
    const text = this.#words[this.#at];
    if (text === '[') {
      this.#at++;
      let count: number | undefined;
      while (this.#words[this.#at] !== ']' && this.#at < this.#words.length) {
        const size = Number(this.#words[this.#at++]);
        if (Number.isInteger(size)) count = size;
      }
      this.#at++;
      return { kind: 'array', of: this.#suffixes(inner), count };
    }
    if (text === '(') {
      const start = this.#at;
      let depth = 0;
      do {
        const one = this.#words[this.#at++];
        if (one === '(') depth++;
        if (one === ')') depth--;
      } while (depth > 0 && this.#at < this.#words.length);
      const parameters = this.#words.slice(start, this.#at).join(' ');
      return { kind: 'function', result: inner, parameters };
    }
    return inner;
  }
}

/** `long unsigned int` as `unsigned long`. */
function normalInteger(names: readonly string[]): string {
  if (names.length === 1) {
    if (names[0] === 'unsigned') return 'unsigned int';
    if (names[0] === 'signed') return 'int';
    return names[0]!;
  }
  const set = names.filter(name => name !== 'int');
  const isUnsigned = set.includes('unsigned');
  const isSignedChar = set.includes('signed') && set.includes('char');
  const rest = set.filter(name => name !== 'unsigned' && name !== 'signed');
  const base = rest.length === 0 ? 'int' : rest.join(' ');
  return isUnsigned ? `unsigned ${base}` : isSignedChar ? 'signed char' : base;
}

/** `int (*name)[4]`: how a variable of the type is declared. */
export function declare(type: CType, name: string): string {
  switch (type.kind) {
    case 'pointer': {
      const inner = type.to.kind === 'array' || type.to.kind === 'function' ? `(*${name})` : `*${name}`;
      return declare(type.to, inner);
    }
    case 'array':
      return declare(type.of, `${name}[${type.count ?? ''}]`);
    case 'function':
      return declare(type.result, `${name}${type.parameters}`);
    case 'void':
    case 'integer':
    case 'float':
    case 'record':
    case 'other':
      return name === '' ? baseSpelling(type) : `${baseSpelling(type)} ${name}`;
  }
}

function baseSpelling(type: CType): string {
  return type.kind === 'void' ? 'void' : 'spelling' in type ? type.spelling : 'void';
}

/** As a user would write it. */
export function showType(type: CType): string {
  return declare(type, '').trim();
}

/** Arrays decay to pointers, functions too. */
export function decayed(type: CType): CType {
  if (type.kind === 'array') return { kind: 'pointer', to: type.of };
  return type.kind === 'function' ? { kind: 'pointer', to: type } : type;
}

export function sameType(left: CType, right: CType): boolean {
  return showType(left) === showType(right);
}
