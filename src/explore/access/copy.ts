/**
 * Copies and fills ranges of memory.
 *
 * A symbolic length or start with few values forks. One with many values stays symbolic if the
 * range is short; the bytes then depend on it.
 *
 *     before   o o o o o o          after, with 1 <= n <= 4    x  n>1?x:o  n>2?x:o  n>3?x:o  o o
 *
 * With a symbolic start s, the byte at p is in the range if p - s < n without signs, and is a copy
 * of the byte p - s of the source.
 *
 * A query decides first whether the range can leave its object (`checkRange`).
 */

import type { Term } from '../../expr/term.js';
import type { Terms } from '../../expr/terms.js';
import type { AccessKind } from '../../findings/finding.js';
import type { ObjectState } from '../memory/object-state.js';
import { FILLER } from '../memory/unwritten.js';

import type { Accesses, Decisions, Failures, Path, Range } from '../state/running.js';

import { asTerm, known, type Scalar } from '../values/register-value.js';
import { failAccess, isWithin, resolve } from './access.js';
import { bytesInside, cutsRanges } from './unchecked.js';

/** The length of a range: a number, or symbolic. */
export type Length = number | SymbolicLength;

interface SymbolicLength {
  readonly term: Term;
  /** At least 1. */
  readonly least: number;
  readonly most: number;
}

/** The start of a range in its object: a number, or symbolic. */
type Start = number | SymbolicStart;

interface SymbolicStart {
  /** Of 32 bits. */
  readonly term: Term;
  readonly least: number;
  readonly most: number;
}

/** The length or start of a range that can span more bytes than this is concretized. */
const LONGEST_SYMBOLIC = 4096;

/** Fewer lengths or starts than this are explored one by one. */
const MANY = 17;

/**
 * With a symbolic length, the path forks if the range can leave the object, which is a finding, and
 * if it can be empty.
 */
export function checkRange(machine: Accesses, pointer: Scalar, length: Scalar, kind: AccessKind): void {
  if (typeof length !== 'object') return;
  const { terms } = machine;
  if (machine.decide(terms.eq(length, terms.constant(length.width, 0)))) return;
  const { object, offset } = resolve(machine, pointer, 1, kind);
  const { bytes: size, length: symbolicSize } = object.info;
  const isInside = terms.ule(
    length,
    terms.constant(length.width, typeof offset === 'number' ? size - offset : size),
  );
  const start = typeof offset === 'number' ? terms.constant(64, offset) : terms.zext(offset, 64);
  const end = terms.add(terms.zext(length, 64), start);
  const isKnown = symbolicSize === undefined && typeof offset === 'number';
  const fits = isKnown
    ? isInside
    : terms.and(isInside, isWithin(terms, end, symbolicSize ?? terms.constant(64, size)));
  if (machine.decide(fits)) return;
  const bytes = Number(machine.concretizeQuietly(length));
  failAccess(machine, object, offset, bytes, kind);
  // The check is turned off, so one of the invalid lengths is enough.
  machine.concretize(length, 'the length of a range that is not checked');
}

/** The length of a range. Requires that it was checked. */
export function lengthOf(machine: Decisions, length: Scalar): Length {
  const term = simplest(machine, length);
  if (typeof term !== 'object') return Number(term);
  const range = machine.queries.range(term);
  const isSymbolic = range !== undefined && range.max <= LONGEST_SYMBOLIC && isMany(range) && range.min > 0;
  if (isSymbolic) return { term, least: Number(range.min), most: Number(range.max) };
  return Number(machine.fewValues(term, 'the symbolic length of a range'));
}

/** The offset in its object at which a range begins. */
function startOf(machine: Decisions, offset: Scalar, bytes: Length): Start {
  const term = simplest(machine, offset);
  if (typeof term !== 'object') return Number(term);
  const range = machine.queries.range(term);
  const isSymbolic =
    range !== undefined &&
    isMany(range) &&
    Number(range.max) - Number(range.min) + mostOf(bytes) <= LONGEST_SYMBOLIC;
  if (isSymbolic) return { term, least: Number(range.min), most: Number(range.max) };
  return Number(machine.fewValues(term, 'the symbolic start of a range'));
}

