/**
 * What the C library answers is the same under `explore` with nothing symbolic as natively: a
 * program of `programs/standard` or `programs/core` prints what is in the `.expected` beside it,
 * which is what gcc and its library print.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { explore, type RunEvent } from '../../src/index.js';
import { concatenate } from '../../src/support/bytes.js';

const root = join(import.meta.dirname, 'programs');

/** What is expected, without the line about the exit status. */
export function expectedOutput(name: string): string {
  return readFileSync(join(root, `${name}.expected`), 'utf8').replace(/\n?(\[exit \d+\]|exit \d+)\n$/, '');
}

/**
 * Under `explore`, with nothing symbolic. Some programs do on purpose what is undefined: only what
 * they print is compared.
 */
export async function exploredOutput(name: string): Promise<string> {
  const output: Uint8Array[] = [];
  const onEvent = (event: RunEvent): void => {
    if (event.kind === 'output' && event.stream === 'stdout') output.push(event.bytes);
  };
  const options = { clangFlags: ['-w', '-D_GNU_SOURCE'], maxTimeMs: 240_000, checks: ['temporal'] } as const;
  await explore({ ...options, inputs: [join(root, `${name}.c`)], confirm: false }, { onEvent });
  return new TextDecoder().decode(concatenate(output)).replace(/\n$/, '');
}
