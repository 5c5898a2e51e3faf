// Executes the files of a folder repeatedly, as `bench/fuzz-corpus.c` makes libFuzzer do, so that
// both fuzzers run the same inputs. A run includes the reset and the search for new coverage.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { requestToFuzz } from '../dist/api/check-pipeline.js';
import { programIn } from '../dist/api/run-control.js';
import { Target } from '../dist/fuzz/fuzz-target.js';
import { fuzzOptions } from '../dist/options/fuzz-options.js';
import { settingsOf } from '../dist/options/settings.js';

/** @param {{ inputs: string[], clangFlags: string[] }} program */
export async function targetOf(program) {
  const options = settingsOf(fuzzOptions, {});
  const { request, fuzz } = await requestToFuzz(
    {
      ...programIn({ ...program, ...options }),
      environment: {},
      arguments: [],
      maxMemoryBytes: 512 << 20,
      test: { inputs: [], files: {} },
      checks: options.checks,
      suppressions: options.suppressions,
    },
    {},
  );
  // As in the worker: programs end by exceptions, whose stacks are not used.
  Error.stackTraceLimit = 0;
  return Target.create({ run: request, probes: fuzz.probes, delivery: 'target', maxSteps: options.maxSteps });
}

/**
 * Runs per second of processor time.
 *
 * @param {Target} target @param {string} folder @param {number} runs
 */
export function speedOnCorpus(target, folder, runs) {
  const inputs = readdirSync(folder).map(name => new Uint8Array(readFileSync(join(folder, name))));
  for (const input of inputs) {
    target.run(input);
    target.see(target.newFeatures().slice());
  }
  const start = process.cpuUsage();
  for (let i = 0; i < runs; i++) {
    target.run(/** @type {Uint8Array} */ (inputs[i % inputs.length]));
    target.newFeatures();
  }
  const { user, system } = process.cpuUsage(start);
  return (runs / (user + system)) * 1e6;
}
