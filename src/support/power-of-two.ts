/** For every number up to 2^53; bitwise operators see only 32 bits. */
export function isPowerOfTwo(value: number): boolean {
  if (value > 0 && value <= 2 ** 30) return (value & (value - 1)) === 0 && Number.isInteger(value);
  return Number.isSafeInteger(value) && value > 0 && isPowerOfTwo(value / 2 ** 30);
}
