/**
 * Buffers for objects. Small ones share a slab: a separate ArrayBuffer would cost the garbage
 * collector too much, and compiled code needs one view per slab instead of one per object.
 *
 * Slabs are used once: they hold FILLER, with which most new objects begin; a slab lives until the
 * last of its objects is gone. Only bytes that no other state can refer to are returned, and reused
 * for the same size.
 */
import { FILLER } from './unwritten.js';

export class Storage {
  constructor(
    /** The whole buffer, in which the object's bytes begin at `start`. */
    readonly buffer: Uint8Array,
    readonly view: DataView,
    readonly start: number,
  ) {}
}

const SLAB_BYTES = 1 << 16;
const LARGEST_IN_SLAB = 2048;

let slab = newBuffer(SLAB_BYTES, FILLER);
let used = 0;

/** Bytes that all have the same value. */
export function newStorage(bytes: number, content: typeof FILLER | 0): Storage {
  if (bytes > LARGEST_IN_SLAB) return newBuffer(bytes, content);
  if (used + bytes > SLAB_BYTES) {
    slab = newBuffer(SLAB_BYTES, FILLER);
    used = 0;
  }
  const start = used;
  used = (used + bytes + 7) & ~7;
  if (content === 0) slab.buffer.fill(0, start, start + bytes);
  return new Storage(slab.buffer, slab.view, start);
}

/** Returned buffers, by size. */
const returned = new Map<number, Storage[]>();
const MOST_RETURNED = 256;

/** A buffer of FILLER, possibly a returned one. */
export function reusedStorage(bytes: number): Storage {
  const storage = returned.get(bytes)?.pop();
  if (storage === undefined) return newStorage(bytes, FILLER);
  storage.buffer.fill(FILLER, storage.start, storage.start + bytes);
  return storage;
}

/** Requires that the bytes are not used again. */
export function giveBack(storage: Storage, bytes: number): void {
  const others = returned.get(bytes);
  if (others === undefined) returned.set(bytes, [storage]);
  else if (others.length < MOST_RETURNED) others.push(storage);
}

function newBuffer(bytes: number, content: number): Storage {
  const buffer = new Uint8Array(bytes);
  if (content !== 0) buffer.fill(content);
  return new Storage(buffer, new DataView(buffer.buffer), 0);
}
