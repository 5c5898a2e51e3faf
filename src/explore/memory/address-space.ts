/**
 * The memory of one state: KDALLOC decides addresses, a table per bin says what is in each slot.
 *
 *     address ──allocator.slotAt──▶ table (region * 9 + bin), slot ──tables[table]──▶ page of 32 slots ──▶ slot
 *
 *     slot   Origin         a small live object; its bytes are among those of the page
 *            ObjectState    any other live object: a large one, or one that was changed since a fork
 *            Ended          what was there
 *
 * No search is needed: the object of an address is computed by arithmetic, and a freed address
 * still identifies the object that was there.
 *
 * Programs that build long lists make millions of small objects, and an ObjectState for each would
 * cost the garbage collector more than all the rest. So the small objects of a page share a buffer,
 * and each object is only a reference to a shared Origin. When such an object is needed as an
 * ObjectState, one is made over the same bytes and kept.
 *
 * A fork shares everything. A table is copied, in constant time, by the first write after a fork; a
 * page when one of its slots changes, but never its bytes: a memory that does not own these makes
 * an ObjectState of the one object that it changes.
 *
 * **Invariants.** A table, a page, the bytes of a page and an object are written only by the memory
 * whose token they carry. A page with an Origin has bytes. A small object of which there is an
 * ObjectState is that state, for all who see the Origin.
 */
import { type Allocator, BINS_PER_REGION, LARGE_BIN, type Region, SLOT_SIZES } from '../../kdalloc/index.js';
import { assert } from '../../support/assert.js';
import { NO_OWNER, type Owner } from '../../support/owner.js';
import { PersistentMap } from '../../support/persistent-map.js';
import type { Trace } from './call-trace.js';
import { epoch } from './epoch.js';
import { ObjectInfo, ObjectState, type Piece } from './object-state.js';
import { Ended, Origin, type OriginLife } from './origin.js';
import { LARGEST_COPIED, PagedState } from './paged-state.js';
import { giveBack, reusedStorage, Storage } from './storage.js';
import { FILLER } from './unwritten.js';

const TABLES = 4 * BINS_PER_REGION;

/** Objects with more bytes are ObjectStates from the beginning. */
const LARGEST_IN_PAGE = 256;
const PAGE_BITS = 5;
const PAGE_SLOTS = 1 << PAGE_BITS;

/** Steps up to this size cannot reach another object, because the allocator leaves larger gaps. */
export const SHORT_STEP = 4096;

/** The contents of a slot. */
export type Held = ObjectState | Origin | Ended;

/**
 * Bytes of an object that compiled code may access directly: all of them, except for objects in
 * parts.
 */
export class Window {
  view: DataView | null = null;
  /** The range of the bytes in the buffer. */
  start = 0;
  end = 0;
  /** The range of the whole object. */
  low = 0;
  high = 0;
  /**
   * The address of offset 0 of the buffer. It is in an array, because V8 recompiles users of a
   * field when it first holds a fraction or a large number.
   */
  readonly base: Float64Array = new Float64Array(1);
}

/** For callers that need no window. */
const unused = new Window();

/** The bytes of the small objects of a page. */
class PageBytes {
  readonly buffer: Uint8Array;
  readonly view: DataView;
  readonly #storage: Storage;
  readonly #start: number;
  /** Slots from here on have never been used: their bytes are FILLER. */
  #fresh = 0;
  /** The number of live objects, as far as the owner knows. */
  #live = 0;
  /** The objects that were needed as an ObjectState. */
  states: (ObjectState | undefined)[] | undefined;
  /**
   * A bit for each byte that holds FILLER because the program wrote that value. Allocated when the
   * first is set; not maintained for objects in `states`.
   */
  #marks: Int32Array | undefined;
  /**
   * For each slot the last copy into its object: offset, size, source (see `ObjectState`).
   * Allocated when the first is recorded.
   */
  #copies: Float64Array | undefined;

