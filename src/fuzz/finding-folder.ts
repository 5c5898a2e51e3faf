/**
 * Findings as files: the bytes of the input, named as libFuzzer names them, and a test that
 * `redzone replay` runs.
 *
 *     crash-HASH, leak-HASH, timeout-HASH, oom-HASH      the bytes
 *     crash-HASH.ktest                                   the same as a test: standard input, a file or arguments
 *
 * Names come from contents, so the same search writes the same files.
 */
import { type KTestObject, writeKTest } from '../explore/inputs/ktest.js';
import type { Finding } from '../findings/finding.js';
import { writeNewFile } from '../platform/files.js';
import { nameOf } from './corpus-folder.js';
import { argumentsIn, type Delivery, inputFile } from './fuzz-target.js';

export class FindingFolder {
  /** `prefix` precedes the names of all files. */
  constructor(
    private readonly prefix: string,
    private readonly delivery: Delivery,
    private readonly programArguments: readonly string[],
  ) {}

  /** Writes both files, and returns their paths. */
  write(finding: Finding, bytes: Uint8Array): { readonly input: string; readonly test: string } {
    const input = `${this.prefix}${kindOf(finding)}-${nameOf(bytes)}`;
    const test = `${input}.ktest`;
    const objects = objectsOf(bytes, this.delivery);
    writeNewFile(input, bytes);
    writeNewFile(test, writeKTest({ arguments: this.programArguments, objects }));
    return { input, test };
  }
}

function kindOf({ code }: Finding): string {
  if (code === 'memory-leak') return 'leak';
  if (code === 'infinite-loop') return 'timeout';
  return code === 'out-of-memory' ? 'oom' : 'crash';
}

/** The input in the format of `replay`. */
function objectsOf(bytes: Uint8Array, delivery: Delivery): KTestObject[] {
  if (delivery === 'file') return [{ name: inputFile, bytes }];
  if (delivery !== 'arguments') return [{ name: 'stdin', bytes }];
  const list = argumentsIn(bytes);
  const encoder = new TextEncoder();
  return [
    { name: 'n_args', bytes: Uint8Array.of(list.length) },
    ...list.map((text, i) => ({
      name: `arg${String(i).padStart(2, '0')}`,
      bytes: encoder.encode(`${text}\0`),
    })),
  ];
}
