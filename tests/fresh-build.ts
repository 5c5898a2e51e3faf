/**
 * vitest's global set-up: tests never meet an old build.
 *
 * The tests themselves run from `src`, but the workers that they start, and the command line, run
 * from `dist/bundle`. After an edit these would be the old code, and a test would pass or fail for
 * the wrong reason. So the build is made again before the tests, and before each rerun of the watch
 * mode, when a source is newer than the bundle. If it cannot be made, no test runs.
 *
 * Invariant: the bundle is at least as new as every file that goes into it. A folder counts as a
 * file: it is newer than the bundle when something in it was renamed or deleted.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

const root = join(import.meta.dirname, '..');
/** The last file that the build writes. */
const stamp = 'dist/bundle/stamp';
const otherSources = ['scripts/bundle.mjs', 'tsconfig.json', 'tsconfig.build.json', 'package.json'];

export function setup(project: TestProject): void {
  buildIfStale();
  project.onTestsRerun(buildIfStale);
}

function buildIfStale(): void {
  const source = newerSource(modifiedMs(stamp));
  if (source === undefined) return;
  console.log(`${source} is newer than ${stamp}: building`);
  const { status, stdout, stderr } = spawnSync('npm', ['run', '--silent', 'build'], {
    cwd: root,
    encoding: 'utf8',
  });
  if (status !== 0)
    throw new Error(`no test was run, because \`npm run build\` failed:\n\n${stdout}${stderr}`);
}

/** A source that was changed after `builtMs`, if there is one. */
function newerSource(builtMs: number): string | undefined {
  const below = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter(file => !file.endsWith('.test.ts'))
    .map(file => `src/${file}`);
  return [...below, ...otherSources].find(file => modifiedMs(file) > builtMs);
}

/** When the file was last written; long ago if it is not there. */
function modifiedMs(file: string): number {
  return statSync(join(root, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
