/** Writes the page `docs/evaluation.md` from the measurements of `bench/evaluation.mjs`. */
import { countSides, pointsOf, searcherTitles } from './figures.mjs';

/** Points above, below and on the diagonal, from the captions of the paper. */
const paper = {
  memory: { figure: 4, dfs: [4, 23, 0], default: [5, 18, 0] },
  time: { figure: 5, dfs: [10, 15, 2], default: [18, 5, 0] },
  solver: { figure: 6, dfs: [19, 7, 1], default: [17, 4, 2] },
};

const titles = { memory: 'Peak memory', time: 'Time', solver: 'Solver time' };

const says = {
  memory: 'A point above the diagonal is a program for which KDALLOC needs less memory.',
  time: 'A point above the diagonal is a program that is faster with KDALLOC.',
  solver:
    'Runs that needed no solver have no point.\nSolver time is wall-clock time, unlike the other times, so it depends on the load of the machine.',
};

function geometricMean(points) {
  if (points.length === 0) return '–';
  const sum = points.reduce((total, { x, y }) => total + Math.log(x / y), 0);
  return Math.exp(sum / points.length).toFixed(2);
}

function scatterSection(name, runs, { of }) {
  const rows = Object.keys(searcherTitles).map(search => {
    const points = pointsOf(runs, search, of);
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

function rowOf({ name, search, isComparable, instructions, paths, queries, allocations }) {
  const count = Object.values(paths[0]).reduce((sum, each) => sum + each, 0);
  const columns = [name, searcherTitles[search], isComparable ? 'yes' : 'no', instructions[0], count];
  return `| ${[...columns, allocations[0], queries.join(' / ')].join(' | ')} |`;
}

function divergenceRow(search, divergences) {
  const mine = divergences.filter(each => each.search === search);
  const sum = i => mine.reduce((total, { lines }) => total + lines[i], 0);
  const names = mine.filter(({ lines }) => Math.max(...lines) > 0).map(({ name }) => name);
  const theirs = { dfs: '22 / 12', default: '42 / 32' }[search];
  return `| ${searcherTitles[search]} | ${sum(1)} | ${sum(0)} | ${names.join(', ') || 'none'} | ${theirs} |`;
}

export function page({ date, machine, rounds, runs, stale, loops, divergences }, limits, figures) {
  const names = [...new Set(runs.map(({ name }) => name))];
  const comparable = search => runs.filter(run => run.search === search && run.isComparable).length;
  const solverRuns = runs.filter(({ isComparable, solver }) => isComparable && Math.min(...solver) > 20);
  return `# The evaluation of the KDALLOC paper, repeated

This page is written by \`npm run bench:evaluation\`; do not edit it.
It repeats the experiments of §6 of the paper with Redzone instead of KLEE.
The paper runs 94 applications for two hours each.
Here ${names.length} programs run for at most ${limits.maxInstructions.toLocaleString('en')} instructions (ten times as many for libraries from npm packages) and ${limits.maxPaths.toLocaleString('en')} paths each, so the numbers are much smaller.
Of the ${limits.programs} programs of the benchmark, ${limits.programs - names.length} were not run, for lack of time or of their packages.
Comparable is the side of the diagonal on which programs lie.

Measured on ${date} (${machine}), best of ${rounds} for each allocator in alternation, each in its own process; times are processor times from the first instruction on.
As in the paper, x is KDALLOC and y is an allocator that all states share, and only runs that behaved alike under both count.
These are ${comparable('dfs')} of ${names.length} programs with DFS and ${comparable('default')} with the default search; in the paper, 27 and 23 of 94.

${Object.entries(figures)
  .map(([name, figure]) => scatterSection(name, runs, figure))
  .join('\n')}
## The effect of addresses on solver time

In the paper, many queries of \`expand\` are solved twice as fast with KDALLOC, because its addresses have 32 zeros at the end and Z3 simplifies them away.
In Redzone a pointer keeps its base and its offset separate, so most queries contain no address.
${solverRuns.length} comparable runs spend more than 20 ms in the solver under both allocators; for these, KDALLOC takes ${geometricMean(solverRuns.map(({ solver: [x, y] }) => ({ x, y })))} times the solver time of the global allocator (geometric mean).

## Use after free, by the size of the quarantine

![Errors found by the size of the quarantine](evaluation/use-after-free.svg)

\`bench/evaluation/stale.c\` frees a block, allocates and frees n others of its size, allocates one more, and reads the first; n is 0 to ${stale[0].of - 1}, on a path each.
With a quarantine of k, a slot is reused after k others were freed, so the larger k is, the fewer n have the slot in use at the read; by default no freed slot is reused.
The global allocator reuses a block only if the path allocated it after its last fork; this program forks in every round, so little is reused.

| quarantine | errors found |
|---|---|
${stale.map(({ quarantine, found, of }) => `| ${quarantine === 'global' ? 'global allocator' : quarantine} | ${found} of ${of} |`).join('\n')}

## Infinite loops

\`tests/loops/endless.c\` has ${loops[0].of} infinite loops.
The paper reports that SymLive finds the loops of all its benchmarks with KDALLOC, and that it needs the quarantine to be off.

| allocator | loops found |
|---|---|
${loops.map(({ how, found, of }) => `| ${how} | ${found} of ${of} |`).join('\n')}

Listing 3 of the paper is found with KDALLOC and not with the global allocator, as there (\`tests/loops/loops.test.ts\`).

## Divergences in replays

Table 4 of the paper counts source lines at which a memoised run takes another branch when it is replayed.
Here ${divergences.length / 2} of the programs are memoised with one search and replayed with the other, without pruning, for at most 300 paths.

| memoised with | lines, global allocator | lines, KDALLOC | programs that diverged | paper, Coreutils: MoKLEE / KDALLOC |
|---|---|---|---|---|
${Object.keys(searcherTitles)
  .map(search => divergenceRow(search, divergences))
  .join('\n')}

A divergence is a path that forks or ends at another instruction than before; a program whose addresses decide only between known branches need not diverge.
The paper names clocks and file limits as causes that no allocator can prevent; Redzone's model of the host fixes both.
A program that branches on an address diverges with the global allocator and not with KDALLOC (\`tests/explore/replay-tree.test.ts\`).

## The programs

| program | search | comparable | instructions | paths | allocations | queries, KDALLOC / global |
|---|---|---|---|---|---|---|
${runs.map(rowOf).join('\n')}
`;
}
