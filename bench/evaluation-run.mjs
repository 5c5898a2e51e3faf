/**
 * One run of `bench/evaluation.mjs` and its replay, in a separate process to measure its peak
 * memory.
 *
 * The clock of this process is its processor time, so that the time of the solver does not depend
 * on the load of the machine.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { explore } from '../dist/index.js';
import { processorMs, useProcessorClock } from './processor-clock.mjs';

useProcessorClock();

/**
 * @typedef {Awaited<ReturnType<typeof run>>} FirstResult
 *
 * @typedef {FirstResult & { again?: FirstResult }} Result
 */

/** @param {Parameters<typeof explore>[0]} options */
async function run(options) {
  let start = processorMs();
  const report = await explore(options, {
    onEvent: event => {
      if (event.kind === 'phase' && event.text === 'exploring') start = processorMs();
    },
  });
  const { verdict, findings, stats } = report;
  const codes = findings.map(({ code, location }) => `${code}:${location.line}`).sort();
  const diverged = (report.reused?.divergences ?? []).map(
    ({ location }) => `${location.file}:${location.line}`,
  );
  return { verdict, codes, diverged, ...stats, processorMs: processorMs() - start };
}

const { options, replay } = JSON.parse(process.argv[2]);
const folder = mkdtempSync(join(tmpdir(), 'redzone-evaluation-'));
try {
  const first = await run({ ...options, folder });
  const again = replay && (await run({ ...options, ...replay, replayTree: folder, reuse: 'answers' }));
  console.log(JSON.stringify({ ...first, again }));
} finally {
  rmSync(folder, { recursive: true });
}
