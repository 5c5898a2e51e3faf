/**
 * What programs of the library's differential suites print under `check` and under `explore` with
 * nothing symbolic. Both must be what gcc and its library print.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type CheckOptions,
  check,
  type ExploreOptions,
  explore,
  type Finding,
  type RunEvent,
} from '../../src/index.js';

export type Engine = 'check' | 'explore';

export interface EngineOutput {
  readonly stdout: string;
  readonly stderr: string;
  readonly findings: readonly Finding[];
  readonly summary: string | undefined;
}

const root = join(import.meta.dirname, 'programs');
export const sourceOf = (name: string): string => join(root, `${name}.c`);

/** What is in the `.expected` beside the program, without the line about the exit status. */
export function expectedOutput(name: string): string {
  return readFileSync(join(root, `${name}.expected`), 'utf8').replace(/(\n\[exit \d+\]|exit \d+)\n$/, '');
}

/** What is in the `.stdin` beside the program. */
export function inputOf(name: string): string {
  const file = join(root, `${name}.stdin`);
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

/** In an empty folder: a real one under `check`, a modelled one under `explore`. */
export async function outputUnder(
  engine: Engine,
  name: string,
  stdin: string = inputOf(name),
  options: Partial<CheckOptions & ExploreOptions> = {},
): Promise<EngineOutput> {
  const pieces: Record<'stdout' | 'stderr', Uint8Array[]> = { stdout: [], stderr: [] };
  const onEvent = (event: RunEvent): void => {
    if (event.kind === 'output') pieces[event.stream].push(event.bytes);
  };
  const program = {
    inputs: [sourceOf(name)],
    clangFlags: ['-w', '-D_GNU_SOURCE'],
    maxTimeMs: 240_000,
    stdin,
    ...options,
  };
  const folder = mkdtempSync(join(tmpdir(), 'redzone-output-'));
  try {
    const { findings, summary } =
      engine === 'check'
        ? await check({ ...program, folders: [folder] }, { onEvent })
        : await explore({ ...program, confirm: false }, { onEvent });
    const text = (stream: 'stdout' | 'stderr'): string => Buffer.concat(pieces[stream]).toString();
    return { stdout: text('stdout'), stderr: text('stderr'), findings, summary };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
