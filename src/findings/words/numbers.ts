/** Numbers with their units. */

export function plural(count: number, unit: string): string {
  if (count > Number.MAX_SAFE_INTEGER) return `nearly 2^64 ${unit}s (a negative number)`;
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
