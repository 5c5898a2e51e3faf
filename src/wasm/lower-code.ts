/**
 * The code half of the 64-to-32-bit lowering: one function body in, one out, in a single walk.
 *
 * Instructions that do not touch a memory or a table are copied. Before an access the address is
 * wrapped to 32 bits; operands that lie above it on the stack step aside into scratch locals, which
 * V8 turns into nothing:
 *
 *     [addr64] [value]                          [addr64] [value]
 *     i32.store            becomes              local.set $s
 *                                               i32.wrap_i64
 *                                               local.get $s
 *                                               i32.store
 *
 * When the value was pushed by the instruction just before (a local, a global, a constant: about
 * half of all stores) the wrap goes in front of that instruction and no scratch local is needed.
 *
 * What wraps and what does not:
 * - An address, a table index and the offset in a memory argument lose their upper half, which in
 *   Redzone holds a pointer's tag. Base and offset are cut separately and added by the machine as
 *   33-bit numbers, so a sum past 4 GiB traps and never reaches low memory.
 * - A *count* (of bytes, pages or table entries) carries no tag: one that needs more than 32 bits
 *   becomes 2^32 - 1, so that an absurd `memcpy` traps and an absurd `memory.grow` fails, as on a
 *   64-bit memory.
 *
 * Invariants: everything before `copied` in the input is already in the output; `pushedAt` is
 * either -1 or the start of the previous instruction, which then pushes exactly one value, pops
 * none and is not yet copied.
 */

import { assert } from '../support/assert.js';
import { wasm } from './instruction-bytes.js';
import { ByteReader, ByteWriter } from './wasm-bytes.js';
import {
  aboveAddress,
  aboveAtomicAddress,
  aboveVectorAddress,
  i32,
  i64,
  isLaneAccess,
  type ValueType,
} from './wasm-opcodes.js';

export interface TableInfo {
  readonly is64: boolean;
  readonly element: ValueType;
}

/** What a body needs to know of its module. */
export interface ModuleInfo {
  /** For each memory, whether its addresses are 64-bit. */
  readonly memories: readonly boolean[];
  readonly tables: readonly TableInfo[];
}

/** What to do with one operand of a bulk instruction, bottom of the stack first. */
type Operand = { readonly type: ValueType; readonly wrap: 'no' | 'address' | 'count' };

const address: Operand = { type: i64, wrap: 'address' };
const count: Operand = { type: i64, wrap: 'count' };
const plain32: Operand = { type: i32, wrap: 'no' };

export class BodyLowering {
  private readonly module: ModuleInfo;
  private readonly out = new ByteWriter(64 * 1024);
  private reader = new ByteReader(new Uint8Array(0));
  private copied = 0;
  private pushedAt = -1;
  private firstScratch = 0;
  private scratchTypes: ValueType[] = [];

  constructor(module: ModuleInfo) {
    this.module = module;
  }

  /**
   * Lowers the body in `bytes[start, end)`: its declarations of locals and its instructions.
   * Appends it to `target` with its size.
   */
  lower(bytes: Uint8Array, start: number, end: number, parameterCount: number, target: ByteWriter): void {
    const reader = new ByteReader(bytes, start, end);
    this.reader = reader;
    const groupCount = reader.u32();
    const groups = reader.position;
    let locals = parameterCount;
    for (let i = 0; i < groupCount; i++) {
      locals += reader.u32();
      skipValueType(reader);
    }
    const code = reader.position;

    this.out.clear();
    this.copied = code;
    this.pushedAt = -1;
    this.firstScratch = locals;
    this.scratchTypes = [];
    while (!reader.done) this.instruction();
    this.flush(end);

    const header = new ByteWriter(code - start + 16);
    header.u32(groupCount + this.scratchTypes.length);
    header.append(bytes, groups, code);
    for (const type of this.scratchTypes) {
      header.u32(1);
      header.byte(type);
    }
    target.u32(header.length + this.out.length);
    target.append(header.bytes);
    target.append(this.out.bytes);
  }

