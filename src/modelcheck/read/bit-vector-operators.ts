/**
 * Bit-vectors of model files: integers from 0 to 2^w - 1, and arithmetic modulo 2^w.
 *
 *     bvadd x y        (x + y) mod 2^w                   bvslt x y       of the signed values: x - 2^w if its highest bit is set
 *     extract i j x    (x div 2^j) mod 2^(i - j + 1)     bvand x y       the sum of 2^i over the bits that both have
 *
 * So every engine supports them, including the explicit one and the solver on bits, without a case
 * of its own. Widths are stored beside the terms, which have none.
 *
 * **Invariant:** a term of width w has a value from 0 to 2^w - 1.
 */
import {
  and,
  type BoolExpr,
  type Domain,
  div,
  type Expr,
  eq,
  ge,
  type IntExpr,
  int,
  ite,
  le,
  lt,
  mod,
  not,
  or,
  scale,
  sub,
  sum,
  type Variable,
} from '../expression.js';
import { type Position, Problem } from './problem.js';
import type { Node } from './s-expressions.js';

/** States are kept in 32-bit words, and sums of two values must fit. */
const MOST_BITS = 30;

/** Products of two terms are exact in doubles up to this width. */
const MOST_FACTOR_BITS = 26;

export class BitVectors {
  readonly #widths = new WeakMap<Expr, number>();
  readonly #ofVariables = new WeakMap<Variable, number>();

  /** `(_ BitVec 8)`; undefined for anything else. */
  domainOf(node: Node): { readonly domain: Domain; readonly width: number } | undefined {
    if (node.kind !== 'list' || !isWord(node.items[0], '_') || !isWord(node.items[1], 'BitVec'))
      return undefined;
    const width = naturalIn(node.items[2], node);
    if (width < 1 || width > MOST_BITS)
      throw new Problem(`a bit-vector has from 1 to ${MOST_BITS} bits here`, node.at);
    return { domain: { kind: 'int', min: 0, max: 2 ** width - 1 }, width };
  }

  declare(variable: Variable, width: number): void {
    this.#ofVariables.set(variable, width);
  }

  /** Undefined for a term that is not a bit-vector. */
  widthOf(expr: Expr): number | undefined {
    return expr.kind === 'var' ? this.#ofVariables.get(expr.variable) : this.#widths.get(expr);
  }

  /** `#b0101`, `#x5a`; undefined for other words. */
  literal(text: string, at: Position): IntExpr | undefined {
    const match = /^#(?:b([01]+)|x([0-9a-fA-F]+))$/.exec(text);
    if (match === null) return undefined;
    const width = match[1]?.length ?? 4 * match[2]!.length;
    if (width > MOST_BITS) throw new Problem(`a bit-vector has from 1 to ${MOST_BITS} bits here`, at);
    return this.#made(int(Number.parseInt(match[1] ?? match[2]!, match[1] === undefined ? 16 : 2)), width);
  }

  /** `(_ bv5 8)`. */
  constant(name: string, indices: readonly number[], at: Position): IntExpr {
    const value = /^bv(\d{1,10})$/.exec(name)?.[1];
    const [width = 0] = indices;
    if (value === undefined || Number(value) >= 2 ** width)
      throw new Problem(`(_ ${name} ${indices.join(' ')}) is not a constant`, at);
    return this.#checked(int(Number(value)), width, at);
  }

  /** A term keeps its width through a choice. Fails if the two differ. */
  sameWidth(a: Expr, b: Expr, at: Position): number | undefined {
    const [x, y] = [this.widthOf(a), this.widthOf(b)];
    if (x !== y) throw new Problem(`${shown(x)} and ${shown(y)} do not go together`, at);
    return x;
  }

  /** Marks a result, made of terms of a width, as one of that width. */
  withWidth(expr: Expr, width: number | undefined): Expr {
    return width === undefined || expr.kind === 'var' ? expr : this.#made(expr as IntExpr, width);
  }

  /** `indices` are those of `(_ extract 3 0)`. Requires one of `BIT_OPERATORS`. */
  apply(operator: string, indices: readonly number[], operands: readonly IntExpr[], at: Position): Expr {
    const widths = operands.map(operand => {
      const width = this.widthOf(operand);
      if (width === undefined) throw new Problem(`'${operator}' needs bit-vectors`, at);
      return width;
    });
    const unary = ['bvnot', 'bvneg', 'extract', 'zero_extend', 'sign_extend'].includes(operator);
    if (operands.length !== (unary ? 1 : 2))
      throw new Problem(
        `'${operator}' needs ${unary ? 1 : 2} operand${unary ? '' : 's'}, not ${operands.length}`,
        at,
      );
    const [x, y] = [operands[0]!, operands[1] ?? operands[0]!];
    const width = widths[0]!;
    if (operator !== 'concat') this.sameWidth(x, y, at);
    const comparison = COMPARISONS[operator];
    if (comparison !== undefined) {
      const isSigned = operator.startsWith('bvs');
      return isSigned ? comparison(signed(x, width), signed(y, width)) : comparison(x, y);
    }
    switch (operator) {
      case 'concat':
        return this.#checked(sum(scale(2 ** widths[1]!, x), y), width + widths[1]!, at);
      case 'extract': {
        const [high = 0, low = 0] = indices;
        if (high < low || high >= width)
          throw new Problem(`there are no bits ${high} to ${low} in ${shown(width)}`, at);
        return this.#made(mod(div(x, 2 ** low), 2 ** (high - low + 1)), high - low + 1);
      }
      case 'zero_extend':
        return this.#checked(x, width + (indices[0] ?? 0), at);
      case 'sign_extend': {
        const wider = width + (indices[0] ?? 0);
        return this.#checked(mod(signed(x, width), 2 ** wider), wider, at);
      }
      default:
        return this.#made(arithmetic(operator, x, y, width, at), width);
    }
  }

