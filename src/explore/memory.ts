/**
 * The memory of one state: KDALLOC decides addresses, a table per bin says what is in each slot.
 *
 *     address ──allocator.placeAt──▶ region, bin, slot ──tables[region * 9 + bin]──▶ held[slot]
 *
 *     held[slot]   Origin         a small live object; its bytes are in the page of the slot
 *                  ObjectState    any other live object: a large one, or one that was changed since a fork
 *                  Ended          what was there
 *
 * Nothing is searched: an address names its object by arithmetic, and one that was freed names the object that was there.
 *
 * Programs that build long lists make millions of small objects, and an ObjectState for each would cost the garbage collector more
 * than all the rest. So the bytes of 32 neighbouring slots lie in one page, and the object itself is one shared reference. When
 * somebody asks for such an object as an ObjectState, the page makes one over the same bytes and remembers it.
 *
 * A fork shares everything. A table is copied, in constant time, by the first write after a fork. Pages are never copied: a memory that
 * does not own a page makes an ObjectState of the one object that it changes, so a fork costs what is changed and not its neighbours.
 *
 * **Invariants.** A table is written only if it carries this memory's token, and so is a page and an object. A page exists for each
 * Origin that is held. An object of which a page has an ObjectState is that state, for all who hold the Origin.
 */
import {
  type Allocator,
  BINS_PER_REGION,
  LARGE_BIN,
  PLACE_SLOTS,
  type Region,
  SLOT_SIZES,
} from '../kdalloc/index.js';
import { assert } from '../support/assert.js';
import { PersistentMap } from '../support/persistent-map.js';
import { epoch } from './epoch.js';
import { ObjectInfo, ObjectState } from './object-state.js';
import { Ended, type Life, Origin } from './origin.js';
import type { Owner } from './owner.js';
import { newStorage, type Storage } from './storage.js';
import type { Trace } from './trace.js';
import { FILLER } from './unwritten.js';

const TABLES = 4 * BINS_PER_REGION;

/** Objects with more bytes are ObjectStates from the beginning. */
const LARGEST_IN_PAGE = 64;
const PAGE_BITS = 5;
const PAGE_SLOTS = 1 << PAGE_BITS;

/** What a slot holds. */
export type Held = ObjectState | Origin | Ended;

/** The bytes of neighbouring slots. */
class Page {
  readonly storage: Storage;
  readonly slotBytes: number;
  /** Slots from here on have never been used: their bytes are FILLER. */
  #fresh = 0;
  /** How many of its objects are live, as far as its owner has ended them. */
  live = 0;
  /** The objects that somebody has asked for. */
  states: (ObjectState | undefined)[] | undefined;

  constructor(
    readonly owner: Owner,
    slotBytes: number,
  ) {
    this.slotBytes = slotBytes;
    this.storage = newStorage(PAGE_SLOTS * slotBytes, FILLER);
  }

  startOf(index: number): number {
    return this.storage.start + index * this.slotBytes;
  }

  /** Makes room for a new object. Requires that the caller owns the page. */
  begin(index: number, origin: Origin): void {
    this.live++;
    if (origin.contents === 'zero' || index < this.#fresh) {
      const start = this.startOf(index);
      const content = origin.contents === 'zero' ? 0 : FILLER;
      this.storage.buffer.fill(content, start, start + this.slotBytes);
      if (this.states !== undefined) this.states[index] = undefined;
    }
    if (index >= this.#fresh) this.#fresh = index + 1;
  }

  /** The object as others see it. */
  stateOf(index: number, info: () => ObjectInfo): ObjectState {
    this.states ??= new Array<ObjectState | undefined>(PAGE_SLOTS).fill(undefined);
    this.states[index] ??= ObjectState.inPage(this.owner, info(), {
      ...this.storage,
      start: this.startOf(index),
    });
    return this.states[index];
  }
}

/** The slots of one bin. */
class Table {
  constructor(
    readonly owner: Owner,
    readonly held: PersistentMap<Held>,
    /** By slot / PAGE_SLOTS. */
    readonly pages: PersistentMap<Page>,
  ) {}
}

/** Bytes that compiled code may use without asking; it begins at `start` of the buffer. */
export interface Window {
  view: DataView | null;
  start: number;
  /** The address of the first byte, and how many there are. */
  base: number;
  bytes: number;
}

const NOBODY: Owner = {};

export class Memory {
  owner: Owner = {};
  readonly #allocator: Allocator;
  readonly #tables: Table[];

