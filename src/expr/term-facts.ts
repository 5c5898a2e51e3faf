/**
 * Facts about every term that need no solver: known bits, and an unsigned and a signed interval.
 *
 *     known bits   bit i of `known` set: bit i of every value of the term equals bit i of `ones`
 *     intervals    umin <= unsigned value <= umax,   smin <= signed value <= smax
 *
 * Facts hold under every assignment. They are computed once, when a term is made, from the facts of
 * its operands, and then decide comparisons, sign queries and overflow queries; most branch
 * conditions of real programs on bytes and small counters never get further.
 *
 * Interval bounds are doubles for every width: exact up to 2^53, *rounded outwards* beyond. A
 * 64-bit bound costs no BigInt, and being off by 2^-52 at the far end of the range never makes a
 * claim false, only weaker. Known bits cover the low 64 bits, as two 32-bit words; of bits from 64
 * on nothing is claimed. Facts live in typed arrays indexed by term id: V8 would box four doubles
 * per term, one by one.
 *
 * **Invariants** (checked exhaustively at 4 bits and at random widths in `rules.test.ts`): every
 * value a term can take satisfies its facts; `ones` is a subset of `known`; umin <= umax; smin <=
 * smax.
 */
import { type ByteArray, baseOf, Op, type Term } from './term.js';
import { highWord, lowWord, toSigned } from './value.js';

/**
 * Past this width powers of two approach the end of the doubles; such terms carry known bits and
 * trivial intervals.
 */
const WIDEST_INTERVAL = 500;
const TWO_32 = 2 ** 32;
const EXACT = 2 ** 53;

/**
 * Rounds a lower bound down and an upper bound up, if the last operation may have rounded it at
 * all.
 */
function down(x: number): number {
  return x > -EXACT && x < EXACT ? x : x - Math.abs(x) * 2 ** -52;
}

function up(x: number): number {
  return x > -EXACT && x < EXACT ? x : x + Math.abs(x) * 2 ** -52;
}

/** Bits 0..n-1 of a word, for any n: negative is none, 32 and more is all. */
function lowMask(n: number): number {
  return n <= 0 ? 0 : n >= 32 ? -1 : (1 << n) - 1;
}

/** The number of bits that a non-negative integer below 2^64 needs. */
export function bitLength(x: number): number {
  if (x < TWO_32) return 32 - Math.clz32(x);
  if (x >= TWO_32 * TWO_32) return 65;
  return 64 - Math.clz32(x / TWO_32);
}

export class Facts {
  umin: Float64Array = new Float64Array(1024);
  umax: Float64Array = new Float64Array(1024);
  smin: Float64Array = new Float64Array(1024);
  smax: Float64Array = new Float64Array(1024);
  knownLow: Int32Array = new Int32Array(1024);
  knownHigh: Int32Array = new Int32Array(1024);
  onesLow: Int32Array = new Int32Array(1024);
  onesHigh: Int32Array = new Int32Array(1024);

  // The facts under construction, written by the transfer functions and stored by `learn`.
  #umin = 0;
  #umax = 0;
  #smin = 0;
  #smax = 0;
  #kl = 0;
  #kh = 0;
  #ol = 0;
  #oh = 0;

  /** Computes and keeps the facts of a term; requires those of its operands. */
  learn(term: Term): void {
    const { id, width } = term;
    if (id >= this.umin.length) this.#grow();
    this.#umin = 0;
    this.#umax = 2 ** width - 1;
    this.#smin = -(2 ** (width - 1));
    this.#smax = 2 ** (width - 1) - 1;
    this.#kl = 0;
    this.#kh = 0;
    this.#ol = 0;
    this.#oh = 0;
    if (term.op === Op.Const) this.#constant(term);
    else {
      this.#transferBits(term);
      if (width <= WIDEST_INTERVAL) this.#transferIntervals(term);
    }
    this.#tighten(width);
    this.umin[id] = this.#umin;
    this.umax[id] = this.#umax;
    this.smin[id] = this.#smin;
    this.smax[id] = this.#smax;
    this.knownLow[id] = this.#kl;
    this.knownHigh[id] = this.#kh;
    this.onesLow[id] = this.#ol;
    this.onesHigh[id] = this.#oh;
  }

  /** How many low bits of the term are known to be zero, at most 64. */
  trailingZeros(term: Term): number {
    const zerosLow = this.knownLow[term.id]! & ~this.onesLow[term.id]!;
    if (zerosLow !== -1) return Math.min(trailingOnes(zerosLow), term.width);
    const zerosHigh = this.knownHigh[term.id]! & ~this.onesHigh[term.id]!;
    return Math.min(32 + trailingOnes(zerosHigh), term.width);
  }

