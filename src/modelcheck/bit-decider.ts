/**
 * CaDiCaL as a decider: bounded integers as bits.
 *
 * A variable with domain min..max is the binary number `value - min`. Inside a formula every
 * integer has the interval of its possible values, and is computed in two's complement with just
 * enough bits for it, so nothing overflows.
 */
import type { CadicalModule } from 'cadical-wasm';
import {
  addBits,
  allOf,
  anyOf,
  type Bits,
  iteBits,
  mulBits,
  sltBits,
  subBits,
} from '../solver/bit-vector-circuits.js';
import { Circuit, FALSE, type Lit, negate, TRUE } from '../solver/circuit.js';
import { Deadline } from '../solver/limits.js';
import { SatInstance } from '../solver/sat-instance.js';
import { assert, unreachable } from '../support/assert.js';
import type { Answer, Decider, Literal } from './decider.js';
import type { BoolExpr, Expr, IntExpr, Variable } from './expression.js';
import { type State, type System, transitionFormula } from './system.js';

/** An integer in two's complement, and the interval of its values. */
interface Number_ {
  readonly bits: Bits;
  readonly min: number;
  readonly max: number;
}

interface StateBits {
  readonly bits: ReadonlyMap<Variable, Bits>;
  readonly values: Map<Expr, Lit | Number_>;
}

export class BitDecider implements Decider {
  readonly name = 'CaDiCaL';
  readonly #system: System;
  readonly #circuit = new Circuit();
  readonly #sat: SatInstance;
  readonly #states: StateBits[] = [];
  /**
   * Assumed in every query. It is not asserted once for all, because the instance counts variables
   * that no query mentions as idle.
   */
  readonly #assumed: Lit[] = [];
  queries = 0;

  constructor(module: CadicalModule, system: System, hasStep: boolean) {
    this.#system = system;
    this.#sat = new SatInstance(module, this.#circuit);
    if (hasStep) this.assume(transitionFormula(system), 0);
  }

  literal(formula: BoolExpr, step: number): Literal {
    return this.#bool(formula, step);
  }

  negate(literal: Literal): Literal {
    return negate(literal);
  }

  assume(formula: BoolExpr, step: number): void {
    this.#assumed.push(this.#bool(formula, step));
  }

  check(literals: readonly Literal[], milliseconds: number): Answer {
    this.queries++;
    const wanted = [...new Set([...this.#assumed, ...literals])].filter(literal => literal !== TRUE);
    const given = new Set(wanted);
    const inCore = (...all: readonly Lit[]): Answer => {
      const named = new Set(all);
      return { kind: 'unsat', core: literals.filter(literal => named.has(literal)) };
    };
    if (given.has(FALSE)) return inCore(FALSE);
    for (const literal of wanted) if (given.has(negate(literal))) return inCore(literal, negate(literal));
    const deadline = new Deadline(Number.isFinite(milliseconds) ? Math.max(1, milliseconds) : 0);
    const verdict = this.#sat.solve(wanted, 0, deadline);
    if (verdict === 'sat') return { kind: 'sat' };
    if (verdict === 'unsat') return inCore(...wanted.filter(literal => this.#sat.isFailed(literal)));
    return { kind: 'unknown', reason: 'the time limit was reached' };
  }

  state(step: number): State {
    const { bits } = this.#stateAt(step);
    return this.#system.variables.map(variable => {
      let value = 0;
      for (const [i, bit] of bits.get(variable)!.entries()) if (this.#sat.value(bit)) value += 2 ** i;
      return value + minOf(variable);
    });
  }

  close(): void {
    this.#sat.dispose();
  }

  #stateAt(step: number): StateBits {
    while (this.#states.length <= step) {
      const bits = new Map(
        this.#system.variables.map(variable => {
          const span = maxOf(variable) - minOf(variable);
          const own = Array.from({ length: widthOf(span) }, () => this.#circuit.input());
          this.#keepBelow(own, span);
          return [variable, own as Bits];
        }),
      );
      this.#states.push({ bits, values: new Map() });
    }
    return this.#states[step]!;
  }

  /** Not every pattern of bits is a value: asserted once for all. */
  #keepBelow(bits: Bits, span: number): void {
    // For every zero bit of the bound: if the higher bits reach the bound's, this one is zero.
    const higher: Lit[] = [];
    for (let i = bits.length - 1; i >= 0; i--) {
      if (Math.floor(span / 2 ** i) % 2 === 1) higher.push(negate(bits[i]!));
      else this.#sat.addLemma([...higher, negate(bits[i]!)]);
    }
  }

  #bool(expr: BoolExpr, step: number): Lit {
    const { values } = this.#stateAt(step);
    const known = values.get(expr);
    if (typeof known === 'number') return known;
    const made = this.#makeBool(expr, step);
    values.set(expr, made);
    return made;
  }