  private instruction(): void {
    const reader = this.reader;
    const start = reader.position;
    const opcode = reader.byte();
    const pushedAt = this.pushedAt;
    this.pushedAt = -1;
    if (opcode >= 0x28 && opcode <= 0x3e) {
      this.access(start, aboveAddress[opcode - 0x28]!, pushedAt);
      return;
    }
    switch (opcode) {
      case wasm.localGet:
      case wasm.globalGet:
      case wasm.i32Const:
      case wasm.i64Const:
        reader.skipLeb();
        this.pushedAt = start;
        return;
      case wasm.f32Const:
        reader.skip(4);
        this.pushedAt = start;
        return;
      case wasm.f64Const:
        reader.skip(8);
        this.pushedAt = start;
        return;
      case 0x02: // block
      case 0x03: // loop
      case 0x04: // if
      case 0x06: // try
        skipBlockType(reader);
        return;
      case 0x07: // catch
      case 0x08: // throw
      case 0x09: // rethrow
      case 0x0c: // br
      case 0x0d: // br_if
      case 0x10: // call
      case 0x12: // return_call
      case 0x14: // call_ref
      case 0x15: // return_call_ref
      case 0x18: // delegate
      case wasm.localSet:
      case wasm.localTee:
      case 0x24: // global.set
      case 0xd0: // ref.null
      case 0xd2: // ref.func
      case 0xd5: // br_on_null
      case 0xd6: // br_on_non_null
        reader.skipLeb();
        return;
      case 0x0e: // br_table
        for (let left = reader.u32() + 1; left > 0; left--) reader.skipLeb();
        return;
      case 0x11: // call_indirect
      case 0x13: // return_call_indirect
        reader.skipLeb();
        if (this.tableAt(reader.u32()).is64) this.insertWrap(start);
        return;
      case 0x1c: // select with types
        for (let left = reader.u32(); left > 0; left--) skipValueType(reader);
        return;
      case 0x1f: // try_table
        skipBlockType(reader);
        for (let left = reader.u32(); left > 0; left--) {
          if (reader.byte() < 2) reader.skipLeb(); // catch and catch_ref name a tag
          reader.skipLeb();
        }
        return;
      case 0x25: // table.get
        if (this.tableAt(reader.u32()).is64) this.insertWrap(start);
        return;
      case 0x26: {
        // table.set
        const table = this.tableAt(reader.u32());
        if (table.is64) this.rewrite(start, [address, { type: table.element, wrap: 'no' }]);
        return;
      }
      case 0x3f: // memory.size
        if (this.memoryIs64(reader.u32())) this.insertAfter(wasm.i64ExtendI32U);
        return;
      case 0x40: // memory.grow
        if (this.memoryIs64(reader.u32())) {
          this.rewrite(start, [count]);
          this.insertAfter(wasm.i64ExtendI32S);
        }
        return;
      case 0xfc:
        this.bulk(start);
        return;
      case 0xfd:
        this.vector(start, pushedAt);
        return;
      case 0xfe:
        this.atomic(start, pushedAt);
        return;
      default:
        if (!isPlain(opcode))
          assert(false, `unknown wasm instruction 0x${opcode.toString(16)} at byte ${start}`);
    }
  }

  /** A load, store or atomic whose memory argument comes next in the input. */
  private access(start: number, above: readonly ValueType[], pushedAt: number): void {
    const reader = this.reader;
    const argument = reader.position;
    const alignment = reader.u32();
    const memory = alignment & 0x40 ? reader.u32() : 0;
    if (!this.memoryIs64(memory)) {
      reader.skipLeb();
      return;
    }
    const offsetStart = reader.position;
    const offset = reader.u64Low32();

    if (above.length === 0) this.insertWrap(start);
    else if (above.length === 1 && pushedAt >= 0) {
      this.flush(pushedAt);
      this.out.byte(wasm.i32WrapI64);
    } else this.rewrite(start, [address, ...above.map(type => ({ type, wrap: 'no' }) as const)]);

    // An offset of five bytes or fewer is below 2^35; rewriting it always is as simple as asking.
    this.flush(argument);
    this.out.append(reader.bytes, argument, offsetStart);
    this.out.u32(offset);
    this.copied = reader.position;
  }

  private vector(start: number, pushedAt: number): void {
    const reader = this.reader;
    const opcode = reader.u32();
    const above = aboveVectorAddress(opcode);
    if (above !== undefined) {
      this.access(start, above, pushedAt);
      if (isLaneAccess(opcode)) reader.skip(1);
    } else if (opcode === 0x0c) {
      reader.skip(16);
      this.pushedAt = start;
    } else if (opcode === 0x0d) {
      reader.skip(16);
    } else if (opcode >= 0x15 && opcode <= 0x22) {
      reader.skip(1);
    }
  }

  private atomic(start: number, pushedAt: number): void {
    const opcode = this.reader.u32();
    if (opcode === 0x03) this.reader.skip(1);
    else this.access(start, aboveAtomicAddress(opcode), pushedAt);
  }

  /** Bulk memory and table instructions, and the saturating conversions that share their prefix. */
  private bulk(start: number): void {
    const reader = this.reader;
    const opcode = reader.u32();
    switch (opcode) {
      case 0x08: // memory.init
        reader.skipLeb();
        if (this.memoryIs64(reader.u32())) this.rewrite(start, [address, plain32, plain32]);
        return;
      case 0x0a: {
        // memory.copy
        const to = this.memoryIs64(reader.u32());
        const from = this.memoryIs64(reader.u32());
        if (to || from) this.rewrite(start, copyOperands(to, from));
        return;
      }
      case 0x0b: // memory.fill
        if (this.memoryIs64(reader.u32())) this.rewrite(start, [address, plain32, count]);
        return;
      case 0x09: // data.drop
      case 0x0d: // elem.drop
        reader.skipLeb();
        return;
      case 0x0c: // table.init
        reader.skipLeb();
        if (this.tableAt(reader.u32()).is64) this.rewrite(start, [address, plain32, plain32]);
        return;
      case 0x0e: {
        // table.copy
        const to = this.tableAt(reader.u32()).is64;
        const from = this.tableAt(reader.u32()).is64;
        if (to || from) this.rewrite(start, copyOperands(to, from));
        return;
      }
      case 0x0f: // table.grow
        if (this.tableAt(reader.u32()).is64) {
          this.rewrite(start, [count]);
          this.insertAfter(wasm.i64ExtendI32S);
        }
        return;
      case 0x10: // table.size
        if (this.tableAt(reader.u32()).is64) this.insertAfter(wasm.i64ExtendI32U);
        return;
      case 0x11: {
        // table.fill
        const table = this.tableAt(reader.u32());
        if (table.is64) this.rewrite(start, [address, { type: table.element, wrap: 'no' }, count]);
        return;
      }
      default:
        assert(
          opcode <= 0x07 || (opcode >= 0x13 && opcode <= 0x16),
          `unknown wasm instruction 0xfc 0x${opcode.toString(16)} at byte ${start}`,
        );
    }
  }