  #checked(expr: IntExpr, width: number, at: Position): IntExpr {
    if (width > MOST_BITS) throw new Problem(`a bit-vector has from 1 to ${MOST_BITS} bits here`, at);
    return this.#made(expr, width);
  }

  /** A separate node, because the same term may have another width elsewhere. */
  #made(expr: IntExpr, width: number): IntExpr {
    const node: IntExpr = expr.kind === 'var' ? { kind: 'sum', parts: [expr, int(0)] } : { ...expr };
    this.#widths.set(node, width);
    return node;
  }
}

const COMPARISONS: Readonly<Record<string, (a: IntExpr, b: IntExpr) => BoolExpr>> = {
  bvult: lt,
  bvule: le,
  bvugt: (a, b) => lt(b, a),
  bvuge: ge,
  bvslt: lt,
  bvsle: le,
  bvsgt: (a, b) => lt(b, a),
  bvsge: ge,
};

export const BIT_OPERATORS: readonly string[] = [
  ...Object.keys(COMPARISONS),
  ...['bvadd', 'bvsub', 'bvmul', 'bvneg', 'bvnot', 'bvand', 'bvor', 'bvxor', 'bvudiv', 'bvurem'],
  ...['bvshl', 'bvlshr', 'bvashr', 'concat', 'extract', 'zero_extend', 'sign_extend'],
];

function arithmetic(operator: string, x: IntExpr, y: IntExpr, width: number, at: Position): IntExpr {
  const modulus = 2 ** width;
  const constant = (): number => {
    if (y.kind !== 'int') throw new Problem(`the second operand of '${operator}' has to be a constant`, at);
    return y.value;
  };
  switch (operator) {
    case 'bvadd':
      return mod(sum(x, y), modulus);
    case 'bvsub':
      return mod(sub(x, y), modulus);
    case 'bvneg':
      return mod(scale(-1, x), modulus);
    case 'bvnot':
      return sub(modulus - 1, x);
    case 'bvmul':
      if (width > MOST_FACTOR_BITS)
        throw new Problem(`factors have at most ${MOST_FACTOR_BITS} bits here`, at);
      if (y.kind === 'int') return mod(scale(y.value, x), modulus);
      return mod(sum(...places(width).map(i => ite(bit(x, i), scale(2 ** i, y), 0))), modulus);
    case 'bvudiv':
    case 'bvurem': {
      const divisor = constant();
      if (divisor === 0) throw new Problem('the divisor is zero', at);
      return operator === 'bvudiv' ? div(x, divisor) : mod(x, divisor);
    }
    case 'bvshl':
      return constant() >= width ? int(0) : mod(scale(2 ** constant(), x), modulus);
    case 'bvlshr':
      return constant() >= width ? int(0) : div(x, 2 ** constant());
    case 'bvashr':
      return mod(div(signed(x, width), 2 ** Math.min(constant(), width)), modulus);
    default: {
      const join = operator === 'bvand' ? and : operator === 'bvor' ? or : differ;
      return sum(...places(width).map(i => ite(join(bit(x, i), bit(y, i)), 2 ** i, 0)));
    }
  }
}

function places(width: number): number[] {
  return Array.from({ length: width }, (_, i) => i);
}

function bit(x: IntExpr, i: number): BoolExpr {
  return eq(mod(div(x, 2 ** i), 2), 1);
}

function differ(a: BoolExpr, b: BoolExpr): BoolExpr {
  return or(and(a, not(b)), and(not(a), b));
}

function signed(x: IntExpr, width: number): IntExpr {
  return ite(ge(x, 2 ** (width - 1)), sub(x, 2 ** width), x);
}

function shown(width: number | undefined): string {
  return width === undefined ? 'a number' : `${width} bits`;
}

function isWord(node: Node | undefined, text: string): boolean {
  return node?.kind === 'word' && node.text === text;
}

export function naturalIn(node: Node | undefined, parent: Node): number {
  if (node?.kind !== 'word' || !/^\d{1,9}$/.test(node.text))
    throw new Problem('a number is expected here', node?.at ?? parent.at);
  return Number(node.text);
}