function simplest({ state }: Path, value: Scalar): Scalar {
  return typeof value === 'object' ? known(state.constraints.simplify(value)) : value;
}

function isMany({ min, max }: Range): boolean {
  return Number(max) - Number(min) + 1 >= MANY;
}

/** Copies ranges that may overlap. Both are checked first. */
export function copyBytes(machine: Accesses, to: Scalar, from: Scalar, bytes: Length): void {
  if (bytes === 0) return;
  const { memory } = machine.state;
  const isPlain = typeof to === 'number' && typeof from === 'number' && typeof bytes === 'number';
  if (isPlain && memory.copyPlain(to, from, bytes)) return;
  if (typeof bytes === 'number' && cutsRanges(machine)) copyInside(machine, to, from, bytes);
  else copyResolved(machine, to, from, bytes);
}

/** Copies as far as both ranges are inside their objects; bytes beyond are read as zero. */
function copyInside(machine: Accesses, to: Scalar, from: Scalar, bytes: number): void {
  const written = bytesInside(machine, to, bytes);
  const read = Math.min(written, bytesInside(machine, from, bytes));
  if (written < bytes) resolve(machine, to, bytes, 'write');
  if (read < written) resolve(machine, from, bytes, 'read');
  if (read > 0) copyResolved(machine, to, from, read);
  if (read < written) fillResolved(machine, Number(machine.eachValue(to)) + read, 0, written - read);
}

function copyResolved(machine: Accesses, to: Scalar, from: Scalar, bytes: Length): void {
  const { memory } = machine.state;
  const source = resolve(machine, from, leastOf(bytes), 'read');
  const target = resolve(machine, to, leastOf(bytes), 'write');
  const at = startOf(machine, source.offset, bytes);
  const start = startOf(machine, target.offset, bytes);
  const object = memory.writable(target.object);
  const original = memory.current(source.object.info);
  if (typeof bytes === 'number' && typeof at === 'number' && typeof start === 'number')
    object.copyFrom(original, at, start, bytes);
  else writeSome(machine, object, start, bytes, bytesToCopy(machine, original, at, start, mostOf(bytes)));
}

/** The values that could be written, from the first possible start of the copy on. */
function bytesToCopy(
  machine: Path,
  source: ObjectState,
  at: Start,
  start: Start,
  most: number,
): readonly Scalar[] {
  const { terms } = machine;
  if (typeof at === 'number' && typeof start === 'number')
    return Array.from({ length: most }, (_, i) => source.read(machine, at + i, 1));
  const first = typeof at === 'number' ? terms.constant(32, at) : at.term;
  if (typeof start === 'number') return source.bytesFrom(machine, first, most).map(known);
  const skipped = terms.sub(terms.constant(32, start.least), start.term);
  return source.bytesFrom(machine, terms.add(first, skipped), placesOf(start) + most - 1).map(known);
}

/** The check of `memcpy`, whose ranges must not overlap; copying an object to itself is allowed. */
export function checkApart(machine: Accesses, to: Scalar, from: Scalar, bytes: Length): void {
  if (bytes === 0) return;
  if (typeof to === 'object' || typeof from === 'object') {
    checkSymbolicApart(machine, to, from, bytes);
    return;
  }
  const distance = Math.abs(Number(to) - Number(from));
  if (distance === 0 || isAtLeast(machine, distance, bytes)) return;
  const copied = typeof bytes === 'object' ? machine.concretizeQuietly(bytes.term) : bytes;
  failOverlap(machine, Number(copied), distance);
}

function isAtLeast(machine: Decisions, distance: number, bytes: Length): boolean {
  if (typeof bytes !== 'object') return distance >= bytes;
  if (distance >= bytes.most) return true;
  const { terms } = machine;
  return machine.decide(terms.uge(terms.constant(bytes.term.width, distance), bytes.term));
}

