/**
 * The layout of a state in words: each variable is a bit field, placed first fit, and no field
 * crosses a word.
 *
 *     word 0   | pc[1] 2 | pc[2] 2 | old 2 | new 2 | ht[1].entries 16 | ...
 *
 * A field holds `value - min`. An unbounded variable gets 16 bits, and 32 once a value does not
 * fit.
 */
import type { Variable } from '../expression.js';

export interface PackedField {
  readonly word: number;
  readonly shift: number;
  readonly bits: number;
  readonly min: number;
  readonly max: number;
}

export interface Layout {
  readonly fields: readonly PackedField[];
  readonly words: number;
}

export function layOut(variables: readonly Variable[], openBits: 16 | 32): Layout {
  const used: number[] = [];
  const fields = variables.map(({ domain }): PackedField => {
    const { min, max } = rangeOf(domain, openBits);
    const bits = bitsFor(max - min);
    let word = used.findIndex(taken => taken + bits <= 32);
    if (word < 0) word = used.push(0) - 1;
    const shift = used[word]!;
    used[word] = shift + bits;
    return { word, shift, bits, min, max };
  });
  return { fields, words: Math.max(1, used.length) };
}

function rangeOf(domain: Variable['domain'], openBits: 16 | 32): { min: number; max: number } {
  if (domain.kind === 'bool') return { min: 0, max: 1 };
  const span = 2 ** openBits - 1;
  const min = domain.min ?? (domain.max === undefined ? -(2 ** (openBits - 1)) : domain.max - span);
  return { min, max: domain.max ?? Math.min(min + span, 2 ** 31 - 1) };
}

function bitsFor(span: number): number {
  return span === 0 ? 0 : 32 - Math.clz32(span >>> 0);
}
