/**
 * The layout of the fuzzer's tables in linear memory: the TypeScript side of `runtime/fuzz/fuzz.h`,
 * which draws the map. A test compares the two.
 */

export const dirtyStart = 0x8800_0000;
export const blockBits = 8;
export const countersStart = 0x8e00_0000;
export const seenStart = 0x8e10_0000;
export const featuresStart = 0x8e20_0000;
export const stateStart = 0x8e30_0000;
export const comparedStart = 0x8e40_0000;
export const textsStart = 0x8e50_0000;
export const textBytes = 32;

/** Members of `struct fuzz_state`, as offsets of their words. */
export const state = { dirty: 0, fuel: 3, is_recording: 4, compared: 5, texts: 6, owner: 8 } as const;

/** Further edges are not distinguished. */
export const mostEdges = 0x10_0000;
