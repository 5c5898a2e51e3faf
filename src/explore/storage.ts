/**
 * Bytes for objects. Small ones share a slab: an ArrayBuffer of its own costs the garbage collector more than the program's
 * object is worth, and compiled code needs one view per slab instead of one per object.
 *
 * Slabs are filled once and never reused, so bytes are zero when they are handed out; a slab lives as long as any of its objects.
 */
export interface Storage {
  /** The whole buffer, in which the object's bytes begin at `start`. */
  readonly buffer: Uint8Array;
  readonly view: DataView;
  readonly start: number;
}

const SLAB_BYTES = 1 << 16;
const LARGEST_IN_SLAB = 1024;

let slab = newBuffer(SLAB_BYTES);
let used = 0;

export function newStorage(bytes: number): Storage {
  if (bytes > LARGEST_IN_SLAB) return { ...newBuffer(bytes), start: 0 };
  if (used + bytes > SLAB_BYTES) {
    slab = newBuffer(SLAB_BYTES);
    used = 0;
  }
  const start = used;
  used = (used + bytes + 7) & ~7;
  return { buffer: slab.buffer, view: slab.view, start };
}

function newBuffer(bytes: number): Pick<Storage, 'buffer' | 'view'> {
  const buffer = new Uint8Array(bytes);
  return { buffer, view: new DataView(buffer.buffer) };
}
