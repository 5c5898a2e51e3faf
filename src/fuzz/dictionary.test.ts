import { expect, test } from 'vitest';
import { parseDictionary } from './dictionary.js';

const text = (word: Uint8Array): string => new TextDecoder('latin1').decode(word);

test('dictionaries of libFuzzer and of AFL are read', () => {
  const result = parseDictionary('# comment\n\nkw="if"\n"\\x7fELF"\nlevel@2="a\\"b\\\\" # end\n  "é"  \r\n');
  expect(result.kind === 'words' && result.words.map(text)).toEqual(['if', '\x7fELF', 'a"b\\', 'Ã©']);
});

test.each([
  ['if', 'a word stands in quotes, as in `name="word"`'],
  ['k="', 'a word stands in quotes, as in `name="word"`'],
  ['""', 'the word is empty'],
  ['"\\x1"', 'two hexadecimal digits follow `\\x`'],
  ['"\\q"', 'a backslash is followed by `\\`, `"`, `n`, `r`, `t` or `xAB`'],
  ['"a"b"', 'a quotation mark inside a word is written `\\"`'],
])('%s is wrong, in line 7', (line, problem) => {
  const lines = ['#', '"a"', '', '', '', '', line];
  expect(parseDictionary(lines.join('\n'))).toEqual({ kind: 'invalid', line: 7, problem });
});
