/**
 * Canonical forms of reads and writes.
 *   R1  a read passes every write whose index surely differs, and takes the byte of one whose index is the same
 *   R2  a read of a constant table at a constant index is that byte
 *   R3  a read beyond the length of its base, with no write left above, is zero
 *   R4  a write hides an earlier one at the same index directly below it
 */
import { type ByteArray, Op, type Term } from './term.js';
import type { Terms } from './terms.js';

export function read(t: Terms, array: ByteArray, index: Term): Term {
  let top = array;
  while (top.kind === 'written') {
    if (top.index === index) return top.byte; // R1
    if (t.eq(top.index, index) !== t.false) break;
    top = top.below;
  }
  if (top !== array) return t.read(top, index);
  if (top.kind !== 'written') {
    if (t.facts.umin[index.id]! >= top.byteLength) return t.constant(8, 0); // R3
    if (top.kind === 'constant' && index.op === Op.Const) {
      return t.constant(8, top.bytes[index.value as number]!); // R2
    }
  }
  return t.node(Op.Read, 8, index, undefined, undefined, 0, top);
}

/** R4 */
export function belowWrite(array: ByteArray, index: Term): ByteArray {
  return array.kind === 'written' && array.index === index ? array.below : array;
}
