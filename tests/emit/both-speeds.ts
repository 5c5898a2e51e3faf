/** Runs golden programs at both speeds of building. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Finding } from '../../src/index.js';
import { parseGolden } from '../golden-runner/annotations.js';
import { goldenEngines } from '../golden-runner/engines.js';

export const root: string = join(import.meta.dirname, '../..');

/** Calls `run` while programs are built at this speed. */
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

/**
 * The parts of a finding that must not depend on the speed. Frames are laid out in other ways, so
 * addresses of locals, the distance from one to another and the owner of the memory between them
 * may differ; and how often a repeated error is met, because the optimiser merges checks.
 */
export function essentials(findings: readonly Finding[]): object[] {
  return findings.map(({ code, severity, location, stack, access, object }) => ({
    code,
    severity,
    location,
    stack,
    access,
    object,
  }));
}

/** Findings and the verdict are the same at both speeds. */
export async function compareSpeeds(path: string): Promise<void> {
  const program = parseGolden(readFileSync(join(root, path), 'utf8'), ['check']);
  const reports = [];
  for (const speed of ['quick', 'optimised'] as const) {
    const { findings, verdict } = await atSpeed(speed, () => goldenEngines.check!.run(path, program));
    reports.push({ verdict, findings: essentials(findings) });
  }
  expect(reports[0]).toEqual(reports[1]);
}
