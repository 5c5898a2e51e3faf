/**
 * Lowers a wasm64 binary, as `wasm-ld -mwasm64` makes it, to 32-bit memories and tables, so that
 * engines without memory64 (Node 20) run it. Values stay 64-bit: pointers, `size_t` and the stack
 * pointer global are i64 as before, only the machine's own index operands become i32.
 *
 *     section     what changes
 *     import      limits of imported memories and tables
 *     table       limits
 *     memory      limits
 *     element     offsets of active segments
 *     code        every instruction that takes an address or a table index: see `lower-code.ts`
 *     data        offsets of active segments
 *
 * All other sections are copied byte for byte, the name section among them, so stack traces keep
 * their names. DWARF sections would go stale, since code moves; link with `--strip-debug`.
 *
 * Why our own pass: Binaryen's `memory64-lowering` does the same and is 100 MB; this needs no model
 * of the module, only one walk that knows where instructions begin and which of them take an
 * address.
 */
import { assert } from '../support/assert.js';
import { wasm } from './instruction-bytes.js';
import { BodyLowering, skipValueType, type TableInfo } from './lower-code.js';
import { importKind, sectionId } from './sections.js';
import { ByteReader, ByteWriter } from './wasm-bytes.js';

/** A 32-bit memory has at most 4 GiB: this many pages of 64 KiB. */
const maximumPages = 65536;
const maximumTableEntries = 0xffff_ffff;

const limitsFlag = { hasMaximum: 1, is64: 4, hasPageSize: 8 };

/**
 * The lowered binary. A binary without 64-bit memories and tables comes back with the same meaning.
 */
export function lowerMemory64(binary: Uint8Array): Uint8Array {
  return new ModuleLowering(binary).run();
}

class ModuleLowering {
  private readonly reader: ByteReader;
  private readonly out: ByteWriter;
  private readonly memories: boolean[] = [];
  private readonly tables: TableInfo[] = [];
  /** Number of parameters of each function type, then of each function defined here. */
  private readonly parametersOfType: number[] = [];
  private readonly typeOfFunction: number[] = [];

  constructor(binary: Uint8Array) {
    this.reader = new ByteReader(binary);
    this.out = new ByteWriter(binary.length + (binary.length >> 2) + 64);
  }

  run(): Uint8Array {
    const { reader, out } = this;
    const magic = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];
    for (const byte of magic) assert(reader.byte() === byte, 'not a wasm binary of version 1');
    out.append(Uint8Array.from(magic));
    while (!reader.done) {
      const id = reader.byte();
      const size = reader.u32();
      const start = reader.position;
      reader.skip(size);
      out.byte(id);
      out.sized(this.section(id, new ByteReader(reader.bytes, start, start + size)));
    }
    return out.bytes.slice();
  }

  private section(id: number, content: ByteReader): Uint8Array {
    const whole = content.bytes.subarray(content.position, content.end);
    switch (id) {
      case sectionId.type:
        this.readTypes(content);
        return whole;
      case sectionId.function:
        for (let left = content.u32(); left > 0; left--) this.typeOfFunction.push(content.u32());
        return whole;
      case sectionId.import:
        return rewriteVector(content, out => this.importEntry(content, out));
      case sectionId.table:
        return rewriteVector(content, out => this.tableEntry(content, out));
      case sectionId.memory:
        return rewriteVector(content, out => {
          this.memories.push(lowerLimits(content, out, maximumPages));
        });
      case sectionId.element:
        return rewriteVector(content, out => this.elementSegment(content, out));
      case sectionId.data:
        return rewriteVector(content, out => this.dataSegment(content, out));
      case sectionId.code:
        return this.code(content);
      default:
        return whole;
    }
  }

  private readTypes(content: ByteReader): void {
    for (let left = content.u32(); left > 0; left--) {
      assert(content.byte() === 0x60, 'a type of the wasm binary is not a function type');
      const parameters = content.u32();
      this.parametersOfType.push(parameters);
      for (let i = 0; i < parameters; i++) skipValueType(content);
      for (let results = content.u32(); results > 0; results--) skipValueType(content);
    }
  }

  private importEntry(content: ByteReader, out: ByteWriter): void {
    const start = content.position;
    content.skip(content.u32());
    content.skip(content.u32());
    const kind = content.byte();
    out.append(content.bytes, start, content.position);
    const description = content.position;
    switch (kind) {
      case importKind.table:
        this.tableType(content, out);
        return;
      case importKind.memory:
        this.memories.push(lowerLimits(content, out, maximumPages));
        return;
      case importKind.function:
        content.skipLeb();
        break;
      case importKind.global:
        skipValueType(content);
        content.skip(1);
        break;
      default:
        assert(kind === importKind.tag, `unknown import kind ${kind}`);
        content.skip(1);
        content.skipLeb();
    }
    out.append(content.bytes, description, content.position);
  }

  private tableEntry(content: ByteReader, out: ByteWriter): void {
    assert(content.bytes[content.position] !== 0x40, 'tables with an initialiser are not supported');
    this.tableType(content, out);
  }

  private tableType(content: ByteReader, out: ByteWriter): void {
    const start = content.position;
    const element = content.bytes[start]!;
    skipValueType(content);
    out.append(content.bytes, start, content.position);
    this.tables.push({ element, is64: lowerLimits(content, out, maximumTableEntries) });
  }

  /**
   * Flags: bit 0 passive or declared, bit 1 a table number (or, with bit 0, declared), bit 2
   * expressions instead of functions.
   */
  private elementSegment(content: ByteReader, out: ByteWriter): void {
    const flags = content.u32();
    const isActive = (flags & 1) === 0;
    out.u32(flags);
    if (isActive) {
      const table = flags & 2 ? content.u32() : 0;
      if (flags & 2) out.u32(table);
      lowerOffset(content, out, this.tables[table]?.is64 ?? false);
    }
    const start = content.position;
    const hasExpressions = (flags & 4) !== 0;
    if (flags & 3) skipValueType(content); // an element kind or a reference type
    for (let left = content.u32(); left > 0; left--) {
      if (hasExpressions) skipConstantExpression(content);
      else content.skipLeb();
    }
    out.append(content.bytes, start, content.position);
  }

  /** Kind 0 is active in memory 0, 1 passive, 2 active in the memory that is named. */
  private dataSegment(content: ByteReader, out: ByteWriter): void {
    const kind = content.u32();
    out.u32(kind);
    if (kind !== 1) {
      const memory = kind === 2 ? content.u32() : 0;
      if (kind === 2) out.u32(memory);
      lowerOffset(content, out, this.memories[memory] ?? false);
    }
    const start = content.position;
    content.skip(content.u32());
    out.append(content.bytes, start, content.position);
  }

  private code(content: ByteReader): Uint8Array {
    const out = new ByteWriter((content.end - content.position) * 1.25 + 64);
    const bodies = new BodyLowering({ memories: this.memories, tables: this.tables });
    const bodyCount = content.u32();
    assert(bodyCount === this.typeOfFunction.length, 'the wasm binary has functions without a body');
    out.u32(bodyCount);
    for (const type of this.typeOfFunction) {
      const size = content.u32();
      const start = content.position;
      content.skip(size);
      const parameters = this.parametersOfType[type];
      assert(parameters !== undefined, `the wasm binary has no type ${type}`);
      bodies.lower(content.bytes, start, content.position, parameters, out);
    }
    return out.bytes;
  }
}

