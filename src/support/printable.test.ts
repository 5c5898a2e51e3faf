import { expect, test } from 'vitest';
import { printable, printableIn } from './printable.js';

test('control characters are shown as escapes, other characters unchanged', () => {
  expect(printable('a\u001b[31m\u0007\r\u009b\u007f\u202e.c')).toBe(
    'a\\x1b[31m\\x07\\x0d\\x9b\\x7f\\u202e.c',
  );
  expect(printable('tab\t newline\n ümläut 漢字 🙂')).toBe('tab\t newline\n ümläut 漢字 🙂');
});

test('in data, with a list of the changes', () => {
  const changed: string[] = [];
  const shown = printableIn(
    { file: '\u001b.c', stack: [{ line: 1, name: 'f' }], bytes: new Uint8Array(2) },
    (text, original) => changed.push(text, original),
  );
  expect(shown).toEqual({ file: '\\x1b.c', stack: [{ line: 1, name: 'f' }], bytes: new Uint8Array(2) });
  expect(changed).toEqual(['\\x1b.c', '\u001b.c']);
});
