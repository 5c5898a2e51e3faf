/**
 * The limits of a small device: `--budget stack=64K,heap=1M,allocations=10000,depth=200`.
 *
 * This module imports nothing, so that the table of options can use it.
 */

/** The order is that of `enum budget` in `runtime/monitor/report.h`. */
export const resources = ['stack', 'heap', 'allocations', 'depth'] as const;

export type Resource = (typeof resources)[number];

/** Bytes of stack and heap, calls of malloc, nested calls. */
export type Budget = { readonly [Name in Resource]?: number };

/** The largest use of each resource in a run. */
export interface HighWater {
  /** From the top of the stack to the lowest local variable in memory. */
  readonly stackBytes: number;
  /** Bytes in live blocks of the program. */
  readonly heapBytes: number;
  /**
   * Nested calls, including those inside the C library. The budget is checked at the entry of
   * the program's functions.
   */
  readonly depth: number;
}

const units: Readonly<Record<string, number>> = { '': 1, k: 2 ** 10, m: 2 ** 20, g: 2 ** 30 };

/** Undefined if the text is not a budget. */
export function readBudget(text: string): Budget | undefined {
  const budget: { [Name in Resource]?: number } = {};
  for (const part of text.split(',')) {
    const [, name, digits, unit = ''] = /^(\w+)=(\d+)(?:([kmg])i?b?)?$/i.exec(part.trim()) ?? [];
    const resource = resources.find(each => each === name);
    if (resource === undefined || budget[resource] !== undefined) return undefined;
    const isBytes = resource === 'stack' || resource === 'heap';
    if (unit !== '' && !isBytes) return undefined;
    budget[resource] = Number(digits) * units[unit.toLowerCase()]!;
  }
  return budget;
}
