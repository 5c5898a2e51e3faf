/**
 * The memory that ships: a shared `WebAssembly.Memory`, whose buffer is a SharedArrayBuffer, and a module of eight functions,
 * each one atomic instruction.
 *
 * Why not `Atomics`: V8 does not inline it. Measured here, a load takes 7.7 ns on an Int32Array and 13.5 ns on a
 * BigInt64Array, where the bigint is allocated; a call into WebAssembly takes 3.5 ns and has 64-bit words for nothing.
 * Why not the whole table in WebAssembly: then the source that is checked under a scheduler would be another one.
 * `docs/decisions/0040-table-over-a-memory.md` has the figures.
 *
 *   the memory   0      attachments so far
 *                128    one line per attachment: `high`, where a function leaves the upper half of its result
 *                65536  the pool
 *
 * **Invariants.** A thread has its own line, and only it touches it, so plain accesses are enough there.
 */
import { assert } from '../support/assert.js';
import type { Memory, StepName } from './memory.js';
import { Pool } from './pool.js';

const PAGE_BYTES = 65536;
const LINE_BYTES = 128;
const MAX_ATTACHMENTS = PAGE_BYTES / LINE_BYTES - 1;

/** Where the pool of a shared memory lies. */
export const POOL_AT: number = PAGE_BYTES;

interface Instructions {
  load32(at: number): number;
  store32(at: number, value: number): void;
  add32(at: number, delta: number): number;
  cas32(at: number, expected: number, desired: number): number;
  load64(at: number): number;
  add64(at: number, low: number, high: number): number;
  cas64(at: number, expectedLow: number, expectedHigh: number, low: number, high: number): number;
  zero(at: number, byteCount: number): void;
}

/** A memory to be sent to every worker, with an empty pool. Pages that nobody touches cost nothing. */
export function createSharedMemory(byteCount: number): WebAssembly.Memory {
  const pages = Math.ceil(byteCount / PAGE_BYTES);
  assert(pages >= 2 && pages < 32768, 'a shared memory has between 128 KiB and 2 GiB');
  const shared = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
  Pool.format(new WasmMemory(shared), POOL_AT, pages * PAGE_BYTES);
  return shared;
}

/**
 * One thread's view of a shared memory. A thread should make one and use it for all its tables: V8 inlines the calls as
 * long as it has seen one module instance only.
 */
export class WasmMemory implements Memory {
  readonly #line: Int32Array;
  readonly #load32: Instructions['load32'];
  readonly #store32: Instructions['store32'];
  readonly #add32: Instructions['add32'];
  readonly #cas32: Instructions['cas32'];
  readonly #load64: Instructions['load64'];
  readonly #add64: Instructions['add64'];
  readonly #cas64: Instructions['cas64'];
  readonly #zero: Instructions['zero'];

  constructor(shared: WebAssembly.Memory) {
    const attachment = 1 + Atomics.add(new Int32Array(shared.buffer, 0, 1), 0, 1);
    assert(attachment <= MAX_ATTACHMENTS, `more than ${MAX_ATTACHMENTS} threads have used one memory`);
    const line = attachment * LINE_BYTES;
    const pages = shared.buffer.byteLength / PAGE_BYTES;
    const instance = new WebAssembly.Instance(moduleFor(pages), { m: { memory: shared, line } });
    const instructions = instance.exports as unknown as Instructions;
    this.#line = new Int32Array(shared.buffer, line, 1);
    this.#load32 = instructions.load32;
    this.#store32 = instructions.store32;
    this.#add32 = instructions.add32;
    this.#cas32 = instructions.cas32;
    this.#load64 = instructions.load64;
    this.#add64 = instructions.add64;
    this.#cas64 = instructions.cas64;
    this.#zero = instructions.zero;
  }

  get high(): number {
    return this.#line[0]!;
  }

  load32(_step: StepName, at: number): number {
    return this.#load32(at);
  }

  store32(_step: StepName, at: number, value: number): void {
    this.#store32(at, value);
  }

  add32(_step: StepName, at: number, delta: number): number {
    return this.#add32(at, delta);
  }

  cas32(_step: StepName, at: number, expected: number, desired: number): boolean {
    return this.#cas32(at, expected, desired) === 1;
  }

  load64(_step: StepName, at: number): number {
    return this.#load64(at);
  }

  add64(_step: StepName, at: number, low: number, high: number): number {
    return this.#add64(at, low, high);
  }

  cas64(
    _step: StepName,
    at: number,
    expectedLow: number,
    expectedHigh: number,
    low: number,
    high: number,
  ): boolean {
    return this.#cas64(at, expectedLow, expectedHigh, low, high) === 1;
  }

  zero(_step: StepName, at: number, byteCount: number): void {
    this.#zero(at, byteCount);
  }
}

// The module, assembled byte by byte. Names as in the WebAssembly specification.

