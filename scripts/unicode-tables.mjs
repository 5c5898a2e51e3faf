// Makes runtime/libc/internal/unicode-tables.h from the Unicode properties that Node knows: run by
// `npm run libc:unicode` when a newer Unicode is wanted. <wctype.h> and wcwidth look characters up
// in these tables.
import { writeFileSync } from 'node:fs';

/** @typedef {(c: number) => boolean} Test */
/**
 * First and last code point, their distance, and the value that all have.
 * @template T
 * @typedef {[first: number, last: number, stride: number, value: T]} Run
 */

const LAST = 0x10ffff;
/** @param {number} c */
const isSurrogate = c => c >= 0xd800 && c <= 0xdfff;
/** @param {number} c */
const text = c => String.fromCodePoint(c);
/** @type {(pattern: RegExp) => Test} */
const matching = pattern => c => !isSurrogate(c) && pattern.test(text(c));

/**
 * Runs of code points at a distance of 1 or 2, as [first, last, stride, value]; value is compared
 * within a run.
 * @template {number | boolean} T
 * @param {(c: number) => T} propertyOf
 * @param {readonly number[]} [strides]
 * @returns {Run<T>[]}
 */
function runs(propertyOf, strides = [1]) {
  /** @type {Run<T>[]} */
  const result = [];
  let c = 0;
  while (c <= LAST) {
    const value = propertyOf(c);
    if (value === false || value === 0) {
      c++;
      continue;
    }
    let best = { last: c, stride: 1 };
    for (const stride of strides) {
      let last = c;
      while (
        last + stride <= LAST &&
        propertyOf(last + stride) === value &&
        (stride === 1 || !propertyOf(last + 1))
      )
        last += stride;
      if (last > best.last) best = { last, stride };
    }
    result.push([c, best.last, best.stride, value]);
    c = best.last + 1;
  }
  return result;
}

/** @type {(test: Test) => Test} */
const notAscii = test => c => c > 127 && test(c);
const alphabetic = matching(/[\p{Alphabetic}\p{Nd}]/u);
const assigned = matching(/[^\p{Cc}\p{Cn}\p{Cs}\u2028\u2029]/u);
/** @type {Test} */
const zeroWidth = c => matching(/[\p{Mn}\p{Me}\p{Cf}]/u)(c) && c !== 0xad;

/**
 * The distance to the other case, if it is one code point.
 * @param {(text: string) => string} change
 * @returns {(c: number) => number}
 */
function distance(change) {
  return c => {
    if (c < 128 || isSurrogate(c)) return 0;
    const other = [...change(text(c))];
    return other.length === 1 ? (other[0]?.codePointAt(0) ?? c) - c : 0;
  };
}

/**
 * @param {string} name
 * @param {string} comment
 * @param {readonly Run<boolean>[]} list
 */
function rangeTable(name, comment, list) {
  const cells = list.map(([first, last, stride]) => {
    const fields = stride === undefined ? [first, last] : [first, last, stride];
    return `{${fields.map(field => `0x${field.toString(16)}`).join(', ')}}`;
  });
  return table('CodeRange', name, comment, cells);
}

/**
 * @param {string} name
 * @param {string} comment
 * @param {readonly Run<number>[]} list
 */
function mappingTable(name, comment, list) {
  const cells = list.map(
    ([first, last, stride, delta]) =>
      `{0x${first.toString(16)}, 0x${last.toString(16)}, ${stride}, ${delta}}`,
  );
  return table('CaseRange', name, comment, cells);
}

/**
 * @param {string} type
 * @param {string} name
 * @param {string} comment
 * @param {readonly string[]} cells
 */
function table(type, name, comment, cells) {
  let out = `/* ${comment} */\nstatic const ${type} ${name}[] = {\n`;
  let line = '   ';
  for (const cell of cells) {
    if (line.length + cell.length > 116) {
      out += `${line}\n`;
      line = '   ';
    }
    line += ` ${cell},`;
  }
  return `${out}${line}\n};\n`;
}

const upper = matching(/\p{Uppercase}/u);
const lower = matching(/\p{Lowercase}/u);
/** @param {Test} test */
const ranges = test => runs(notAscii(test), [1, 2]);

const parts = [
  `/*
 * Properties of the characters beyond ASCII, Unicode ${process.versions.unicode}.
 * Made by scripts/unicode-tables.mjs: change that instead.
 * It is longer than other files because it contains only data.
 *
 * A range holds first, first + stride, ..., last: the two cases of many alphabets alternate.
 */
#ifndef RZ_UNICODE_TABLES_H
#define RZ_UNICODE_TABLES_H

typedef struct {
  unsigned first : 24;
  unsigned stride : 8;
  unsigned last;
} CodeRange;

typedef struct {
  unsigned first : 24;
  unsigned stride : 8;
  unsigned last;
  int delta;
} CaseRange;
`,
  rangeTable('alphabetic', 'Letters, and digits that are not ASCII.', ranges(alphabetic)),
  rangeTable('printable', 'Assigned characters without controls.', ranges(assigned)),
  rangeTable('upper_case', 'Upper case.', ranges(upper)),
  rangeTable('lower_case', 'Lower case.', ranges(lower)),
  rangeTable('zero_width', 'Marks and format characters that take no column.', ranges(zeroWidth)),
  mappingTable(
    'to_upper',
    'What to add for the upper case.',
    runs(
      distance(s => s.toUpperCase()),
      [1, 2],
    ),
  ),
  mappingTable(
    'to_lower',
    'What to add for the lower case.',
    runs(
      distance(s => s.toLowerCase()),
      [1, 2],
    ),
  ),
  '#endif\n',
];
const header = parts.join('\n').replaceAll(/\{(0x[0-9a-f]+), (0x[0-9a-f]+), (?:0x)?(\d)/g, '{$1, $3, $2');
writeFileSync(new URL('../runtime/libc/internal/unicode-tables.h', import.meta.url), header);