  /** Whether the known bits of two terms of equal width contradict each other. */
  bitsDiffer(a: Term, b: Term): boolean {
    const low = this.knownLow[a.id]! & this.knownLow[b.id]! & (this.onesLow[a.id]! ^ this.onesLow[b.id]!);
    const high =
      this.knownHigh[a.id]! & this.knownHigh[b.id]! & (this.onesHigh[a.id]! ^ this.onesHigh[b.id]!);
    return (low | high) !== 0;
  }

  /** Whether a * b, by the unsigned facts, does not wrap. */
  isProductExact(a: Term, b: Term): boolean {
    return up(this.umax[a.id]! * this.umax[b.id]!) < 2 ** a.width;
  }

  /** Whether a * b, by the signed facts, does not wrap. */
  isSignedProductExact(a: Term, b: Term): boolean {
    const most =
      Math.max(-this.smin[a.id]!, this.smax[a.id]!) * Math.max(-this.smin[b.id]!, this.smax[b.id]!);
    return up(most) < 2 ** (a.width - 1);
  }

  /** Whether every bit that may be one in `a` is known to be one in `b`. Requires width <= 64. */
  mayBeOnesAreOnesOf(a: Term, b: Term): boolean {
    const low = (~this.knownLow[a.id]! | this.onesLow[a.id]!) & ~this.onesLow[b.id]! & lowMask(a.width);
    const high =
      (~this.knownHigh[a.id]! | this.onesHigh[a.id]!) & ~this.onesHigh[b.id]! & lowMask(a.width - 32);
    return (low | high) === 0;
  }

