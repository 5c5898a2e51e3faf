/**
 * The deciding layer: bit-blasting and CaDiCaL.
 *
 * Constraints become literals, the literals are assumed. A model is read back for the leaves of the
 * constraints and then *evaluated*: a model that does not satisfy every constraint is either due to
 * an open read (a large array at a symbolic index, see `bit-blast.ts`), which leads to lemmas and
 * another round, or an internal error.
 */
import type { CadicalModule } from 'cadical-wasm';
import { baseOf, Op, type SymbolicArray, type Term } from '../expr/term.js';
import type { Terms } from '../expr/terms.js';
import { type BitVectorValue, toValue } from '../expr/value.js';
import { forEachTerm } from '../expr/walk.js';
import { assert } from '../support/assert.js';
import { BitBlaster, type Bits, type OpenRead } from './bit-blast.js';
import { eqBits } from './bit-vector-circuits.js';
import { FALSE, type Lit, negate, TRUE } from './circuit.js';
import type { Layer, Query } from './layer.js';
import { Model, type Outcome, unknown } from './query-outcome.js';
import { SatInstance } from './sat-instance.js';
import type { Supports } from './support-set.js';

export class SatLayer implements Layer {
  readonly #blaster: BitBlaster;
  readonly #instance: SatInstance;
  readonly #supports: Supports;

  constructor(
    module: CadicalModule,
    t: Terms,
    supports: Supports,
    readonly onAnswer: () => void,
  ) {
    this.#blaster = new BitBlaster(t);
    this.#instance = new SatInstance(module, this.#blaster.circuit);
    this.#supports = supports;
  }

