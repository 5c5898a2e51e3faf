/**
 * A circuit of gates with structural hashing, between terms and clauses.
 *
 *     literal = gate << 1 | negated          gate 0 is the constant: literal 0 is false, literal 1 is true
 *
 *     kind    operands      meaning                  clauses
 *     Input   –             a free bit               0
 *     And     a b           a ∧ b                    3
 *     Xor     a b           a ⊕ b                    4
 *     Ite     a b c         a ? b : c                4 (+ 2 that follow and help propagation)
 *     Maj     a b c         at least two of them     6
 *
 * Xor, Ite and Maj are gates of their own because adders, multiplexers and comparators consist of
 * them: as And gates they would need three times the variables. A gate requested twice is the same
 * gate, so the adder of `x + y` at 32 bits is the lower half of that at 64 bits.
 *
 * `define` gives inputs a meaning by clauses that determine them completely, where gates would be
 * larger (a large table, see `bit-blast.ts`). A query that uses such an input must load its clauses
 * too.
 *
 * **Invariants.** Operands of a gate have smaller numbers than the gate. Operands are normalised:
 * And is sorted and Xor has no negated operand, Ite no negated selector or first arm, Maj at most
 * one negated operand. The circuit only grows; it holds no assertions, so it is valid for every
 * query of a run.
 */
export type Lit = number;

export const FALSE: Lit = 0;
export const TRUE: Lit = 1;

export enum Gate {
  Input,
  And,
  Xor,
  Ite,
  Maj,
}

export function negate(lit: Lit): Lit {
  return lit ^ 1;
}

/** Clauses that give inputs their meaning; without constant literals. */
export interface Definition {
  readonly clauses: readonly (readonly Lit[])[];
}

export class Circuit {
  kind: Uint8Array = new Uint8Array(1024);
  /** Operands of gate g at 3g, 3g + 1, 3g + 2. */
  operands: Int32Array = new Int32Array(3 * 1024);
  gateCount = 1;

  readonly #definitionOf = new Map<number, Definition>();

  #table = new Int32Array(4096);
  #tableMask = 4095;

  input(): Lit {
    return this.#newGate(Gate.Input, 0, 0, 0) << 1;
  }

  /**
   * Requires clauses that, for all values of the other gates, hold for exactly one value of the
   * inputs.
   */
  define(inputs: readonly Lit[], clauses: readonly (readonly Lit[])[]): void {
    const definition: Definition = {
      clauses: clauses.filter(clause => !clause.includes(TRUE)).map(withoutFalse),
    };
    for (const input of inputs) this.#definitionOf.set(input >> 1, definition);
  }

  definitionOf(gate: number): Definition | undefined {
    return this.#definitionOf.get(gate);
  }

  and(a: Lit, b: Lit): Lit {
    if (a > b) return this.and(b, a);
    if (a === FALSE || a === negate(b)) return FALSE;
    if (a === TRUE || a === b) return b;
    return this.#gate(Gate.And, a, b, 0);
  }

  or(a: Lit, b: Lit): Lit {
    return negate(this.and(negate(a), negate(b)));
  }

  xor(a: Lit, b: Lit): Lit {
    const sign = (a ^ b) & 1;
    const x = a & ~1;
    const y = b & ~1;
    if (x === y) return sign;
    if (x === 0) return y ^ sign;
    if (y === 0) return x ^ sign;
    return this.#gate(Gate.Xor, Math.min(x, y), Math.max(x, y), 0) ^ sign;
  }

  ite(condition: Lit, yes: Lit, no: Lit): Lit {
    if (condition <= 1) return condition === TRUE ? yes : no;
    if (yes === no) return yes;
    if (condition & 1) return this.ite(negate(condition), no, yes);
    if (yes === negate(no)) return this.xor(condition, no);
    if (yes === TRUE || yes === condition) return this.or(condition, no);
    if (yes === FALSE || yes === negate(condition)) return this.and(negate(condition), no);
    if (no === TRUE || no === negate(condition)) return this.or(negate(condition), yes);
    if (no === FALSE || no === condition) return this.and(condition, yes);
    const sign = yes & 1;
    return this.#gate(Gate.Ite, condition, yes ^ sign, no ^ sign) ^ sign;
  }

  /** At least two of three: the carry of an adder. */
  maj(a: Lit, b: Lit, c: Lit): Lit {
    if (a > b) return this.maj(b, a, c);
    if (b > c) return this.maj(a, c, b);
    if (a === b) return a;
    if (b === c) return b;
    if (a === negate(b)) return c;
    if (b === negate(c)) return a;
    if (a === FALSE) return this.and(b, c);
    if (a === TRUE) return this.or(b, c);
    // maj(~a, ~b, ~c) = ~maj(a, b, c)
    const sign = (a & 1) + (b & 1) + (c & 1) >= 2 ? 1 : 0;
    return this.#gate(Gate.Maj, a ^ sign, b ^ sign, c ^ sign) ^ sign;
  }

  #gate(kind: Gate, a: Lit, b: Lit, c: Lit): Lit {
    const { operands } = this;
    let slot = hash(kind, a, b, c) & this.#tableMask;
    for (;;) {
      const gate = this.#table[slot]!;
      if (gate === 0) break;
      const at = 3 * gate;
      if (
        this.kind[gate] === kind &&
        operands[at] === a &&
        operands[at + 1] === b &&
        operands[at + 2] === c
      ) {
        return gate << 1;
      }
      slot = (slot + 1) & this.#tableMask;
    }
    const gate = this.#newGate(kind, a, b, c);
    this.#table[slot] = gate;
    if (2 * gate > this.#tableMask) this.#rehash();
    return gate << 1;
  }

  #newGate(kind: Gate, a: Lit, b: Lit, c: Lit): number {
    const gate = this.gateCount++;
    if (gate === this.kind.length) {
      const kinds = new Uint8Array(2 * gate);
      kinds.set(this.kind);
      this.kind = kinds;
      const operands = new Int32Array(6 * gate);
      operands.set(this.operands);
      this.operands = operands;
    }
    this.kind[gate] = kind;
    this.operands[3 * gate] = a;
    this.operands[3 * gate + 1] = b;
    this.operands[3 * gate + 2] = c;
    return gate;
  }

  #rehash(): void {
    const table = new Int32Array(2 * this.#table.length);
    const mask = table.length - 1;
    for (let gate = 1; gate < this.gateCount; gate++) {
      if (this.kind[gate] === Gate.Input) continue;
      const at = 3 * gate;
      let slot =
        hash(this.kind[gate]!, this.operands[at]!, this.operands[at + 1]!, this.operands[at + 2]!) & mask;
      while (table[slot] !== 0) slot = (slot + 1) & mask;
      table[slot] = gate;
    }
    this.#table = table;
    this.#tableMask = mask;
  }
}

function withoutFalse(clause: readonly Lit[]): readonly Lit[] {
  return clause.includes(FALSE) ? clause.filter(lit => lit !== FALSE) : clause;
}

function hash(kind: number, a: number, b: number, c: number): number {
  let h = Math.imul(a, 0x9e3779b1) ^ Math.imul(b + kind, 0x85ebca6b) ^ Math.imul(c, 0xc2b2ae35);
  h ^= h >>> 15;
  return Math.imul(h, 0x2c1b3c6d) ^ (h >>> 12);
}
