// Which errors Redzone, AddressSanitizer, UndefinedBehaviorSanitizer, Valgrind and MemorySanitizer
// report: `npm run bench:detection [-- FILE...]`.
//
// The first table is the one of README.md, with a program for each row (`detection-rows.c`). The
// second counts the errors of `tests/golden` that are cases of a program with several; each runs in
// a process of its own. The fixed twins show false alarms. gcc's sanitizers, Valgrind and clang's
// MemorySanitizer are left out where they are not installed. KLEE is not run.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { check } from '../dist/index.js';

/**
 * @typedef {(args: string[]) => Promise<boolean>} Run Tells whether the tool reported an error.
 * @typedef {(source: string, defines: string[]) => Run | undefined} Tool Builds a program.
 */

const scratch = mkdtempSync(join(tmpdir(), 'redzone-detection-'));
const golden = join(import.meta.dirname, '../tests/golden');
const runMs = 60_000;

/**
 * @param {string[]} compile Compiler and flags
 * @param {RegExp} report What the tool writes to standard error for an error
 * @param {string[]} launcher What runs the program, if it is not run directly
 * @returns {Tool}
 */
function compiled(compile, report, launcher = []) {
  const [compiler, ...flags] = compile;
  return (source, defines) => {
    const program = join(scratch, 'program');
    const given = [
      ...flags,
      '-O0',
      '-g',
      '-w',
      ...defines,
      source,
      '-o',
      program,
      '-lm',
      '-latomic',
      '-pthread',
    ];
    if (spawnSync(compiler, given).status !== 0) return undefined;
    const env = { ...process.env, ASAN_OPTIONS: 'detect_stack_use_after_return=1' };
    return async args => {
      const [command, ...rest] = [...launcher, program, ...args];
      const { stderr } = spawnSync(command, rest, { env, encoding: 'utf8', timeout: runMs, cwd: scratch });
      return report.test(stderr);
    };
  };
}

const asanReport = /AddressSanitizer|LeakSanitizer|runtime error:/;
const valgrind = ['valgrind', '-q', '--leak-check=full'];

/** @type {Record<string, Tool>} */
const tools = {
  Redzone: (source, defines) => async args => {
    const { findings } = await check({
      inputs: [source],
      clangFlags: defines,
      arguments: args,
      maxTimeMs: runMs,
    });
    return findings.length > 0;
  },
  ASan: compiled(['gcc', '-fsanitize=address'], asanReport),
  'ASan+UBSan': compiled(
    ['gcc', '-fsanitize=address,undefined,float-cast-overflow', '-fno-sanitize-recover=all'],
    asanReport,
  ),
  Valgrind: compiled(['gcc'], /^==\d+== /m, valgrind),
  MSan: compiled(['clang', '-fsanitize=memory'], /MemorySanitizer/),
};

/** @type {Readonly<Record<string, readonly number[]>>} */
const rows = {
  'stale pointer to reused memory': [0],
  'overflow into another live object': [1],
  'overflow inside a structure': [2],
  'use after scope and after return': [3, 4],
  'uninitialized value': [5],
  'memory leak': [6],
};

await printRows();
await printCases(process.argv.slice(2));
rmSync(scratch, { recursive: true });

async function printRows() {
  const source = join(import.meta.dirname, 'detection-rows.c');
  console.log(`${''.padEnd(34)} ${Object.keys(tools).join('  ')}`);
  /** @type {Record<string, string[]>} */
  const cells = {};
  for (const tool of Object.values(tools)) {
    const run = tool(source, []);
    for (const [row, numbers] of Object.entries(rows)) {
      cells[row] ??= [];
      const reported = run === undefined ? [] : await all(numbers.map(number => () => run([`${number}`])));
      cells[row].push(run === undefined ? '-' : reported.every(Boolean) ? 'yes' : 'no');
    }
  }
  for (const [row, values] of Object.entries(cells))
    console.log(
      `${row.padEnd(34)} ${Object.keys(tools)
        .map((name, i) => values[i].padEnd(name.length))
        .join('  ')}`,
    );
}

/** @param {string[]} only */
async function printCases(only) {
  const files = readdirSync(golden).filter(file => {
    const isProgram = file.endsWith('.c') && !file.endsWith('.fixed.c');
    return isProgram && casesOf(file) > 0 && (only.length === 0 || only.includes(file));
  });
  const total = files.reduce((sum, file) => sum + casesOf(file), 0);
  console.log(
    `\n${total} errors in ${files.length} programs of tests/golden, and the same programs without errors`,
  );
  for (const [name, tool] of Object.entries(tools)) {
    let [reported, compiledCases, alarms] = [0, 0, 0];
    for (const file of files) {
      const source = join(golden, file);
      const buggy = tool(source, []);
      if (buggy === undefined) continue;
      const numbers = Array.from({ length: casesOf(file) }, (_, i) => [`${i + 1}`]);
      compiledCases += numbers.length;
      reported += (await all(numbers.map(args => () => buggy(args)))).filter(Boolean).length;
      const fixed = tool(source, ['-DFIXED']);
      if (fixed !== undefined && (await fixed([]))) alarms++;
    }
    const left = compiledCases === total ? '' : ` of the ${compiledCases} that it compiles`;
    console.log(
      `  ${name.padEnd(11)} ${reported} reported${left}; ${alarms} programs without errors reported`,
    );
  }
}

/**
 * One after the other: the runs share the name of the program.
 *
 * @param {(() => Promise<boolean>)[]} runs
 */
async function all(runs) {
  const results = [];
  for (const run of runs) results.push(await run());
  return results;
}

/** @param {string} file */
function casesOf(file) {
  return Number(/^\/\/ cases: (\d+)/m.exec(readFileSync(join(golden, file), 'utf8'))?.[1] ?? 0);
}
