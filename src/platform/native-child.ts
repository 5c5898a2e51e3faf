/**
 * The process that runs native functions (see `native-calls.ts`): memory at the addresses of the
 * request, koffi to call.
 *
 * Regions are mapped once without backing memory; a page costs memory from its first access until
 * it is returned to the system (`page-budget.ts`). Constants are copied once.
 */
import { createRequire } from 'node:module';
import type { NativeRange, NativeReply, NativeRequest } from './native-calls.js';
import { PageBudget } from './page-budget.js';

type NativeFunction = (...args: (number | bigint)[]) => number | bigint | undefined;

/** The part of koffi that is used. */
interface Koffi {
  load(library: string | null): {
    func(name: string, result: string, types: readonly string[]): NativeFunction;
  };
  view(address: bigint, bytes: number): ArrayBuffer;
}

const PAGE = 4096;
const PROT_READ_WRITE = 1 | 2;
/** Private, anonymous, not reserved, and only where nothing is yet. */
const MAP_FLAGS = 0x2 | 0x20 | 0x4000 | 0x100000;
const MADV_DONTNEED = 4;

const budget = new PageBudget();
let mapped: NativeRequest['regions'] | undefined;

function loadKoffi(): Koffi | undefined {
  try {
    return createRequire(import.meta.url)('koffi') as Koffi;
  } catch {
    return undefined;
  }
}

const koffi = loadKoffi();

function handle(request: NativeRequest): NativeReply {
  if (koffi === undefined) return { kind: 'unavailable', reason: 'the package koffi is not installed' };
  const found = find(koffi, request);
  if (typeof found === 'string') return { kind: 'unavailable', reason: found };
  const system = koffi.load(null);
  if (mapped === undefined) {
    const mmap = system.func('mmap', 'uint64', ['uint64', 'uint64', 'int', 'int', 'int', 'int64']);
    for (const { base, size } of request.regions) {
      const at = mmap(BigInt(base), BigInt(size), PROT_READ_WRITE, MAP_FLAGS, -1, 0);
      if (Number(at) !== base)
        return { kind: 'unavailable', reason: 'the addresses of the program are taken' };
    }
    mapped = request.regions;
    for (const range of request.constants) bytesAt(koffi, range).set(range.bytes);
  }
  for (const range of request.ranges) bytesAt(koffi, range).set(range.bytes);
  const value = found(...request.values);
  const changed = request.ranges.flatMap(range => {
    const now = bytesAt(koffi, range);
    return Buffer.compare(now, range.bytes) === 0 ? [] : [{ address: range.address, bytes: now.slice() }];
  });
  const pages = request.ranges.reduce((sum, { bytes }) => sum + Math.ceil(bytes.length / PAGE), 0);
  if (budget.add(pages)) {
    const madvise = system.func('madvise', 'int', ['uint64', 'uint64', 'int']);
    // The first region holds the constants, which stay.
    for (const { base, size } of mapped.slice(1)) madvise(BigInt(base), BigInt(size), MADV_DONTNEED);
  }
  return { kind: 'done', value, changed };
}

function bytesAt(koffi: Koffi, { address, bytes }: NativeRange): Uint8Array {
  return new Uint8Array(koffi.view(BigInt(address), bytes.length));
}

/** The function, or the reason why there is none. */
function find(koffi: Koffi, { libraries, name, result, types }: NativeRequest): NativeFunction | string {
  const missing: string[] = [];
  for (const library of libraries) {
    try {
      const loaded = load(koffi, library);
      if (loaded === undefined) missing.push(`${library} cannot be loaded`);
      else return loaded.func(name, result, types);
    } catch {
      // Not in this one.
    }
  }
  return missing.length > 0 ? missing.join(', ') : 'no library has it';
}

function load(koffi: Koffi, library: string): ReturnType<Koffi['load']> | undefined {
  try {
    return koffi.load(library);
  } catch {
    return undefined;
  }
}

process.on('message', (request: NativeRequest) => {
  process.send?.(handle(request));
});
// The first message says that requests may come.
process.send?.({ kind: 'ready' });
