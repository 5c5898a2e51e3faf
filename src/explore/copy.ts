/**
 * Whole ranges of memory: copied and filled.
 *
 * A symbolic length of few values forks. One of many stays symbolic, if the range is short: its bytes then depend on the length.
 *
 *     before   o o o o o o          after, with 1 <= n <= 4    x  n>1?x:o  n>2?x:o  n>3?x:o  o o
 *
 * Whether the range can leave its object is asked first (`checkRange`).
 */
import type { Term } from '../expr/term.js';
import type { AccessKind } from '../findings/finding.js';
import { failAccess, isWithin, resolve } from './access.js';
import type { Machine } from './machine.js';
import type { ObjectState } from './object-state.js';
import { FILLER } from './unwritten.js';
import { asTerm, known, type Scalar } from './value.js';

/** How many bytes a range has: a number, or what its inputs say. */
export type Length = number | SymbolicLength;

interface SymbolicLength {
  readonly term: Term;
  /** At least 1. */
  readonly least: number;
  readonly most: number;
}

/** Longer ranges of symbolic length are given one of their lengths. */
const LONGEST_SYMBOLIC = 4096;

/** Fewer lengths than this are explored one by one. */
const MANY = 17;

const WHAT = 'the symbolic length of a range';

/** Of a symbolic length: that the range leaves the object is a path of its own, with a finding at its end; that it is empty is another. */
export function checkRange(machine: Machine, pointer: Scalar, length: Scalar, kind: AccessKind): void {
  if (typeof length !== 'object') return;
  const { terms } = machine;
  if (machine.decide(terms.eq(length, terms.constant(length.width, 0)))) return;
  const { object, offset } = resolve(machine, pointer, 1, kind);
  const start = typeof offset === 'number' ? offset : 0;
  const isInside = terms.ule(length, terms.constant(length.width, object.info.bytes - start));
  const end = terms.add(terms.zext(length, 64), terms.constant(64, start));
  const fits =
    object.info.length === undefined
      ? isInside
      : terms.and(isInside, isWithin(terms, end, object.info.length));
  if (machine.decide(fits)) return;
  const bytes = Number(machine.concretizeQuietly(length));
  failAccess(machine, object, typeof offset === 'number' ? offset : undefined, bytes, kind);
}

/** The length of ranges that begin at these pointers. Requires that they were checked. */
export function lengthOf(machine: Machine, length: Scalar, ...pointers: readonly Scalar[]): Length {
  const { constraints } = machine.state;
  const simplest = (value: Scalar): Scalar =>
    typeof value === 'object' ? known(constraints.simplify(value)) : value;
  const term = simplest(length);
  if (typeof term !== 'object') return Number(term);
  const isPlaceKnown = pointers.every(pointer => typeof simplest(pointer) !== 'object');
  const range = isPlaceKnown ? machine.questions.range(term) : undefined;
  const isSymbolic =
    range !== undefined &&
    range.max <= LONGEST_SYMBOLIC &&
    Number(range.max) - Number(range.min) + 1 >= MANY &&
    range.min > 0;
  if (isSymbolic) return { term, least: Number(range.min), most: Number(range.max) };
  return Number(machine.fewValues(term, WHAT));
}

/** Copies what may overlap. Both ranges are checked first. */
export function copyBytes(machine: Machine, to: Scalar, from: Scalar, bytes: Length): void {
  if (typeof bytes === 'object') {
    const { object, offset } = resolve(machine, from, 1, 'read');
    const copied = Array.from({ length: bytes.most }, (_, i) => object.read(machine, Number(offset) + i, 1));
    writeBytes(machine, to, bytes, i => copied[i]!);
    return;
  }
  if (bytes === 0) return;
  const { memory } = machine.state;
  if (typeof to === 'number' && typeof from === 'number' && memory.copyPlain(to, from, bytes)) return;
  const source = resolve(machine, from, bytes, 'read');
  const target = resolve(machine, to, bytes, 'write');
  const at = Number(machine.fewValues(source.offset, 'the symbolic start of a copy'));
  const start = Number(machine.fewValues(target.offset, 'the symbolic start of a copy'));
  if (target.object.info.isReadOnly) machine.failReadOnly(target.object, 'write', bytes);
  const object = memory.writable(target.object);
  object.copyFrom(memory.current(source.object.info), at, start, bytes);
}

/** Of `memcpy`, whose ranges must not overlap; an object may be copied to itself. */
export function checkApart(machine: Machine, to: Scalar, from: Scalar, bytes: Length): void {
  if (typeof to === 'object' || typeof from === 'object') return;
  const distance = Math.abs(Number(to) - Number(from));
  if (distance === 0 || isAtLeast(machine, distance, bytes)) return;
  const copied = typeof bytes === 'object' ? machine.concretizeQuietly(bytes.term) : bytes;
  machine.fail('overlapping-copy', `copy of ${copied} bytes between ranges that are ${distance} bytes apart`);
}

function isAtLeast(machine: Machine, distance: number, bytes: Length): boolean {
  if (typeof bytes !== 'object') return distance >= bytes;
  if (distance >= bytes.most) return true;
  const { terms } = machine;
  return machine.decide(terms.uge(terms.constant(bytes.term.width, distance), bytes.term));
}

export function fillBytes(machine: Machine, to: Scalar, byte: Scalar, bytes: Length): void {
  if (typeof bytes === 'object') {
    writeBytes(machine, to, bytes, () => byte);
    return;
  }
  if (bytes === 0) return;
  const isKnown = typeof to === 'number' && typeof byte === 'number' && byte !== FILLER;
  if (isKnown && machine.state.memory.fillPlain(to, byte, bytes)) return;
  const { object, offset } = resolve(machine, to, bytes, 'write');
  const start = Number(machine.fewValues(offset, 'the symbolic start of a fill'));
  if (object.info.isReadOnly) machine.failReadOnly(object, 'write', bytes);
  const target = machine.state.memory.writable(object);
  target.fill(start, bytes, byte);
}

/** Writes as many bytes as the length says. Requires that the range was checked. */
function writeBytes(
  machine: Machine,
  to: Scalar,
  { term, least, most }: SymbolicLength,
  byteAt: (i: number) => Scalar,
): void {
  const { object, offset } = resolve(machine, to, 1, 'write');
  if (object.info.isReadOnly) machine.failReadOnly(object, 'write', most);
  const target: ObjectState = machine.state.memory.writable(object);
  const { terms } = machine;
  for (let i = 0; i < most; i++) {
    const at = Number(offset) + i;
    const byte = byteAt(i);
    if (i < least) {
      target.write(machine, at, 1, byte);
      continue;
    }
    const isIn = terms.ult(terms.constant(term.width, i), term);
    const old = asTerm(terms, 8, target.read(machine, at, 1));
    target.write(machine, at, 1, known(terms.ite(isIn, asTerm(terms, 8, byte), old)));
  }
}
