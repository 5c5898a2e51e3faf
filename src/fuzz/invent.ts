/**
 * Generates inputs without a corpus, for the black box: random bytes, and patterns that often cause
 * trouble.
 */
import { concatenate } from '../support/concatenate.js';
import type { Random } from '../support/random.js';
import { asAscii } from './mutate.js';
import type { SearchOptions } from './protocol.js';

const encoder = new TextEncoder();

const texts = [
  ...[
    '',
    '\0',
    '\n',
    '-',
    '-1',
    '0',
    '-0',
    '1e999',
    '0x',
    '%s%s%s%n',
    '%99999d',
    '%.*s',
    '../../../etc/passwd',
  ],
  ...[
    '127',
    '128',
    '255',
    '256',
    '32767',
    '32768',
    '65535',
    '65536',
    '2147483647',
    '2147483648',
    '4294967295',
  ],
  ...['-2147483648', '9223372036854775807', '9223372036854775808', '18446744073709551616', 'NaN', 'Infinity'],
  ...[
    '"',
    "'",
    '\\',
    '{}',
    '[]',
    '()',
    '<>',
    '<!--',
    '/*',
    '&amp;',
    ';',
    ',',
    ':',
    '=',
    '\r\n\r\n',
    '\ufeff',
    '\u00e4\u{1f600}',
  ],
].map(text => encoder.encode(text));

/** Numbers of two, four and eight bytes, in both orders. */
const numbers: readonly Uint8Array[] = [
  0n,
  1n,
  0x7fn,
  0x80n,
  0xffn,
  0x7fffn,
  0xffffn,
  0x7fff_ffffn,
  0x8000_0000n,
  0xffff_ffffn,
  0x7fff_ffff_ffff_ffffn,
]
  .flatMap(value =>
    [2, 4, 8].filter(count => value < 1n << BigInt(8 * count)).map(count => ({ value, count })),
  )
  .flatMap(({ value, count }) => {
    const little = Uint8Array.from({ length: count }, (_, i) => Number((value >> BigInt(8 * i)) & 0xffn));
    return [little, little.slice().reverse()];
  });

/** Generates an input; `words` are those of the dictionary. */
export function invent(random: Random, words: readonly Uint8Array[], options: SearchOptions): Uint8Array {
  const { maxLength, onlyAscii } = options;
  const bytes = piecesOf(random, words, maxLength).slice(0, maxLength);
  return onlyAscii ? bytes.map(asAscii) : bytes;
}

function piecesOf(random: Random, words: readonly Uint8Array[], maxLength: number): Uint8Array {
  const pick = (list: readonly Uint8Array[]): Uint8Array => list[random.below(list.length)]!;
  const length = lengthOf(random, maxLength);
  switch (random.below(8)) {
    case 0:
      return new Uint8Array(length).fill(random.below(256));
    case 1:
      return Uint8Array.from({ length }, () => random.below(256));
    case 2:
      return Uint8Array.from({ length }, () => 0x20 + random.below(0x5f));
    case 3:
      return repeated(pick(texts), length);
    default: {
      const parts: Uint8Array[] = [];
      for (let bytes = 0; bytes < length || parts.length === 0; ) {
        const sources = [texts, numbers, ...(words.length > 0 ? [words, words] : [])];
        const part =
          random.below(5) === 0
            ? Uint8Array.from({ length: 1 + random.below(8) }, () => random.below(256))
            : pick(sources[random.below(sources.length)]!);
        parts.push(part);
        bytes += Math.max(1, part.length);
      }
      return concatenate(parts);
    }
  }
}

/** Mostly short, sometimes up to the limit. */
function lengthOf(random: Random, maxLength: number): number {
  const kind = random.below(16);
  if (kind === 0) return 0;
  if (kind === 1) return maxLength;
  const most = kind < 10 ? 16 : kind < 14 ? 128 : maxLength;
  return 1 + random.below(Math.max(1, Math.min(most, maxLength)));
}

function repeated(text: Uint8Array, length: number): Uint8Array {
  if (text.length === 0) return text;
  return Uint8Array.from({ length }, (_, i) => text[i % text.length]!);
}
