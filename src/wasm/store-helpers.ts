/**
 * Adds one function for each kind of store to a binary: `helper(address, value, offset)` makes the
 * store at `address + offset`. A function that calls them instead of storing is shorter once each
 * store takes further instructions. The sum does not wrap, because LLVM moves an addition into the
 * offset of a store only then.
 *
 * Invariant: the functions and types of the binary keep their numbers.
 */
import { assert } from '../support/assert.js';
import { wasm } from './instruction-bytes.js';
import { type Section, sectionId, sectionsOf } from './sections.js';
import { ByteReader, ByteWriter } from './wasm-bytes.js';
import { aboveAddress, i32, type ValueType, v128 } from './wasm-opcodes.js';

interface StoreKind {
  readonly instruction: readonly number[];
  readonly value: ValueType;
}

const vectorStore = 0x0b;

const kinds: readonly StoreKind[] = [
  ...Array.from({ length: wasm.i64Store32 - wasm.i32Store + 1 }, (_, i) => ({
    instruction: [wasm.i32Store + i],
    value: aboveAddress[wasm.i32Store + i - wasm.i32Load]![0]!,
  })),
  { instruction: [wasm.vectorPrefix, vectorStore], value: v128 },
];

/** How many there are. */
export const storeHelpers: number = kinds.length;

/** The helper of a store, as a distance from the first one; `opcode` is that of a scalar store. */
export function storeHelper(opcode: number): number {
  return opcode === wasm.vectorPrefix ? kinds.length - 1 : opcode - wasm.i32Store;
}

/** The helpers follow the functions of the binary. */
export function withStoreHelpers(binary: Uint8Array): Uint8Array {
  const sections = sectionsOf(binary);
  const types = itemsOf(binary, sections, sectionId.type);
  const added = new Map([
    [sectionId.type as number, kinds.map(({ value }) => [0x60, 3, i32, value, i32, 0])],
    [sectionId.function, kinds.map((_, i) => unsigned(types + i))],
    [sectionId.code, kinds.map(bodyOf)],
  ]);
  const out = new ByteWriter(binary.length + 1024);
  out.append(binary, 0, 8);
  for (const { id, head, start, end } of sections) {
    const items = added.get(id);
    if (items === undefined) {
      out.append(binary, head, end);
      continue;
    }
    const reader = new ByteReader(binary, start, end);
    const content = new ByteWriter(end - start + 1024);
    content.u32(reader.u32() + items.length);
    content.append(binary, reader.position, end);
    for (const item of items) content.append(Uint8Array.from(item));
    out.byte(id);
    out.sized(content.bytes);
  }
  return out.bytes.slice();
}

function bodyOf({ instruction }: StoreKind): number[] {
  const address = [wasm.localGet, 0, wasm.localGet, 2, wasm.i32Add];
  const body = [0, ...address, wasm.localGet, 1, ...instruction, 0, 0, wasm.end];
  return [body.length, ...body];
}

function itemsOf(binary: Uint8Array, sections: readonly Section[], wanted: number): number {
  const section = sections.find(({ id }) => id === wanted);
  assert(section !== undefined, `the wasm binary has no section ${wanted}`);
  return new ByteReader(binary, section.start, section.end).u32();
}

function unsigned(value: number): number[] {
  const out = new ByteWriter(5);
  out.u32(value);
  return [...out.bytes];
}
