/**
 * Measures what the journal of an exploration costs and saves: `npm run bench:journal`.
 *
 * The first figure is the processor time of an exploration with its journal over that of the same
 * exploration that writes the same files and keeps no journal, both in one process and in new
 * folders, alternating, the best of several. The second is the time of a finished exploration that
 * is run again with the answers of its journal (`--replay-tree --reuse answers`), over the time
 * without a journal. The last is the first figure again, of the medians.
 *
 * The clock of this process is its processor time: on a busy machine, an exploration would write
 * more records and checkpoints by the wall clock, and they would cost more.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { explore } from '../dist/index.js';
import { useProcessorClock } from './processor-clock.mjs';

useProcessorClock();
const rounds = Number(process.argv[2] ?? 5);
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
const best = values => Math.min(...values);
/** @param {number[]} values */
const median = values => [...values].sort((a, b) => a - b)[values.length >> 1];

try {
  console.log(
    'program                without, ms   with, ms   ratio   journal, KB   again, ms   ratio   ratio of medians',
  );
  for (const { name, bytes, maxPaths } of programs) {
    const clangFlags = bytes === undefined ? [] : [`-DN=${bytes}`];
    const options = { inputs: [join(own, `${name}.c`)], clangFlags, maxPaths };
    /** @type {Record<'without' | 'withJournal' | 'again', number[]>} */
    const times = { without: [], withJournal: [], again: [] };
    let kb = 0;
    // Not measured: it compiles the program, and V8 compiles the engine.
    await msOf({ ...options, folder: join(root, name) });
    for (let round = 0; round < rounds; round++) {
      const folder = join(root, `${name}-${round}`);
      const runs = {
        without: () => msOf({ ...options, folder: `${folder}-plain`, withoutJournal: true }),
        withJournal: () => msOf({ ...options, folder }),
      };
      // Whatever comes first leaves its garbage to the other.
      /** @type {(keyof typeof runs)[]} */
      const order = round % 2 === 0 ? ['without', 'withJournal'] : ['withJournal', 'without'];
      for (const way of order) times[way].push(await runs[way]());
      times.again.push(await msOf({ ...options, replayTree: folder, reuse: 'answers' }));
      kb = statSync(join(folder, 'journal')).size / 1000;
    }
    const [a, b, c] = [best(times.without), best(times.withJournal), best(times.again)];
    console.log(
      [
        name.padEnd(21),
        a.toFixed(0).padStart(12),
        b.toFixed(0).padStart(10),
        (b / a).toFixed(3).padStart(7),
        kb.toFixed(0).padStart(13),
        c.toFixed(0).padStart(11),
        (c / a).toFixed(3).padStart(7),
        (median(times.withJournal) / median(times.without)).toFixed(3).padStart(18),
      ].join(' '),
    );
  }
} finally {
  rmSync(root, { recursive: true });
}
