/** Round numbers for the ticks of an axis. */

/** Multiples of 1, 2 or 5 times a power of ten, about `wanted` of them, from 0 to `most`. */
export function decimalTicks(most: number, wanted: number): number[] {
  return multiples(most, stepOf(most / wanted, 10, [1, 2, 5, 10]));
}

/** Multiples of a power of two. */
export function binaryTicks(most: number, wanted: number): number[] {
  return multiples(most, stepOf(most / wanted, 2, [1, 2]));
}

/** The smallest round number that is at least `least` and 1. */
function stepOf(least: number, base: number, factors: readonly number[]): number {
  if (!(least > 1)) return 1;
  const power = base ** Math.floor(Math.log(least) / Math.log(base) + 1e-9);
  return power * (factors.find(factor => factor * power >= least * (1 - 1e-9)) ?? base);
}

function multiples(most: number, step: number): number[] {
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, i) => i * step);
}

/** 1234567 as "1.2 M", 20480 as "20 k": for ticks. */
export function inShort(value: number): string {
  const units = ['', ' k', ' M', ' G'];
  let rest = value;
  let unit = 0;
  while (rest >= 1000 && unit < units.length - 1) {
    rest /= 1000;
    unit++;
  }
  return `${Number(rest.toFixed(rest < 10 && unit > 0 ? 1 : 0))}${units[unit]}`;
}