/** Copies a vector, element by element, through `rewrite`. */
function rewriteVector(content: ByteReader, rewrite: (out: ByteWriter) => void): Uint8Array {
  const out = new ByteWriter(content.end - content.position + 64);
  const length = content.u32();
  out.u32(length);
  for (let i = 0; i < length; i++) rewrite(out);
  return out.bytes;
}

/**
 * Copies limits without the 64-bit flag and returns whether it was set. A maximum beyond 32 bits is
 * clamped.
 */
function lowerLimits(content: ByteReader, out: ByteWriter, largest: number): boolean {
  const flags = content.byte();
  const minimum = content.u64();
  assert(
    minimum <= BigInt(largest),
    `the wasm binary needs ${minimum} pages or table entries, more than 32 bits address`,
  );
  out.byte(flags & ~limitsFlag.is64);
  out.u32(Number(minimum));
  if (flags & limitsFlag.hasMaximum) {
    const maximum = content.u64();
    out.u32(maximum > BigInt(largest) ? largest : Number(maximum));
  }
  if (flags & limitsFlag.hasPageSize) out.u32(content.u32());
  return (flags & limitsFlag.is64) !== 0;
}

/**
 * The offset of an active segment: a constant (the linker leaves no other, unless it makes shared
 * objects).
 */
function lowerOffset(content: ByteReader, out: ByteWriter, is64: boolean): void {
  const start = content.position;
  if (is64) {
    assert(content.byte() === wasm.i64Const, 'the offset of a segment is not a constant');
    out.byte(wasm.i32Const);
    out.s32(content.s64Low32());
    assert(content.byte() === wasm.end, 'the offset of a segment is not a constant');
    out.byte(wasm.end);
  } else {
    skipConstantExpression(content);
    out.append(content.bytes, start, content.position);
  }
}

function skipConstantExpression(content: ByteReader): void {
  for (;;) {
    const opcode = content.byte();
    switch (opcode) {
      case wasm.end:
        return;
      case wasm.i32Const:
      case wasm.i64Const:
      case wasm.globalGet:
      case 0xd0: // ref.null
      case 0xd2: // ref.func
        content.skipLeb();
        break;
      default: // i32 and i64 add, sub and mul
        assert(
          (opcode >= 0x6a && opcode <= 0x6c) || (opcode >= 0x7c && opcode <= 0x7e),
          `unknown instruction 0x${opcode.toString(16)} in a constant expression`,
        );
    }
  }
}
