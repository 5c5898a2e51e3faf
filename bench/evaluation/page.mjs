/** Writes the page `docs/evaluation.md` from the measurements of `bench/evaluation.mjs`. */
import { countSides, pointsOf, searchers, searcherTitles } from './figures.mjs';

/**
 * @typedef {import('./figures.mjs').Axis} Axis
 * @typedef {import('./figures.mjs').FigureName} FigureName
 * @typedef {import('./figures.mjs').Measured} Measured
 * @typedef {import('./figures.mjs').Point} Point
 * @typedef {import('./figures.mjs').Run} Run
 * @typedef {import('./figures.mjs').Search} Search
 */

/** Points above, below and on the diagonal, from the captions of the paper. */
const paper = {
  memory: { figure: 4, dfs: [4, 23, 0], default: [5, 18, 0] },
  time: { figure: 5, dfs: [10, 15, 2], default: [18, 5, 0] },
  solver: { figure: 6, dfs: [19, 7, 1], default: [17, 4, 2] },
};

const titles = { memory: 'Peak memory', time: 'Time', solver: 'Solver time' };

const figureNames = /** @type {FigureName[]} */ (Object.keys(titles));

const says = {
  memory: 'A point above the diagonal is a program for which KDALLOC needs less memory.',
  time: 'A point above the diagonal is a program that is faster with KDALLOC.',
  solver: 'Runs with less than a millisecond in the solver have no point.',
};

/** Table 4 of the paper: source lines that diverged, MoKLEE / KDALLOC, by suite. */
const table4 = {
  dfs: 'Coreutils 22 / 12, Findutils 1 / 0, Libspng 0 / 0, Grep 0 / 0, three others none',
  default: 'Coreutils 42 / 32, Findutils 1 / 1, Libspng 1 / 0, Grep 1 / 1, three others none',
};

/** @param {readonly Pick<Point, 'x' | 'y'>[]} points */
function geometricMean(points) {
  if (points.length === 0) return '–';
  const sum = points.reduce((total, { x, y }) => total + Math.log(x / y), 0);
  return Math.exp(sum / points.length).toFixed(2);
}

/** @type {(name: FigureName, runs: readonly Run[], axis: Axis) => string} */
function scatterSection(name, runs, axis) {
  const rows = searchers.map(search => {
    const points = pointsOf(runs, search, axis);
    const { above, below, on } = countSides(points);
    const theirs = paper[name][search];
    return `| ${searcherTitles[search]} | ${above} / ${below} / ${on} | ${theirs.join(' / ')} | ${geometricMean(points)} |`;
  });
  return `## ${titles[name]}

![${titles[name]} with KDALLOC and with the global allocator](evaluation/${name}.svg)

${says[name]}

| search | above / below / on the diagonal | paper, figure ${paper[name].figure} | KDALLOC / global, geometric mean |
|---|---|---|---|
${rows.join('\n')}
`;
}

/** @param {Run} run */
function rowOf({ name, search, isComparable, instructions, paths, queries, allocations }) {
  const count = Object.values(paths[0]).reduce((sum, each) => sum + each, 0);
  const columns = [name, searcherTitles[search], isComparable ? 'yes' : 'no', instructions[0], count];
  return `| ${[...columns, allocations[0], queries.join(' / ')].join(' | ')} |`;
}

/** @type {(search: Search, runs: readonly Run[]) => string} */
function divergenceRow(search, runs) {
  const mine = runs.filter(run => run.search === search);
  /** @param {number} i */
  const sum = i => mine.reduce((total, { diverged }) => total + diverged[i].length, 0);
  const names = mine.filter(({ diverged }) => diverged.flat().length > 0).map(({ name }) => name);
  return `| ${searcherTitles[search]} | ${sum(1)} | ${sum(0)} | ${names.join(', ') || 'none'} | ${table4[search]} |`;
}

/** @param {readonly number[]} values */
function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1];
}

/**
 * The solver's time and queries of one program, under both allocators.
 *
 * @param {Run} run
 */
function solverRow({ name, search, solver, queries }) {
  return `| ${name} | ${searcherTitles[search]} | ${queries.join(' / ')} | ${solver.map(ms => ms.toFixed(0)).join(' / ')} | ${(solver[0] / solver[1]).toFixed(2)} |`;
}

/** A solver time that is more than noise, in milliseconds. */
const leastSolverMs = 20;

/**
 * @param {Measured} measured
 * @param {{ maxInstructions: number, maxPaths: number }} limits
 * @param {readonly string[]} known the names of all programs
 * @param {Record<FigureName, Axis>} figures
 */
