/** Amounts that a program has computed, with their units. */
import { plural } from '../../support/plural.js';

export function amount(count: number, unit: string): string {
  return count > Number.MAX_SAFE_INTEGER ? `nearly 2^64 ${unit}s (a negative number)` : plural(count, unit);
}
