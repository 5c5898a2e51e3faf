/**
 * Splits textual IR into tokens.
 *
 * There are no token objects: the lexer stands on one token, whose kind and place are fields. Words
 * are interned in a table of our own, because the text says `align` and `%retval` ten thousand
 * times and a slice of a string is an allocation; interned words also compare by pointer in the
 * reader's switches.
 *
 * The kind of a punctuation token is its character code; the other kinds are in `Token`. A word
 * directly followed by a colon is a `label`: that is how blocks (`entry:`) and the fields of
 * metadata (`line: 5`) begin.
 *
 * **Invariants**: `start <= end <= text.length`; `next()` moves forward or stays at the end of the
 * text, so every loop that calls it until `end` terminates. Anything malformed throws
 * `ReadFailure`.
 */

/** Thrown by the lexer and the reader, caught by `readModule`: it never leaves the room. */
export class ReadFailure extends Error {
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

export interface TokenKinds {
  readonly end: number;
  /** `define`, `i32`, `x86_fp80`: letters, digits and `-$._`, not starting with a digit. */
  readonly word: number;
  /** A word, number or string and a colon; `start` to `end` is the part before the colon. */
  readonly label: number;
  /** `%x`, `%"x y"`, `%7`; `@x`; `$x`. */
  readonly local: number;
  readonly global: number;
  readonly comdat: number;
  /**
   * `!7` with its number in `value`; `!dbg`, `!DILocation`, `!llvm.ident`. A lone `!` is
   * punctuation.
   */
  readonly metadataNumber: number;
  readonly metadataName: number;
  /** `#7` with its number in `value`; `#dbg_value` is punctuation `#` and a word. */
  readonly attributeGroup: number;
  readonly string: number;
  /** `c"..."` */
  readonly bytes: number;
  readonly integer: number;
  /** Decimal with a point, or hexadecimal in any of LLVM's notations. */
  readonly float: number;
  readonly ellipsis: number;
}

export const Token: TokenKinds = {
  end: 256,
  word: 257,
  label: 258,
  local: 259,
  global: 260,
  comdat: 261,
  metadataNumber: 262,
  metadataName: 263,
  attributeGroup: 264,
  string: 265,
  bytes: 266,
  integer: 267,
  float: 268,
  ellipsis: 269,
};

const classOther = 0;
const classWord = 1;
const classDigit = 2;
const classSpace = 3;

/** What a character may be: word characters are letters and `-$._`, as LLVM has it. */
const characterClass = new Uint8Array(256);
for (let code = 0; code < 128; code++) {
  const character = String.fromCharCode(code);
  if (/[-a-zA-Z$._]/.test(character)) characterClass[code] = classWord;
  else if (/[0-9]/.test(character)) characterClass[code] = classDigit;
  else if (/[ \t\r\n\0]/.test(character)) characterClass[code] = classSpace;
}

const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;

export class Lexer {
  readonly text: string;
  /**
   * The kind of the token, and where its text is: without quotes and sigils (`%`, `@`, `!`, `#`).
   */
  kind: number = Token.end;
  start = 0;
  end = 0;
  /** Where the token begins with its sigils and quotes: the place that messages name. */
  offset = 0;
  /** Whether the text of the token was in quotes. */
  quoted = false;
  /** The number of `%7`, `@7`, `!7`, `#7`; -1 for a name. */
  value = -1;
  #position: number;
  readonly #words: WordTable;

  constructor(text: string, position = 0, words: WordTable = new WordTable()) {
    this.text = text;
    this.#position = position;
    this.#words = words;
  }

  fail(message: string, offset: number = this.offset): never {
    throw new ReadFailure(message, offset);
  }

  /** Continues at another position of the text. */
  jump(position: number): void {
    this.#position = position;
    this.next();
  }

  /** The position after the token. */
  get position(): number {
    return this.#position;
  }

  /** The token's text, interned; escapes stand as written. */
  get word(): string {
    return this.#words.intern(this.text, this.start, this.end);
  }

  /**
   * The token's text with `\22` and `\\` resolved if it was quoted: a name, or the bytes of a
   * string.
   */
  get unescaped(): string {
    return this.quoted ? resolveEscapes(this.text, this.start, this.end) : this.word;
  }

