/** The choices of `--allocator`. */
export const allocatorKinds = ['kdalloc', 'global', 'bump'] as const;

export type AllocatorKind = (typeof allocatorKinds)[number];
