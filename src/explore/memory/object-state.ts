/**
 * A memory object of the program under test in one state: concrete bytes, and terms for the
 * symbolic ones.
 *
 *     bytes   68 65 6c 6c 6f 00        what a concrete read takes
 *     terms    .  .  ▒  ▒  .  .        absent while no byte is symbolic; where it has a term, the term is the byte
 *     marks    .  .  .  .  .  1        a byte that holds FILLER because the program wrote that very value
 *
 * The bytes themselves show which were never written: new memory holds FILLER, so a byte with any
 * other value was written, and only a store of FILLER must be marked. Compiled code compares loaded
 * and stored values with FILLER and takes a slow path in the rare case that they are equal; a mask
 * that every store updates would cost another access each time.
 *
 * **Invariants.** `info` is the same in all versions. A version is changed only by the memory whose
 * token it carries; every other memory copies it first. `bytes` and `terms` have `info.bytes`
 * elements; an object whose life has ended has neither.
 *
 * Copies of uninitialized bytes are uninitialized too; `sources` records where they came from, so
 * that a finding can name the uninitialized variable. This only improves messages, so only the last
 * of many copies into one object are kept.
 *
 * The bytes of a large input share one mark (`InputBytes`) until the term of one is needed.
 *
 * Terms are kept per byte rather than as one array term because almost all accesses are at known
 * offsets: a word that was stored comes back as the same term, and the solver never sees an array.
 */
import type { Evaluator } from '../../expr/evaluate.js';
import { type ByteArray, Op, type SymbolicArray, Term } from '../../expr/term.js';
import type { Terms } from '../../expr/terms.js';
import type { ObjectKind, SourceLocation } from '../../findings/finding.js';
import type { Owner } from '../../support/owner.js';
import { asTerm, fromHalves, type Known, known, type Scalar } from '../values/register-value.js';
import type { Trace } from './call-trace.js';
import { epoch } from './epoch.js';
import type { Ended, Origin, OriginLife } from './origin.js';
import { newStorage, type Storage } from './storage.js';
import { FILLER, type Unwritten } from './unwritten.js';

/** The identity of an object, in all its versions and all states. */
export class ObjectInfo {
  constructor(
    readonly origin: Origin,
    readonly base: number,
    /** Its table and slot in the memory. */
    readonly table: number,
    readonly slot: number,
  ) {}

  get kind(): ObjectKind {
    return this.origin.kind;
  }

  get name(): string | undefined {
    return this.origin.name;
  }

  get bytes(): number {
    return this.origin.bytes;
  }

  get length(): Term | undefined {
    return this.origin.length;
  }

  get isOfLibrary(): boolean {
    return this.origin.isOfLibrary;
  }

  get isReadOnly(): boolean {
    return this.origin.isReadOnly;
  }

  get isVariadic(): boolean {
    return this.origin.isVariadic;
  }

  get allocated(): Trace | undefined {
    return this.origin.allocated;
  }

  get declared(): SourceLocation | undefined {
    return this.origin.declared;
  }
}

/** Which bytes hold FILLER because the program wrote it: all, none, or those with a 1. */
type Marks = 'all' | 'none' | Uint8Array;

const nothing = newStorage(0, FILLER);

/** What is needed to make terms of bytes. */
export interface ReadContext {
  readonly terms: Terms;
  readonly unwritten: Unwritten;
}

/** A contiguous range of an object. */
export interface Piece {
  readonly state: ObjectState;
  readonly from: number;
  readonly bytes: number;
}

/** Objects of at most this size become array terms as a whole. */
const SMALL = 256;

/** The terms of larger inputs are made on demand. */
const LARGEST_EAGER = 8192;

/** Stands for the terms of an input's bytes that are in memory unchanged. */
export class InputBytes {
  constructor(
    readonly terms: Terms,
    readonly array: SymbolicArray,
    /** The offset of its first byte in the object. */
    readonly start: number,
  ) {}