  /** The description of the token in messages. */
  describe(): string {
    if (this.kind === Token.end) return 'the end of the file';
    const shown = this.text.slice(this.offset, Math.min(this.#position, this.offset + 40));
    return `'${shown.replace(/\s+/g, ' ')}'`;
  }

  /** Whether the given character follows this token, after blanks and comments. Does not move. */
  isFollowedBy(code: number): boolean {
    return this.text.charCodeAt(this.#skipBlank(this.#position)) === code;
  }

  next(): void {
    const text = this.text;
    const position = this.#skipBlank(this.#position);
    this.offset = position;
    this.start = position;
    this.quoted = false;
    this.value = -1;
    const code = text.charCodeAt(position);
    const kind = code < 256 ? characterClass[code]! : classOther;
    if (kind === classWord) {
      this.#word(position, code);
      return;
    }
    if (kind === classDigit) {
      this.#number(position);
      return;
    }
    switch (code) {
      case 0x25: // %
        this.#named(Token.local, position + 1);
        return;
      case 0x40: // @
        this.#named(Token.global, position + 1);
        return;
      case 0x21: // !
        this.#exclamation(position + 1);
        return;
      case 0x23: // #
        this.#hash(position + 1);
        return;
      case quote:
        this.#string(Token.string, position);
        this.#labelIfColon();
        return;
      case 0x2b: // +
        this.#number(position);
        return;
      default:
        if (position >= text.length) {
          this.kind = Token.end;
          this.end = this.#position = text.length;
        } else {
          this.kind = code;
          this.end = this.#position = position + 1;
        }
    }
  }

  #skipBlank(from: number): number {
    const text = this.text;
    let position = from;
    for (;;) {
      const code = text.charCodeAt(position);
      if (code === 0x3b) {
        const newline = text.indexOf('\n', position);
        position = newline < 0 ? text.length : newline;
      } else if (code < 256 && characterClass[code] === classSpace) {
        position++;
      } else {
        return position;
      }
    }
  }

  /** The end of the run of word characters and digits. */
  #wordEnd(from: number): number {
    const text = this.text;
    let position = from;
    for (;;) {
      const code = text.charCodeAt(position);
      const kind = code < 256 ? characterClass[code]! : classOther;
      if (kind !== classWord && kind !== classDigit) return position;
      position++;
    }
  }

  #digitsEnd(from: number): number {
    const text = this.text;
    let position = from;
    while (isDigit(text.charCodeAt(position))) position++;
    return position;
  }

  #word(position: number, code: number): void {
    const text = this.text;
    if (code === 0x2d && isDigit(text.charCodeAt(position + 1))) {
      this.#number(position);
      return;
    }
    const end = this.#wordEnd(position + 1);
    if (code === 0x63 && end === position + 1 && text.charCodeAt(end) === quote) {
      this.#string(Token.bytes, end);
      return;
    }
    this.end = this.#position = end;
    if (text.charCodeAt(end) === colon) {
      this.kind = Token.label;
      this.#position = end + 1;
    } else if (code === 0x2e && end === position + 3 && text.startsWith('...', position)) {
      this.kind = Token.ellipsis;
    } else if (code === 0x24) {
      this.#named(Token.comdat, position + 1);
    } else if ((code === 0x75 || code === 0x73) && text.startsWith('0x', position + 1)) {
      this.kind = Token.integer;
    } else {
      this.kind = Token.word;
    }
  }

