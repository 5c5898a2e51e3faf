/** malloc and its family, on KDALLOC's heap region. */

import type { Term } from '../../expr/term.js';
import type { FreeFacts } from '../../findings/facts.js';
import { Region } from '../../kdalloc/index.js';
import { store } from '../access/access.js';
import { noteFree } from '../access/shared-access.js';
import type { Window } from '../memory/address-space.js';
import { lineOf } from '../memory/call-trace.js';
import type { ObjectState } from '../memory/object-state.js';
import { Origin, type OriginContents } from '../memory/origin.js';
import type { Native } from '../state/decoded.js';

import type { Accesses, Decisions, Running } from '../state/running.js';

import { integerOperation, unsignedOverflows } from '../values/integer-operations.js';
import type { Known, Scalar } from '../values/register-value.js';

/** What allocation needs: the library's `errno`, and the origins of the last blocks. */
type Heap = Accesses & Pick<Running, 'program' | 'lastBlocks' | 'newContents'>;

const HEAP_ALIGN = 16;
const ENOMEM = 12;
const EINVAL = 22;

/** A larger request fails, as on a machine. */
const LARGEST_REQUEST = 2 ** 40;

/** The limit for all blocks of one path. */
const LARGEST_HEAP = 2 ** 29;

/** A symbolic size with at most this many values is forked over. */
const SIZES_TRIED = 8;

/** The largest block of symbolic size. */
const MOST_SYMBOLIC = 4096;

/** The size of an allocation, and its symbolic length if it is not known. */
interface Size {
  readonly bytes: Known;
  readonly length?: Term;
}

/**
 * Few sizes are tried one by one. Of many, sizes that every machine refuses are one path; small
 * ones are another, with a block whose end is symbolic; the sizes between are represented by the
 * smallest.
 */
function sizeOf(machine: Decisions, size: Scalar): Size {
  if (typeof size !== 'object') return { bytes: size };
  const { terms } = machine;
  const limit = (bytes: number): Term => terms.constant(size.width, bytes);
  const range = machine.queries.range(size);
  const what = 'the symbolic size of an allocation';
  if (range === undefined) return { bytes: machine.concretize(size, what) };
  if (BigInt(range.max) - BigInt(range.min) < SIZES_TRIED) {
    for (let value = BigInt(range.min); value < BigInt(range.max); value++) {
      if (machine.decide(terms.eq(size, terms.constant(size.width, value)))) return { bytes: Number(value) };
    }
    return { bytes: range.max };
  }
  if (machine.decide(terms.ugt(size, limit(LARGEST_REQUEST)))) return { bytes: LARGEST_REQUEST + 1 };
  if (machine.decide(terms.ule(size, limit(MOST_SYMBOLIC)))) {
    const bytes = range.max < MOST_SYMBOLIC ? range.max : MOST_SYMBOLIC;
    return { bytes, length: terms.zext(size, 64) };
  }
  const larger = machine.queries.range(size);
  return {
    bytes: larger !== undefined ? machine.choose(size, larger.min, what) : machine.concretize(size, what),
  };
}

/** An alignment, concretized. */
function alignmentOf(machine: Decisions, align: Scalar): Known {
  return machine.fewValues(align, 'a symbolic alignment');
}

function allocate(
  machine: Heap,
  { bytes, length }: Size,
  align = HEAP_ALIGN,
  contents: OriginContents = machine.newContents,
): number {
  return allocateKnown(machine, Number(bytes), length, align, contents);
}

function allocateKnown(
  machine: Heap,
  bytes: number,
  length: Term | undefined,
  align: number,
  contents: OriginContents,
  window?: Window,
): number {
  const { state } = machine;
  state.withoutMemory = undefined;
  if (bytes > LARGEST_REQUEST) return 0;
  if (state.heapBytes + bytes > LARGEST_HEAP) {
    const location = lineOf(machine.trace());
    state.withoutMemory = { bytes, ...(location && { location }) };
    return 0;
  }
  const origin = originOf(machine, bytes, length, contents);
  const address = state.memory.allocate(Region.heap, align, origin, window);
  if (address === 0) return 0;
  state.allocations++;
  state.heapBytes += bytes;
  if (state.threads?.hasBegun) state.threads.races.fresh(address, bytes);
  machine.plugins?.allocated(machine, address, bytes);
  return address;
}

