/**
 * The arithmetic of bit-vectors as circuits. A vector is an array of literals, bit 0 first.
 *
 * Every function gives the circuit of the SMT-LIB operator of its name, division by zero and long
 * shifts included. All are built from the low bits up and in a fixed order, so that narrower and
 * wider versions share gates.
 */
import { type BinaryOp, Op } from '../expr/term.js';
import { type Circuit, FALSE, type Lit, negate, TRUE } from './circuit.js';

export type Bits = readonly Lit[];

/** The circuit of an operator with two operands of one width. */
export function binaryBits(g: Circuit, op: BinaryOp, a: Bits, b: Bits): Bits {
  switch (op) {
    case Op.Add:
      return addBits(g, a, b);
    case Op.Sub:
      return subBits(g, a, b);
    case Op.Mul:
      return mulBits(g, a, b);
    case Op.Udiv:
      return divideBits(g, a, b).quotient;
    case Op.Urem:
      return divideBits(g, a, b).remainder;
    case Op.Sdiv:
      return divideSignedBits(g, a, b).quotient;
    case Op.Srem:
      return divideSignedBits(g, a, b).remainder;
    case Op.Shl:
      return shiftBits(g, a, b, 'left', FALSE);
    case Op.Lshr:
      return shiftBits(g, a, b, 'right', FALSE);
    case Op.Ashr:
      return shiftBits(g, a, b, 'right', a.at(-1)!);
    case Op.And:
      return a.map((bit, i) => g.and(bit, b[i]!));
    case Op.Or:
      return a.map((bit, i) => g.or(bit, b[i]!));
    case Op.Xor:
      return a.map((bit, i) => g.xor(bit, b[i]!));
    case Op.Eq:
      return [eqBits(g, a, b)];
    case Op.Ult:
      return [ultBits(g, a, b)];
    case Op.Slt:
      return [sltBits(g, a, b)];
  }
}

function isConstantBits(bits: Bits): boolean {
  return bits.every(bit => bit <= 1);
}

export function notBits(a: Bits): Lit[] {
  return a.map(negate);
}

/** Ripple-carry sum, with the carry in; the carry out is dropped. */
export function addBits(g: Circuit, a: Bits, b: Bits, carryIn: Lit = FALSE): Lit[] {
  let carry = carryIn;
  return a.map((x, i) => {
    const y = b[i]!;
    const sum = g.xor(g.xor(x, y), carry);
    carry = g.maj(x, y, carry);
    return sum;
  });
}

export function subBits(g: Circuit, a: Bits, b: Bits): Lit[] {
  return addBits(g, a, notBits(b), TRUE);
}

function negBits(g: Circuit, a: Bits): Lit[] {
  return subBits(
    g,
    a.map(() => FALSE),
    a,
  );
}

/**
 * Shift and add. The factor whose value fits into fewer bits gives the rows: above its significant
 * bits all bits equal the sign s, which together weigh -s * 2^(n-1), so the last row is subtracted
 * and no further one is needed. An extended 32-bit factor costs 32 rows, not 64.
 */
export function mulBits(g: Circuit, a: Bits, b: Bits): Lit[] {
  if (isConstantBits(b)) return mulConstant(g, a, b);
  if (isConstantBits(a)) return mulConstant(g, b, a);
  const [rows, factor] = significantBits(b) <= significantBits(a) ? [b, a] : [a, b];
  const signRow = significantBits(rows) - 1;
  let sum: Lit[] = a.map(() => FALSE);
  for (let i = 0; i < signRow; i++) sum = addShifted(g, sum, factor, i, rows[i]!);
  const last = factor.slice(0, sum.length - signRow).map(x => g.and(x, rows[signRow]!));
  return [...sum.slice(0, signRow), ...subBits(g, sum.slice(signRow), last)];
}

/** The number of bits, sign included, that the signed value needs, as far as literals show. */
function significantBits(bits: Bits): number {
  let n = bits.length;
  while (n > 1 && bits[n - 2] === bits[n - 1]) n--;
  return n;
}

/** sum + (factor & bit) << shift; bits below the shift are left as they are. */
function addShifted(g: Circuit, sum: Lit[], factor: Bits, shift: number, bit: Lit): Lit[] {
  if (bit === FALSE) return sum;
  const row = factor.slice(0, sum.length - shift).map(x => g.and(x, bit));
  return [...sum.slice(0, shift), ...addBits(g, sum.slice(shift), row)];
}

/**
 * The constant in non-adjacent form: digits -1, 0, 1 of which no two neighbours are both non-zero.
 */
function mulConstant(g: Circuit, a: Bits, constant: Bits): Lit[] {
  const width = a.length;
  let sum: Lit[] = a.map(() => FALSE);
  let carry = 0;
  for (let i = 0; i < width; i++) {
    const digit = constant[i]! + carry;
    const next = i + 1 < width ? constant[i + 1]! : 0;
    if (digit === 1 && next === 1) {
      sum = [...sum.slice(0, i), ...subBits(g, sum.slice(i), a.slice(0, width - i))];
      carry = 1;
    } else if (digit === 1) {
      sum = [...sum.slice(0, i), ...addBits(g, sum.slice(i), a.slice(0, width - i))];
      carry = 0;
    } else carry = digit >> 1;
  }
  return sum;
}

