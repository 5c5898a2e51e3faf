/**
 * Instruments a binary to record which blocks of memory it writes, so that they can be restored:
 * each store first tests the dirty byte of its block, and calls `mark` if that is zero.
 *
 * ```
 *   [address] [value]                [address] [value]
 *   i32.store offset=o    becomes    local.set $v   local.tee $a
 *                                    i32.const o   i32.add   i32.const bits   i32.shr_u   local.tee $b
 *                                    i32.load8_u offset=dirty   i32.eqz   if   local.get $b   call mark   end
 *                                    local.get $a   local.get $v   i32.store offset=o
 * ```
 *
 * `memory.copy` and `memory.fill` call `markRange`. `mark` also handles a store that reaches into
 * the next block. This is done here and not in the IR, because only the binary has all stores: the
 * program's, the C library's, the monitor's, and the spills of the code generator.
 *
 * The counters of the fuzzer are written in line in place of the calls that the instrumentation
 * left: they are not part of what is put back, so their stores are not tracked.
 *
 * A function that would become longer than the engine accepts is written in a compact form: each
 * store is a call of a helper (store-helpers.ts), which has the code above, and counters stay
 * calls. It is slower and records the same.
 *
 * Invariant: functions that are `exempt` stay as they are, byte for byte.
 */

import { assert } from '../support/assert.js';
import { noResult, wasm } from './instruction-bytes.js';
import { functionNames, importedFunctions, sectionId, sectionsOf } from './sections.js';
import { skipImmediates } from './skip-instruction.js';
import { storeHelper, storeHelpers, withStoreHelpers } from './store-helpers.js';
import { ByteReader, ByteWriter } from './wasm-bytes.js';
import { aboveAddress, i32, i64, type ValueType, v128 } from './wasm-opcodes.js';

export interface TrackOptions {
  /** Names of functions of the binary: `mark(block)` and `markRange(address, bytes)`, both i32. */
  readonly mark: string;
  readonly markRange: string;
  /** The address of the dirty bytes, and the size of a block, as a power of two. */
  readonly dirty: number;
  readonly blockBits: number;
  readonly isExempt: (name: string) => boolean;
  /** Calls of these functions become code. */
  readonly counters: CounterOptions;
  /** Bytes of a function's body that the engine accepts. */
  readonly longestFunction?: number;
  /** Throws: the compact form is too long, too. */
  readonly refuse: (name: string, bytes: number, most: number) => never;
}

/** V8's limit, `kV8MaxWasmFunctionSize`. */
const longestOfV8 = 7_654_321;

export interface CounterOptions {
  /**
   * `edge(number)` counts, `step(number)` counts and calls `endless(number)` when the fuel is used
   * up.
   */
  readonly edge: string;
  readonly step: string;
  readonly endless: string;
  readonly counters: number;
  readonly fuel: number;
  /** `compare(site, left, right)` is called only if the word at `isRecording` is not zero. */
  readonly compare: string;
  readonly isRecording: number;
}

const firstStore = 0x36;
const lastStore = 0x3e;
const vectorStore = 0x0b;
const firstLaneStore = 0x58;
const lastLaneStore = 0x5b;
const memoryCopy = 10;
const memoryFill = 11;

export function trackWrites(binary: Uint8Array, options: TrackOptions): Uint8Array {
  return tracked(binary, options, false) ?? tracked(withStoreHelpers(binary), options, true)!;
}

/** Undefined if a function is too long, and there are no helpers for the compact form. */
function tracked(binary: Uint8Array, options: TrackOptions, hasHelpers: boolean): Uint8Array | undefined {
  const sections = sectionsOf(binary);
  const imported = importedFunctions(binary, sections);
  const names = functionNames(binary, sections);
  const numbers = new Map([...names].map(([number, name]) => [name, number]));
  const parameters = parametersOf(binary, sections);
  const firstHelper = imported.length + parameters.length - (hasHelpers ? storeHelpers : 0);
  const body = new BodyTracker(options, numbers, firstHelper);
  const { longestFunction: longest = longestOfV8 } = options;
  const out = new ByteWriter(binary.length * 2);
  out.append(binary, 0, 8);
  for (const { id, head, start, end } of sections) {
    if (id !== sectionId.code) {
      out.append(binary, head, end);
      continue;
    }
    const reader = new ByteReader(binary, start, end);
    const content = new ByteWriter((end - start) * 2);
    const count = reader.u32();
    content.u32(count);
    for (let i = 0; i < count; i++) {
      const size = reader.u32();
      const from = reader.position;
      reader.skip(size);
      const name = names.get(imported.length + i) ?? '';
      if (options.isExempt(name)) {
        content.sized(binary.subarray(from, from + size));
        continue;
      }
      const track = (isCompact: boolean): Uint8Array =>
        body.track(new ByteReader(binary, from, from + size), parameters[i]!, isCompact);
      let whole = track(false);
      if (whole.length > longest) {
        if (!hasHelpers) return undefined;
        whole = track(true);
      }
      if (whole.length > longest) options.refuse(name, whole.length, longest);
      content.sized(whole);
    }
    out.byte(id);
    out.sized(content.bytes);
  }
  return out.bytes.slice();
}