  at(offset: number): Term {
    return this.terms.read(this.array, this.terms.constant(32, offset - this.start));
  }

  moved(by: number): InputBytes {
    return new InputBytes(this.terms, this.array, this.start + by);
  }

  /**
   * Whether this byte, at `own` in its part and at `offset` in the object, is the input's byte for
   * that offset.
   */
  isAt(offset: number, byte: SymbolicByte | undefined, own: number): boolean {
    if (byte?.array !== this.array) return false;
    const index = offset - this.start;
    if (byte instanceof InputBytes) return own - byte.start === index;
    return byte.op === Op.Read && byte.a.isConst && byte.a.value === index;
  }
}

type SymbolicByte = Term | InputBytes;

/** A range, and the address from which its uninitialized bytes were copied. */
export interface Source {
  readonly offset: number;
  readonly bytes: number;
  readonly from: number;
}

/** The number of sources that are kept. */
const MOST_SOURCES = 32;

/** An array, and the offset of its first byte in the object. */
interface PlacedArray {
  readonly array: ByteArray;
  readonly start: number;
}

/** The contents of an object besides its bytes. */
interface Contents {
  /** Indexed by offset. */
  readonly terms: (SymbolicByte | undefined)[] | undefined;
  readonly marks: Marks;
  /** The latest last. */
  readonly sources: Source[] | undefined;
}

/** Most objects have none, and share these. */
export const ALL_WRITTEN: Contents = { terms: undefined, marks: 'all', sources: undefined };
const NONE_WRITTEN: Contents = { terms: undefined, marks: 'none', sources: undefined };

const LIVE: Pick<Ended, 'life' | 'ended'> = { life: 'live', ended: undefined };

export class ObjectState {
  /** The buffer that holds the bytes, from `start` on; also as a view, for compiled code. */
  readonly #buffer: Uint8Array;
  readonly view: DataView;
  readonly start: number;
  private terms: (SymbolicByte | undefined)[] | undefined;
  private marks: Marks;
  private sources: Source[] | undefined;
  readonly life: OriginLife;
  /** Where its life ended. */
  readonly ended: Trace | undefined;

  constructor(
    readonly owner: Owner,
    readonly info: ObjectInfo,
    { buffer, view, start }: Storage,
    { terms, marks, sources }: Contents,
    { life, ended }: Pick<Ended, 'life' | 'ended'> = LIVE,
  ) {
    this.#buffer = buffer;
    this.view = view;
    this.start = start;
    this.terms = terms;
    this.marks = marks;
    this.sources = sources;
    this.life = life;
    this.ended = ended;
  }

  /**
   * The concrete bytes, as a new view; bytes under a term are meaningless. Requires a live object.
   */
  get bytes(): Uint8Array {
    return this.#buffer.subarray(this.start, this.start + this.info.bytes);
  }

  get origin(): Origin {
    return this.info.origin;
  }

  /** Whether there may be symbolic bytes. */
  get mayBeSymbolic(): boolean {
    return this.terms !== undefined;
  }

  /** The term of a symbolic byte. */
  termAt(offset: number): Term | undefined {
    const byte = this.terms?.[offset];
    if (byte === undefined || byte instanceof Term) return byte;
    const term = byte.at(offset);
    this.terms![offset] = term;
    return term;
  }

  /** The symbolic bytes by offset. */
  *symbolicBytes(): IterableIterator<[offset: number, term: Term]> {
    if (!this.mayBeSymbolic) return;
    for (let i = 0; i < this.info.bytes; i++) {
      const term = this.termAt(i);
      if (term !== undefined) yield [i, term];
    }
  }

