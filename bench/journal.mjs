/**
 * Measures what the journal of an exploration costs and saves: `npm run bench:journal`.
 *
 * The first ratio is the processor time of explorations with their journal over that of the same
 * explorations that write the same files and keep no journal. Both run in one process and in new
 * folders: without, with, with, without, and so on, so that a drift of the machine and the garbage
 * that a run leaves meet both. The ratio is that of the sums over all rounds, with its standard
 * error, which says how far the figure can be trusted. The second ratio is the time of a finished
 * exploration that is run again with the answers of its journal (`--replay-tree --reuse answers`),
 * over the time without a journal.
 *
 * The clock of this process is its processor time: on a busy machine, an exploration would write
 * more records and checkpoints by the wall clock, and they would cost more.
 *
 *     node bench/journal.mjs [ROUNDS] [PROGRAM ...]
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { explore } from '../dist/index.js';
import { useProcessorClock } from './processor-clock.mjs';

useProcessorClock();
const rounds = Number(process.argv[2] ?? 12);
const wanted = process.argv.slice(3);
const root = mkdtempSync(join(tmpdir(), 'redzone-bench-'));
const own = join(import.meta.dirname, 'programs');
/** Inputs for which a run takes 1 to 3 s of processor time; shorter ones cannot be compared. */
const programs = [
  { name: 'tokenizer', bytes: 8, maxPaths: 100_000 },
  { name: 'expression-parser', bytes: 12, maxPaths: 100_000 },
  { name: 'expression-evaluator', bytes: 8, maxPaths: 20_000 },
  { name: 'products', maxPaths: 700 },
];

/** @param {Parameters<typeof explore>[0]} options */
async function msOf(options) {
  const { stats } = await explore({ ...options, seed: 1 });
  return stats.runMs;
}

/** @param {number[]} values */
const sum = values => values.reduce((total, value) => total + value, 0);

/**
 * The ratio of the sums, and its standard error, from the rounds as pairs.
 *
 * @param {number[]} over
 * @param {number[]} under
 */
function ratioOf(over, under) {
  const ratio = sum(over) / sum(under);
  const rest = sum(over.map((value, i) => (value - ratio * (under[i] ?? 0)) ** 2));
  const error = Math.sqrt((over.length * rest) / Math.max(1, over.length - 1)) / sum(under);
  return { ratio, error };
}

try {
  console.log(
    'program              without, ms   with, ms            ratio   journal, KB   again, ms   ratio',
  );
  for (const { name, bytes, maxPaths } of programs) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const clangFlags = bytes === undefined ? [] : [`-DN=${bytes}`];
    const options = { inputs: [join(own, `${name}.c`)], clangFlags, maxPaths };
    const folder = join(root, name);
    const run = {
      without: () => msOf({ ...options, folder: `${folder}-plain`, withoutJournal: true }),
      withJournal: () => msOf({ ...options, folder }),
    };
    // Not measured: they compile the program, and V8 compiles the engine.
    for (let i = 0; i < 2; i++) {
      await run.without();
      await run.withJournal();
    }
    /** @type {Record<'without' | 'withJournal', number[]>} */
    const times = { without: [], withJournal: [] };
    for (let round = 0; round < rounds; round++) {
      const ms = { without: 0, withJournal: 0 };
      /** @type {(keyof typeof run)[]} */
      const order = ['without', 'withJournal', 'withJournal', 'without'];
      for (const way of order) {
        rmSync(way === 'without' ? `${folder}-plain` : folder, { recursive: true });
        ms[way] += (await run[way]()) / 2;
      }
      times.without.push(ms.without);
      times.withJournal.push(ms.withJournal);
    }
    const again = [1, 2, 3].map(() => () => msOf({ ...options, replayTree: folder, reuse: 'answers' }));
    const agains = [];
    for (const once of again) agains.push(await once());
    const kb = statSync(join(folder, 'journal')).size / 1000;
    const { ratio, error } = ratioOf(times.withJournal, times.without);
    const without = sum(times.without) / rounds;
    const [best = 0] = agains.sort((a, b) => a - b);
    console.log(
      [
        name.padEnd(21),
        without.toFixed(0).padStart(10),
        (sum(times.withJournal) / rounds).toFixed(0).padStart(10),
        `${ratio.toFixed(3)} ± ${error.toFixed(3)}`.padStart(16),
        kb.toFixed(0).padStart(13),
        best.toFixed(0).padStart(11),
        (best / Math.min(...times.without)).toFixed(3).padStart(7),
      ].join(' '),
    );
  }
} finally {
  rmSync(root, { recursive: true });
}