/** How many parameters each function of the binary has. */
function parametersOf(binary: Uint8Array, sections: ReturnType<typeof sectionsOf>): number[] {
  const reader = (wanted: number): ByteReader => {
    const found = sections.find(({ id }) => id === wanted);
    return found === undefined
      ? new ByteReader(Uint8Array.of(0))
      : new ByteReader(binary, found.start, found.end);
  };
  const types = reader(sectionId.type);
  const ofType: number[] = [];
  for (let left = types.u32(); left > 0; left--) {
    assert(types.byte() === 0x60, 'a type of the wasm binary is not a function type');
    const count = types.u32();
    types.skip(count);
    types.skip(types.u32());
    ofType.push(count);
  }
  const functions = reader(sectionId.function);
  return Array.from({ length: functions.u32() }, () => ofType[functions.u32()]!);
}

class BodyTracker {
  #reader = new ByteReader(new Uint8Array(0));
  readonly #out = new ByteWriter(1 << 16);
  #copied = 0;
  #locals = 0;
  #isCompact = false;
  readonly #scratch = new Map<string, number>();
  #scratchTypes: ValueType[] = [];

  constructor(
    private readonly options: TrackOptions,
    private readonly numbers: ReadonlyMap<string, number>,
    private readonly firstHelper: number,
  ) {}

  track(reader: ByteReader, parameters: number, isCompact: boolean): Uint8Array {
    this.#isCompact = isCompact;
    const groups = reader.u32();
    const declarations = reader.position;
    this.#locals = parameters;
    for (let left = groups; left > 0; left--) {
      this.#locals += reader.u32();
      reader.skip(1);
    }
    const start = reader.position;
    this.#reader = reader;
    this.#out.clear();
    this.#scratch.clear();
    this.#scratchTypes = [];
    this.#copied = start;
    while (!reader.done) this.#instruction();
    this.#flush(reader.end);
    const whole = new ByteWriter(this.#out.length + 64);
    whole.u32(groups + this.#scratchTypes.length);
    whole.append(reader.bytes, declarations, start);
    for (const type of this.#scratchTypes) {
      whole.u32(1);
      whole.byte(type);
    }
    whole.append(this.#out.bytes);
    return whole.bytes;
  }

  #instruction(): void {
    const reader = this.#reader;
    const start = reader.position;
    const opcode = reader.byte();
    if (opcode >= firstStore && opcode <= lastStore)
      this.#store(start, opcode, aboveAddress[opcode - 0x28]![0]!);
    else if (opcode === wasm.vectorPrefix) this.#vector(start);
    else if (opcode === wasm.prefix) this.#bulk(start);
    else if (opcode === wasm.call) this.#call(start, reader.u32());
    else {
      assert(opcode !== wasm.atomicPrefix, 'an atomic store cannot be tracked');
      skipImmediates(reader, opcode);
    }
  }

  #vector(start: number): void {
    const reader = this.#reader;
    const kindAt = reader.position;
    const kind = reader.u32();
    if (kind === vectorStore) {
      this.#store(start, wasm.vectorPrefix, v128);
      return;
    }
    if (kind >= firstLaneStore && kind <= lastLaneStore) {
      this.#storeInline(start, v128);
      reader.skip(1);
      return;
    }
    reader.position = kindAt;
    skipImmediates(reader, wasm.vectorPrefix);
  }

  /** A store that begins at `start`; its memory argument comes next in the input. */
  #store(start: number, opcode: number, type: ValueType): void {
    if (!this.#isCompact) {
      this.#storeInline(start, type);
      return;
    }
    const reader = this.#reader;
    this.#flush(start);
    reader.skipLeb();
    this.#constant(reader.u32());
    this.#out.byte(wasm.call);
    this.#out.u32(this.firstHelper + storeHelper(opcode));
    this.#copied = reader.position;
  }

