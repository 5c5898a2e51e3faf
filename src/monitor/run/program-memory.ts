/**
 * Reads the memory of a running program from outside: tag words, heap blocks, retired numbers,
 * stacks. The layouts are those of `runtime/monitor/*.h`.
 */
import {
  countOf,
  keptLocalsStart,
  lastDynamicNumber,
  localRingLength,
  localRingStart,
  ownerOf,
  ringLength,
  ringStart,
  shadowStart,
  stacksStart,
} from '../memory-map.js';

export type BlockState = 'free' | 'live' | 'quarantined';

export interface NumberedBlock {
  readonly address: number;
  readonly number: number;
  readonly bytes: number;
}

export interface HeapBlock extends NumberedBlock {
  readonly state: BlockState;
  /** Ids of stacks; `freed` is valid unless the block is live. */
  readonly allocated: number;
  readonly freed: number;
}

/** A local, the variadic arguments of a call, or a heap block whose memory has been reused. */
export type RetiredBlock =
  | {
      readonly kind: 'stack' | 'variadic';
      readonly address: number;
      readonly bytes: number;
      readonly site: number;
      readonly depth: number;
    }
  | {
      readonly kind: 'heap';
      readonly address: number;
      readonly bytes: number;
      readonly allocated: number;
      readonly freed: number;
    };

const header = 16;
/** A flag in the length of a kept stack: `CUT` of `runtime/monitor/calls.c`. */
const cutBit = 0x8000_0000;
const states: readonly BlockState[] = ['free', 'live', 'quarantined', 'live'];

export class ProgramMemory {
  readonly #words: Uint32Array;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;

  constructor(
    memory: WebAssembly.Memory,
    /** Functions of the runtime for data that memory does not show. */
    private readonly runtime: {
      readonly heap: () => { start: number; top: number };
      /** The headers of all blocks, if they are not contiguous. */
      readonly headers: () => Iterable<number> | undefined;
      /** The tag word of the granule at an address of the program. */
      readonly tag: (address: number) => number;
      /** The count of the next block. */
      readonly nextCount: () => number;
    },
  ) {
    this.#words = new Uint32Array(memory.buffer);
    this.#bytes = new Uint8Array(memory.buffer);
    this.#view = new DataView(memory.buffer);
  }

  /** The address of a pointer without its number. */
  target(pointer: bigint): number {
    return Number(BigInt.asUintN(32, pointer));
  }

  word(address: number): number {
    return this.#words[address >>> 2]!;
  }

  /** The value of a u32 variable of the runtime, whose address is exported. */
  variable({ value }: WebAssembly.Global): number {
    return this.word(Number(value));
  }

  setWord(address: number, word: number): void {
    this.#words[address >>> 2] = word;
  }

  /** The shadow byte of the granule at an address of the program. */
  shadowAt(address: number): number {
    return this.#bytes[shadowStart + (address >>> 3)]!;
  }

  ownerAt(address: number): number {
    return ownerOf(this.runtime.tag(address));
  }

  /** Whether a heap or stack block has ever had this number. */
  wasGiven(number: number): boolean {
    return number <= lastDynamicNumber && countOf(number) < this.runtime.nextCount();
  }

  *heapBlocks(): Generator<HeapBlock> {
    const headers = this.runtime.headers();
    if (headers !== undefined) {
      for (const at of headers) yield this.#blockAt(at);
      return;
    }
    const { start, top } = this.runtime.heap();
    for (let at = start; at < top; ) {
      const totalAndState = this.word(at);
      const block = this.#blockAt(at);
      if (block.number !== 0) yield block;
      at += Math.max(totalAndState & ~15, header);
    }
  }

  /** The size of the block that begins at an address. */
  blockBytes(address: number): number {
    return this.#blockAt(address - header).bytes;
  }

