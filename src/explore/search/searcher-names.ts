/** The names of the searchers for `--search`; `searchers.ts` implements them. */
export const searcherNames = ['default', 'dfs', 'bfs', 'random-state', 'random-path', 'coverage'] as const;

export type SearcherName = (typeof searcherNames)[number];
