/** The stores of `runtime/monitor/store.h`, in the order of their numbers there. */
export const stores = ['hybrid', 'shadow', 'trie'] as const;

export type Store = (typeof stores)[number];
