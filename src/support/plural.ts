/** Counts in English, for messages. */

/** `1 step`, `2 steps`. */
export function plural(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/** The same as `toLocaleString`, whose first call takes as long as exploring a small program. */
export function inThousands(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** `1 path`, `12,345 paths`. */
export function pluralInThousands(count: number, unit: string): string {
  return `${inThousands(count)} ${unit}${count === 1 ? '' : 's'}`;
}