  /** The bytes under an assignment. */
  bytesOn(evaluator: Evaluator): Uint8Array {
    if (!this.mayBeSymbolic) return this.bytes;
    const values = this.bytes.slice();
    const { arrays } = evaluator.assignment;
    this.#forEachByte(0, values.length, (at, byte, _, own) => {
      if (byte instanceof Term) values[at] = Number(evaluator.value(byte));
      else if (byte !== undefined) values[at] = arrays.get(byte.array.name)?.[own - byte.start] ?? 0;
    });
    return values;
  }

  /**
   * Whether the other is an object of the same kind with the same contents. Requires that both are
   * live.
   */
  isLike(other: ObjectState): boolean {
    const { bytes, kind, length, isReadOnly, isVariadic, isOfLibrary } = this.info;
    const { info } = other;
    if (bytes !== info.bytes || kind !== info.kind || length !== info.length) return false;
    if (isReadOnly !== info.isReadOnly || isVariadic !== info.isVariadic) return false;
    if (isOfLibrary !== info.isOfLibrary) return false;
    for (let at = 0; at < bytes; ) {
      const one = this.pieceAt(at);
      const another = other.pieceAt(at);
      const count = Math.min(one.bytes, another.bytes);
      if (!arePiecesAlike(one, another, count)) return false;
      at += count;
    }
    return true;
  }

  #forEachByte(
    from: number,
    bytes: number,
    visit: (at: number, byte: SymbolicByte | undefined, part: ObjectState, own: number) => void,
  ): void {
    let at = from;
    for (const { state, from: first, bytes: length } of this.pieces(from, bytes))
      for (let own = first; own < first + length; own++) visit(at++, state.terms?.[own], state, own);
  }

  /** The piece that contains a byte, from that byte on. */
  pieceAt(offset: number): Piece {
    return { state: this, from: offset, bytes: this.info.bytes - offset };
  }

  /** The pieces of a range in an object that is stored in parts. */
  pieces(from: number, bytes: number): readonly Piece[] {
    return [{ state: this, from, bytes }];
  }

  /** The first version of an object with bytes of its own. */
  static fresh(owner: Owner, info: ObjectInfo): ObjectState {
    const content = info.origin.contents === 'zero' ? 0 : FILLER;
    return ObjectState.over(owner, info, newStorage(info.bytes, content));
  }

  /** The first version, over existing bytes. */
  static over(owner: Owner, info: ObjectInfo, storage: Storage): ObjectState {
    return new ObjectState(
      owner,
      info,
      storage,
      info.origin.contents === 'zero' ? ALL_WRITTEN : NONE_WRITTEN,
    );
  }

  /** An ended object, without contents. */
  static ended(owner: Owner, info: ObjectInfo, end: Ended): ObjectState {
    return new ObjectState(owner, info, nothing, NONE_WRITTEN, end);
  }

  /** A version for another owner. */
  copy(owner: Owner): ObjectState {
    const { info, terms, marks, sources } = this;
    const storage = newStorage(info.bytes, FILLER);
    storage.buffer.set(this.bytes, storage.start);
    const contents = {
      terms: terms?.slice(),
      marks: typeof marks === 'string' ? marks : marks.slice(),
      sources: sources?.slice(),
    };
    return new ObjectState(owner, info, storage, contents, this);
  }

  #makeTerms(): void {
    if (this.terms !== undefined) return;
    this.terms = new Array<SymbolicByte | undefined>(this.info.bytes).fill(undefined);
    epoch.now++;
  }

  /**
   * Whether every byte of the range is initialized and concrete. Requires that it is inside the
   * object.
   */
  isKnown(offset: number, bytes: number): boolean {
    const { terms } = this;
    for (let i = offset; i < offset + bytes; i++)
      if (terms?.[i] !== undefined || this.isUnwritten(i)) return false;
    return true;
  }

  /** The concrete byte; meaningless under a term. */
  byteAt(offset: number): number {
    return this.#buffer[this.start + offset]!;
  }

  /** Whether the program has never written the byte; for bytes without a term. */
  isUnwritten(offset: number): boolean {
    if (this.#buffer[this.start + offset] !== FILLER) return false;
    const { marks } = this;
    return marks === 'none' || (marks !== 'all' && marks[offset] === 0);
  }

  read(context: ReadContext, offset: number, bytes: number): Scalar {
    return this.isKnown(offset, bytes)
      ? readKnown(this.#buffer, this.start + offset, bytes)
      : this.#readTerm(context, offset, bytes);
  }

  #readTerm(context: ReadContext, offset: number, bytes: number): Scalar {
    let word = this.byteTerm(context, offset);
    for (let i = 1; i < bytes; i++) word = context.terms.concat(this.byteTerm(context, offset + i), word);
    return known(word);
  }

  byteTerm({ terms, unwritten }: ReadContext, offset: number): Term {
    const term = this.termAt(offset);
    if (term !== undefined) return term;
    return this.isUnwritten(offset)
      ? unwritten.byte(this.info.base + offset, this.sourceOf(offset))
      : terms.constant(8, this.#buffer[this.start + offset]!);
  }

  /** Requires that the caller owns this version. */
  write({ terms, unwritten }: ReadContext, offset: number, bytes: number, value: Scalar): void {
    if (typeof value === 'object') {
      for (let i = 0; i < bytes; i++) {
        const byte = known(terms.extract(value, 8 * i, 8));
        const from = typeof byte === 'object' ? unwritten.addressOf(byte) : undefined;
        if (from === undefined) this.writeByte(offset + i, byte);
        else {
          this.#forget(offset + i);
          if (this.sourceOf(offset + i) !== from)
            this.addSource({ offset: offset + i, bytes: bytes - i, from });
        }
      }
      return;
    }
    writeKnown(this.#buffer, this.start + offset, bytes, value);
    if (this.terms !== undefined) this.terms.fill(undefined, offset, offset + bytes);
    this.markWritten(offset, bytes);
  }

  writeByte(offset: number, byte: Scalar): void {
    if (typeof byte === 'object') {
      this.#makeTerms();
      this.terms![offset] = byte;
      return;
    }
    this.#buffer[this.start + offset] = Number(byte);
    if (this.terms !== undefined) this.terms[offset] = undefined;
    if (byte === FILLER) this.markWritten(offset, 1);
  }

  /** Writes a whole input at an offset. */
  writeInput(terms: Terms, array: SymbolicArray, start: number): void {
    const { byteLength } = array;
    if (byteLength > LARGEST_EAGER) this.placeInput(new InputBytes(terms, array, start), start, byteLength);
    else
      for (let i = 0; i < byteLength; i++)
        this.writeByte(start + i, terms.read(array, terms.constant(32, i)));
  }

  /** Writes a part of an input whose place the mark describes. */
  placeInput(input: InputBytes, from: number, bytes: number): void {
    this.#makeTerms();
    this.terms!.fill(input, from, from + bytes);
  }

  fill(offset: number, bytes: number, byte: Scalar): void {
    if (typeof byte === 'object') {
      for (let i = 0; i < bytes; i++) this.writeByte(offset + i, byte);
      return;
    }
    this.#buffer.fill(Number(byte), this.start + offset, this.start + offset + bytes);
    this.terms?.fill(undefined, offset, offset + bytes);
    if (byte === FILLER) this.markWritten(offset, bytes);
  }

  /** Marks a range as written: where it holds FILLER, that is its value. */
  markWritten(offset: number, bytes: number): void {
    if (this.marks === 'all') return;
    for (let i = offset; i < offset + bytes; i++) {
      if (this.#buffer[this.start + i] !== FILLER) continue;
      if (this.marks === 'none') this.marks = new Uint8Array(this.info.bytes);
      this.marks[i] = 1;
    }
  }

  /** For an uninitialized byte, the address from which it was copied, or its own. */
  sourceOf(offset: number): number {
    const source = this.sources?.findLast(each => offset >= each.offset && offset < each.offset + each.bytes);
    return source === undefined ? this.info.base + offset : source.from + offset - source.offset;
  }

  /** The object replaces another one (`realloc`), so bytes copied from that count as its own. */
  takePlaceOf({ base, bytes }: ObjectInfo): void {
    this.sources = this.sources?.filter(({ from }) => from < base || from >= base + bytes);
  }

  addSource(source: Source): void {
    this.sources ??= [];
    this.sources.push(source);
    if (this.sources.length > MOST_SOURCES) this.sources.shift();
  }

  /** Records the sources of a copied range. */
  #takeSources(source: ObjectState, from: number, to: number, bytes: number): void {
    const copies = source.sources?.slice() ?? [];
    this.addSource({ offset: to, bytes, from: source.info.base + from });
    for (const copy of copies) {
      const first = Math.max(copy.offset, from);
      const end = Math.min(copy.offset + copy.bytes, from + bytes);
      if (first < end)
        this.addSource({
          offset: to + first - from,
          bytes: end - first,
          from: copy.from + first - copy.offset,
        });
    }
  }

  /** Makes the byte uninitialized. */
  #forget(offset: number): void {
    this.#buffer[this.start + offset] = FILLER;
    if (this.terms !== undefined) this.terms[offset] = undefined;
    if (this.marks === 'none') return;
    if (this.marks === 'all') this.marks = new Uint8Array(this.info.bytes).fill(1);
    this.marks[offset] = 0;
  }

  /** Copies bytes of an object, perhaps of this one. Requires that the caller owns this version. */
  copyFrom(source: ObjectState, from: number, to: number, bytes: number): void {
    let at = to;
    for (const piece of source.pieces(from, bytes)) {
      this.#copyPiece(piece.state, piece.from, at, piece.bytes);
      at += piece.bytes;
    }
  }

  #copyPiece(source: ObjectState, from: number, to: number, bytes: number): void {
    const terms = source.terms?.slice(from, from + bytes);
    const unwritten = source.#unwrittenIn(from, bytes);
    this.#buffer.set(source.bytes.subarray(from, from + bytes), this.start + to);
    if (terms?.some(term => term !== undefined)) {
      this.#makeTerms();
      /** The place of the last input. */
      let [input, moved]: (SymbolicByte | undefined)[] = [];
      for (let i = 0; i < bytes; i++) {
        const byte = terms[i];
        if (byte instanceof InputBytes && byte !== input) [input, moved] = [byte, byte.moved(to - from)];
        this.terms![to + i] = byte instanceof InputBytes ? moved : byte;
      }
    } else this.terms?.fill(undefined, to, to + bytes);
    this.markWritten(to, bytes);
    for (const offset of unwritten) if (terms?.[offset] === undefined) this.#forget(to + offset);
    if (unwritten.length > 0) this.#takeSources(source, from, to, bytes);
  }

  /** The uninitialized offsets of a range. */
  #unwrittenIn(from: number, bytes: number): number[] {
    const found: number[] = [];
    if (this.marks === 'all') return found;
    for (let i = 0; i < bytes; i++) if (this.isUnwritten(from + i)) found.push(i);
    return found;
  }

  /** Reads `bytes` bytes at a symbolic index. Requires that it is in bounds. */
  readAt(context: ReadContext, index: Term, bytes: number): Scalar {
    const word = this.bytesFrom(context, index, bytes).reduce((low, byte) => context.terms.concat(byte, low));
    return known(word);
  }

  /** The bytes from a symbolic index on; zero beyond the end. */
  bytesFrom(context: ReadContext, index: Term, bytes: number): Term[] {
    const t = context.terms;
    const [least, most] = [t.facts.umin[index.id]!, t.facts.umax[index.id]! + bytes];
    // A large object contributes only the part that can be read; a small one is the same array for
    // all its reads.
    const { array, start } =
      this.info.bytes <= SMALL || most > 2 ** 32
        ? this.#asArray(context)
        : this.#asArray(context, least, Math.min(most, this.info.bytes));
    return Array.from({ length: bytes }, (_, i) => t.read(array, t.add(index, t.constant(32, i - start))));
  }

  /** Writes at a symbolic index, after which every byte may have changed. */
  writeAt(context: ReadContext, index: Term, bytes: number, value: Scalar): void {
    const t = context.terms;
    const word = asTerm(t, 8 * bytes, value);
    let { array, start } = this.#asArray(context);
    for (let i = 0; i < bytes; i++)
      array = t.write(array, t.add(index, t.constant(32, i - start)), t.extract(word, 8 * i, 8));
    for (let i = 0; i < this.info.bytes; i++)
      this.writeByte(i, known(t.read(array, t.constant(32, i - start))));
  }

  /** The array is correct between the two offsets. */
  #asArray(context: ReadContext, from = 0, to = this.info.bytes): PlacedArray {
    const t = context.terms;
    const input = to - from > LARGEST_EAGER ? this.#inputIn(from, to) : undefined;
    const start = input?.start ?? 0;
    let array: ByteArray = input?.array ?? t.constantArray(this.bytes);
    this.#forEachByte(from, to - from, (at, byte, part, own) => {
      const isThere =
        input === undefined ? byte === undefined && !part.isUnwritten(own) : input.isAt(at, byte, own);
      if (!isThere) array = t.write(array, t.constant(32, at - start), part.byteTerm(context, own));
    });
    return { array, start };
  }

  /** The input to which most bytes between the two offsets belong, if there is one. */
  #inputIn(from: number, to: number): InputBytes | undefined {
    const inputs: InputBytes[] = [];
    let count = 0;
    this.#forEachByte(from, to - from, (at, byte, _, own) => {
      if (inputs.length === 0 && byte instanceof InputBytes) inputs.push(byte.moved(at - own));
      if (inputs[0]?.isAt(at, byte, own)) count++;
    });
    return 2 * count > to - from ? inputs[0] : undefined;
  }
}

