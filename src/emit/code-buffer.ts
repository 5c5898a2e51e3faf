/** The body of one function under construction: bytes, and the places that the linker patches. */

import { wasm } from '../wasm/instruction-bytes.js';
import { ByteWriter } from '../wasm/wasm-bytes.js';
import { f32, f64, i32, i64, type ValueType } from '../wasm/wasm-opcodes.js';
import type { ObjectSymbol } from './object-file.js';

/** Kinds of relocations, by the numbers of WebAssembly's "Linking" conventions. */
export const relocation = {
  functionIndex: 0,
  memoryAddress32: 4,
  typeIndex: 6,
  globalIndex: 7,
  tagIndex: 10,
  memoryAddress64: 15,
  memoryAddressInData: 16,
  tableIndex64: 18,
  tableIndexInData: 19,
  tableNumber: 20,
} as const;

export interface Relocation {
  readonly kind: number;
  readonly offset: number;
  /** A symbol, or the number of a type. */
  readonly target: ObjectSymbol | number;
  readonly addend: bigint;
}

/** Padded bytes for any 32-bit or 64-bit number: the linker overwrites as many. */
const padded32 = [0x80, 0x80, 0x80, 0x80, 0x00];
const padded64 = [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00];

export class CodeBuffer extends ByteWriter {
  readonly relocations: Relocation[] = [];

  /** A signed integer of 64 bits. */
  s64(value: bigint): void {
    let rest = BigInt.asIntN(64, value);
    if (rest >= -0x4000_0000n && rest < 0x4000_0000n) return void this.s32(Number(rest));
    for (; rest < -0x40n || rest >= 0x40n; rest >>= 7n) this.byte(Number(rest & 0x7fn) | 0x80);
    this.byte(Number(rest & 0x7fn));
  }

  #place(kind: number, target: ObjectSymbol | number, padding: readonly number[], addend = 0n): void {
    this.relocations.push({ kind, offset: this.length, target, addend });
    for (const byte of padding) this.byte(byte);
  }

  i32Const(value: number): void {
    this.byte(wasm.i32Const);
    this.s32(value);
  }

  i64Const(value: bigint | number): void {
    this.byte(wasm.i64Const);
    if (typeof value === 'number') this.s32(value);
    else this.s64(value);
  }

  /** A small constant of either type of integers. */
  integer(type: ValueType, value: number): void {
    this.byte(type === i64 ? wasm.i64Const : wasm.i32Const);
    this.s32(value);
  }

  zero(type: ValueType): void {
    if (type === i32 || type === i64) return void this.integer(type, 0);
    this.byte(type === f32 ? wasm.f32Const : wasm.f64Const);
    for (let left = type === f64 ? 8 : 4; left > 0; left--) this.byte(0);
  }

  local(opcode: number, index: number): void {
    this.byte(opcode);
    this.u32(index);
  }

  branch(opcode: number, depth: number): void {
    this.byte(opcode);
    this.u32(depth);
  }

  call(target: ObjectSymbol): void {
    this.byte(wasm.call);
    this.#place(relocation.functionIndex, target, padded32);
  }

  callIndirect(type: number, table: ObjectSymbol): void {
    this.byte(wasm.callIndirect);
    this.#place(relocation.typeIndex, type, padded32);
    this.#place(relocation.tableNumber, table, padded32);
  }

  global(opcode: number, target: ObjectSymbol): void {
    this.byte(opcode);
    this.#place(relocation.globalIndex, target, padded32);
  }

  catchTag(target: ObjectSymbol): void {
    this.byte(wasm.catch);
    this.#place(relocation.tagIndex, target, padded32);
  }

  dataAddress(target: ObjectSymbol, addend: bigint): void {
    this.byte(wasm.i64Const);
    this.#place(relocation.memoryAddress64, target, padded64, addend);
  }

  /** The low half of an address. */
  dataAddress32(target: ObjectSymbol, addend: bigint): void {
    this.byte(wasm.i32Const);
    this.#place(relocation.memoryAddress32, target, padded32, addend);
  }

  functionAddress(target: ObjectSymbol): void {
    this.byte(wasm.i64Const);
    this.#place(relocation.tableIndex64, target, padded64);
  }

  /** A load, a store: the alignment is in bytes. */
  access(opcode: number, align: number, offset: number): void {
    this.byte(opcode);
    this.u32(31 - Math.clz32(align));
    this.u32(offset);
  }
}
