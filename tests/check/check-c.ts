/** Runs a C text under `check`, and lists the findings as `code:line`. */
import { expect } from 'vitest';
import { type CheckOptions, type CheckReport, check, type RunControl } from '../../src/index.js';

export function checkC(
  text: string,
  options: Partial<CheckOptions> = {},
  control: RunControl = {},
): Promise<CheckReport> {
  return check({ inputs: [{ name: 'test.c', text }], maxTimeMs: 240_000, ...options }, control);
}

export function places({ findings }: CheckReport): string[] {
  return findings.map(({ code, location }) => `${code}:${location.line}`);
}

/** The places that the text itself names: `// => code` on the line where it is to be found. */
export function expectedPlaces(text: string): string[] {
  return text
    .split('\n')
    .flatMap((line, i) => [...line.matchAll(/\/\/ => ([\w-]+)/g)].map(match => `${match[1]}:${i + 1}`));
}

/** The program, with the argument 0, has no errors and exits with 0, however it is compiled. */
export async function expectClean(text: string): Promise<void> {
  for (const speed of ['quick', 'optimised'] as const)
    expect(await checkC(text, { arguments: ['0'], speed })).toMatchObject({
      verdict: 'clean',
      program: { exit: 0 },
    });
}

/**
 * The finding of case `which` of the program has the place, the frames and, unless variables have
 * other names there, the message of the one that `--keep-going` reports first, for which nothing
 * is inlined.
 */
export async function expectAsNotInlined(
  text: string,
  which: number,
  place: string | undefined,
  hasSameNames = true,
): Promise<void> {
  const options = { arguments: [String(which)] };
  const report = await checkC(text, options);
  expect(places(report)).toEqual([place]);
  const { findings } = await checkC(text, { ...options, keepGoing: true });
  const [found, first] = [report.findings[0]!, findings[0]!];
  expect(found.stack.map(frame => frame.function)).toEqual(first.stack.map(frame => frame.function));
  if (hasSameNames) expect(found.message).toBe(first.message);
}