  /** Names, quoted names and numbers after a sigil. */
  #named(kind: number, from: number): void {
    this.kind = kind;
    const code = this.text.charCodeAt(from);
    if (code === quote) {
      this.#string(kind, from);
      return;
    }
    this.start = from;
    if (isDigit(code)) {
      this.end = this.#position = this.#digitsEnd(from);
      this.value = this.#smallNumber(from);
      return;
    }
    this.end = this.#position = this.#wordEnd(from);
    if (this.end === from) this.fail('expected a name');
  }

  #smallNumber(from: number): number {
    const text = this.text;
    let value = 0;
    for (let position = from; position < this.end; position++) {
      value = value * 10 + text.charCodeAt(position) - 0x30;
    }
    if (value > 0xffff_ffff) this.fail('number too large');
    return value;
  }

  #exclamation(from: number): void {
    const code = this.text.charCodeAt(from);
    if (isDigit(code)) {
      this.#named(Token.metadataNumber, from);
    } else if (code === backslash || (code < 256 && characterClass[code] === classWord)) {
      let position = from;
      do {
        position = this.#wordEnd(position + 1);
      } while (this.text.charCodeAt(position) === backslash);
      this.kind = Token.metadataName;
      this.start = from;
      this.end = this.#position = position;
    } else {
      this.kind = 0x21;
      this.end = this.#position = from;
    }
  }

  #hash(from: number): void {
    if (isDigit(this.text.charCodeAt(from))) {
      this.#named(Token.attributeGroup, from);
    } else {
      this.kind = 0x23;
      this.end = this.#position = from;
    }
  }

  #string(kind: number, opening: number): void {
    const closing = this.text.indexOf('"', opening + 1);
    if (closing < 0) this.fail('this string has no end');
    this.kind = kind;
    this.quoted = true;
    this.start = opening + 1;
    this.end = closing;
    this.#position = closing + 1;
  }

  #labelIfColon(): void {
    if (this.text.charCodeAt(this.#position) === colon) {
      this.kind = Token.label;
      this.#position++;
    }
  }

  #number(position: number): void {
    const text = this.text;
    const first = text.charCodeAt(position);
    const signed = first === 0x2d || first === 0x2b;
    let end = position + (signed ? 1 : 0);
    if (!isDigit(text.charCodeAt(end))) this.fail('expected a number');
    if (text.charCodeAt(end) === 0x30 && text.charCodeAt(end + 1) === 0x78) {
      this.kind = Token.float;
      this.end = this.#position = this.#wordEnd(end);
      return;
    }
    end = this.#digitsEnd(end);
    this.kind = Token.integer;
    if (text.charCodeAt(end) === 0x2e) {
      this.kind = Token.float;
      end = this.#digitsEnd(end + 1);
      const mark = text.charCodeAt(end);
      if (mark === 0x65 || mark === 0x45) {
        const sign = text.charCodeAt(end + 1);
        const digits = end + (sign === 0x2b || sign === 0x2d ? 2 : 1);
        if (isDigit(text.charCodeAt(digits))) end = this.#digitsEnd(digits);
      }
    }
    this.end = this.#position = end;
    if (this.kind === Token.integer) this.#labelIfColon();
  }

  /**
   * Requires an opening bracket, and skips to the token after the matching one. It only considers
   * brackets, strings and comments, so it runs at memory speed.
   */
  skipBalanced(): void {
    const text = this.text;
    const opening = this.offset;
    let depth = 1;
    let position = this.#position;
    while (depth > 0) {
      switch (text.charCodeAt(position)) {
        case 0x7b: // {
        case 0x28: // (
        case 0x5b: // [
          depth++;
          position++;
          break;
        case 0x7d: // }
        case 0x29: // )
        case 0x5d: // ]
          depth--;
          position++;
          break;
        case quote: {
          const closing = text.indexOf('"', position + 1);
          if (closing < 0) this.fail('this string has no end', position);
          position = closing + 1;
          break;
        }
        case 0x3b: {
          const newline = text.indexOf('\n', position);
          position = newline < 0 ? text.length : newline;
          break;
        }
        default:
          if (position >= text.length) this.fail('this bracket is never closed', opening);
          position++;
      }
    }
    this.#position = position;
    this.next();
  }
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** Resolves LLVM's escapes: a backslash and two hexadecimal digits, or a doubled backslash. */
function resolveEscapes(text: string, start: number, end: number): string {
  const word = text.slice(start, end);
  // The search is limited to the word: the following text may be a hundred megabytes without a
  // backslash.
  if (!word.includes('\\')) return word;
  return word.replace(/\\(?:\\|([0-9a-fA-F]{2}))/g, (_, digits: string | undefined) =>
    digits === undefined ? '\\' : String.fromCharCode(Number.parseInt(digits, 16)),
  );
}

/** A hash table from slices of a text to one string each. */
class WordTable {
  #slots: (string | undefined)[] = new Array<string | undefined>(4096);
  #count = 0;

  intern(text: string, start: number, end: number): string {
    const length = end - start;
    let hash = length;
    for (let i = start; i < end; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0;
    hash ^= hash >>> 15;
    const mask = this.#slots.length - 1;
    let index = hash & mask;
    for (;;) {
      const known = this.#slots[index];
      if (known === undefined) break;
      if (known.length === length && matches(known, text, start)) return known;
      index = (index + 1) & mask;
    }
    const word = text.slice(start, end);
    this.#slots[index] = word;
    if (++this.#count * 2 > this.#slots.length) this.#grow();
    return word;
  }

  #grow(): void {
    const words = this.#slots;
    this.#slots = new Array<string | undefined>(words.length * 2);
    this.#count = 0;
    for (const word of words) if (word !== undefined) this.#insert(word);
  }

  #insert(word: string): void {
    let hash = word.length;
    for (let i = 0; i < word.length; i++) hash = (Math.imul(hash, 31) + word.charCodeAt(i)) | 0;
    hash ^= hash >>> 15;
    const mask = this.#slots.length - 1;
    let index = hash & mask;
    while (this.#slots[index] !== undefined) index = (index + 1) & mask;
    this.#slots[index] = word;
    this.#count++;
  }
}

function matches(word: string, text: string, start: number): boolean {
  for (let i = 0; i < word.length; i++) {
    if (word.charCodeAt(i) !== text.charCodeAt(start + i)) return false;
  }
  return true;
}
