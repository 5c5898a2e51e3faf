/** The stores of `runtime/monitor/store.h`, in the order of their numbers there. */
export const stores = ['hybrid', 'shadow', 'trie'] as const;

export type Store = (typeof stores)[number];

/** The constant C of the hybrid-monitoring paper. */
export const defaultStoreLimit: number = 16 << 20;
