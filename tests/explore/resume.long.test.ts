/** Explorations in parts, of several programs, stopped anywhere, in each order of search. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { readKTest } from '../../src/explore/inputs/ktest.js';
import { searcherNames } from '../../src/explore/search/searcher-names.js';
import {
  type ExploreOptions,
  type ExploreReport,
  explore,
  type RunControl,
  type RunEvent,
} from '../../src/index.js';

const root = mkdtempSync(join(tmpdir(), 'redzone-resume-'));
afterAll(() => rmSync(root, { recursive: true }));

const program = (name: string): string => join(import.meta.dirname, 'programs', name);
const filesOf = (folder: string): string[] =>
  readdirSync(folder).filter(name => name !== 'timing.csv' && name !== 'journal');
const read = (folder: string, name: string): string =>
  readFileSync(join(folder, name), 'latin1').replaceAll(folder, 'FOLDER');
const contentsOf = (folder: string): object =>
  Object.fromEntries(filesOf(folder).map(name => [name, read(folder, name)]));

type Limits = Pick<ExploreOptions, 'maxPaths' | 'maxInstructions' | 'maxStates' | 'maxTimeMs'>;

/** Runs with these limits, one after the other, then without. */
async function inParts(options: ExploreOptions, limits: readonly Limits[]): Promise<ExploreReport> {
  let report = await explore({ ...options, ...limits[0] });
  for (const limit of [...limits.slice(1), {}]) {
    if (report.next === undefined) return report;
    report = await explore({ ...options, ...limit, resume: true });
  }
  return report;
}

function partsOf(paths: number, instructions: number): fc.Arbitrary<Limits[]> {
  const limit = fc.oneof(
    fc.record({ maxPaths: fc.integer({ min: 1, max: paths }) }),
    fc.record({ maxInstructions: fc.integer({ min: 1, max: instructions }) }),
    fc.record({ maxStates: fc.integer({ min: 1, max: 20 }) }),
  );
  return fc.array(limit, { minLength: 1, maxLength: 5 });
}

let count = 0;

/** Compares a run in parts with one without a stop, for many ways to stop. */
async function compare(
  options: ExploreOptions,
  runs: number,
  check: (whole: ExploreReport, wholeFolder: string, report: ExploreReport, folder: string) => void,
): Promise<void> {
  const wholes = new Map<string, { report: ExploreReport; folder: string }>();
  for (const search of searcherNames) {
    const folder = join(root, `whole${++count}`);
    wholes.set(search, {
      folder,
      report: await explore({ ...options, search, seed: 5, tests: 'all', folder }),
    });
  }
  const { stats } = wholes.get('default')!.report;
  const paths = stats.paths!.completed + stats.paths!.error;
  const parts = partsOf(paths, Math.ceil(stats.instructions! / 3));
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...searcherNames), parts, async (search, limits) => {
      const whole = wholes.get(search)!;
      const folder = join(root, `parts${++count}`);
      const report = await inParts({ ...options, search, seed: 5, tests: 'all', folder }, limits);
      expect(report).toMatchObject({ verdict: whole.report.verdict, summary: whole.report.summary });
      expect(report.stats.paths).toEqual(whole.report.stats.paths);
      check(whole.report, whole.folder, report, folder);
      rmSync(folder, { recursive: true });
    }),
    { seed: 21, numRuns: runs },
  );
}

describe('if the solver chooses no values, the parts equal the whole run to the byte', () => {
  test.each([
    ['resume-jumps.c', 16],
    ['resume-loops.c', 10],
  ])('%s', async (name, runs) => {
    await compare({ inputs: [program(name)] }, runs, (_whole, wholeFolder, _report, folder) => {
      expect(filesOf(folder)).toEqual(filesOf(wholeFolder));
      expect(contentsOf(folder)).toEqual(contentsOf(wholeFolder));
    });
  });
});

/** The comparisons of the sort on each test: they are its path. */
function pathsOf(folder: string): string[] {
  const tests = filesOf(folder).filter(name => name.endsWith('.ktest'));
  return tests
    .map(name => {
      const result = readKTest(readFileSync(join(folder, name)));
      if (result.kind !== 'test') throw new Error(`${name} is not a test`);
      const numbers = new Int32Array(result.test.objects[0]!.bytes.slice().buffer);
      const compared: boolean[] = [];
      for (let end = numbers.length - 1; end > 0; end--) {
        for (let i = 0; i < end; i++) {
          const [a, b] = [numbers[i]!, numbers[i + 1]!];
          compared.push(a > b);
          if (a > b) numbers.set([b, a], i);
        }
      }
      return compared.map(Number).join('');
    })
    .sort();
}

test('if it chooses values, the paths are the same, in the same order, and each test follows its path', async () => {
  const options = { inputs: [program('bubble-sort.c')], clangFlags: ['-DCOUNT=4'] };
  await compare(options, 12, (whole, wholeFolder, report, folder) => {
    expect(report.stats.instructions).toBe(whole.stats.instructions);
    for (const file of ['forks.dot', 'coverage.info', 'findings.json', 'statistics.csv'])
      expect(read(folder, file), file).toBe(read(wholeFolder, file));
    expect(pathsOf(folder)).toEqual(pathsOf(wholeFolder));
  });
});

test('values that the solver has chosen lead to the same paths again', async () => {
  await compare({ inputs: [program('resume-values.c')] }, 10, (whole, wholeFolder, report, folder) => {
    const places = (findings: ExploreReport['findings']): string[] =>
      findings.map(({ code, location }) => `${code}:${location.line}`).sort();
    expect(places(report.findings)).toEqual(places(whole.findings));
    expect(read(folder, 'coverage.info')).toBe(read(wholeFolder, 'coverage.info'));
  });
});

test('a run that is stopped repeatedly by its time limit loses nothing', async () => {
  const options = { inputs: [program('bubble-sort.c')], clangFlags: ['-DCOUNT=5'], tests: 'all' } as const;
  const folder = join(root, 'clock');
  let report = await explore({ ...options, folder, maxPaths: 5 });
  // The limit covers compiling, which a busy machine takes longer for: it grows until it is enough.
  for (let maxTimeMs = 40; report.verdict === 'inconclusive'; maxTimeMs += 20)
    report = await explore({ ...options, folder, resume: true, maxTimeMs });
  expect(report.summary).toBe('all 120 paths explored');
  expect(new Set(pathsOf(folder)).size).toBe(120);
});

/** Sooner, nothing would be there to resume. */
function stoppedWhenExploring(): RunControl {
  const controller = new AbortController();
  const onEvent = (event: RunEvent): void => {
    if (event.kind === 'phase' && event.text === 'exploring') controller.abort();
  };
  return { signal: controller.signal, onEvent };
}

test('Ctrl-C, and again while states are restored', async () => {
  const options = { inputs: [program('resume-loops.c')], folder: join(root, 'interrupted') };
  const slow = { ...options, interpretOnly: true };
  expect((await explore(slow, stoppedWhenExploring())).summary).toMatch(/interrupted$/);
  await explore({ ...options, maxInstructions: 20_000_000, resume: true });
  const before = contentsOf(options.folder);
  const second = await explore({ ...slow, resume: true }, stoppedWhenExploring());
  expect(second.summary).toMatch(/interrupted before all states were back/);
  expect(contentsOf(options.folder)).toEqual(before);
  const last = await explore({ ...options, resume: true });
  const whole = await explore({ ...options, folder: join(root, 'uninterrupted') });
  expect(last.summary).toBe(whole.summary);
  expect(last.stats.instructions).toBe(whole.stats.instructions);
});
