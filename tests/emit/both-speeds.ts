/** Runs golden programs at both speeds of building. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { parseGolden } from '../golden-runner/annotations.js';
import { goldenEngines } from '../golden-runner/engines.js';

export const root: string = join(import.meta.dirname, '../..');

/** What `run` does in a process whose programs are built so. */
export async function atSpeed<T>(speed: 'quick' | 'optimised' | 'auto', run: () => Promise<T>): Promise<T> {
  const before = process.env.REDZONE_SPEED;
  process.env.REDZONE_SPEED = speed;
  try {
    return await run();
  } finally {
    if (before === undefined) delete process.env.REDZONE_SPEED;
    else process.env.REDZONE_SPEED = before;
  }
}

/** Findings, places and how the program ended are the same to the letter. */
export async function compareSpeeds(path: string): Promise<void> {
  const program = parseGolden(readFileSync(join(root, path), 'utf8'), ['check']);
  const reports = [];
  for (const speed of ['quick', 'optimised'] as const) {
    const { findings, verdict, summary } = await atSpeed(speed, () =>
      goldenEngines.check!.run(path, program),
    );
    reports.push(JSON.stringify({ findings, verdict, summary }, null, 1));
  }
  expect(reports[0]).toBe(reports[1]);
}
