/**
 * Ten real projects by their own build files: source packages of Debian and sources of npm
 * packages, where they can be downloaded, built with `redzone-cc` by make, autoconf and CMake;
 * their own tests run under the monitor (`bench/projects/list.mjs`). Findings are compared with the
 * known ones of each.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hasTool } from '../optional-tools.js';

interface Outcome {
  readonly name: string;
  readonly expected: readonly { readonly code: string; readonly at: string }[];
  readonly fails?: string;
  readonly redzone: {
    readonly failure?: { readonly step: string; readonly tail: string };
    readonly runs: number;
    readonly findings: readonly { readonly code: string; readonly at: string }[];
  };
}

const tools = ['apt-get', 'dpkg-source', 'make', 'cmake'];

test.skipIf(!tools.every(tool => hasTool(tool, 'projects of Debian by their own build files')))(
  'projects are built by their build files, and their tests pass',
  () => {
    const script = join(import.meta.dirname, '../../bench/projects.mjs');
    const options = ['--quick', '--redzone', '--once', '--json', '--speed', 'quick'];
    const done = spawnSync(process.execPath, [script, ...options], {
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    });
    // One line for each that cannot be downloaded.
    process.stderr.write(done.stderr);
    const outcomes = JSON.parse(done.stdout) as Outcome[];
    const leftOut = done.stderr.match(/^[\w.-]+: left out/gm) ?? [];
    expect(outcomes.length + leftOut.length).toBeGreaterThanOrEqual(10);
    const place = ({ code, at }: { code: string; at: string }) => `${code} ${at}`;
    for (const { name, expected, fails, redzone } of outcomes) {
      expect(redzone.failure?.step, `${name}: ${redzone.failure?.tail}`).toBe(fails);
      expect(redzone.runs, name).toBeGreaterThan(0);
      expect(redzone.findings.map(place).sort(), name).toEqual(expected.map(place).sort());
    }
  },
);