  private constructor(allocator: Allocator, tables: Table[]) {
    this.#allocator = allocator;
    this.#tables = tables;
  }

  static create(allocator: Allocator): Memory {
    return new Memory(
      allocator,
      Array.from({ length: TABLES }, () => new Table(NOBODY, new PersistentMap(), new PersistentMap())),
    );
  }

  fork(): Memory {
    this.owner = {};
    epoch.now++;
    return new Memory(this.#allocator.fork(), this.#tables.slice());
  }

  // ------------------------------------------------------------------------------------ looking

  /** What is at an address, or was; undefined where there never was an object. */
  at(address: number): Held | undefined {
    const place = this.#allocator.placeAt(address);
    if (place < 0) return undefined;
    const held = this.#tables[(place / PLACE_SLOTS) | 0]!.held.get(place >>> 0);
    if (held === undefined || held.life === 'freed' || held.life === 'returned') return held;
    // What is behind the end of an object in its place is nobody's; of one that was deallocated it is all the same.
    const inside = address - this.#allocator.addressAt(place);
    return inside < held.origin.bytes || inside === 0 ? held : undefined;
  }

  /** The same as an object with contents; that of an ended one has none. */
  find(address: number): ObjectState | undefined {
    const held = this.at(address);
    if (held === undefined || held instanceof ObjectState) return held;
    return this.#stateOf(held, this.#allocator.placeAt(address));
  }

  /** The current version of an object, which its place names for good. */
  current({ table, slot }: ObjectInfo): ObjectState {
    const held = this.#tables[table]!.held.get(slot)!;
    return held instanceof ObjectState ? held : this.#stateOf(held, table * PLACE_SLOTS + slot);
  }

  #stateOf(held: Origin | Ended, place: number): ObjectState {
    const table = (place / PLACE_SLOTS) | 0;
    const slot = place >>> 0;
    const info = (): ObjectInfo => new ObjectInfo(held.origin, this.#allocator.addressAt(place), table, slot);
    if (held instanceof Ended) return ObjectState.ended(NOBODY, info(), held);
    return this.#pageOf(table, slot).stateOf(slot % PAGE_SLOTS, info);
  }

  #pageOf(table: number, slot: number): Page {
    return this.#tables[table]!.pages.get(slot >>> PAGE_BITS)!;
  }

  /** The live objects of a region, in an order that depends on nothing but the objects. */
  *objects(region: Region): IterableIterator<ObjectState> {
    for (const { bin, slot } of this.#allocator.objects(region)) {
      const table = region * BINS_PER_REGION + bin;
      const held = this.#tables[table]!.held.get(slot);
      if (held instanceof ObjectState) yield held;
      else if (held !== undefined) yield this.#stateOf(held, table * PLACE_SLOTS + slot);
    }
  }

  /**
   * Opens a window on the object at an address, if it is live and nothing in it is symbolic; for writing also if it is not constant, and
   * then the bytes are this memory's own. Undefined if there is no object.
   */
  open(window: Window, address: number, isForWriting: boolean): boolean | undefined {
    const place = this.#allocator.placeAt(address);
    if (place < 0) return undefined;
    const { held, pages } = this.#tables[(place / PLACE_SLOTS) | 0]!;
    const slot = place >>> 0;
    const what = held.get(slot);
    if (what === undefined) return undefined;
    if (what instanceof Origin) {
      const page = pages.get(slot >>> PAGE_BITS)!;
      const index = slot % PAGE_SLOTS;
      const isPlain = page.states === undefined || page.states[index] === undefined;
      if (isPlain && (!isForWriting || page.owner === this.owner)) {
        const inside = address & (page.slotBytes - 1);
        if (inside >= what.bytes && inside > 0) return undefined;
        window.view = page.storage.view;
        window.start = page.startOf(index);
        window.base = address - inside;
        window.bytes = what.bytes;
        return true;
      }
    }
    return this.#openState(window, address, isForWriting);
  }

  #openState(window: Window, address: number, isForWriting: boolean): boolean | undefined {
    let object = this.find(address);
    if (object === undefined) return undefined;
    if (object.life !== 'live' || object.terms !== undefined || object.info.length !== undefined)
      return false;
    if (isForWriting && object.info.isReadOnly) return false;
    if (isForWriting) object = this.writable(object);
    window.view = object.view;
    window.start = object.start;
    window.base = object.info.base;
    window.bytes = object.info.bytes;
    return true;
  }

