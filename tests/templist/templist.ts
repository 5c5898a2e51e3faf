/**
 * TempLIST, rewritten: the temporal-errors paper describes 15 small programs with 23 temporal
 * errors, of which its tool found all and AddressSanitizer, Dr. Memory and MemCheck 5. Beside this
 * file are 15 programs of our own with as many errors, each with a fixed twin.
 *
 * They run without a quarantine, so that the heap gives each address out again as soon as it can:
 * what is found is not found because the memory happened to be unused.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { check } from '../../src/index.js';
import { filesBelow } from '../../src/platform/files.js';
import { differences, type GoldenProgram, parseGolden } from '../golden-runner/annotations.js';

export const templistFiles: readonly string[] = filesBelow(import.meta.dirname).filter(file =>
  file.endsWith('.c'),
);

export function templistProgram(file: string): GoldenProgram {
  return parseGolden(readFileSync(join(import.meta.dirname, file), 'utf8'));
}

/** What differs from what the program expects. */
export async function templistDifferences(file: string): Promise<string[]> {
  const { findings } = await check({
    inputs: [join(import.meta.dirname, file)],
    keepGoing: true,
    quarantineBytes: 0,
    maxTimeMs: 60_000,
  });
  return differences(templistProgram(file), 'check', findings);
}