  constructor(
    readonly owner: Owner,
    readonly slotBytes: number,
  ) {
    this.#storage = reusedStorage(PAGE_SLOTS * slotBytes);
    this.buffer = this.#storage.buffer;
    this.view = this.#storage.view;
    this.#start = this.#storage.start;
  }

  startOf(index: number): number {
    return this.#start + index * this.slotBytes;
  }

  /** Opens a window on an object of this size at an address. */
  open(window: Window, index: number, bytes: number, address: number): void {
    const start = this.startOf(index);
    const end = start + bytes;
    window.view = this.view;
    window.start = start;
    window.end = end;
    window.low = start;
    window.high = end;
    window.base[0] = address - start;
  }

  /** Initializes the bytes of a new object. Requires that the caller owns the bytes. */
  begin(index: number, origin: Origin): void {
    this.#live++;
    if (origin.contents === 'zero' || index < this.#fresh) {
      const start = this.startOf(index);
      const content = origin.contents === 'zero' ? 0 : FILLER;
      this.#storage.buffer.fill(content, start, start + this.slotBytes);
      if (this.#marks !== undefined) this.#unmark(index);
    }
    if (index >= this.#fresh) this.#fresh = index + 1;
    if (this.#copies !== undefined) this.#copies[3 * index + 1] = 0;
  }

  /**
   * Ends an object. Returns whether all slots have been used and none is live, so that the bytes
   * can be released.
   */
  end(index: number): boolean {
    if (this.states !== undefined) this.states[index] = undefined;
    if (--this.#live > 0 || this.#fresh < PAGE_SLOTS) return false;
    giveBack(this.#storage, PAGE_SLOTS * this.slotBytes);
    return true;
  }

  /** The object as an ObjectState, when it is first needed. */
  newState(index: number, info: ObjectInfo): ObjectState {
    const start = this.startOf(index);
    const state = ObjectState.over(this.owner, info, new Storage(this.buffer, this.view, start));
    for (let offset = 0; offset < info.bytes; offset++)
      if (this.#isMarked(start - this.#start + offset)) state.markWritten(offset, 1);
    if (this.#copies !== undefined) {
      const [offset, bytes, from] = this.#copies.subarray(3 * index, 3 * index + 3);
      if (bytes! > 0) state.addSource({ offset: offset!, bytes: bytes!, from: from! });
    }
    this.states ??= new Array<ObjectState | undefined>(PAGE_SLOTS).fill(undefined);
    this.states[index] = state;
    return state;
  }

  // Marks are indexed by the offset of the byte in the page.

  get isMarked(): boolean {
    return this.#marks !== undefined;
  }

  holdsFiller(at: number, count: number): boolean {
    for (let i = 0; i < count; i++) if (this.buffer[at + i] === FILLER) return true;
    return false;
  }

  /** Records that a range of an object was copied from an address. */
  noteCopy(at: number, count: number, from: number): void {
    this.#copies ??= new Float64Array(3 * PAGE_SLOTS);
    const first = at - this.#start;
    const copy = 3 * Math.floor(first / this.slotBytes);
    this.#copies[copy] = first % this.slotBytes;
    this.#copies[copy + 1] = count;
    this.#copies[copy + 2] = from;
  }

  /** The address from which a range was copied, if the last copy into its object covers it. */
  sourceOf(at: number, count: number, address: number): number {
    if (this.#copies === undefined) return address;
    const first = at - this.#start;
    const copy = 3 * Math.floor(first / this.slotBytes);
    const inside = (first % this.slotBytes) - this.#copies[copy]!;
    return inside >= 0 && inside + count <= this.#copies[copy + 1]!
      ? this.#copies[copy + 2]! + inside
      : address;
  }

  #isMarked(byte: number): boolean {
    return this.#marks !== undefined && (this.#marks[byte >>> 5]! & (1 << byte)) !== 0;
  }

  #unmark(index: number): void {
    const first = index * this.slotBytes;
    for (let byte = first; byte < first + this.slotBytes; byte++) this.#marks![byte >>> 5]! &= ~(1 << byte);
  }

  /** Marks written bytes from an offset in the buffer on. Requires that the caller owns them. */
  markWritten(at: number, count: number): void {
    const first = at - this.#start;
    for (let i = 0; i < count; i++) {
      if (this.buffer[at + i] !== FILLER) continue;
      this.#marks ??= new Int32Array(this.slotBytes);
      const byte = first + i;
      this.#marks[byte >>> 5]! |= 1 << byte;
    }
  }

  /** Whether a byte is uninitialized, in an object that began uninitialized. */
  hasUnwritten(at: number, count: number): boolean {
    for (let i = 0; i < count; i++)
      if (this.buffer[at + i] === FILLER && !this.#isMarked(at - this.#start + i)) return true;
    return false;
  }
}

/**
 * A page of neighbouring slots. While all used slots hold the same, for example the nodes of a
 * list, the value is stored once.
 */
class Page {
  /** The number of used slots. */
  count = 0;
  /** Their common value, … */
  #common: Held | undefined;
  /** … or their values if they differ. */
  #slots: (Held | undefined)[] | undefined;
  bytes: PageBytes | undefined;

  constructor(readonly owner: Owner) {}

  copy(owner: Owner): Page {
    const page = new Page(owner);
    page.count = this.count;
    page.#common = this.#common;
    page.#slots = this.#slots?.slice();
    page.bytes = this.bytes;
    return page;
  }

  at(index: number): Held | undefined {
    if (this.#slots !== undefined) return this.#slots[index];
    return index < this.count ? this.#common : undefined;
  }

  put(index: number, held: Held): void {
    if (this.#slots === undefined) {
      if (index === this.count && (index === 0 || held === this.#common)) {
        this.#common = held;
        this.count++;
        return;
      }
      this.#slots = new Array<Held | undefined>(this.count).fill(this.#common);
    }
    while (this.count < index) this.#slots[this.count++] = undefined;
    if (this.count === index) this.count++;
    this.#slots[index] = held;
  }

  /**
   * The shared page for slots that all hold the same: a function that is called a million times
   * leaves little behind. Undefined if they differ.
   */
  get equal(): Page | undefined {
    const first = this.at(0);
    if (first === undefined || this.#slots?.some(held => held !== first)) return undefined;
    let page = equalPages.get(first);
    if (page === undefined) {
      page = new Page(NO_OWNER);
      page.count = this.count;
      page.#common = first;
      equalPages.set(first, page);
    }
    return page;
  }
}

const equalPages = new WeakMap<Held, Page>();

/** The pages of one bin, by slot / PAGE_SLOTS. */
class Table {
  constructor(
    readonly owner: Owner,
    readonly pages: PersistentMap<Page>,
  ) {}
}

function openOn(window: Window, { state, from, bytes }: Piece, address: number): void {
  window.view = state.view;
  window.start = state.start + from;
  window.end = window.start + bytes;
  window.base[0] = address - window.start;
}

/**
 * The memory that was used last, and for each of its tables the last page and its index: -1 for
 * none.
 */
let lastMemory: Memory | undefined;
const lastKeys = new Int32Array(TABLES).fill(-1);
const lastPages: (Page | undefined)[] = new Array<Page | undefined>(TABLES).fill(undefined);

export class Memory {
  owner: Owner = {};
  readonly #allocator: Allocator;
  readonly #tables: Table[];
  /** The slot of the address of the last `at`; its table is the allocator's last one. */
  #lastSlot = -1;
  /** Further results of `#plainBytes`: the start of the range, and the origin of its object. */
  #plainStart = 0;
  #plainOrigin: Origin | undefined;

  private constructor(allocator: Allocator, tables: Table[]) {
    this.#allocator = allocator;
    this.#tables = tables;
  }

  static create(allocator: Allocator): Memory {
    return new Memory(
      allocator,
      Array.from({ length: TABLES }, () => new Table(NO_OWNER, new PersistentMap())),
    );
  }

  fork(): Memory {
    this.owner = {};
    epoch.now++;
    return new Memory(this.#allocator.fork(), this.#tables.slice());
  }

  /**
   * Whether this memory and a fork of it hold the same objects with the same contents, and will
   * place new objects at the same addresses.
   */
  isLike(other: Memory): boolean {
    return (
      this.#tables.every(
        ({ pages }, table) =>
          pages === other.#tables[table]!.pages ||
          pages.isLike(other.#tables[table]!.pages, (one, another, key) =>
            this.#arePagesAlike(other, one, another, table, key),
          ),
      ) && this.#allocator.isLike(other.#allocator)
    );
  }

  #arePagesAlike(other: Memory, one: Page, another: Page, table: number, key: number): boolean {
    if (one.count !== another.count) return false;
    for (let index = 0; index < one.count; index++) {
      const held = one.at(index);
      const was = another.at(index);
      const isSame = held === was && (!(held instanceof Origin) || one.bytes === another.bytes);
      if (isSame || (held instanceof Ended && was instanceof Ended)) continue;
      if (held === undefined || was === undefined || held.life !== was.life) return false;
      const slot = key * PAGE_SLOTS + index;
      if (!this.#objectAt(table, slot)!.isLike(other.#objectAt(table, slot)!)) return false;
    }
    return true;
  }

  // ------------------------------------------------------------------------------------ lookups

  /**
   * The page of a slot, if there is one. Consecutive accesses are mostly close together, so it is
   * mostly the last page of its bin.
   */
  #pageAt(table: number, slot: number): Page | undefined {
    const key = slot >>> PAGE_BITS;
    return lastKeys[table] === key && lastMemory === this ? lastPages[table] : this.#findPage(table, key);
  }

  #findPage(table: number, key: number): Page | undefined {
    const page = this.#tables[table]!.pages.get(key);
    if (page !== undefined) this.#remember(table, key, page);
    return page;
  }

  #remember(number: number, key: number, page: Page): void {
    if (lastMemory !== this) {
      lastKeys.fill(-1);
      lastMemory = this;
    }
    lastKeys[number] = key;
    lastPages[number] = page;
  }

  #setPage(number: number, key: number, page: Page): void {
    this.#tables[number]!.pages.set(key, page);
    this.#remember(number, key, page);
  }

  #heldAt(table: number, slot: number): Held | undefined {
    return this.#pageAt(table, slot)?.at(slot % PAGE_SLOTS);
  }

  /** The object at an address, or the one that was there; undefined if there never was one. */
  at(address: number): Held | undefined {
    const slot = this.#allocator.slotAt(address);
    const { table } = this.#allocator;
    this.#lastSlot = slot;
    const held = slot < 0 ? undefined : this.#heldAt(table, slot);
    if (held === undefined || held.life === 'freed' || held.life === 'returned') return held;
    // The slot after the end of an object belongs to no object; for a deallocated one the
    // distinction does not matter.
    const base = held instanceof ObjectState ? held.info.base : this.#allocator.addressAt(table, slot);
    const inside = address - base;
    return inside < held.origin.bytes || inside === 0 ? held : undefined;
  }

  /** The same as an ObjectState; that of an ended object has no contents. */
  find(address: number): ObjectState | undefined {
    const held = this.at(address);
    if (held === undefined || held instanceof ObjectState) return held;
    return this.#stateOf(held, this.#allocator.table, this.#lastSlot);
  }

  /** The current version of an object, which its slot identifies. */
  current({ table, slot }: ObjectInfo): ObjectState {
    return this.#objectAt(table, slot)!;
  }

  #objectAt(table: number, slot: number): ObjectState | undefined {
    const held = this.#heldAt(table, slot);
    return held === undefined || held instanceof ObjectState ? held : this.#stateOf(held, table, slot);
  }

  #stateOf(held: Origin | Ended, table: number, slot: number): ObjectState {
    const bytes = this.#pageAt(table, slot)?.bytes;
    const known = held instanceof Ended ? undefined : bytes!.states?.[slot % PAGE_SLOTS];
    if (known !== undefined) return known;
    const info = new ObjectInfo(held.origin, this.#allocator.addressAt(table, slot), table, slot);
    return held instanceof Ended
      ? ObjectState.ended(NO_OWNER, info, held)
      : bytes!.newState(slot % PAGE_SLOTS, info);
  }

  /** The live objects of a region, in an order that depends only on the objects. */
  objects(region: Region): ObjectState[] {
    const found: ObjectState[] = [];
    for (const { bin, slot } of this.#allocator.objects(region)) {
      const object = this.#objectAt(region * BINS_PER_REGION + bin, slot);
      if (object !== undefined) found.push(object);
    }
    return found;
  }

  /**
   * Opens a window on the object at `root` for an access to an address, if the object is live and
   * has no symbolic bytes. For writing it must not be constant, and the bytes become this memory's
   * own. Undefined if there is no object.
   */
  open(window: Window, root: number, address: number, isForWriting: boolean): boolean | undefined {
    const slot = this.#allocator.slotAt(root);
    if (slot < 0) return undefined;
    const page = this.#pageAt(this.#allocator.table, slot);
    if (page === undefined) return undefined;
    const index = slot % PAGE_SLOTS;
    const held = page.at(index);
    const { bytes } = page;
    if (held instanceof Origin && bytes !== undefined) {
      const isPlain = bytes.states === undefined || bytes.states[index] === undefined;
      if (isPlain && (!isForWriting || bytes.owner === this.owner)) {
        const inside = root & (bytes.slotBytes - 1);
        if (inside >= held.bytes && inside > 0) return undefined;
        bytes.open(window, index, held.bytes, root - inside);
        return true;
      }
    }
    return held === undefined ? undefined : this.#openState(window, root, address, isForWriting);
  }

  #openState(window: Window, root: number, address: number, isForWriting: boolean): boolean | undefined {
    let object = this.find(root);
    if (object === undefined) return undefined;
    const { base, bytes, length, isReadOnly } = object.info;
    if (object.life !== 'live' || length !== undefined || object.mayBeSymbolic) return false;
    if (isForWriting && isReadOnly) return false;
    if (isForWriting) object = this.writable(object);
    if (object instanceof PagedState && object.owner === this.owner && object.countWindow()) {
      object = object.together(this.owner);
      this.#replace(object);
    }
    const offset = address - base;
    if (!(object instanceof PagedState)) openOn(window, { state: object, from: 0, bytes }, base);
    else if (!(offset >= 0 && offset < bytes)) return false;
    else openOn(window, isForWriting ? object.ownPieceAt(offset) : object.pieceAt(offset), address);
    window.low = base - window.base[0]!;
    window.high = window.low + bytes;
    return true;
  }

  /** The bytes of the page if the range is inside one small object that has no ObjectState yet. */
  #plainBytes(address: number, count: number): PageBytes | undefined {
    const slot = this.#allocator.slotAt(address);
    if (slot < 0) return undefined;
    const page = this.#pageAt(this.#allocator.table, slot);
    const index = slot % PAGE_SLOTS;
    const held = page?.at(index);
    const bytes = page?.bytes;
    if (!(held instanceof Origin) || bytes === undefined || bytes.states?.[index] !== undefined)
      return undefined;
    const inside = address & (bytes.slotBytes - 1);
    if (inside + count > held.bytes) return undefined;
    this.#plainStart = bytes.startOf(index) + inside;
    this.#plainOrigin = held;
    return bytes;
  }

  /**
   * Whether a byte of a range is uninitialized or symbolic. Requires that the range is in one live
   * object.
   */
  isUnwritten(address: number, count: number): boolean {
    const plain = this.#plainBytes(address, count);
    if (plain !== undefined)
      return this.#plainOrigin!.contents !== 'zero' && plain.hasUnwritten(this.#plainStart, count);
    const object = this.find(address);
    return object === undefined || !object.isKnown(address - object.info.base, count);
  }

  // ------------------------------------------------------------------------------------- changes

  /**
   * Marks a range that was just written and may hold FILLER. Requires that it is in one object that
   * this memory owns.
   */
  markWritten(address: number, count: number): void {
    const plain = this.#plainBytes(address, count);
    if (plain === undefined) {
      const object = this.find(address);
      object?.markWritten(address - object.info.base, count);
    } else if (this.#plainOrigin!.contents !== 'zero') plain.markWritten(this.#plainStart, count);
  }

  /**
   * Copies from one small object to another, if both are plain and FILLER means the same in both.
   * Returns false, with nothing changed, otherwise.
   */
  copyPlain(to: number, from: number, count: number): boolean {
    const source = this.#plainBytes(from, count);
    const start = this.#plainStart;
    const { contents } = this.#plainOrigin ?? {};
    const target = source === undefined ? undefined : this.#plainBytes(to, count);
    if (source === undefined || target?.owner !== this.owner) return false;
    const isAlike = contents === this.#plainOrigin!.contents && !source.isMarked && !target.isMarked;
    if (!isAlike && source.holdsFiller(start, count)) return false;
    target.noteCopy(this.#plainStart, count, source.sourceOf(start, count, from));
    if (source.buffer === target.buffer) target.buffer.copyWithin(this.#plainStart, start, start + count);
    else target.buffer.set(source.buffer.subarray(start, start + count), this.#plainStart);
    return true;
  }

  /** Fills a range of a plain small object with a byte that is not FILLER. */
  fillPlain(to: number, byte: number, count: number): boolean {
    const target = this.#plainBytes(to, count);
    if (target?.owner !== this.owner) return false;
    target.buffer.fill(byte, this.#plainStart, this.#plainStart + count);
    return true;
  }

  /**
   * The address of a new object; 0 if there is no space. In the usual case the window is opened on
   * it; otherwise it stays unchanged.
   */
  allocate(region: Region, alignment: number, origin: Origin, window: Window = unused): number {
    const slot = this.#allocator.take(region, origin.bytes, alignment);
    if (slot < 0) return 0;
    const { table } = this.#allocator;
    const page = this.#pageAt(table, slot);
    const index = slot % PAGE_SLOTS;
    // The usual case: the next slot of a page whose bytes this memory owns.
    if (page?.owner === this.owner && page.count === index) {
      const { bytes } = page;
      if (bytes?.owner === this.owner && origin.isPlain && origin.bytes <= bytes.slotBytes) {
        bytes.begin(index, origin);
        page.put(index, origin);
        const address = this.#allocator.addressAt(table, slot);
        bytes.open(window, index, origin.bytes, address);
        return address;
      }
    }
    return this.#allocateAt(table, slot, origin);
  }

  #allocateAt(table: number, slot: number, origin: Origin): number {
    const address = this.#allocator.addressAt(table, slot);
    const page = this.#ownPage(table, slot);
    const index = slot % PAGE_SLOTS;
    const bytes = this.#bytesFor(page, table % BINS_PER_REGION, index, origin);
    if (bytes !== undefined) {
      bytes.begin(index, origin);
      page.put(index, origin);
    } else {
      page.put(index, ObjectState.fresh(this.owner, new ObjectInfo(origin, address, table, slot)));
    }
    return address;
  }

  /**
   * The bytes for a new small object; undefined if it needs an ObjectState. A page has bytes from
   * its first slot on or never, so that few forks pay for any.
   */
  #bytesFor(page: Page, bin: number, index: number, origin: Origin): PageBytes | undefined {
    if (bin >= LARGE_BIN || !origin.isPlain) return undefined;
    const slotBytes = SLOT_SIZES[bin]!;
    if (slotBytes > LARGEST_IN_PAGE || origin.bytes > slotBytes) return undefined;
    if (page.bytes === undefined && index === 0) page.bytes = new PageBytes(this.owner, slotBytes);
    return page.bytes?.owner === this.owner ? page.bytes : undefined;
  }

  /** Reserves an address that no object will have; it cannot be read. */
  reserve(region: Region, alignment: number): number {
    const place = this.#allocator.allocate(region, 1, alignment);
    assert(place.kind === 'allocated', 'there is room for the addresses of functions');
    return place.address;
  }

  /** The version of the object that this memory may write. */
  writable(object: ObjectState): ObjectState {
    if (object.owner === this.owner) return object;
    const copy =
      object.info.bytes > LARGEST_COPIED ? PagedState.of(this.owner, object) : object.copy(this.owner);
    this.#replace(copy);
    return copy;
  }

  /** Replaces a version of an object. */
  #replace(object: ObjectState): void {
    epoch.now++;
    const { table, slot } = object.info;
    this.#ownPage(table, slot).put(slot % PAGE_SLOTS, object);
  }

  /**
   * Frees the slot of the object at an address and drops its contents. Requires that there is one.
   */
  deallocate(address: number, life: OriginLife, at: Trace | undefined): void {
    const slot = this.#allocator.slotAt(address);
    const { table } = this.#allocator;
    this.#end(table, slot, life, at);
    this.#allocator.release(table, slot);
  }

  /**
   * Frees the live heap block that begins at an address, and returns its size; -1 if there is none.
   */
  free(address: number, at: Trace, isOfLibrary = false): number {
    const slot = this.#allocator.slotAt(address);
    if (slot < 0) return -1;
    const { table } = this.#allocator;
    const page = this.#pageAt(table, slot);
    const index = slot % PAGE_SLOTS;
    const held = page?.at(index);
    if (held?.origin.isOfLibrary !== isOfLibrary) return -1;
    if (page?.owner === this.owner && held instanceof Origin && held.kind === 'heap') {
      const { bytes } = page;
      if (bytes?.owner === this.owner && (address & (bytes.slotBytes - 1)) === 0) {
        epoch.now++;
        page.put(index, held.endedBy('freed', at));
        if (bytes.end(index)) this.#giveUpBytes(table, slot, page);
        this.#allocator.release(table, slot);
        return held.bytes;
      }
    }
    if (held === undefined || held.life !== 'live' || held.origin.kind !== 'heap') return -1;
    if (this.#allocator.addressAt(table, slot) !== address) return -1;
    this.#end(table, slot, 'freed', at);
    this.#allocator.release(table, slot);
    return held.origin.bytes;
  }

  /** The scope of a local has ended: its contents are dropped, its slot stays. */
  leaveScope(address: number, at: Trace | undefined): void {
    const slot = this.#allocator.slotAt(address);
    this.#end(this.#allocator.table, slot, 'out-of-scope', at);
  }

  #end(table: number, slot: number, life: OriginLife, at: Trace | undefined): void {
    epoch.now++;
    const page = this.#ownPage(table, slot);
    const index = slot % PAGE_SLOTS;
    const held = page.at(index)!;
    page.put(index, held.origin.endedBy(life, at));
    if (held instanceof Origin && page.bytes?.owner === this.owner && page.bytes.end(index))
      this.#giveUpBytes(table, slot, page);
  }

  /** Releases the bytes of a page whose objects have all ended. */
  #giveUpBytes(table: number, slot: number, page: Page): void {
    page.bytes = undefined;
    const { equal } = page;
    if (equal !== undefined) this.#setPage(table, slot >>> PAGE_BITS, equal);
  }

  /** The page of a slot, created or copied if necessary. */
  #ownPage(table: number, slot: number): Page {
    const page = this.#pageAt(table, slot);
    if (page !== undefined && page.owner === this.owner) return page;
    const own = page === undefined ? new Page(this.owner) : page.copy(this.owner);
    this.#ownTable(table);
    this.#setPage(table, slot >>> PAGE_BITS, own);
    return own;
  }

  #ownTable(number: number): void {
    const table = this.#tables[number]!;
    if (table.owner !== this.owner) this.#tables[number] = new Table(this.owner, table.pages.fork());
  }
}