  /**
   * Converts the operands of the instruction at `start`, which lie on top of the stack, bottom
   * first in `operands`: all but the lowest are popped into scratch locals, then pushed again.
   */
  private rewrite(start: number, operands: readonly Operand[]): void {
    this.flush(start);
    const out = this.out;
    const used: number[] = [];
    for (let i = operands.length - 1; i > 0; i--) {
      const operand = operands[i]!;
      this.convert(operand, used);
      const local = this.scratch(operand.wrap === 'no' ? operand.type : i32, used);
      used.push(local);
      out.byte(wasm.localSet);
      out.u32(local);
    }
    this.convert(operands[0]!, used);
    for (const local of used.reverse()) {
      out.byte(wasm.localGet);
      out.u32(local);
    }
  }

  /** Converts the value on top of the stack. */
  private convert(operand: Operand, used: readonly number[]): void {
    const out = this.out;
    if (operand.wrap === 'address') out.byte(wasm.i32WrapI64);
    if (operand.wrap !== 'count') return;
    // (i32)count if it fits, else 2^32 - 1
    const whole = this.scratch(i64, used);
    out.byte(wasm.localTee);
    out.u32(whole);
    out.byte(wasm.i32WrapI64);
    out.byte(wasm.i32Const);
    out.s32(-1);
    out.byte(wasm.localGet);
    out.u32(whole);
    out.byte(wasm.i64Const);
    out.s32(32);
    out.byte(wasm.i64ShrU);
    out.byte(wasm.i64Eqz);
    out.byte(wasm.select);
  }

  /** A scratch local of this type that is not one of `used`. */
  private scratch(type: ValueType, used: readonly number[]): number {
    const types = this.scratchTypes;
    for (let i = 0; i < types.length; i++) {
      if (types[i] === type && !used.includes(this.firstScratch + i)) return this.firstScratch + i;
    }
    types.push(type);
    return this.firstScratch + types.length - 1;
  }

  private insertWrap(before: number): void {
    this.flush(before);
    this.out.byte(wasm.i32WrapI64);
  }

  /** Emits a one-byte instruction after the one just read. */
  private insertAfter(opcode: number): void {
    this.flush(this.reader.position);
    this.out.byte(opcode);
  }

  private flush(upTo: number): void {
    if (upTo > this.copied) {
      this.out.append(this.reader.bytes, this.copied, upTo);
      this.copied = upTo;
    }
  }

  private memoryIs64(index: number): boolean {
    const is64 = this.module.memories[index];
    assert(is64 !== undefined, `the wasm binary has no memory ${index}`);
    return is64;
  }

  private tableAt(index: number): TableInfo {
    const table = this.module.tables[index];
    assert(table !== undefined, `the wasm binary has no table ${index}`);
    return table;
  }
}

/** Whether the instruction has no immediates. */
function isPlain(opcode: number): boolean {
  return (
    (opcode >= 0x45 && opcode <= 0xc4) || // arithmetic
    opcode === wasm.end ||
    opcode <= 0x01 || // unreachable, nop
    opcode === 0x05 || // else
    opcode === 0x0a || // throw_ref
    opcode === 0x0f || // return
    (opcode >= 0x19 && opcode <= 0x1b) || // catch_all, drop, select
    opcode === 0xd1 || // ref.is_null
    opcode === 0xd4 // ref.as_non_null
  );
}

function copyOperands(to64: boolean, from64: boolean): Operand[] {
  return [to64 ? address : plain32, from64 ? address : plain32, to64 && from64 ? count : plain32];
}

/** A value type: one byte, or for typed references a byte and a heap type. */
export function skipValueType(reader: ByteReader): void {
  const byte = reader.byte();
  if (byte === 0x63 || byte === 0x64) reader.skipLeb();
}

/**
 * Nothing (0x40), a value type, or the number of a function type: all but typed references are one
 * LEB.
 */
function skipBlockType(reader: ByteReader): void {
  const byte = reader.bytes[reader.position];
  if (byte === 0x63 || byte === 0x64) skipValueType(reader);
  else reader.skipLeb();
}
