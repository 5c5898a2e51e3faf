/** Runs a C text under `check`, and lists the findings as `code:line`. */
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