/** `malloc` of a concrete size; opens the window on the block in the usual case. */
export function malloc(machine: Heap, bytes: Known, window: Window): number {
  const address = allocateKnown(machine, Number(bytes), undefined, HEAP_ALIGN, machine.newContents, window);
  return address === 0 ? failed(machine, ENOMEM) : address;
}

/** Returns null and sets the library's `errno`, if the program has one. */
function failed(machine: Heap, why: number): 0 {
  const errno = machine.program.variableNamed('__rz_errno');
  if (errno !== undefined) store(machine, errno, 4, why);
  return 0;
}

function allocateOrFail(machine: Heap, size: Size, align?: number, contents?: OriginContents): number {
  return allocate(machine, size, align, contents) || failed(machine, ENOMEM);
}

/** Most calls allocate the same as the previous call. */
function originOf(machine: Heap, bytes: number, length: Term | undefined, contents: OriginContents): Origin {
  const { lastBlocks } = machine;
  const at = bytes % lastBlocks.length;
  const allocated = machine.trace();
  const last = lastBlocks[at];
  const isSame = last?.allocated === allocated && last.bytes === bytes && last.contents === contents;
  if (isSame && length === undefined && last.length === undefined) return last;
  const origin = new Origin({
    kind: 'heap',
    name: undefined,
    bytes,
    length,
    allocated,
    declared: undefined,
    contents,
  });
  lastBlocks[at] = origin;
  return origin;
}

/**
 * The block of a pointer passed to `free` or `realloc`; fails if there is none. Undefined for null,
 * and for an invalid pointer whose check is turned off.
 */
function blockAt(
  machine: Decisions,
  pointer: Scalar,
  operation: FreeFacts['operation'],
  isOfLibrary = false,
): ObjectState | undefined {
  const address = Number(machine.eachValue(pointer));
  if (address === 0) return undefined;
  const object = machine.state.memory.find(address);
  const offset = address - (object?.info.base ?? 0);
  const isBlock = object?.info.kind === 'heap';
  const isOwn = object?.info.isOfLibrary === isOfLibrary;
  if (isBlock && object.life === 'live' && offset === 0 && isOwn) return object;
  if (machine.isUnchecked(isBlock && object.life === 'freed' ? 'double-free' : 'invalid-free')) {
    machine.note('an invalid free was skipped');
    return undefined;
  }
  return machine.fail({
    kind: 'free',
    operation,
    address: BigInt(address),
    ...(object !== undefined && { object: machine.factsOf(object), offset }),
  });
}

export function free(machine: Accesses, pointer: Scalar, isOfLibrary = false): void {
  const { state, plugins } = machine;
  if (plugins !== undefined) {
    const block = blockAt(machine, pointer, 'free', isOfLibrary);
    if (block !== undefined) plugins.freed(machine, block.info.base, block.info.bytes);
  }
  if (state.threads?.isMany) {
    const block = blockAt(machine, pointer, 'free', isOfLibrary);
    if (block !== undefined && !isOfLibrary) noteFree(machine, block.info.base, block.info.bytes);
  }
  let bytes = typeof pointer === 'number' ? state.memory.free(pointer, machine.trace(), isOfLibrary) : -1;
  if (bytes < 0) {
    const object = blockAt(machine, pointer, 'free', isOfLibrary);
    if (object === undefined) return;
    bytes = state.memory.free(object.info.base, machine.trace(), isOfLibrary);
  }
  state.heapBytes -= bytes;
}

