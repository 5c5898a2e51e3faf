/**
 * V8's optimising compiler needs gigabytes for a very long function: one of 3 MB took more than
 * 10 GB, and its process could not end meanwhile. In a program with a function of more bytes of
 * wasm than this, no function is optimised because it is called often (`platform/node.ts`); the
 * short ones are optimised at their first call (`wasm/tier-hints.ts`).
 */
export const longestOptimised = 1_500_000;
