/**
 * The memory of one state: KDALLOC decides addresses, a table of persistent maps holds the objects.
 *
 *     address ──allocator.placeAt──▶ region, bin, slot ──tables[region * 9 + bin]──▶ ObjectState
 *
 * Nothing is searched: an address names its object by arithmetic, and one that was freed names the object that was there.
 * A fork shares all tables; a table is copied, in constant time, by the first write after a fork.
 *
 * **Invariants.** A table is written only if it carries this memory's token, and so is an object.
 */
import type { Term } from '../expr/term.js';
import { type Allocator, BINS_PER_REGION, PLACE_SLOTS, type Region } from '../kdalloc/index.js';
import { assert } from '../support/assert.js';
import { PersistentMap } from '../support/persistent-map.js';
import { epoch } from './epoch.js';
import { type Contents, type Life, type ObjectInfo, ObjectState } from './object-state.js';
import type { Owner } from './owner.js';
import type { Trace } from './trace.js';

const TABLES = 4 * BINS_PER_REGION;

/** What is known about an object before it has an address. */
export type NewObject = Pick<
  ObjectInfo,
  'kind' | 'name' | 'bytes' | 'isReadOnly' | 'allocated' | 'declared'
> & { readonly contents: Contents; readonly isVariadic?: boolean; readonly length?: Term };

/** The objects of one bin, by slot. */
class Table {
  constructor(
    readonly owner: Owner,
    readonly objects: PersistentMap<ObjectState>,
  ) {}
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
      Array.from({ length: TABLES }, () => new Table(NOBODY, new PersistentMap<ObjectState>())),
    );
  }

  fork(): Memory {
    this.owner = {};
    epoch.now++;
    return new Memory(this.#allocator.fork(), this.#tables.slice());
  }

  /** The object at an address, or the one that was there; undefined where there never was one. */
  find(address: number): ObjectState | undefined {
    const place = this.#allocator.placeAt(address);
    if (place < 0) return undefined;
    const object = this.#tables[(place / PLACE_SLOTS) | 0]!.objects.get(place >>> 0);
    if (object === undefined) return undefined;
    const { base, bytes } = object.info;
    // What is behind the end of an object in its place is nobody's; of one that was deallocated it is all the same.
    if (address < base + bytes || address === base) return object;
    return object.life === 'freed' || object.life === 'returned' ? object : undefined;
  }

  /** The current version of an object, which its place names for good. */
  current({ table, slot }: ObjectInfo): ObjectState {
    return this.#tables[table]!.objects.get(slot)!;
  }

  /** A new object; undefined if no place is left. */
  allocate(region: Region, alignment: number, object: NewObject): ObjectState | undefined {
    const place = this.#allocator.allocate(region, object.bytes, alignment);
    if (place.kind === 'failed') return undefined;
    const { address: base, slot } = place;
    const { kind, name, bytes, isReadOnly, isVariadic = false, length, allocated, declared } = object;
    const table = region * BINS_PER_REGION + place.bin;
    const info: ObjectInfo = {
      kind,
      name,
      base,
      bytes,
      length,
      isReadOnly,
      isVariadic,
      allocated,
      declared,
      table,
      slot,
    };
    const state = ObjectState.fresh(this.owner, info, object.contents);
    this.#insert(state);
    return state;
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
    this.#put(copy);
    return copy;
  }

  /** The object's place is free and its contents are gone. */
  deallocate(object: ObjectState, life: Life, at: Trace | undefined): void {
    this.#allocator.deallocate(object.info.base);
    this.#end(object, life, at);
  }

  /** The contents are gone, the place stays: the scope of a local has ended. */
  leaveScope(object: ObjectState, at: Trace | undefined): void {
    this.#end(object, 'out-of-scope', at);
  }

  /** The live objects of a region, in an order that depends on nothing but the objects. */
  *objects(region: Region): IterableIterator<ObjectState> {
    for (const { bin, slot } of this.#allocator.objects(region)) {
      const object = this.#tables[region * BINS_PER_REGION + bin]!.objects.get(slot);
      if (object !== undefined) yield object;
    }
  }

  #end(object: ObjectState, life: Life, at: Trace | undefined): void {
    epoch.now++;
    if (object.owner === this.owner) object.end(life, at);
    else this.#insert(object.endedVersion(this.owner, life, at));
  }

  /** In the place of an older version. */
  #put(object: ObjectState): void {
    epoch.now++;
    this.#insert(object);
  }

  #insert(object: ObjectState): void {
    const { table, slot } = object.info;
    let own = this.#tables[table]!;
    if (own.owner !== this.owner) {
      own = new Table(this.owner, own.objects.fork());
      this.#tables[table] = own;
    }
    own.objects.set(slot, object);
  }
}