const I32 = 0x7f;
const get = (local: number): number[] => [0x20, local];
const set = (local: number): number[] => [0x21, local];
const ATOMIC = 0xfe;
const ALIGN_4 = [2, 0];
const ALIGN_8 = [3, 0];
const I64_EXTEND_I32_U = 0xad;
const I64_EXTEND_I32_S = 0xac;
const I32_WRAP_I64 = 0xa7;
const I64_SHIFT_32 = [0x42, 32, 0x86];
const I64_SHIFT_RIGHT_32 = [0x42, 32, 0x88];
const I64_OR = 0x84;
const I64_ADD = 0x7c;

/** A 64-bit word of two parameters: low | high << 32. */
function joined(low: number, high: number): number[] {
  return [...get(low), I64_EXTEND_I32_U, ...get(high), I64_EXTEND_I32_S, ...I64_SHIFT_32, I64_OR];
}

/** Leaves the upper half of a 64-bit local in the thread's line, and returns the low half. */
function returned(word: number): number[] {
  const lineGlobal = [0x23, 0];
  const storeHigh = [...lineGlobal, ...get(word), ...I64_SHIFT_RIGHT_32, I32_WRAP_I64, 0x36, ...ALIGN_4];
  return [...storeHigh, ...get(word), I32_WRAP_I64];
}

interface FunctionSource {
  readonly name: keyof Instructions;
  readonly parameters: number;
  readonly results: 0 | 1;
  readonly wideLocals: 0 | 1;
  readonly body: readonly number[];
}

const functions: readonly FunctionSource[] = [
  {
    name: 'load32',
    parameters: 1,
    results: 1,
    wideLocals: 0,
    body: [...get(0), ATOMIC, 0x10, ...ALIGN_4],
  },
  {
    name: 'store32',
    parameters: 2,
    results: 0,
    wideLocals: 0,
    body: [...get(0), ...get(1), ATOMIC, 0x17, ...ALIGN_4],
  },
  {
    name: 'add32',
    parameters: 2,
    results: 1,
    wideLocals: 0,
    body: [...get(0), ...get(1), ATOMIC, 0x1e, ...ALIGN_4, ...get(1), 0x6a],
  },
  {
    name: 'cas32',
    parameters: 3,
    results: 1,
    wideLocals: 0,
    body: [...get(0), ...get(1), ...get(2), ATOMIC, 0x48, ...ALIGN_4, ...get(1), 0x46],
  },
  {
    name: 'load64',
    parameters: 1,
    results: 1,
    wideLocals: 1,
    body: [...get(0), ATOMIC, 0x11, ...ALIGN_8, ...set(1), ...returned(1)],
  },
  {
    name: 'add64',
    parameters: 3,
    results: 1,
    wideLocals: 1,
    body: [
      ...[...get(0), ...joined(1, 2), ATOMIC, 0x1f, ...ALIGN_8],
      ...[...joined(1, 2), I64_ADD, ...set(3), ...returned(3)],
    ],
  },
  {
    name: 'cas64',
    parameters: 5,
    results: 1,
    wideLocals: 0,
    body: [
      ...[...get(0), ...joined(1, 2), ...joined(3, 4), ATOMIC, 0x49, ...ALIGN_8],
      ...[...joined(1, 2), 0x51],
    ],
  },
  {
    name: 'zero',
    parameters: 2,
    results: 0,
    wideLocals: 0,
    body: [...get(0), 0x41, 0, ...get(1), 0xfc, 11, 0],
  },
];

function unsigned(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...unsigned(value >>> 7)];
}

function name(text: string): number[] {
  return [text.length, ...Array.from(text, letter => letter.charCodeAt(0))];
}

function section(id: number, items: readonly (readonly number[])[]): number[] {
  const content = [items.length, ...items.flat()];
  return [id, ...unsigned(content.length), ...content];
}

function assemble(pages: number): Uint8Array<ArrayBuffer> {
  const types = functions.map(f => [
    ...[0x60, f.parameters, ...Array<number>(f.parameters).fill(I32)],
    ...[f.results, ...Array<number>(f.results).fill(I32)],
  ]);
  const memory = [...name('m'), ...name('memory'), 2, 3, ...unsigned(pages), ...unsigned(pages)];
  const line = [...name('m'), ...name('line'), 3, I32, 0];
  const bodies = functions.map(f => {
    const code = [...(f.wideLocals === 1 ? [1, 1, 0x7e] : [0]), ...f.body, 0x0b];
    return [...unsigned(code.length), ...code];
  });
  return new Uint8Array([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, types),
    ...section(2, [memory, line]),
    ...section(
      3,
      functions.map((_, index) => [index]),
    ),
    ...section(
      7,
      functions.map((f, index) => [...name(f.name), 0, index]),
    ),
    ...section(10, bodies),
  ]);
}

const modules = new Map<number, WebAssembly.Module>();

function moduleFor(pages: number): WebAssembly.Module {
  const known = modules.get(pages);
  if (known) return known;
  const made = new WebAssembly.Module(assemble(pages));
  modules.set(pages, made);
  return made;
}
