/**
 * The layout of the monitor's tables in linear memory: the TypeScript side of
 * `runtime/monitor/shadow.h`, which draws the map and explains the encoding. A test compares the
 * two.
 */

export const clientEnd = 0x4000_0000;
export const nullPageEnd = 0x1000;
export const tagsStart = 0x4000_0000;
export const shadowStart = 0x6000_0000;
export const initStart = 0x6800_0000;
export const ringStart = 0x7000_0000;
export const ringLength = 0x4_0000;
export const localRingStart = 0x7080_0000;
export const localRingLength = 0x1_0000;
export const keptLocalsStart = 0x70a0_0000;
export const stacksStart = 0x7440_0000;
export const callsStart = 0x8000_0000;
/** A directory of 64 KiB for each shadow of plug-ins, the page of zeros, and the other pages. */
export const pluginDirectories = 0xe7e0_0000;
export const pluginPages = 0xe7fc_0000;
export const pluginPagesEnd = 0xf000_0000;
export const labelNodesStart = 0x8800_0000;
export const labelWordsStart = 0xa000_0000;

/** Used by programs with threads: `runtime/monitor/threads.h`. */
export const threadStacksStart = 0x1800_0000;
export const threadStackBytes = 0x8_0000;
export const threadsClientEnd = 0x2000_0000;
export const choicesStart = 0x8800_0000;
export const mostChoices = 0x100_0000;
export const locksetsStart = 0x8a00_0000;
export const recordsStart = 0x8a80_0000;
export const raceShadowStart = 0xa000_0000;

/**
 * The whole 4 GiB, of which only touched pages cost memory. The check of a misaligned access reads
 * its tag from the upper half (see `instrument/checks.ts`), which must read as zero instead of
 * trapping.
 */
export const memoryPages = 65_536;

/** The number of a block has 29 bits. */
export const constantBit = 0x1000_0000;
export const globalBit = 0x0800_0000;
export const lastDynamicNumber = 0x07ff_ffff;
export const numbersEnd = 0x2000_0000;
/** The part of a number that a pointer keeps in a NaN. */
export const boxedNumber = 0x7fff;
/** Tag words from here on are plain. */
export const plainWords = 0x4000_0000;

/** The number of blocks allocated before the block with this number: `count_of` of shadow.h. */
export function countOf(number: number): number {
  return Math.imul(number, 0x0081_a905) & lastDynamicNumber;
}

/** The bytes that the definition of a global reserves after it. */
export const globalRedzone = 16;

/** The owner of a tag word: `owner_of` of shadow.h. 0 for memory outside blocks. */
export function ownerOf(word: number): number {
  if (word >= plainWords) return (word - plainWords) >>> 2;
  return (word >>> 2) | (word & 1 ? constantBit : 0);
}

/** Set in the byte count of a report about undefined values if some of their bits were written. */
export const someBits = 0x8000_0000;

/** Flags in the last argument of a report. */
/** Added to the bytes of an access whose address must be a multiple of them: `check.h`. */
export const mustBeAligned = 0x8000_0000;
export const accessKinds = ['read', 'write', 'free', 'realloc'] as const;
