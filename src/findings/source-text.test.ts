import fc from 'fast-check';
import { expect, test } from 'vitest';
import { displayLine, widthOf } from './display-line.js';
import { indexOfColumn, SourceFiles } from './source-text.js';

test('lines end in any of the three ways, and a missing file has none', () => {
  const files = new SourceFiles(file => (file === 'a.c' ? 'one\ntwo\r\nthree\rfour' : undefined));
  expect([1, 2, 3, 4, 5, 0].map(n => files.line('a.c', n))).toEqual([
    'one',
    'two',
    'three',
    'four',
    undefined,
    undefined,
  ]);
  expect(files.line('b.c', 1)).toBeUndefined();
});

test('a byte column is the index whose prefix has that many bytes', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 12 });
  fc.assert(
    fc.property(text, text, (before, after) => {
      const column = new TextEncoder().encode(before).length + 1;
      expect(indexOfColumn(before + after, column)).toBe(before.length);
    }),
    { seed: 1 },
  );
});

test('tabs reach the next stop, wide characters take two cells, combining ones none', () => {
  expect(displayLine('\tx\ty')).toEqual({ text: '    x   y', cellOf: [0, 4, 5, 8, 9] });
  expect(displayLine('日x').cellOf).toEqual([0, 2, 3]);
  expect(widthOf('e\u0301x')).toBe(2);
  expect(displayLine('a\u202eb\u0007').text).toBe('a\ufffdb\ufffd');
});

test('the cells of a line add up to the width of its text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 20 }), line => {
      const { text, cellOf } = displayLine(line);
      expect(cellOf.at(-1)).toBe(widthOf(text));
      expect(cellOf).toHaveLength(line.length + 1);
    }),
    { seed: 1 },
  );
});
