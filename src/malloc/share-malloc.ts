/**
 * A malloc for several workers: one makes it, posts the description to the others, and all of them
 * attach.
 *
 *     const description = shareMalloc('sri', { bytes: 64 << 20, arenas: 2 });   // one worker, before the others start
 *     const { malloc, memory } = attachMalloc(description, 1);                  // each worker, with its own number
 *
 * Everything that changes is in shared buffers, so the description is plain data that `postMessage`
 * can send.
 */
import { assert } from '../support/assert.js';
import { createMalloc } from './create-malloc.js';
import { firstAddress, LinearMemory } from './linear-memory.js';
import type { Malloc } from './malloc.js';
import { type MallocName, mallocInfo } from './malloc-names.js';
import { createSharedTable, type SharedTable } from './separate/arena-map.js';

export interface SharedMalloc {
  readonly name: MallocName;
  readonly arenas: number;
  readonly client: SharedArrayBuffer;
  readonly brk: SharedArrayBuffer;
  readonly metadata: SharedArrayBuffer;
  readonly table: SharedTable;
}

export interface AttachedMalloc {
  readonly malloc: Malloc;
  readonly memory: LinearMemory;
}

export function shareMalloc(
  name: MallocName,
  { bytes, arenas }: { readonly bytes: number; readonly arenas: number },
): SharedMalloc {
  assert(mallocInfo[name].isShareable && arenas > 1, `${name} cannot be shared like this`);
  const description: SharedMalloc = {
    name,
    arenas,
    client: new SharedArrayBuffer(firstAddress + bytes),
    brk: new SharedArrayBuffer(4),
    metadata: new SharedArrayBuffer(bytes),
    table: createSharedTable(),
  };
  attachMalloc(description, 0);
  return description;
}

export function attachMalloc(description: SharedMalloc, worker: number): AttachedMalloc {
  const { name, arenas, client, brk, metadata, table } = description;
  const range = { start: firstAddress, limit: client.byteLength };
  const memory = new LinearMemory({ buffer: client }, range, new Int32Array(brk));
  return { memory, malloc: createMalloc(name, { memory, arenas, shared: { worker, metadata, table } }) };
}