  #grow(): void {
    const double = this.umin.length * 2;
    const widen = (old: Float64Array): Float64Array => {
      const wider = new Float64Array(double);
      wider.set(old);
      return wider;
    };
    const widenWords = (old: Int32Array): Int32Array => {
      const wider = new Int32Array(double);
      wider.set(old);
      return wider;
    };
    this.umin = widen(this.umin);
    this.umax = widen(this.umax);
    this.smin = widen(this.smin);
    this.smax = widen(this.smax);
    this.knownLow = widenWords(this.knownLow);
    this.knownHigh = widenWords(this.knownHigh);
    this.onesLow = widenWords(this.onesLow);
    this.onesHigh = widenWords(this.onesHigh);
  }

  #constant(term: Term): void {
    const { width, value } = term;
    this.#kl = lowMask(width);
    this.#kh = lowMask(width - 32);
    this.#ol = lowWord(value);
    this.#oh = highWord(value);
    if (width > WIDEST_INTERVAL) return;
    const unsigned = Number(value);
    const signed = Number(toSigned(width, value));
    this.#umin = Math.max(0, down(unsigned));
    this.#umax = up(unsigned);
    this.#smin = down(signed);
    this.#smax = up(signed);
  }

  // ------------------------------------------------------------------ known bits

  #transferBits(term: Term): void {
    const { op, width } = term;
    const a = term.a.id;
    const b = term.b.id;
    switch (op) {
      case Op.And:
        this.#setBits(
          // Known where either side is a known zero, or both are known.
          (this.knownLow[a]! & ~this.onesLow[a]!) |
            (this.knownLow[b]! & ~this.onesLow[b]!) |
            (this.knownLow[a]! & this.knownLow[b]!),
          (this.knownHigh[a]! & ~this.onesHigh[a]!) |
            (this.knownHigh[b]! & ~this.onesHigh[b]!) |
            (this.knownHigh[a]! & this.knownHigh[b]!),
          this.onesLow[a]! & this.onesLow[b]!,
          this.onesHigh[a]! & this.onesHigh[b]!,
        );
        break;
      case Op.Or:
        this.#setBits(
          this.onesLow[a]! | this.onesLow[b]! | (this.knownLow[a]! & this.knownLow[b]!),
          this.onesHigh[a]! | this.onesHigh[b]! | (this.knownHigh[a]! & this.knownHigh[b]!),
          this.onesLow[a]! | this.onesLow[b]!,
          this.onesHigh[a]! | this.onesHigh[b]!,
        );
        break;
      case Op.Xor:
        this.#setBits(
          this.knownLow[a]! & this.knownLow[b]!,
          this.knownHigh[a]! & this.knownHigh[b]!,
          this.onesLow[a]! ^ this.onesLow[b]!,
          this.onesHigh[a]! ^ this.onesHigh[b]!,
        );
        break;
      case Op.Not:
        this.#setBits(this.knownLow[a]!, this.knownHigh[a]!, ~this.onesLow[a]!, ~this.onesHigh[a]!);
        break;
      case Op.Add:
        this.#addBits(a, b, 0);
        break;
      case Op.Sub:
        // a - b is a + ~b + 1.
        this.#addBits(a, b, 1);
        break;
      case Op.Mul: {
        const zeros = this.trailingZeros(term.a) + this.trailingZeros(term.b);
        this.#setBits(lowMask(zeros), lowMask(zeros - 32), 0, 0);
        break;
      }
      case Op.Shl: {
        const zeros = this.trailingZeros(term.a);
        this.#setBits(lowMask(zeros), lowMask(zeros - 32), 0, 0);
        break;
      }
      case Op.Concat: {
        const n = term.b.width;
        this.#setShiftedLeft(a, n);
        this.#kl |= this.knownLow[b]!;
        this.#kh |= this.knownHigh[b]!;
        this.#ol |= this.onesLow[b]!;
        this.#oh |= this.onesHigh[b]!;
        break;
      }
      case Op.Extract:
        this.#setShiftedRight(a, term.offset);
        break;
      case Op.Zext:
        this.#setBits(
          this.knownLow[a]! | ~lowMask(term.a.width),
          this.knownHigh[a]! | ~lowMask(term.a.width - 32),
          this.onesLow[a]!,
          this.onesHigh[a]!,
        );
        break;
      case Op.Sext:
        // A known sign is turned into bits by the signed interval, see #tighten.
        this.#setBits(this.knownLow[a]!, this.knownHigh[a]!, this.onesLow[a]!, this.onesHigh[a]!);
        break;
      case Op.Ite: {
        const c = term.c.id;
        this.#setBits(
          this.knownLow[b]! & this.knownLow[c]! & ~(this.onesLow[b]! ^ this.onesLow[c]!),
          this.knownHigh[b]! & this.knownHigh[c]! & ~(this.onesHigh[b]! ^ this.onesHigh[c]!),
          this.onesLow[b]!,
          this.onesHigh[b]!,
        );
        break;
      }
    }
    this.#kl &= lowMask(width);
    this.#kh &= lowMask(width - 32);
    this.#ol &= this.#kl;
    this.#oh &= this.#kh;
  }

  #setBits(knownLow: number, knownHigh: number, onesLow: number, onesHigh: number): void {
    this.#kl = knownLow;
    this.#kh = knownHigh;
    this.#ol = onesLow & knownLow;
    this.#oh = onesHigh & knownHigh;
  }

  /**
   * Bits of a sum. Carries grow with the operands, so the carries of the smallest and of the
   * largest possible operands enclose the real ones: where those two agree and both operands are
   * known, the sum is known.
   */
  #addBits(a: number, b: number, carryIn: 0 | 1): void {
    const knownLowA = this.knownLow[a]!;
    const knownHighA = this.knownHigh[a]!;
    const onesLowA = this.onesLow[a]!;
    const onesHighA = this.onesHigh[a]!;
    const knownLowB = this.knownLow[b]!;
    const knownHighB = this.knownHigh[b]!;
    const onesLowB = carryIn === 1 ? ~this.onesLow[b]! & knownLowB : this.onesLow[b]!;
    const onesHighB = carryIn === 1 ? ~this.onesHigh[b]! & knownHighB : this.onesHigh[b]!;
    const maxLowA = onesLowA | ~knownLowA;
    const maxLowB = onesLowB | ~knownLowB;
    const minSumLow = (onesLowA >>> 0) + (onesLowB >>> 0) + carryIn;
    const maxSumLow = (maxLowA >>> 0) + (maxLowB >>> 0) + carryIn;
    const minCarryLow = minSumLow ^ onesLowA ^ onesLowB;
    const maxCarryLow = maxSumLow ^ maxLowA ^ maxLowB;
    const maxHighA = onesHighA | ~knownHighA;
    const maxHighB = onesHighB | ~knownHighB;
    const minSumHigh = (onesHighA + onesHighB + (minSumLow >= TWO_32 ? 1 : 0)) | 0;
    const maxSumHigh = (maxHighA + maxHighB + (maxSumLow >= TWO_32 ? 1 : 0)) | 0;
    const minCarryHigh = minSumHigh ^ onesHighA ^ onesHighB;
    const maxCarryHigh = maxSumHigh ^ maxHighA ^ maxHighB;
    this.#setBits(
      knownLowA & knownLowB & ~(minCarryLow ^ maxCarryLow),
      knownHighA & knownHighB & ~(minCarryHigh ^ maxCarryHigh),
      minSumLow | 0,
      minSumHigh,
    );
  }

  /** The bits of a term moved up by n, with known zeros below. */
  #setShiftedLeft(id: number, n: number): void {
    if (n >= 64) return;
    const kl = this.knownLow[id]!;
    const kh = this.knownHigh[id]!;
    const ol = this.onesLow[id]!;
    const oh = this.onesHigh[id]!;
    if (n >= 32) this.#setBits(0, kl << (n - 32), 0, ol << (n - 32));
    else if (n > 0) {
      this.#setBits(kl << n, (kh << n) | (kl >>> (32 - n)), ol << n, (oh << n) | (ol >>> (32 - n)));
    } else this.#setBits(kl, kh, ol, oh);
  }

  /** The bits of a term moved down by n; what comes in at bit 64 is unknown. */
  #setShiftedRight(id: number, n: number): void {
    if (n >= 64) return;
    const kl = this.knownLow[id]!;
    const kh = this.knownHigh[id]!;
    const ol = this.onesLow[id]!;
    const oh = this.onesHigh[id]!;
    if (n >= 32) this.#setBits(kh >>> (n - 32), 0, oh >>> (n - 32), 0);
    else if (n > 0) {
      this.#setBits((kl >>> n) | (kh << (32 - n)), kh >>> n, (ol >>> n) | (oh << (32 - n)), oh >>> n);
    } else this.#setBits(kl, kh, ol, oh);
  }

  // ------------------------------------------------------------------ intervals

  #transferIntervals(term: Term): void {
    const { op, width, a, b } = term;
    const uminA = this.umin[a.id]!;
    const umaxA = this.umax[a.id]!;
    const sminA = this.smin[a.id]!;
    const smaxA = this.smax[a.id]!;
    const uminB = this.umin[b.id]!;
    const umaxB = this.umax[b.id]!;
    const sminB = this.smin[b.id]!;
    const smaxB = this.smax[b.id]!;
    switch (op) {
      case Op.Add: {
        const modulus = 2 ** width;
        if (down(uminA + uminB) >= modulus) {
          this.#unsigned(down(uminA + uminB) - modulus, up(umaxA + umaxB) - modulus);
        } else if (up(umaxA + umaxB) < modulus) this.#unsigned(uminA + uminB, umaxA + umaxB);
        this.#signedIfFits(width, sminA + sminB, smaxA + smaxB);
        break;
      }
      case Op.Sub:
        if (uminA >= umaxB) this.#unsigned(uminA - umaxB, umaxA - uminB);
        this.#signedIfFits(width, sminA - smaxB, smaxA - sminB);
        break;
      case Op.Mul: {
        if (up(umaxA * umaxB) < 2 ** width) this.#unsigned(uminA * uminB, umaxA * umaxB);
        const p = sminA * sminB;
        const q = sminA * smaxB;
        const r = smaxA * sminB;
        const s = smaxA * smaxB;
        // A square that does not overflow is not negative.
        const least = a === b && sminA < 0 ? 0 : Math.min(p, q, r, s);
        this.#signedIfFits(width, least, Math.max(p, q, r, s));
        break;
      }
      case Op.Udiv:
        if (uminB > 0) this.#unsigned(Math.floor(uminA / umaxB), Math.floor(umaxA / uminB));
        break;
      case Op.Urem:
        this.#unsigned(0, uminB > 0 ? Math.min(umaxA, umaxB - 1) : umaxA);
        break;
      case Op.Sdiv:
        if (sminB > 0 || smaxB < 0) {
          const most = Math.max(-sminA, smaxA);
          this.#signedIfFits(width, -most, most);
        }
        break;
      case Op.Srem: {
        let most = Math.max(-sminA, smaxA);
        if (sminB > 0 || smaxB < 0) most = Math.min(most, Math.max(-sminB, smaxB) - 1);
        this.#signedIfFits(width, sminA < 0 ? -most : 0, smaxA > 0 ? most : 0);
        break;
      }
      case Op.Lshr:
        this.#unsigned(0, umaxA);
        break;
      case Op.Ashr:
        this.#signedIfFits(width, Math.min(sminA, 0), Math.max(smaxA, -1));
        break;
      case Op.And:
        this.#unsigned(0, Math.min(umaxA, umaxB));
        break;
      case Op.Or:
        this.#unsigned(Math.max(uminA, uminB), this.#umax);
        break;
      case Op.Not:
        this.#signedIfFits(width, -1 - smaxA, -1 - sminA);
        if (width <= 53) this.#unsigned(this.#umax - umaxA, this.#umax - uminA);
        break;
      case Op.Concat: {
        const scale = 2 ** b.width;
        this.#unsigned(uminA * scale + uminB, umaxA * scale + umaxB);
        break;
      }
      case Op.Extract: {
        const high = Math.floor(umaxA / 2 ** term.offset);
        if (up(high) < 2 ** width) this.#unsigned(Math.floor(uminA / 2 ** term.offset), high);
        if (term.offset === 0) this.#signedIfFits(width, sminA, smaxA);
        break;
      }
      case Op.Zext:
        this.#unsigned(uminA, umaxA);
        break;
      case Op.Sext:
        this.#signedIfFits(width, sminA, smaxA);
        break;
      case Op.Ite: {
        const c = term.c.id;
        this.#unsigned(Math.min(uminB, this.umin[c]!), Math.max(umaxB, this.umax[c]!));
        this.#signedIfFits(width, Math.min(sminB, this.smin[c]!), Math.max(smaxB, this.smax[c]!));
        break;
      }
      case Op.Read:
        this.#readInterval(term.array!, uminA, umaxA);
        break;
    }
  }

  #unsigned(min: number, max: number): void {
    this.#umin = Math.max(this.#umin, down(min));
    this.#umax = Math.min(this.#umax, up(max));
  }

  #signedIfFits(width: number, min: number, max: number): void {
    const limit = 2 ** (width - 1);
    if (down(min) < -limit || up(max) >= limit) return;
    this.#smin = Math.max(this.#smin, down(min));
    this.#smax = Math.min(this.#smax, up(max));
  }

  /**
   * A read of an unwritten table lies between the least and the greatest byte that its index can
   * reach.
   */
  #readInterval(array: ByteArray, firstIndex: number, lastIndex: number): void {
    const base = baseOf(array);
    if (array !== base || base.kind !== 'constant') return;
    let min = 255;
    let max = 0;
    const end = Math.min(lastIndex, base.byteLength - 1);
    if (lastIndex >= base.byteLength) min = 0;
    for (let i = firstIndex; i <= end; i++) {
      const byte = base.bytes[i]!;
      if (byte < min) min = byte;
      if (byte > max) max = byte;
      if (min === 0 && max === 255) break;
    }
    this.#unsigned(min, max);
  }

  // ----------------------------------------------------------- the three domains refine each other

  #tighten(width: number): void {
    if (width > WIDEST_INTERVAL) return;
    if (width <= 64) {
      this.#umin = Math.max(this.#umin, down(fromWords(this.#oh, this.#ol)));
      const maxLow = (this.#ol | ~this.#kl) & lowMask(width);
      const maxHigh = (this.#oh | ~this.#kh) & lowMask(width - 32);
      this.#umax = Math.min(this.#umax, up(fromWords(maxHigh, maxLow)));
    }
    const half = 2 ** (width - 1);
    const modulus = 2 ** width;
    this.#signFromUnsigned(half, modulus);
    if (this.#smin >= 0) {
      this.#umin = Math.max(this.#umin, this.#smin);
      this.#umax = Math.min(this.#umax, this.#smax);
    } else if (this.#smax < 0) {
      this.#umin = Math.max(this.#umin, down(this.#smin + modulus));
      this.#umax = Math.min(this.#umax, up(this.#smax + modulus));
      this.#signFromUnsigned(half, modulus);
    }
    if (width > 64) return;
    // The bits above the longest value are zero; if the sign is known to be one, so is the top bit.
    const length = bitLength(this.#umax);
    this.#kl |= ~lowMask(length) & lowMask(width);
    this.#kh |= ~lowMask(length - 32) & lowMask(width - 32);
    if (this.#smax < 0) {
      // All values lie in [smin, -1]: the bits above the magnitude of smin are ones.
      const magnitude = bitLength(-1 - this.#smin);
      const low = ~lowMask(magnitude) & lowMask(width);
      const high = ~lowMask(magnitude - 32) & lowMask(width - 32);
      this.#kl |= low;
      this.#kh |= high;
      this.#ol |= low;
      this.#oh |= high;
    }
  }

  #signFromUnsigned(half: number, modulus: number): void {
    if (this.#umax < half) {
      this.#smin = Math.max(this.#smin, this.#umin);
      this.#smax = Math.min(this.#smax, this.#umax);
    } else if (this.#umin >= half) {
      this.#smin = Math.max(this.#smin, down(this.#umin - modulus));
      this.#smax = Math.min(this.#smax, Math.min(-1, up(this.#umax - modulus)));
    }
  }
}

function fromWords(high: number, low: number): number {
  return (high >>> 0) * TWO_32 + (low >>> 0);
}

/** The number of consecutive ones from bit 0 up. */
function trailingOnes(word: number): number {
  return word === -1 ? 32 : 31 - Math.clz32(~word & -~word);
}