function checkSymbolicApart(machine: Accesses, to: Scalar, from: Scalar, bytes: Length): void {
  const target = resolve(machine, to, leastOf(bytes), 'write').object.info;
  if (resolve(machine, from, leastOf(bytes), 'read').object.info !== target) return;
  const { terms } = machine;
  const length = terms.zext(lengthTerm(terms, bytes), 64);
  const ahead = terms.sub(asTerm(terms, 64, to), asTerm(terms, 64, from));
  const behind = terms.sub(asTerm(terms, 64, from), asTerm(terms, 64, to));
  const isApart = terms.and(terms.uge(ahead, length), terms.uge(behind, length));
  if (machine.decide(terms.or(isApart, terms.eq(ahead, terms.constant(64, 0))))) return;
  const [copied, distance] = [length, ahead].map(term => machine.concretizeQuietly(known(term)));
  const apart = Math.abs(Number(BigInt.asIntN(64, BigInt(distance!))));
  failOverlap(machine, Number(copied), apart);
}

/** The copy itself supports overlapping ranges. */
export function failOverlap(machine: Failures, bytes: number, distance: number): void {
  if (!machine.isUnchecked('overlapping-copy')) machine.fail({ kind: 'overlap', bytes, distance });
}

export function fillBytes(machine: Accesses, to: Scalar, byte: Scalar, bytes: Length): void {
  if (bytes === 0) return;
  const isPlain = typeof to === 'number' && typeof byte === 'number' && typeof bytes === 'number';
  if (isPlain && byte !== FILLER && machine.state.memory.fillPlain(to, byte, bytes)) return;
  if (typeof bytes === 'number' && cutsRanges(machine)) {
    const inside = bytesInside(machine, to, bytes);
    if (inside < bytes) resolve(machine, to, bytes, 'write');
    if (inside > 0) fillResolved(machine, to, byte, inside);
  } else fillResolved(machine, to, byte, bytes);
}

function fillResolved(machine: Accesses, to: Scalar, byte: Scalar, bytes: Length): void {
  const { object, offset } = resolve(machine, to, leastOf(bytes), 'write');
  const start = startOf(machine, offset, bytes);
  const target = machine.state.memory.writable(object);
  if (typeof bytes === 'number' && typeof start === 'number') target.fill(start, bytes, byte);
  else {
    const places = (typeof start === 'number' ? 1 : placesOf(start)) + mostOf(bytes) - 1;
    writeSome(machine, target, start, bytes, new Array<Scalar>(places).fill(byte));
  }
}

/**
 * Writes the values whose offsets are in the range; the first value belongs to the first possible
 * start.
 */
function writeSome(
  machine: Path,
  target: ObjectState,
  start: Start,
  bytes: Length,
  values: readonly Scalar[],
): void {
  const { terms } = machine;
  const first = typeof start === 'number' ? start : start.least;
  const length = lengthTerm(terms, bytes);
  for (const [i, byte] of values.entries()) {
    const at = first + i;
    if (typeof start === 'number' && i < leastOf(bytes)) {
      target.write(machine, at, 1, byte);
      continue;
    }
    // Before the start, the unsigned distance is huge.
    const distance =
      typeof start === 'number' ? terms.constant(32, i) : terms.sub(terms.constant(32, at), start.term);
    const old = asTerm(terms, 8, target.read(machine, at, 1));
    const written = terms.ite(terms.ult(distance, length), asTerm(terms, 8, byte), old);
    target.write(machine, at, 1, known(written));
  }
}

export function leastOf(bytes: Length): number {
  return typeof bytes === 'number' ? bytes : bytes.least;
}

function mostOf(bytes: Length): number {
  return typeof bytes === 'number' ? bytes : bytes.most;
}

/** Of 32 bits. */
function lengthTerm(terms: Terms, bytes: Length): Term {
  if (typeof bytes === 'number') return terms.constant(32, bytes);
  return bytes.term.width < 32 ? terms.zext(bytes.term, 32) : terms.extract(bytes.term, 0, 32);
}

function placesOf({ least, most }: SymbolicStart): number {
  return most - least + 1;
}