export function page({ date, machine, rounds, runs, stale, loops }, limits, known, figures) {
  const names = [...new Set(runs.map(({ name }) => name))];
  /** @param {Search} search */
  const comparable = search => runs.filter(run => run.search === search && run.isComparable).length;
  const solverRuns = runs.filter(
    ({ isComparable, solver }) => isComparable && Math.min(...solver) > leastSolverMs,
  );
  const points = solverRuns.map(({ solver: [x, y] }) => ({ x, y }));
  const allocations = runs.map(run => run.allocations[0]);
  /** @param {number} value */
  const thousands = value => value.toLocaleString('en');
  const missing = known.filter(name => !names.includes(name));
  return `# The evaluation of the KDALLOC paper, repeated

This page is written by \`npm run bench:evaluation\`; do not edit it.
It repeats the experiments of §6 of the [KDALLOC paper](references.md) with Redzone instead of KLEE.
The paper runs 94 applications for two hours each.
Here ${names.length} programs run for at most ${thousands(limits.maxInstructions)} instructions and ${thousands(limits.maxPaths)} paths each, libraries from npm packages for 1,000,000 (Lua 450,000) and 100, so the numbers are much smaller.
${missing.length > 0 ? `Of the ${known.length} programs of the benchmark, these were not run, for lack of time or of their packages: ${missing.join(', ')}.\n` : ''}Comparable is the side of the diagonal on which programs lie.

Measured on ${date} (${machine}), best of ${rounds} for each allocator in alternation, each in its own process; times are processor times from the first instruction on.
As in the paper, x is KDALLOC and y is an allocator that all states share, and only runs that behaved alike under both count: the same numbers of instructions, paths and allocations.
These are ${comparable('dfs')} of ${names.length} programs with DFS and ${comparable('default')} with the default search; in the paper, 27 and 23 of 94.
A run made up to ${thousands(Math.max(...allocations))} allocations (median ${thousands(median(allocations))}); in the paper, 758 million (median 11 million).

${figureNames.map(name => scatterSection(name, runs, figures[name])).join('\n')}
## The effect of addresses on solver time

In the paper, many queries of \`expand\` are solved twice as fast with KDALLOC, because its addresses have 32 zeros at the end and Z3 simplifies them away.
In Redzone a pointer keeps its base and its offset separate, so most queries contain no address.
\`chosen-address\` is written so that they do: it hashes the lower half of an address that an input chooses, as in Figure 7 of the paper.
A program that is not comparable, because addresses change its paths, is only in the last table.
For all comparable runs that spend more than ${leastSolverMs} ms in the solver under both allocators, KDALLOC takes ${geometricMean(points)} times the solver time of the global allocator (geometric mean).

| program | search | queries, KDALLOC / global | solver, ms, KDALLOC / global | ratio |
|---|---|---|---|---|
${solverRuns.map(solverRow).join('\n')}

## Use after free, by the size of the quarantine

![Errors found by the size of the quarantine](evaluation/use-after-free.svg)

\`bench/evaluation/stale.c\` frees a block, allocates and frees n others of its size, allocates one more, and reads the first; n is 0 to ${stale[0].of - 1}, on a path each.
With a quarantine of k, a slot is reused after k others were freed, so the larger k is, the fewer n have the slot in use at the read; by default no freed slot is reused.
The global allocator reuses a block only if the path allocated it after its last fork; this program forks in every round, so little is reused.
Listing 1 of the paper has no fork: there the freed text is reused at once.
The paper has no counts for this experiment; it says that KLEE usually misses Listing 1 and that KDALLOC with a quarantine finds it.

| quarantine | errors found | Listing 1 |
|---|---|---|
${stale.map(({ quarantine, found, of, listing }) => `| ${quarantine === 'global' ? 'global allocator' : quarantine} | ${found} of ${of} | ${listing ? 'found' : 'missed'} |`).join('\n')}

## Infinite loops

\`tests/loops/endless.c\` has ${loops[0].of} infinite loops.
The paper reports that SymLive finds the loops of all its ten applications with KDALLOC, and that it needs the quarantine to be off.

![Infinite loops found](evaluation/loops.svg)

| allocator | loops found |
|---|---|
${loops.map(({ how, found, of }) => `| ${how} | ${found} of ${of} |`).join('\n')}

Listing 3 of the paper is found with KDALLOC and not with the global allocator, as there (\`tests/loops/loops.test.ts\`).

## Divergences in replays

Table 4 of the paper counts source lines at which a memoised run takes another branch when it is replayed.
Here each of the ${names.length} programs is memoised with one search and replayed with the other, without pruning.
The replay has another seed, which moves the blocks of the global allocator, as two processes of KLEE have different addresses.

![Lines that diverged](evaluation/divergences.svg)

| memoised with | lines, global allocator | lines, KDALLOC | programs that diverged | paper, MoKLEE / KDALLOC |
|---|---|---|---|---|
${searchers.map(search => divergenceRow(search, runs)).join('\n')}

A divergence is a path that forks or ends at another instruction than before; a program whose addresses decide only between known branches need not diverge.
The paper names clocks and file limits as causes that no allocator can prevent; Redzone's model of the host fixes both.
\`tests/explore/replay-tree.test.ts\` has a program that branches on addresses: it diverges with the global allocator and not with KDALLOC.

## The programs

The programs that are not comparable depend on addresses.
\`pointer-set\`, \`address-order\` and \`chosen-address\` are written so.
Lua mixes the addresses of two objects, of a function and of its state into the seed with which it hashes strings (\`makeseed\` in \`lstate.c\`).
Duktape takes the address of its heap as that seed (\`duk_heap_alloc\`).
SQLite compares the address of each freed block with the bounds of its lookaside buffer (\`sqlite3DbFree\`), so it is compiled without this buffer.
With it, the first eight paths take 422,832 instructions under KDALLOC and 422,424 under the global allocator.

| program | search | comparable | instructions | paths | allocations | queries, KDALLOC / global |
|---|---|---|---|---|---|---|
${runs.map(rowOf).join('\n')}
`;
}
