/**
 * Programs of csmith, which have no undefined behaviour: `check` finds nothing in them, and they
 * compute the checksum that gcc's program prints; so does `explore`, for some of them. Debian's
 * packages are csmith and libcsmith-dev.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { check, explore, type Finding } from '../src/index.js';
import { hasTool, noteLeftOut } from './optional-tools.js';

const firstSeed = Number(process.env.REDZONE_SEED ?? 1);
const count = Number(process.env.REDZONE_COUNT ?? 300);
/** One in this many is explored as well. */
const exploredEvery = 15;
const headers = '/usr/include/csmith';
const leftOut = `${count} programs of csmith are not compared with gcc's`;
const hasHeaders = existsSync(join(headers, 'csmith.h'));
if (!hasHeaders) noteLeftOut('libcsmith-dev', leftOut);
const canCompare = [hasHeaders, hasTool('csmith', leftOut), hasTool('gcc', leftOut)].every(Boolean);

const folder = mkdtempSync(join(tmpdir(), 'redzone-csmith-'));
afterAll(() => rmSync(folder, { recursive: true }));

/**
 * Each program takes about a second, because many small programs find more than a few large ones.
 */
const sizes = [
  // Pointers to members of packed structs are misaligned, which clang's sanitizer reports as well.
  '--no-packed-struct',
  '--max-funcs',
  '4',
  '--max-block-depth',
  '3',
  '--max-expr-complexity',
  '6',
  '--max-array-dim',
  '2',
];

/**
 * The program, and the checksum that gcc's prints; undefined if it does not end within seconds,
 * which csmith does not promise.
 */
function generated(seed: number): { readonly text: string; readonly checksum: string } | undefined {
  const text = execFileSync('csmith', ['--seed', String(seed), ...sizes], { encoding: 'utf8' });
  const [source, program] = [join(folder, `${seed}.c`), join(folder, `${seed}.out`)];
  writeFileSync(source, text);
  execFileSync('gcc', ['-O1', '-w', `-I${headers}`, '-o', program, source]);
  const { status, stdout } = spawnSync(program, { encoding: 'utf8', timeout: 5000 });
  const checksum = /^checksum = ([0-9A-F]+)$/m.exec(stdout)?.[1];
  return status === 0 && checksum !== undefined ? { text, checksum } : undefined;
}

/** Makes the program fail on a wrong checksum instead of printing it. */
function comparing(text: string, checksum: string): string {
  const end = /platform_main_end\((.*), print_hash_value\);/;
  expect(text).toMatch(end);
  return text.replace(end, (_, sum: string) => `if ((unsigned)(${sum}) != 0x${checksum}u) return 77;`);
}

const brief = ({ code, location, message }: Finding): string => `${location?.line} ${code}: ${message}`;

test.runIf(canCompare)(`${count} programs compute the same as with gcc, and have no findings`, async () => {
  const wrong: string[] = [];
  let compared = 0;
  const compareOne = async (seed: number): Promise<void> => {
    const program = generated(seed);
    if (program === undefined) return;
    const inputs = [{ name: `csmith-${seed}.c`, text: comparing(program.text, program.checksum) }];
    const clangFlags = ['-w', `-I${headers}`, seed % 2 === 0 ? '-O0' : '-O2'];
    const speed = seed % 4 === 0 ? 'optimised' : 'quick';
    const report = await check({ inputs, clangFlags, speed, maxTimeMs: 120_000 });
    compared++;
    if (report.verdict !== 'clean' || report.program?.exit !== 0)
      wrong.push(
        `seed ${seed}: check: ${report.program?.exit} ${report.summary ?? ''} ${report.findings.map(brief)}`,
      );
    if (seed % exploredEvery !== 0) return;
    const explored = await explore({
      inputs,
      clangFlags,
      checks: ['spatial', 'temporal', 'init', 'undefined'],
      maxTimeMs: 60_000,
    });
    const { completed = 0, error = 0 } = explored.stats.paths ?? {};
    // A program that is stopped after a minute had no finding until then.
    if (explored.findings.length > 0 || error > 0 || (completed !== 1 && explored.verdict !== 'inconclusive'))
      wrong.push(`seed ${seed}: explore: ${explored.summary ?? ''} ${explored.findings.map(brief)}`);
  };
  const seeds = Array.from({ length: count }, (_, i) => firstSeed + i);
  // Two at a time: gcc and csmith work beside clang.
  const workers = [0, 1].map(async () => {
    for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) await compareOne(seed);
  });
  await Promise.all(workers);
  console.log(`csmith: ${compared} of ${count} programs compared; seeds from ${firstSeed}`);
  expect(wrong).toEqual([]);
  expect(compared).toBeGreaterThan(count * 0.8);
});
