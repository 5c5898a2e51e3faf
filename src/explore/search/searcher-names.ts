/** The searchers by the names that `--search` knows; `searchers.ts` makes them. */
export const searcherNames = ['default', 'dfs', 'bfs', 'random-state', 'random-path', 'coverage'] as const;

export type SearcherName = (typeof searcherNames)[number];
