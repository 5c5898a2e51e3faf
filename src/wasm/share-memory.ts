/**
 * Prepares a binary that several instances run on one shared memory: the imported memory is
 * declared shared, and the data segments are removed, because every instance would write them
 * again. The creator of the memory writes them once. The start function is removed, too: wasm-ld
 * generates one that fills variables with zeros, which new memory has anyway.
 */
import { assert } from '../support/assert.js';
import { wasm } from './instruction-bytes.js';
import { importKind, sectionId, sectionsOf } from './sections.js';
import { ByteReader, ByteWriter } from './wasm-bytes.js';

const isShared = 2;

export interface Segment {
  readonly address: number;
  readonly bytes: Uint8Array;
}

/** Requires a binary of 32-bit memory, as `lowerMemory64` makes it. */
export function shareMemory(binary: Uint8Array): { binary: Uint8Array; segments: Segment[] } {
  const out = new ByteWriter(binary.length + 64);
  const segments: Segment[] = [];
  out.append(binary, 0, 8);
  for (const { id, head, start, end } of sectionsOf(binary)) {
    const content = new ByteReader(binary, start, end);
    if (id === sectionId.import) {
      out.byte(id);
      out.sized(sharedImports(binary, content));
    } else if (id === sectionId.data) {
      out.byte(id);
      out.sized(emptied(binary, content, segments));
    } else if (id !== sectionId.start) out.append(binary, head, end);
  }
  return { binary: out.bytes.slice(), segments };
}

function sharedImports(binary: Uint8Array, content: ByteReader): Uint8Array {
  const out = new ByteWriter(content.end - content.position + 8);
  const count = content.u32();
  out.u32(count);
  for (let left = count; left > 0; left--) {
    const from = content.position;
    content.name();
    content.name();
    const kind = content.byte();
    if (kind === importKind.memory) {
      out.append(binary, from, content.position);
      out.byte(content.byte() | isShared);
      const limits = content.position;
      content.skipLeb();
      content.skipLeb();
      out.append(binary, limits, content.position);
      continue;
    }
    if (kind === importKind.table || kind === importKind.global || kind === importKind.tag) content.byte();
    if (kind === importKind.global) content.byte();
    else if (kind === importKind.table) {
      const hasMaximum = (content.byte() & 1) !== 0;
      content.skipLeb();
      if (hasMaximum) content.skipLeb();
    } else content.skipLeb();
    out.append(binary, from, content.position);
  }
  return out.bytes.slice();
}

/** As many segments, passive and empty. */
function emptied(binary: Uint8Array, content: ByteReader, segments: Segment[]): Uint8Array {
  const out = new ByteWriter(64);
  const count = content.u32();
  out.u32(count);
  for (let left = count; left > 0; left--) {
    const kind = content.u32();
    assert(kind === 0, 'a data segment of the program is not active');
    assert(content.byte() === wasm.i32Const, 'the offset of a segment is not a constant');
    const address = content.s64Low32() >>> 0;
    assert(content.byte() === wasm.end, 'the offset of a segment is not a constant');
    const length = content.u32();
    segments.push({ address, bytes: binary.subarray(content.position, content.position + length) });
    content.skip(length);
    out.u32(1);
    out.u32(0);
  }
  return out.bytes.slice();
}