  #storeInline(start: number, type: ValueType): void {
    const reader = this.#reader;
    reader.skipLeb();
    const offset = reader.u32();
    const value = this.#local('value', type);
    const address = this.#local('address', i32);
    this.#flush(start);
    const out = this.#out;
    this.#set(value);
    out.byte(wasm.localTee);
    out.u32(address);
    if (offset !== 0) {
      this.#constant(offset);
      out.byte(wasm.i32Add);
    }
    this.#constant(this.options.blockBits);
    out.byte(wasm.i32ShrU);
    this.#markUnlessDirty();
    this.#get(address);
    this.#get(value);
  }

  /** The number of the block is on the stack. */
  #markUnlessDirty(): void {
    const block = this.#local('block', i32);
    const out = this.#out;
    out.byte(wasm.localTee);
    out.u32(block);
    this.#access(wasm.i32Load8U, 0, this.options.dirty);
    out.byte(wasm.i32Eqz);
    out.byte(wasm.if);
    out.byte(noResult);
    this.#get(block);
    this.#callNamed(this.options.mark);
    out.byte(wasm.end);
  }

  #bulk(start: number): void {
    const reader = this.#reader;
    const kind = reader.u32();
    if (kind !== memoryCopy && kind !== memoryFill) {
      assert(kind < 8, `the bulk instruction ${kind} cannot be tracked`);
      return;
    }
    reader.skip(kind === memoryCopy ? 2 : 1);
    const bytes = this.#local('bytes', i32);
    const source = this.#local('source', i32);
    const address = this.#local('address', i32);
    this.#flush(start);
    for (const local of [bytes, source, address]) this.#set(local);
    this.#get(address);
    this.#get(bytes);
    this.#callNamed(this.options.markRange);
    for (const local of [address, source, bytes]) this.#get(local);
  }

  #call(start: number, callee: number): void {
    if (this.#isCompact) return;
    const { edge, step, endless, counters, fuel, compare } = this.options.counters;
    if (callee === this.numbers.get(compare)) {
      this.#compare(start);
      return;
    }
    const isStep = callee === this.numbers.get(step);
    if (!isStep && callee !== this.numbers.get(edge)) return;
    const number = this.#local('edge', i32);
    this.#flush(start);
    this.#copied = this.#reader.position;
    const out = this.#out;
    out.byte(wasm.localTee);
    out.u32(number);
    this.#get(number);
    this.#access(wasm.i32Load8U, 0, counters);
    this.#constant(1);
    out.byte(wasm.i32Add);
    this.#access(wasm.i32Store8, 0, counters);
    if (!isStep) return;
    const left = this.#local('fuel', i32);
    this.#constant(0);
    this.#constant(0);
    this.#access(wasm.i32Load, 2, fuel);
    this.#constant(1);
    out.byte(wasm.i32Sub);
    out.byte(wasm.localTee);
    out.u32(left);
    this.#access(wasm.i32Store, 2, fuel);
    this.#get(left);
    out.byte(wasm.i32Eqz);
    out.byte(wasm.if);
    out.byte(noResult);
    this.#get(number);
    this.#callNamed(endless);
    out.byte(wasm.end);
  }

  /** Most runs record no comparisons, so the call is skipped without the help of the callee. */
  #compare(start: number): void {
    const site = this.#local('site', i32);
    const left = this.#local('left', i64);
    const right = this.#local('right', i64);
    const { isRecording, compare } = this.options.counters;
    this.#flush(start);
    this.#copied = this.#reader.position;
    const out = this.#out;
    for (const local of [right, left, site]) this.#set(local);
    this.#constant(0);
    this.#access(wasm.i32Load, 2, isRecording);
    out.byte(wasm.if);
    out.byte(noResult);
    for (const local of [site, left, right]) this.#get(local);
    this.#callNamed(compare);
    out.byte(wasm.end);
  }

  #local(use: string, type: ValueType): number {
    const key = `${use} ${type}`;
    let local = this.#scratch.get(key);
    if (local === undefined) {
      local = this.#locals + this.#scratchTypes.length;
      this.#scratchTypes.push(type);
      this.#scratch.set(key, local);
    }
    return local;
  }

  #get(local: number): void {
    this.#out.byte(wasm.localGet);
    this.#out.u32(local);
  }

  #set(local: number): void {
    this.#out.byte(wasm.localSet);
    this.#out.u32(local);
  }

  #constant(value: number): void {
    this.#out.byte(wasm.i32Const);
    this.#out.s32(value);
  }

  #access(opcode: number, alignment: number, offset: number): void {
    this.#out.byte(opcode);
    this.#out.u32(alignment);
    this.#out.u32(offset);
  }

  #callNamed(name: string): void {
    const number = this.numbers.get(name);
    assert(number !== undefined, `the wasm binary has no function ${name}`);
    this.#out.byte(wasm.call);
    this.#out.u32(number);
  }

  #flush(upTo: number): void {
    this.#out.append(this.#reader.bytes, this.#copied, upTo);
    this.#copied = upTo;
  }
}