  #int(expr: IntExpr, step: number): Number_ {
    const { values } = this.#stateAt(step);
    const known = values.get(expr);
    if (known !== undefined && typeof known !== 'number') return known;
    const made = this.#makeInt(expr, step);
    values.set(expr, made);
    return made;
  }

  #makeBool(expr: BoolExpr, step: number): Lit {
    const g = this.#circuit;
    const bool = (part: BoolExpr): Lit => this.#bool(part, step);
    switch (expr.kind) {
      case 'bool':
        return expr.value ? TRUE : FALSE;
      case 'var':
        return this.#variable(expr.variable, expr.next ? step + 1 : step)[0]!;
      case 'not':
        return negate(bool(expr.a));
      case 'and':
        return allOf(g, expr.parts.map(bool));
      case 'or':
        return anyOf(g, expr.parts.map(bool));
      case 'implies':
        return g.or(negate(bool(expr.a)), bool(expr.b));
      case 'iff':
        return negate(g.xor(bool(expr.a), bool(expr.b)));
      case 'choose':
        return g.ite(bool(expr.condition), bool(expr.yes), bool(expr.no));
      case 'eq': {
        const [a, b] = this.#aligned(this.#int(expr.a, step), this.#int(expr.b, step));
        return allOf(
          g,
          a.map((bit, i) => negate(g.xor(bit, b[i]!))),
        );
      }
      case 'le': {
        const [x, y] = [this.#int(expr.a, step), this.#int(expr.b, step)];
        if (x.max <= y.min) return TRUE;
        if (x.min > y.max) return FALSE;
        const [a, b] = this.#aligned(x, y);
        return negate(sltBits(g, b, a));
      }
      default:
        return unreachable(expr);
    }
  }

  #makeInt(expr: IntExpr, step: number): Number_ {
    const g = this.#circuit;
    const int = (part: IntExpr): Number_ => this.#int(part, step);
    switch (expr.kind) {
      case 'int':
        return constant(expr.value);
      case 'var': {
        const { variable } = expr;
        const raw = this.#variable(variable, expr.next ? step + 1 : step);
        const span = maxOf(variable) - minOf(variable);
        return this.#add({ bits: [...raw, FALSE], min: 0, max: span }, constant(minOf(variable)));
      }
      case 'sum':
        return expr.parts.map(int).reduce((a, b) => this.#add(a, b));
      case 'scale': {
        const a = int(expr.a);
        const ends = [a.min * expr.factor, a.max * expr.factor];
        const range = { min: Math.min(...ends), max: Math.max(...ends) };
        const width = signedWidth(range);
        return { bits: mulBits(g, extend(a.bits, width), constantBits(expr.factor, width)), ...range };
      }
      case 'ite': {
        const [yes, no] = [int(expr.yes), int(expr.no)];
        const [a, b] = this.#aligned(yes, no);
        const condition = this.#bool(expr.condition, step);
        return {
          bits: iteBits(g, condition, a, b),
          min: Math.min(yes.min, no.min),
          max: Math.max(yes.max, no.max),
        };
      }
      case 'div':
        return this.#divide(int(expr.a), expr.divisor).quotient;
      case 'mod':
        return this.#divide(int(expr.a), expr.divisor).rest;
      case 'count':
        throw new RangeError('a number of threads is decided after composition only');
    }
  }

  /** Long division by a constant, of the distance from a multiple of it below the least value. */
  #divide(a: Number_, divisor: number): { readonly quotient: Number_; readonly rest: Number_ } {
    const g = this.#circuit;
    const base = Math.floor(a.min / divisor);
    const shifted = this.#add(a, constant(-base * divisor));
    const width = signedWidth({ min: -divisor, max: 2 * divisor });
    let rest: Bits = constantBits(0, width);
    const quotient: Lit[] = [];
    for (let i = shifted.bits.length - 1; i >= 0; i--) {
      const next = [shifted.bits[i]!, ...rest.slice(0, -1)];
      const less = subBits(g, next, constantBits(divisor, width));
      const fits = negate(less.at(-1)!);
      rest = iteBits(g, fits, less, next);
      quotient.unshift(fits);
    }
    const max = Math.floor(a.max / divisor);
    return {
      quotient: this.#add({ bits: [...quotient, FALSE], min: 0, max: max - base }, constant(base)),
      rest: { bits: rest, min: 0, max: divisor - 1 },
    };
  }

  #add(a: Number_, b: Number_): Number_ {
    const range = { min: a.min + b.min, max: a.max + b.max };
    const width = signedWidth(range);
    return { bits: addBits(this.#circuit, extend(a.bits, width), extend(b.bits, width)), ...range };
  }

  #aligned(a: Number_, b: Number_): [Bits, Bits] {
    const width = Math.max(signedWidth(a), signedWidth(b));
    return [extend(a.bits, width), extend(b.bits, width)];
  }

  #variable(variable: Variable, step: number): Bits {
    const bits = this.#stateAt(step).bits.get(variable);
    assert(bits !== undefined, `${variable.name} is not a variable of ${this.#system.name}`);
    return bits;
  }
}

function minOf({ domain }: Variable): number {
  return domain.kind === 'bool' ? 0 : (domain.min ?? 0);
}

function maxOf({ domain }: Variable): number {
  return domain.kind === 'bool' ? 1 : (domain.max ?? 0);
}

/** Bits of an unsigned number up to `span`; a constant has none, a boolean always one. */
function widthOf(span: number): number {
  return span === 0 ? 0 : Math.floor(Math.log2(span)) + 1;
}

/** Bits of two's complement, sign included, for every value of a range. */
function signedWidth({ min, max }: { readonly min: number; readonly max: number }): number {
  return 1 + Math.max(widthOf(Math.max(0, max)), widthOf(Math.max(0, -min - 1)));
}

/** Sign-extended, or cut where the upper bits only repeat the sign. */
function extend(bits: Bits, width: number): Bits {
  const sign = bits.at(-1) ?? FALSE;
  return Array.from({ length: width }, (_, i) => bits[i] ?? sign);
}

function constantBits(value: number, width: number): Bits {
  return Array.from({ length: width }, (_, i) => (Math.floor(value / 2 ** i) % 2 !== 0 ? TRUE : FALSE));
}

function constant(value: number): Number_ {
  const range = { min: value, max: value };
  return { bits: constantBits(value, signedWidth(range)), ...range };
}
