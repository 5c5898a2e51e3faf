/** Generated lines for `programs/scanf-driver.c`. A `~` in the text stands for a newline. */
import { Random } from '../../src/support/random.js';

function pick<T>(random: Random, items: readonly T[]): T {
  return items[random.below(items.length)]!;
}

const blanks = ['', '', ' ', '  ', '~', ' ~ '];

function integerText(random: Random): string {
  const value = random.uint32() >>> random.below(32);
  const text = pick(random, [
    () => String(value),
    () => `0x${value.toString(16)}`,
    () => `0${value.toString(8)}`,
    () => value.toString(16),
    () => `${value}${random.uint32()}${random.uint32()}`,
    () =>
      pick(random, [
        '',
        '0',
        '0x',
        '0X',
        '08',
        '00',
        'x1',
        '-',
        '+',
        '--1',
        '+-2',
        '0xg',
        '9',
        'abc',
        '1a',
        '1e5',
      ]),
  ])();
  return pick(random, ['', '', '', '-', '+']) + text;
}

function floatText(random: Random): string {
  const digits = () => String(random.uint32() >>> random.below(32));
  const text = pick(random, [
    () => digits(),
    () => `${digits()}.${digits()}`,
    () => `.${digits()}`,
    () => `${digits()}.`,
    () => `${digits()}e${random.below(60) - 30}`,
    () => `${digits()}.${digits()}E+${random.below(30)}`,
    () => `0x${random.uint32().toString(16)}.${random.uint32().toString(16)}p${random.below(100) - 50}`,
    () => pick(random, ['inf', 'INF', 'infinity', 'nan', 'NAN', 'in', 'na', 'infi', 'infinit', 'nax']),
    () =>
      pick(random, [
        '',
        '.',
        '-',
        '+.',
        'e5',
        '1e',
        '1e+',
        '1e-x',
        '1e+5',
        '1..2',
        '0x1p',
        '0x1p+',
        '1.5.5',
        '.e1',
      ]),
  ])();
  return pick(random, ['', '', '-', '+']) + text;
}

function wordText(random: Random): string {
  const alphabet = 'abcxyz019-_]^ ,.';
  let text = '';
  for (let i = random.below(14); i > 0; i--) text += alphabet[random.below(alphabet.length)];
  return text;
}

const sets = [
  '[a-z]',
  '[^a-z]',
  '[]a]',
  '[^]a]',
  '[a-]',
  '[-a]',
  '[abc]',
  '[0-9_]',
  '[^ ]',
  '[a-cx-z]',
  '[^,]',
  '[z-a]',
];

export function scanfCases(seed: number, count: number): string[] {
  const random = new Random(seed);
  const width = () => (random.below(3) === 0 ? String(1 + random.below(12)) : '');
  const tail = () => pick(random, ['', '', 'q', ' 5', '.']);
  const kinds: (() => string)[] = [
    () => {
      const [kind, length] = pick(random, [
        ['i', ''],
        ['l', 'l'],
        ['l', 'll'],
        ['l', 'j'],
        ['l', 'z'],
        ['h', 'h'],
        ['H', 'hh'],
      ] as const);
      const format = `%${width()}${length}${pick(random, ['d', 'i', 'u', 'x', 'o', 'X'])}%n`;
      return `${kind}\t${format}\t${pick(random, blanks)}${integerText(random)}${tail()}`;
    },
    () => {
      const [kind, length] = pick(random, [
        ['f', ''],
        ['d', 'l'],
      ] as const);
      // A number that ends after its 0x is invalid by the standard, and glibc miscounts it.
      const text = floatText(random);
      const format = `%${text.includes('0x') ? '' : width()}${length}${pick(random, ['f', 'e', 'g', 'a', 'G'])}%n`;
      return `${kind}\t${format}\t${pick(random, blanks)}${text}${tail()}`;
    },
    () =>
      `s\t${pick(random, ['', ' '])}%${width()}${pick(random, ['s', 'c', ...sets])}%n\t${pick(random, blanks)}${wordText(random)}`,
    () =>
      `m\t%m${width()}${pick(random, ['s', pick(random, sets)])}%n\t${pick(random, blanks)}${wordText(random)}`,
    () =>
      `s\t%*d${pick(random, ['', ' ', ',', '%%'])}%20s%n\t${integerText(random)}${pick(random, ['', ' ', ',', '%', ' %'])}${wordText(random)}`,
    () => {
      const format = pick(random, [
        '%d %20s %lf %5[^,],%d%n',
        '%d%20s%lf%20[a-z]%d%n',
        '%3d%4s%lf %20[^;];%x%n',
        '%i:%20[^:]:%lf:%20[^:]:%o%n',
        'a=%d b=%20s c=%lf %20s %d%n',
      ]);
      const text = pick(random, [
        () => `${integerText(random)} word ${floatText(random)} ab,${integerText(random)}`,
        () =>
          `${integerText(random)}:${wordText(random)}:${floatText(random)}:${wordText(random)}:${integerText(random)}`,
        () => `a=${integerText(random)} b=x c=${floatText(random)} end ${integerText(random)}`,
        () => `12 ${wordText(random)} 3.5 ${wordText(random)};ff`,
      ])();
      return `x\t${format}\t${text}`;
    },
  ];
  return Array.from({ length: count }, () => pick(random, kinds)());
}