  // ------------------------------------------------------------------------------------ changing

  /** The address of a new object; 0 if no place is left. */
  allocate(region: Region, alignment: number, origin: Origin): number {
    const place = this.#allocator.take(region, origin.bytes, alignment);
    if (place < 0) return 0;
    const number = (place / PLACE_SLOTS) | 0;
    const slot = place >>> 0;
    const address = this.#allocator.addressAt(place);
    const table = this.#ownTable(number);
    const page = this.#pageFor(table, number % BINS_PER_REGION, slot, origin);
    if (page !== undefined) {
      page.begin(slot % PAGE_SLOTS, origin);
      table.held.set(slot, origin);
    } else {
      table.held.set(slot, ObjectState.fresh(this.owner, new ObjectInfo(origin, address, number, slot)));
    }
    return address;
  }

  /** The page for a new object; undefined if it needs an ObjectState. A page begins with its first slot only, so that few forks have one. */
  #pageFor({ pages }: Table, bin: number, slot: number, origin: Origin): Page | undefined {
    if (bin >= LARGE_BIN || origin.isReadOnly || origin.length !== undefined) return undefined;
    const slotBytes = SLOT_SIZES[bin]!;
    if (slotBytes > LARGEST_IN_PAGE || origin.bytes > slotBytes) return undefined;
    const known = pages.get(slot >>> PAGE_BITS);
    if (known !== undefined) return known.owner === this.owner ? known : undefined;
    if (slot % PAGE_SLOTS !== 0) return undefined;
    const page = new Page(this.owner, slotBytes);
    pages.set(slot >>> PAGE_BITS, page);
    return page;
  }

  /** An address that no object will have; nothing can be read there. */
  reserve(region: Region, alignment: number): number {
    const place = this.#allocator.allocate(region, 1, alignment);
    assert(place.kind === 'allocated', 'there is room for the addresses of functions');
    return place.address;
  }

  /** The version of the object that this memory may write. */
  writable(object: ObjectState): ObjectState {
    if (object.owner === this.owner) return object;
    const copy = object.copy(this.owner);
    epoch.now++;
    this.#ownTable(copy.info.table).held.set(copy.info.slot, copy);
    return copy;
  }

  /** The place of the object at an address is free and its contents are gone. Requires that there is one. */
  deallocate(address: number, life: Life, at: Trace | undefined): void {
    const place = this.#allocator.placeAt(address);
    this.#end(place, life, at);
    this.#allocator.release(place);
  }

  /** Frees the live block of the heap that begins at an address, and says how many bytes it had; -1 if there is none. */
  free(address: number, at: Trace): number {
    const place = this.#allocator.placeAt(address);
    if (place < 0 || this.#allocator.addressAt(place) !== address) return -1;
    const held = this.#tables[(place / PLACE_SLOTS) | 0]!.held.get(place >>> 0);
    if (held === undefined || held.life !== 'live' || held.origin.kind !== 'heap') return -1;
    this.#end(place, 'freed', at);
    this.#allocator.release(place);
    return held.origin.bytes;
  }

  /** The contents are gone, the place stays: the scope of a local has ended. */
  leaveScope(address: number, at: Trace | undefined): void {
    this.#end(this.#allocator.placeAt(address), 'out-of-scope', at);
  }

  #end(place: number, life: Life, at: Trace | undefined): void {
    epoch.now++;
    const slot = place >>> 0;
    const table = this.#ownTable((place / PLACE_SLOTS) | 0);
    const held = table.held.get(slot)!;
    table.held.set(slot, held.origin.endedBy(life, at));
    if (held instanceof Origin) this.#leavePage(table, slot);
  }

  /** A page whose objects have all ended goes. */
  #leavePage({ pages }: Table, slot: number): void {
    const page = pages.get(slot >>> PAGE_BITS)!;
    if (page.owner !== this.owner) return;
    if (page.states !== undefined) page.states[slot % PAGE_SLOTS] = undefined;
    if (--page.live === 0) pages.delete(slot >>> PAGE_BITS);
  }

  #ownTable(number: number): Table {
    const table = this.#tables[number]!;
    if (table.owner === this.owner) return table;
    const own = new Table(this.owner, table.held.fork(), table.pages.fork());
    this.#tables[number] = own;
    return own;
  }
}