/** a < b: the borrow of a - b, from the low bits up. */
export function ultBits(g: Circuit, a: Bits, b: Bits): Lit {
  let less: Lit = FALSE;
  for (const [i, x] of a.entries()) less = g.maj(negate(x), b[i]!, less);
  return less;
}

/** Signed order is unsigned order with the sign bits flipped. */
export function sltBits(g: Circuit, a: Bits, b: Bits): Lit {
  const flip = (bits: Bits): Lit[] => bits.map((bit, i) => (i === bits.length - 1 ? negate(bit) : bit));
  return ultBits(g, flip(a), flip(b));
}

export function eqBits(g: Circuit, a: Bits, b: Bits): Lit {
  return allOf(
    g,
    a.map((x, i) => negate(g.xor(x, b[i]!))),
  );
}

/** Balanced, so that long conjunctions stay shallow. */
export function allOf(g: Circuit, lits: Bits): Lit {
  if (lits.length === 0) return TRUE;
  let row = lits;
  while (row.length > 1) {
    const next: Lit[] = [];
    for (let i = 0; i < row.length; i += 2)
      next.push(i + 1 < row.length ? g.and(row[i]!, row[i + 1]!) : row[i]!);
    row = next;
  }
  return row[0]!;
}

export function anyOf(g: Circuit, lits: Bits): Lit {
  return negate(allOf(g, notBits(lits)));
}

export function iteBits(g: Circuit, condition: Lit, yes: Bits, no: Bits): Lit[] {
  return yes.map((bit, i) => g.ite(condition, bit, no[i]!));
}

/**
 * Barrel shifter: one stage per bit of the amount; amounts of width and more give the fill
 * everywhere.
 */
function shiftBits(g: Circuit, a: Bits, amount: Bits, direction: 'left' | 'right', fill: Lit): Lit[] {
  const width = a.length;
  let shifted: Lit[] = [...a];
  let stage = 0;
  for (; 1 << stage < width && stage < amount.length; stage++) {
    const by = 1 << stage;
    const before = shifted;
    shifted = before.map((bit, i) => {
      const from = direction === 'left' ? i - by : i + by;
      return g.ite(amount[stage]!, from >= 0 && from < width ? before[from]! : fill, bit);
    });
  }
  // Amounts in [width, 2^stage) were handled by the stages themselves: everything moved out.
  const tooFar = anyOf(g, amount.slice(stage));
  return shifted.map(bit => g.ite(tooFar, fill, bit));
}

/**
 * Quotient and remainder by restoring division, from the top bit down.
 *
 *     remainder := 2 * remainder + next bit of a;  if remainder >= b: remainder -= b, quotient bit 1
 *
 * The remainder is less than b and than what has been read of a, so it has as many bits as the
 * shorter of the two, and leading zeros of either cost nothing. That does not hold if b is 0, so
 * the results of SMT-LIB for that, all ones and a, are chosen at the end.
 */
function divideBits(g: Circuit, a: Bits, b: Bits): { quotient: Lit[]; remainder: Lit[] } {
  const longest = withoutZeros(b).length;
  // Whether b has a bit at this position or above.
  const reaches: Lit[] = new Array<Lit>(a.length + 2).fill(FALSE);
  for (let i = longest - 1; i >= 0; i--) reaches[i] = g.or(reaches[i + 1]!, b[i]!);
  const isZero = negate(reaches[0]!);
  const quotient: Lit[] = new Array<Lit>(a.length).fill(isZero);
  let remainder: Lit[] = [];
  for (let i = withoutZeros(a).length - 1; i >= 0; i--) {
    const trial = withoutZeros([a[i]!, ...remainder]);
    const divisor = trial.map((_, j) => b[j] ?? FALSE);
    const fits = g.and(negate(reaches[trial.length]!), negate(ultBits(g, trial, divisor)));
    quotient[i] = g.or(isZero, fits);
    remainder = iteBits(g, fits, subBits(g, trial, divisor), trial).slice(0, longest);
  }
  return { quotient, remainder: a.map((bit, i) => g.ite(isZero, bit, remainder[i] ?? FALSE)) };
}

/** Without the highest bits that are zero by construction. */
function withoutZeros(bits: Bits): Bits {
  return bits.slice(0, bits.findLastIndex(bit => bit !== FALSE) + 1);
}

/** Signed division: of magnitudes, with the signs put back. */
function divideSignedBits(g: Circuit, a: Bits, b: Bits): { quotient: Lit[]; remainder: Lit[] } {
  const signA = a.at(-1)!;
  const signB = b.at(-1)!;
  const magnitude = (bits: Bits, sign: Lit): Lit[] => iteBits(g, sign, negBits(g, bits), bits);
  const { quotient, remainder } = divideBits(g, magnitude(a, signA), magnitude(b, signB));
  return {
    quotient: iteBits(g, g.xor(signA, signB), negBits(g, quotient), quotient),
    remainder: iteBits(g, signA, negBits(g, remainder), remainder),
  };
}

/**
 * table[index], where the table has 2^index.length entries: a tree of multiplexers from the low
 * index bit up. Equal and constant halves vanish in the circuit's rules, so a constant table costs
 * what its structure costs, not its size.
 */
export function selectBits(g: Circuit, table: readonly Bits[], index: Bits): Bits {
  let row = table;
  for (const bit of index) {
    const next: Bits[] = [];
    for (let i = 0; i < row.length; i += 2) next.push(iteBits(g, bit, row[i + 1]!, row[i]!));
    row = next;
  }
  return row[0]!;
}
