/**
 * An exploration is the same to the byte whatever the clock says and whatever is compiled when:
 * slices end at random, and compiled code is refused at random.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { Runner } from '../../src/explore/compile/runner.js';
import { searcherNames } from '../../src/explore/search/searcher-names.js';
import { type ExploreOptions, explore } from '../../src/index.js';
import { Random } from '../../src/support/random.js';

const root = mkdtempSync(join(tmpdir(), 'redzone-turns-'));
afterAll(() => rmSync(root, { recursive: true }));
afterEach(() => {
  vi.restoreAllMocks();
});

const folder = join(root, 'out');
async function filesOf(options: ExploreOptions): Promise<object> {
  await explore({ ...options, folder, tests: 'all' });
  const names = readdirSync(folder).filter(name => name !== 'timing.csv' && name !== 'journal');
  return Object.fromEntries(names.map(name => [name, readFileSync(join(folder, name), 'latin1')]));
}

/**
 * A clock that jumps, so that slices are over after anything from no time to 40 ms, and compiled
 * code that is not entered where it was.
 */
function disturb(random: Random): void {
  const now = performance.now.bind(performance);
  let ahead = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => {
    if (random.below(8) === 0) ahead += random.below(40);
    return now() + ahead;
  });
  const refusesOneIn = 1 + random.below(20);
  const { call, resume } = Runner.prototype;
  vi.spyOn(Runner.prototype, 'call').mockImplementation(function (this: Runner, ...args) {
    return random.below(refusesOneIn) === 0 ? undefined : call.apply(this, args);
  });
  vi.spyOn(Runner.prototype, 'resume').mockImplementation(function (this: Runner, ...args) {
    return random.below(refusesOneIn) === 0 ? false : resume.apply(this, args);
  });
}

const program = (name: string): string => join(import.meta.dirname, 'programs', name);

test.each([
  ['resume-loops.c', 6],
  ['resume-jumps.c', 3],
  ['resume-values.c', 3],
  ['matcher.c', 1],
  ['calls.c', 2],
  ['mixture.c', 2],
])('%s', async (name, runs) => {
  const random = new Random(11);
  for (const search of searcherNames) {
    const options = { inputs: [program(name)], search, seed: 5 };
    const expected = await filesOf(options);
    for (let i = 0; i < runs; i++) {
      disturb(random);
      expect(await filesOf(options), `${search}, run ${i}`).toEqual(expected);
      vi.restoreAllMocks();
    }
  }
});

test('a depth limit leaves the same paths with every searcher, wherever the clock interrupts', () => {
  const pathsOf = (search: string): unknown => {
    const args = ['bin/redzone.js', 'explore', program('collatz.c'), '--max-depth', '12', '--search', search];
    const { stdout } = spawnSync(process.execPath, [...args, '--json', '-q', '-o', folder], {
      cwd: join(import.meta.dirname, '../..'),
      encoding: 'utf8',
    });
    return JSON.parse(stdout).stats.paths;
  };
  const expected = pathsOf('bfs');
  for (const search of ['dfs', 'default']) expect(pathsOf(search)).toEqual(expected);
});