/** Whether the first bytes of both pieces are equal. */
function arePiecesAlike(one: Piece, another: Piece, count: number): boolean {
  if (one.state === another.state && one.from === another.from) return true;
  for (let i = 0; i < count; i++) {
    const at = one.from + i;
    const other = another.from + i;
    const term = one.state.termAt(at);
    if (term !== another.state.termAt(other)) return false;
    if (term !== undefined) continue;
    if (one.state.isUnwritten(at) !== another.state.isUnwritten(other)) return false;
    if (!one.state.isUnwritten(at) && one.state.byteAt(at) !== another.state.byteAt(other)) return false;
  }
  return true;
}

/** Little-endian. */
function readKnown(from: Uint8Array, offset: number, bytes: number): Known {
  switch (bytes) {
    case 1:
      return from[offset]!;
    case 2:
      return from[offset]! | (from[offset + 1]! << 8);
    case 4:
      return readWord(from, offset);
    case 8:
      return fromHalves(readWord(from, offset + 4), readWord(from, offset));
    default: {
      let value = 0n;
      for (let i = bytes - 1; i >= 0; i--) value = (value << 8n) | BigInt(from[offset + i]!);
      return value <= Number.MAX_SAFE_INTEGER ? Number(value) : value;
    }
  }
}

function readWord(from: Uint8Array, offset: number): number {
  return (
    (from[offset]! | (from[offset + 1]! << 8) | (from[offset + 2]! << 16) | (from[offset + 3]! << 24)) >>> 0
  );
}

export function writeKnown(to: Uint8Array, offset: number, bytes: number, value: Known): void {
  if (typeof value === 'number') {
    const low = value | 0;
    const count = bytes < 4 ? bytes : 4;
    for (let i = 0; i < count; i++) to[offset + i] = low >> (8 * i);
    if (bytes <= 4) return;
    const high = Math.floor(value / 2 ** 32);
    for (let i = 4; i < bytes; i++) to[offset + i] = i < 8 ? high >> (8 * i - 32) : 0;
    return;
  }
  for (let i = 0; i < bytes; i++) to[offset + i] = Number((value >> BigInt(8 * i)) & 0xffn);
}

/** The destination of an access. */
export interface Target {
  readonly object: ObjectState;
  /** A number, or a term of 32 bits. */
  readonly offset: number | Term;
}
