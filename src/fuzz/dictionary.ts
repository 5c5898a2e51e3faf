/**
 * Dictionaries in the format of libFuzzer and AFL: one word per line, in quotes, with or without a
 * name; `#` begins a comment.
 *
 *     # tokens of the language
 *     kw_if="if"
 *     "\x7fELF"
 *     nested@2="["          AFL: only from level 2 on; the level is ignored
 */
export type DictionaryResult =
  | { readonly kind: 'words'; readonly words: readonly Uint8Array[] }
  | { readonly kind: 'invalid'; readonly line: number; readonly problem: string };

const entry = /^(?:[A-Za-z_][\w.-]*(?:@\d+)?\s*=\s*)?"(.*)"\s*(?:#.*)?$/s;

export function parseDictionary(text: string): DictionaryResult {
  const words: Uint8Array[] = [];
  for (const [i, raw] of text.split(/\r?\n/).entries()) {
    const line = raw.trim();
    if (line === '' || line.startsWith('#')) continue;
    const quoted = entry.exec(line)?.[1];
    if (quoted === undefined) return invalid(i, 'a word stands in quotes, as in `name="word"`');
    const word = bytesOfWord(quoted);
    if (typeof word === 'string') return invalid(i, word);
    if (word.length === 0) return invalid(i, 'the word is empty');
    words.push(word);
  }
  return { kind: 'words', words };
}

function invalid(index: number, problem: string): DictionaryResult {
  return { kind: 'invalid', line: index + 1, problem };
}

/** The bytes of a word, or an error message. */
function bytesOfWord(text: string): Uint8Array | string {
  const bytes: number[] = [];
  for (let i = 0; i < text.length; i++) {
    const character = text[i]!;
    if (character === '"') return 'a quotation mark inside a word is written `\\"`';
    if (character !== '\\') {
      bytes.push(...new TextEncoder().encode(String.fromCodePoint(text.codePointAt(i)!)));
      if (text.codePointAt(i)! > 0xffff) i++;
      continue;
    }
    const next = text[++i];
    if (next === '\\' || next === '"') bytes.push(next.charCodeAt(0));
    else if (next === 'x') {
      const digits = text.slice(i + 1, i + 3);
      if (!/^[\da-fA-F]{2}$/.test(digits)) return 'two hexadecimal digits follow `\\x`';
      bytes.push(Number.parseInt(digits, 16));
      i += 2;
    } else if (next === 'n' || next === 't' || next === 'r') bytes.push({ n: 10, t: 9, r: 13 }[next]);
    else return 'a backslash is followed by `\\`, `"`, `n`, `r`, `t` or `xAB`';
  }
  return Uint8Array.from(bytes);
}