function resize(machine: Heap, pointer: Scalar, size: Size): number {
  const old = blockAt(machine, pointer, 'realloc');
  if (old === undefined && machine.eachValue(pointer) !== 0) return 0;
  if (old !== undefined && isNothing(machine, size)) {
    free(machine, old.info.base);
    return 0;
  }
  const address = allocateOrFail(machine, size);
  if (address === 0 || old === undefined) return address;
  const { memory } = machine.state;
  const block = memory.find(address)!;
  block.copyFrom(old, 0, 0, Math.min(old.info.bytes, Number(size.bytes)));
  block.takePlaceOf(old.info);
  free(machine, old.info.base);
  return address;
}

/** `realloc(p, 0)` frees, as in glibc. */
function isNothing(machine: Decisions, { bytes, length }: Size): boolean {
  const { terms } = machine;
  return length === undefined ? bytes === 0 : machine.decide(terms.eq(length, terms.constant(64, 0)));
}

/** Zeroes, as `calloc` gives them. */
function libraryBlock(machine: Heap, bytes: number): number {
  const { state } = machine;
  const origin = new Origin({
    ...{ kind: 'heap', name: undefined, bytes, isOfLibrary: true, contents: 'zero' },
    ...{ allocated: machine.trace(), declared: undefined },
  });
  const address = state.memory.allocate(Region.heap, HEAP_ALIGN, origin);
  if (address === 0) return failed(machine, ENOMEM);
  state.allocations++;
  state.heapBytes += bytes;
  machine.plugins?.allocated(machine, address, bytes);
  return address;
}

function product(machine: Decisions, count: Scalar, size: Scalar): Size {
  if (typeof count !== 'object' && typeof size !== 'object') {
    const total = BigInt(count) * BigInt(size);
    return { bytes: total > LARGEST_REQUEST ? LARGEST_REQUEST + 1 : Number(total) };
  }
  const { terms } = machine;
  if (machine.decide(unsignedOverflows(terms, 'mul', 64, count, size))) return { bytes: LARGEST_REQUEST + 1 };
  return sizeOf(machine, integerOperation(terms, 'mul', 64, count, size));
}

function isAlignment(align: Known): boolean {
  return Number.isInteger(Math.log2(Number(align)));
}

export const allocationNatives: Record<string, Native> = {
  malloc: (machine, args) => allocateOrFail(machine, sizeOf(machine, args[0])),
  calloc: (machine, [n, size]) => allocateOrFail(machine, product(machine, n, size), HEAP_ALIGN, 'zero'),
  realloc: (machine, [pointer, size]) => resize(machine, pointer, sizeOf(machine, size)),
  reallocarray: (machine, [pointer, n, size]) => resize(machine, pointer, product(machine, n, size)),
  free: (machine, args) => {
    free(machine, args[0]);
    return undefined;
  },
  __rz_library_block: (machine, [size]) =>
    libraryBlock(machine, Number(machine.concretize(size, 'the size of a block of the library'))),
  __rz_library_free: (machine, [pointer]) => {
    free(machine, pointer, true);
    return undefined;
  },
  aligned_alloc: aligned,
  memalign: aligned,
  valloc: (machine, [size]) => allocateOrFail(machine, sizeOf(machine, size), 4096),
  posix_memalign: (machine, [out, align, size]) => {
    const alignment = alignmentOf(machine, align);
    if (!isAlignment(alignment) || alignment < 8) return EINVAL;
    const bytes = sizeOf(machine, size);
    const address = allocate(machine, bytes, Number(alignment));
    if (address === 0) return ENOMEM;
    store(machine, out, 8, address);
    return 0;
  },
  malloc_usable_size: (machine, [pointer]) => {
    const info = blockAt(machine, pointer, 'free')?.info;
    return info?.length ?? info?.bytes ?? 0;
  },
};

function aligned(machine: Heap, [align, size]: Parameters<Native>[1]): number {
  const alignment = alignmentOf(machine, align);
  if (!isAlignment(alignment)) return failed(machine, EINVAL);
  return allocateOrFail(machine, sizeOf(machine, size), Math.max(HEAP_ALIGN, Number(alignment)));
}
