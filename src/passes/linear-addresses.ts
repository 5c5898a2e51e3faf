/**
 * Addresses as sums: `a[i + 1]` is `a + 4 * i + 4`. Addresses with the same terms have a constant
 * distance, whatever the values of the terms are.
 *
 * Extensions are followed as if no sum wrapped around, which holds for the addresses of
 * `induction.ts`; for others, a distance is only what is expected.
 */
import { integerConstant, signedValue } from '../ir/constants.js';
import type { DataLayout } from '../ir/data-layout.js';
import type { Value } from '../ir/model.js';
import { i64 } from '../ir/types.js';
import { arithmeticOf } from './induction.js';
import type { ValueNumbers } from './value-numbers.js';

interface Summand {
  readonly value: Value;
  readonly factor: bigint;
}

export class LinearAddress {
  /** The factors of terms, by their value numbers. */
  readonly #factors = new Map<number, bigint>();
  #constant = 0n;

  constructor(
    address: Value,
    private readonly layout: DataLayout,
    private readonly numbers: ValueNumbers,
  ) {
    this.#add(address, 1n);
  }

  factorOf(term: Value): bigint {
    return this.#factors.get(this.numbers.numberOf(term)) ?? 0n;
  }

  /** How many bytes it is behind the other one; undefined if that is not constant. */
  distanceFrom(other: LinearAddress): bigint | undefined {
    const terms = new Set([...this.#factors.keys(), ...other.#factors.keys()]);
    const isParallel = [...terms].every(
      term => (this.#factors.get(term) ?? 0n) === (other.#factors.get(term) ?? 0n),
    );
    return isParallel ? this.#constant - other.#constant : undefined;
  }

  #add(value: Value, factor: bigint): void {
    if (value.kind === 'integer') {
      this.#constant += factor * signedValue(value);
      return;
    }
    const summands = this.#summandsOf(value);
    for (const summand of summands ?? []) this.#add(summand.value, factor * summand.factor);
    if (summands !== undefined) return;
    const number = this.numbers.numberOf(value);
    this.#factors.set(number, (this.#factors.get(number) ?? 0n) + factor);
  }

  /** Undefined for a value that is a term of its own. */
  #summandsOf(value: Value): Summand[] | undefined {
    if (value.kind !== 'instruction') return undefined;
    if (value.op === 'sext' || value.op === 'zext') return [{ value: value.operand, factor: 1n }];
    if (value.op === 'getelementptr') {
      const { constantBytes, scaled } = this.layout.gepSteps(value.sourceType, value.indices);
      return [
        { value: value.base, factor: 1n },
        { value: integerConstant(i64, 1n), factor: constantBytes },
        ...scaled.map(({ index, strideBytes }) => ({ value: index, factor: BigInt(strideBytes) })),
      ];
    }
    const sum = arithmeticOf(value);
    if (sum === undefined) return undefined;
    const { op, left, right } = sum;
    if (op !== 'mul')
      return [
        { value: left, factor: 1n },
        { value: right, factor: op === 'add' ? 1n : -1n },
      ];
    return right.kind === 'integer' ? [{ value: left, factor: signedValue(right) }] : undefined;
  }
}
