/**
 * Random integer terms of ACSL with their values: a C program that asserts each value, to be run
 * under `check`.
 */
import fc from 'fast-check';

/** The variables of the program, at the edges of their types. */
const variables: Readonly<Record<string, readonly [type: string, value: bigint]>> = {
  tiny: ['signed char', -128n],
  byte: ['unsigned char', 200n],
  low: ['int', -(1n << 31n)],
  high: ['int', (1n << 31n) - 1n],
  word: ['unsigned', (1n << 32n) - 1n],
  least: ['long', -(1n << 63n)],
  most: ['long', (1n << 63n) - 1n],
  size: ['unsigned long', (1n << 64n) - 1n],
  seven: ['int', 7n],
};

interface Claim {
  readonly text: string;
  /** Undefined: the term has no value. */
  readonly value: bigint | undefined;
}

type Combine = (a: bigint, b: bigint) => bigint | undefined;

/** The largest result, so that programs stay small. */
const longest = 1n << 600n;

const binary: Readonly<Record<string, Combine>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => (b === 0n ? undefined : a / b),
  '%': (a, b) => (b === 0n ? undefined : a % b),
  '<<': (a, b) => (b < 0n || b > 200n ? undefined : a << b),
  '>>': (a, b) => (b < 0n || b > 200n ? undefined : a >> b),
  '&': (a, b) => a & b,
  '|': (a, b) => a | b,
  '^': (a, b) => a ^ b,
};

const { claim } = fc.letrec<{ claim: Claim; leaf: Claim }>(tie => ({
  leaf: fc.oneof(
    fc.constantFrom(...Object.entries(variables)).map(([text, [, value]]) => ({ text, value })),
    fc.bigInt(-9n, 9n).map(value => ({ text: `${value}`, value })),
    fc.bigInt(0n, 1n << 90n).map(value => ({ text: `${value}`, value })),
  ),
  claim: fc.oneof(
    { depthSize: 'small', maxDepth: 4, withCrossShrink: true },
    tie('leaf'),
    fc.tuple(fc.constantFrom(...Object.keys(binary)), tie('claim'), tie('claim')).map(([op, a, b]) => ({
      text: `(${a.text} ${op} ${b.text})`,
      value: a.value === undefined || b.value === undefined ? undefined : binary[op]!(a.value, b.value),
    })),
    tie('claim').map(({ text, value }) => ({
      text: `(-${text})`,
      value: value === undefined ? undefined : -value,
    })),
    tie('claim').map(({ text, value }) => ({
      text: `(~${text})`,
      value: value === undefined ? undefined : ~value,
    })),
    tie('claim').map(({ text, value }) => ({
      text: `\\abs(${text})`,
      value: value === undefined ? undefined : value < 0n ? -value : value,
    })),
    fc.tuple(fc.constantFrom('\\min', '\\max'), tie('claim'), tie('claim')).map(([name, a, b]) => ({
      text: `${name}(${a.text}, ${b.text})`,
      value:
        a.value === undefined || b.value === undefined
          ? undefined
          : extreme(name === '\\min', a.value, b.value),
    })),
    fc
      .tuple(
        fc.constantFrom<[string, number, boolean]>(
          ['unsigned char', 8, false],
          ['short', 16, true],
          ['int', 32, true],
          ['unsigned', 32, false],
          ['long', 64, true],
          ['unsigned long', 64, false],
        ),
        tie('claim'),
      )
      .map(([[type, bits, signed], { text, value }]) => ({
        text: `((${type})${text})`,
        value:
          value === undefined ? undefined : signed ? BigInt.asIntN(bits, value) : BigInt.asUintN(bits, value),
      })),
    fc.tuple(tie('claim'), tie('claim'), tie('claim')).map(([test, a, b]) => ({
      text: `(${test.text} > 0 ? ${a.text} : ${b.text})`,
      value: test.value === undefined ? undefined : test.value > 0n ? a.value : b.value,
    })),
  ),
}));

function extreme(least: boolean, a: bigint, b: bigint): bigint {
  return a < b === least ? a : b;
}

/**
 * A program that asserts the values of `count` terms, wrong by `off`, one a line from `firstLine`
 * on.
 */
export function termProgram(count: number, seed: number, off: bigint): { text: string; firstLine: number } {
  const isGood = ({ text, value }: Claim): boolean =>
    value !== undefined && value < longest && value > -longest && text.length > 8 && text.length < 300;
  const claims = fc.sample(claim, { seed, numRuns: count * 8 }).filter(isGood);
  const parameters = Object.entries(variables).map(([name, [type]]) => `${type} ${name}`);
  const lines = claims.slice(0, count).map(({ text, value }) => `  //@ assert ${text} == ${value! + off};`);
  const constant = (value: bigint): string =>
    value === -(1n << 63n) ? '-9223372036854775807l - 1' : value > 1n << 63n ? `${value}ul` : `${value}l`;
  const args = Object.values(variables).map(([, value]) => constant(value));
  const text = `static void claims(${parameters.join(', ')}) {\n${lines.join('\n')}\n}\nint main(void) { claims(${args.join(', ')}); return 0; }\n`;
  return { text, firstLine: 2 };
}
