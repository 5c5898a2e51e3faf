/**
 * The geometry of the address space: where regions and bins begin. Everything else is arithmetic on
 * it.
 *
 *   region   base                                                                  base + size
 *            | bin 0 | bin 1 | bin 2 | bin 3 | bin 4 | bin 5 | bin 6 | bin 7 |  bin 8        |
 *            |  ≤ 1  |  ≤ 4  |  ≤ 8  |  ≤ 16 |  ≤ 32 |  ≤ 64 | ≤ 256 | ≤ 2048|  large objects|
 *            |<----->|  binSize = size / 9, rounded down to a power of two   | what remains  |
 *
 * The defaults have three properties that are worth keeping when they are changed:
 *   - Bases are multiples of 2^32 and so are bin sizes. A slot then begins at a sum of few high
 *     powers of two, and a query about the low half of a pointer becomes a query about an offset
 *     (paper, §6.3).
 *   - All regions end below 2^53, so a number is an exact address, and below 2^47, so an external
 *     call can map them at these very addresses. They are meant to lie clear of where Linux on
 *     x86-64 usually puts programs (0x55…), libraries and stacks (0x7f…); code that maps them must
 *     still handle a refusal.
 *   - The heap's per-size bins are 64 GiB and its large-object bin 512 GiB, as in the KDALLOC
 *     paper.
 *
 * Invariants: regions do not overlap; bases are multiples of 4096; each per-size bin holds at least
 * four slots.
 */
import { isPowerOfTwo } from '../support/power-of-two.js';
import { Region, type RegionName, regionNames } from './allocator.js';

/** The slot sizes of the per-size bins. The bin after them holds larger objects. */
export const SLOT_SIZES: readonly number[] = [1, 4, 8, 16, 32, 64, 256, 2048];
export const LARGE_BIN = 8;
export const BINS_PER_REGION = 9;
export const LARGEST_SLOT = 2048;
export const BLOCK_SIZE = 4096;

/** Smaller bins could not keep a slot free between two slots of 2048 bytes. */
const SMALLEST_BIN = 4 * LARGEST_SLOT;
/** Block numbers of the large-object bin stay below 2^32. */
const LARGEST_REGION = 2 ** 32 * BLOCK_SIZE;

export interface RegionRange {
  readonly base: number;
  readonly size: number;
}

export interface LargeBinLayout {
  readonly largeBase: number;
  readonly largeBlocks: number;
}

export interface RegionLayout extends RegionRange, LargeBinLayout {
  readonly region: Region;
  /** The size of each per-size bin, a power of two. */
  readonly binSize: number;
}

/** The four regions by number. */
export type Layout = readonly RegionLayout[];

const GiB = 2 ** 30;

export const defaultRegions: Readonly<Record<RegionName, RegionRange>> = {
  constants: { base: 0x6000_0000_0000, size: 256 * GiB },
  globals: { base: 0x6100_0000_0000, size: 256 * GiB },
  stack: { base: 0x6200_0000_0000, size: 256 * GiB },
  heap: { base: 0x6400_0000_0000, size: 1024 * GiB },
};

export type LayoutResult =
  | { readonly kind: 'layout'; readonly layout: Layout }
  | { readonly kind: 'invalid'; readonly problem: string };

/** Computes the geometry of the given regions; what is not given is as in `defaultRegions`. */
export function planLayout(regions: Partial<Record<RegionName, RegionRange>> = {}): LayoutResult {
  const layout = regionNames.map(name => layOut(Region[name], regions[name] ?? defaultRegions[name]));
  for (const [index, region] of layout.entries()) {
    const problem = problemOf(region) ?? overlapOf(region, layout.slice(0, index));
    if (problem !== undefined)
      return { kind: 'invalid', problem: `region ${regionNames[index]}: ${problem}` };
  }
  return { kind: 'layout', layout };
}

function layOut(region: Region, { base, size }: RegionRange): RegionLayout {
  const binSize = 2 ** Math.floor(Math.log2(size / BINS_PER_REGION));
  const largeBase = base + LARGE_BIN * binSize;
  const largeBlocks = Math.floor((base + size - largeBase) / BLOCK_SIZE);
  return { region, base, size, binSize, largeBase, largeBlocks };
}

function problemOf({ base, size, binSize }: RegionLayout): string | undefined {
  if (!Number.isSafeInteger(base) || base < BLOCK_SIZE || base % BLOCK_SIZE !== 0) {
    return `the base must be a positive multiple of ${BLOCK_SIZE}`;
  }
  if (!Number.isSafeInteger(size) || !isPowerOfTwo(binSize) || binSize < SMALLEST_BIN) {
    return `the size must be at least ${BINS_PER_REGION * SMALLEST_BIN} bytes`;
  }
  if (size > LARGEST_REGION) return `the size must be at most ${LARGEST_REGION} bytes`;
  if (!Number.isSafeInteger(base + size)) return 'the end must lie below 2^53';
  return undefined;
}

function overlapOf(region: RegionLayout, others: readonly RegionLayout[]): string | undefined {
  const other = others.find(
    ({ base, size }) => region.base < base + size && base < region.base + region.size,
  );
  return other && `it overlaps region ${regionNames[other.region]}`;
}