  #blockAt(at: number): HeapBlock {
    const address = at + header;
    return {
      address,
      number: this.word(at + 4),
      bytes: this.word(at + 8),
      state: states[this.word(at) & 15] ?? 'free',
      allocated: this.word(at + 12),
      freed: this.word(address),
    };
  }

  /** The blocks to which words in the range point, at addresses divisible by `step`. */
  *pointersIn(
    { address, bytes }: { readonly address: number; readonly bytes: number },
    blocks: ReadonlyMap<number, HeapBlock>,
    step: 1 | 8,
  ): Generator<HeapBlock> {
    const last = address + bytes - 8;
    for (let at = step === 8 ? (address + 7) & ~7 : address; at <= last; at += step) {
      const number = step === 8 ? this.word(at + 4) : this.#view.getUint32(at + 4, true);
      const block = number === 0 ? undefined : blocks.get(number);
      if (block === undefined) continue;
      const target = this.#view.getUint32(at, true);
      if (target >= block.address && target <= block.address + block.bytes) yield block;
    }
  }

  /** The block that had the number, unless newer numbers have overwritten its entry (`ring.h`). */
  retired(number: number): RetiredBlock | undefined {
    const at = this.#entryOf(number);
    if (at === undefined) return undefined;
    const kind = this.word(at + 4);
    const place = { address: this.word(at + 8), bytes: this.word(at + 12) };
    const [first, second] = [this.word(at + 16), this.word(at + 20)];
    return kind === 2
      ? { kind: 'heap', ...place, allocated: first, freed: second }
      : { kind: kind === 1 ? 'stack' : 'variadic', ...place, site: first, depth: second };
  }

  /** Whether the block has a pointer, aligned, with this number. */
  holdsNumber({ address, bytes }: NumberedBlock, number: number): boolean {
    const last = address + bytes - 8;
    for (let at = (address + 7) & ~7; at <= last; at += 8) if (this.word(at + 4) === number) return true;
    return false;
  }

  #entryOf(number: number): number | undefined {
    const count = countOf(number);
    for (const at of [entryAt(localRingStart, localRingLength, count), entryAt(ringStart, ringLength, count)])
      if (this.word(at) === number) return at;
    return this.#keptLocals().find(at => this.word(at) === number);
  }

  /** The locals whose scope has not ended. */
  *liveLocals(): Generator<NumberedBlock> {
    const recent = Array.from({ length: localRingLength }, (_, i) => localRingStart + i * entryBytes);
    for (const at of [...recent, ...this.#keptLocals()]) {
      const number = this.word(at);
      const address = this.word(at + 8);
      if (number !== 0 && this.word(at + 4) === 1 && this.ownerAt(address) === number)
        yield { number, address, bytes: this.word(at + 12) };
    }
  }

  /** The entries of locals that were still alive when newer ones took their places in the ring. */
  #keptLocals(): readonly number[] {
    const entries: number[] = [];
    for (let at = keptLocalsStart; this.word(at) !== 0; at += entryBytes) entries.push(at);
    return entries;
  }

  /** The sites of a kept stack, innermost first. */
  stack(id: number): number[] {
    return keptStack(this.#words, id);
  }

  /** The number of allocations, by stack; stacks that were not kept are missing. */
  *allocations(): Generator<{ readonly sites: readonly number[]; readonly count: number }> {
    for (let id = 0; ; ) {
      const sites = this.stack(id);
      if (id > 0 && sites.length === 0) return;
      yield { sites, count: this.#words[(stacksStart >>> 2) + id + 1]! };
      id += sites.length + 2;
    }
  }

  /** Whether the stack was so deep that its middle was not kept. */
  isCut(id: number): boolean {
    return id !== 0 && (this.#words[(stacksStart >>> 2) + id]! & cutBit) !== 0;
  }

  bytes(address: number, length: number): Uint8Array {
    return this.#bytes.slice(address, address + length);
  }

  setBytes(address: number, bytes: Uint8Array): void {
    this.#bytes.set(bytes, address);
  }

  cString(address: number): string {
    return new TextDecoder().decode(this.#bytes.subarray(address, address + this.textLength(address)));
  }

  /** 0 for a text without a terminating zero. */
  textLength(address: number): number {
    const end = this.#bytes.indexOf(0, address);
    return end < 0 ? 0 : end - address;
  }
}

/** The sites of a kept stack in the words of a program's memory, innermost first. */
export function keptStack(words: Uint32Array, id: number): number[] {
  const start = (stacksStart >>> 2) + id;
  const length = words[start]! & ~cutBit;
  return id === 0 ? [] : [...words.subarray(start + 2, start + 2 + length)].reverse();
}

const entryBytes = 32;

function entryAt(ring: number, length: number, count: number): number {
  return ring + (count & (length - 1)) * entryBytes;
}