  check(query: Query): Outcome {
    const { constraints, limits, deadline } = query;
    const roots: Lit[] = [];
    for (const constraint of constraints) {
      const blasted = this.#blaster.blast(constraint, deadline);
      if (blasted.kind === 'stopped') return unknown(blasted.reason);
      const root = blasted.bits[0]!;
      if (root === FALSE) {
        this.onAnswer();
        return { kind: 'unsat', core: [constraint] };
      }
      roots.push(root);
    }
    const assumed = roots.filter(root => root !== TRUE);
    for (;;) {
      const verdict = this.#instance.solve(assumed, limits.conflicts, deadline);
      if (verdict === 'unknown') return unknown(deadline.passed() ? 'time limit' : 'conflict limit');
      if (verdict === 'unsat') {
        this.onAnswer();
        return {
          kind: 'unsat',
          core: constraints.filter((_, i) => roots[i] !== TRUE && this.#instance.isFailed(roots[i]!)),
        };
      }
      const openReads = this.#openReadsOf(constraints);
      const model = this.#model(constraints, openReads);
      if (model.satisfiesAll(constraints)) {
        this.onAnswer();
        return { kind: 'sat', model };
      }
      assert(this.#refine(openReads, model), 'a model of the clauses does not satisfy the constraints');
    }
  }

  get statistics(): { readonly gates: number; readonly variables: number; readonly instances: number } {
    const { variables, instances } = this.#instance;
    return { gates: this.#blaster.circuit.gateCount, variables, instances };
  }

  dispose(): void {
    this.#instance.dispose();
  }

  #openReadsOf(constraints: readonly Term[]): OpenRead[] {
    if (this.#blaster.openReads.size === 0) return [];
    const found = new Set<OpenRead>();
    forEachTerm(constraints, term => {
      if (term.op !== Op.Read) return;
      const read = this.#blaster.openReads.get(`${baseOf(term.array!).id}[${term.a.id}]`);
      if (read !== undefined) found.add(read);
    });
    return [...found];
  }

  #model(constraints: readonly Term[], openReads: readonly OpenRead[]): Model {
    const variables = new Map<string, BitVectorValue>();
    const bytes = new Map<SymbolicArray, Map<number, number>>();
    const bytesOf = (base: SymbolicArray): Map<number, number> => {
      let ofBase = bytes.get(base);
      if (ofBase === undefined) {
        ofBase = new Map();
        bytes.set(base, ofBase);
      }
      return ofBase;
    };
    for (const constraint of constraints) {
      const { leaves, arrays } = this.#supports.of(constraint);
      for (const leaf of leaves) {
        if (leaf.op === Op.Var) variables.set(leaf.name, this.#number(this.#blaster.bitsOf(leaf)));
        else if (leaf.array?.kind === 'symbolic') {
          const index = Number(leaf.a.value);
          bytesOf(leaf.array).set(index, this.#byte(this.#blaster.byteOf(leaf.array, index)));
        }
      }
      for (const base of arrays) {
        for (const [index, bits] of this.#blaster.knownBytes(base)) {
          if (this.#isSpokenOf(bits)) bytesOf(base).set(index, this.#byte(bits));
        }
      }
    }
    for (const { base, indexBits, byte } of openReads) {
      const index = Number(this.#number(indexBits));
      if (index < base.byteLength && !bytesOf(base).has(index)) bytesOf(base).set(index, this.#byte(byte));
    }
    const arrays = new Map([...bytes].map(([base, ofBase]) => [base.name, toBytes(ofBase)]));
    return new Model({ variables, arrays });
  }

  /**
   * Adds lemmas against the open reads that the model contradicts; false if there are none. A read
   * that differs from a cell the query knows by a constant index gets `index = i → byte = cell i`;
   * two reads that differ at one index get `index = other index → byte = other byte`. Both kinds
   * are finite in number, so refinement ends.
   */
  #refine(openReads: readonly OpenRead[], model: Model): boolean {
    const lemmas: { elsewhere: Lit; byte: Bits; other: Bits }[] = [];
    const firstAt = new Map<string, OpenRead>();
    for (const read of openReads) {
      const { base, indexBits, byte } = read;
      const index = Number(this.#number(indexBits));
      if (index >= base.byteLength) continue;
      const key = `${base.id}[${index}]`;
      const first = firstAt.get(key) ?? read;
      firstAt.set(key, first);
      if (model.assignment.arrays.get(base.name)?.[index] === this.#byte(byte)) continue;
      const cell = this.#blaster.knownBytes(base).get(index);
      const [otherIndex, other] =
        cell !== undefined && this.#isSpokenOf(cell)
          ? [constantBits(indexBits.length, index), cell]
          : [first.indexBits, first.byte];
      lemmas.push({ elsewhere: negate(eqBits(this.#blaster.circuit, indexBits, otherIndex)), byte, other });
    }
    // A lemma changes the instance and its values, so all are found before the first is added.
    for (const { elsewhere, byte, other } of lemmas) {
      for (const [i, bit] of byte.entries()) {
        this.#instance.addLemma([elsewhere, negate(bit), other[i]!].filter(lit => lit !== FALSE));
        this.#instance.addLemma([elsewhere, bit, negate(other[i]!)].filter(lit => lit !== FALSE));
      }
    }
    return lemmas.length > 0;
  }

  /** Whether the clauses contain any of the bits: a comparison may omit the low ones. */
  #isSpokenOf(bits: Bits): boolean {
    return bits.some(bit => this.#instance.value(bit) !== undefined);
  }

  #byte(bits: Bits): number {
    return Number(this.#number(bits));
  }

  #number(bits: Bits): BitVectorValue {
    if (bits.length <= 32) {
      let small = 0;
      for (let i = bits.length - 1; i >= 0; i--) small = 2 * small + (this.#isOne(bits[i]!) ? 1 : 0);
      return small;
    }
    let value = 0n;
    for (let i = bits.length - 1; i >= 0; i--) value = (value << 1n) | (this.#isOne(bits[i]!) ? 1n : 0n);
    return toValue(bits.length, value);
  }

  #isOne(bit: Lit): boolean {
    return bit === TRUE || (bit !== FALSE && this.#instance.value(bit) === true);
  }
}

function constantBits(width: number, value: number): Bits {
  return Array.from({ length: width }, (_, i) => (Math.floor(value / 2 ** i) % 2 === 1 ? TRUE : FALSE));
}

function toBytes(byIndex: ReadonlyMap<number, number>): Uint8Array {
  let length = 0;
  for (const index of byIndex.keys()) length = Math.max(length, index + 1);
  const bytes = new Uint8Array(length);
  for (const [index, byte] of byIndex) bytes[index] = byte;
  return bytes;
}
