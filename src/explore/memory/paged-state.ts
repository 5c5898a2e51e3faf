/**
 * A version of a large object that shares most of its bytes with the version that it was copied
 * from.
 *
 *     whole     |.......................................|   the version before the fork, which is not changed any more
 *     parts            |####|              |####|           what was changed since, in parts of 4 KiB
 *
 * So a fork that changes a byte of a large array copies one part and not the array. Reads look at
 * the part first. When compiled code works on the object, or much of it was changed, the parts are
 * merged, because they would cost more than they save.
 *
 * **Invariants.** `whole` is in one piece and has no owner that is running. A part is an object of
 * its own, at its own address, and is changed only by the memory whose token it carries.
 */

import type { Term } from '../../expr/term.js';
import { NO_OWNER, type Owner } from '../../support/owner.js';
import { PersistentMap } from '../../support/persistent-map.js';
import { asTerm, known, type Scalar } from '../values/register-value.js';
import { epoch } from './epoch.js';
import {
  ALL_WRITTEN,
  type InputBytes,
  ObjectInfo,
  ObjectState,
  type Piece,
  type ReadContext,
} from './object-state.js';
import { Origin } from './origin.js';

const PART_BYTES = 4096;

/** Smaller objects are copied as a whole. */
export const LARGEST_COPIED: number = 16 * 1024;

/** The number of windows that compiled code may request before the parts are merged. */
const MOST_WINDOWS = 512;

export class PagedState extends ObjectState {
  readonly #whole: ObjectState;
  readonly #parts: PersistentMap<ObjectState>;
  #windows = 0;

  private constructor(owner: Owner, whole: ObjectState, parts: PersistentMap<ObjectState>) {
    super(owner, whole.info, { buffer: new Uint8Array(0), view: whole.view, start: 0 }, ALL_WRITTEN);
    this.#whole = whole;
    this.#parts = parts;
  }

  /** Another version of a large object. */
  static of(owner: Owner, object: ObjectState): PagedState {
    return object instanceof PagedState
      ? new PagedState(owner, object.#whole, object.#parts.fork())
      : new PagedState(owner, object, new PersistentMap());
  }

  /** Counts a requested window. Returns whether the parts should be merged. */
  countWindow(): boolean {
    return ++this.#windows > MOST_WINDOWS || this.#parts.size * PART_BYTES * 2 > this.info.bytes;
  }

  /** The object with its parts merged. */
  together(owner: Owner): ObjectState {
    const together = ObjectState.fresh(owner, this.info);
    together.copyFrom(this, 0, 0, this.info.bytes);
    return together;
  }

  /** The piece that contains a byte, up to the end of its part. */
  override pieceAt(offset: number): Piece {
    const start = offset - (offset % PART_BYTES);
    const bytes = Math.min(start + PART_BYTES, this.info.bytes) - offset;
    const part = this.#parts.get((offset / PART_BYTES) >>> 0);
    return part === undefined
      ? { state: this.#whole, from: offset, bytes }
      : { state: part, from: offset - start, bytes };
  }

  /** The same for writing. Requires that the caller owns this version. */
  ownPieceAt(offset: number): Piece {
    const number = (offset / PART_BYTES) >>> 0;
    const start = number * PART_BYTES;
    const bytes = Math.min(PART_BYTES, this.info.bytes - start);
    let part = this.#parts.get(number);
    if (part?.owner !== this.owner) {
      const { base, table, slot, origin } = this.info;
      const info = part?.info ?? new ObjectInfo(new Origin({ ...origin, bytes }), base + start, table, slot);
      const own = ObjectState.fresh(this.owner, info);
      const { state, from } = this.pieceAt(start);
      own.copyFrom(state, from, 0, bytes);
      this.#parts.set(number, own);
      // Compiled code may have a window on the old bytes.
      epoch.now++;
      part = own;
    }
    return { state: part, from: offset - start, bytes: start + bytes - offset };
  }

  override pieces(from: number, bytes: number): readonly Piece[] {
    return this.#split(from, bytes, offset => this.pieceAt(offset));
  }

  #ownPieces(from: number, bytes: number): readonly Piece[] {
    return this.#split(from, bytes, offset => this.ownPieceAt(offset));
  }

  #split(from: number, bytes: number, pieceAt: (offset: number) => Piece): readonly Piece[] {
    const pieces: Piece[] = [];
    for (let at = from; at < from + bytes; ) {
      const piece = pieceAt(at);
      const length = Math.min(piece.bytes, from + bytes - at);
      pieces.push({ ...piece, bytes: length });
      at += length;
    }
    return pieces;
  }

  override get bytes(): Uint8Array {
    const all = new Uint8Array(this.info.bytes);
    let at = 0;
    for (const { state, from, bytes } of this.pieces(0, all.length)) {
      all.set(state.bytes.subarray(from, from + bytes), at);
      at += bytes;
    }
    return all;
  }

  override get mayBeSymbolic(): boolean {
    if (this.#whole.mayBeSymbolic) return true;
    for (const part of this.#parts.values()) if (part.mayBeSymbolic) return true;
    return false;
  }

  override termAt(offset: number): Term | undefined {
    const { state, from } = this.pieceAt(offset);
    return state.termAt(from);
  }

  override isKnown(offset: number, bytes: number): boolean {
    return this.pieces(offset, bytes).every(piece => piece.state.isKnown(piece.from, piece.bytes));
  }

  override isUnwritten(offset: number): boolean {
    const { state, from } = this.pieceAt(offset);
    return state.isUnwritten(from);
  }

  override sourceOf(offset: number): number {
    const { state, from } = this.pieceAt(offset);
    return state.sourceOf(from);
  }

  override read(context: ReadContext, offset: number, bytes: number): Scalar {
    const piece = this.pieceAt(offset);
    if (piece.bytes >= bytes) return piece.state.read(context, piece.from, bytes);
    let word = this.byteTerm(context, offset);
    for (let i = 1; i < bytes; i++) word = context.terms.concat(this.byteTerm(context, offset + i), word);
    return known(word);
  }

  override byteTerm(context: ReadContext, offset: number): Term {
    const { state, from } = this.pieceAt(offset);
    return state.byteTerm(context, from);
  }

  override write(context: ReadContext, offset: number, bytes: number, value: Scalar): void {
    const { terms } = context;
    let bit = 0;
    for (const piece of this.#ownPieces(offset, bytes)) {
      const part =
        piece.bytes === bytes
          ? value
          : known(terms.extract(asTerm(terms, 8 * bytes, value), bit, 8 * piece.bytes));
      piece.state.write(context, piece.from, piece.bytes, part);
      bit += 8 * piece.bytes;
    }
  }

  override writeByte(offset: number, byte: Scalar): void {
    const { state, from } = this.ownPieceAt(offset);
    state.writeByte(from, byte);
  }

  override placeInput(input: InputBytes, from: number, bytes: number): void {
    let at = from;
    for (const piece of this.#ownPieces(from, bytes)) {
      piece.state.placeInput(input.moved(piece.from - at), piece.from, piece.bytes);
      at += piece.bytes;
    }
  }

  override fill(offset: number, bytes: number, byte: Scalar): void {
    for (const piece of this.#ownPieces(offset, bytes)) piece.state.fill(piece.from, piece.bytes, byte);
  }

  override markWritten(offset: number, bytes: number): void {
    for (const piece of this.#ownPieces(offset, bytes)) piece.state.markWritten(piece.from, piece.bytes);
  }

  override copyFrom(source: ObjectState, from: number, to: number, bytes: number): void {
    if (source === this) {
      // The ranges may overlap, so the source is read before any of it changes.
      this.copyFrom(this.#excerpt(from, bytes), 0, to, bytes);
      return;
    }
    let at = from;
    for (const piece of this.#ownPieces(to, bytes)) {
      piece.state.copyFrom(source, at, piece.from, piece.bytes);
      at += piece.bytes;
    }
  }

  #excerpt(from: number, bytes: number): ObjectState {
    const { base, table, slot, origin } = this.info;
    const info = new ObjectInfo(new Origin({ ...origin, bytes }), base + from, table, slot);
    const excerpt = ObjectState.fresh(NO_OWNER, info);
    excerpt.copyFrom(this, from, 0, bytes);
    return excerpt;
  }
}
