/**
 * The tables of options are true: every option that a command accepts is read by the code that it
 * is for, with the value that was given.
 *
 * Each command is run with all of its options at once, where they go together, and the reads of its
 * settings are watched (`src/options/settings.ts`). A read counts only if it gives the value of the
 * command line, which differs from the default: an option that is lost on its way to the engine is
 * read as undefined there, or as its default.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { programKey, writeSchedule } from '../src/api/schedule-file.js';
import { parseArguments } from '../src/cli/arguments.js';
import { writeKTest } from '../src/explore/inputs/ktest.js';
import { type CommandSpec, commands } from '../src/options/commands.js';
import { optionsSchema } from '../src/options/json-schema.js';
import type { OptionTable } from '../src/options/schema.js';
import { settingsOf, watchReads } from '../src/options/settings.js';
import { redzone } from './cli/memory-io.js';

const root = mkdtempSync(join(tmpdir(), 'redzone-options-'));
const at = (name: string): string => join(root, name);

beforeAll(() => {
  mkdirSync(at('folder'));
  mkdirSync(at('corpus'));
  writeFileSync(at('corpus/one'), 'one');
  writeFileSync(
    at('a.c'),
    '#include <stdlib.h>\nint other(void) { return 0; }\nint main(void) { free(malloc(8)); return 0; }\n',
  );
  writeFileSync(
    at('bad.c'),
    '#include <stdlib.h>\nint main(void) { free(malloc(8)); return *(int *)malloc(2); }\n',
  );
  writeFileSync(at('test.ktest'), ktest);
  writeFileSync(at('threads.c'), withThread);
  writeFileSync(at('schedule'), writeSchedule(Uint8Array.of(0), programKey([at('threads.c')])));
  writeFileSync(at('rules'), 'memory-leak\n');
  writeFileSync(at('flows'), 'source other return\n');
  writeFileSync(at('data'), 'data\n');
  writeFileSync(at('words'), '"word"\n');
  writeFileSync(at('program'), '#!/bin/sh\n', { mode: 0o755 });
  writeFileSync(at('quiet.mjs'), "export default { name: 'quiet', hooks: { end: () => undefined } };\n");
});
afterAll(() => rmSync(root, { recursive: true }));

const withThread = `#include <pthread.h>
static void *nothing(void *p) { return p; }
int main(void) { pthread_t t; return pthread_create(&t, 0, nothing, 0) || pthread_join(t, 0); }
`;

/** A test without inputs. */
const ktest = writeKTest({ arguments: ['a'], objects: [] });

/**
 * For each command: command lines that contain all of its options. `@` is the folder of this test;
 * `--json` leaves nothing to colour.
 */
const lines: Readonly<Record<string, readonly string[]>> = {
  check: [
    'check --json --html @out.html --sarif @out.sarif -o @report --max-time 100s --max-memory 900MB --keep-going --checks init \
      --acsl off --suppress @rules --quarantine 2MB --store trie --no-pre-analysis \
      --no-check-removal --init-globals --taint args --sinks size --taint-rules @flows --secret env \
      --malloc sri --dir @folder --env LANG=C --seed 7 --schedules 2 --detect-loops --plugin @quiet.mjs \
      --budget stack=7M,depth=900 --allow-run --allow-net @a.c',
    'check --speed quick --schedule @schedule @threads.c',
    'check --quiet --verbose --color never --format gcc --store-limit 2MB --only-acsl --no-detect-loops @a.c',
    'check -p @folder --target a',
    'check --no-checks --entry-point other @a.c',
    'check --clang /no/such/clang @a.c',
  ],
  explore: [
    'explore --detect-loops --json --html @out.html --sarif @out.sarif -o @out --max-time 100s --max-memory 900MB --checks spatial,leaks \
      --sym-args 0 1 1 --sym-stdin 1 --sym-files 1 1 --file @data --search dfs --max-instructions 100000 \
      --max-paths 5 --max-states 50 --max-depth 40 --allocator global --quarantine 3 --solver cadical \
      --max-solver-time 9s --max-conflicts 9000 --dump-queries smt2 --seed 7 @a.c',
    'explore --quiet --verbose --color never --format gcc --keep-going --max-fail 3 --taint args --sinks size --taint-rules @flows \
      --secret env -o @bad @bad.c',
    'explore --no-detect-loops --threads --entry-point other -o @entry --plugin @quiet.mjs @a.c',
    'explore --resume -o @nothing @a.c',
    'explore --tests all --workers auto -o @all @a.c',
    'explore --queue postgres://127.0.0.1:1/x --run name @a.c',
    'explore --replay-tree @all --reuse answers -o @replayed @a.c',
    'explore --external libm.so.6 -o @external @a.c',
    'explore --clang /no/such/clang -o @none @a.c',
  ],
  fuzz: [
    'fuzz --json --html @out.html --sarif @out.sarif -o @fuzz --corpus @folder --max-time 100s --max-memory 900MB --mode grey \
      --dict @words --max-runs 20 --max-len 64 --max-steps 90000 --workers 2 --input argv --only-ascii \
      --checks spatial --suppress @rules --coverage --file @data --seed 7 @a.c',
    'fuzz --quiet --verbose --color never --format gcc --minimize-corpus @corpus -o @fuzz @a.c',
    'fuzz --minimize @data -o @fuzz @a.c',
    'fuzz --clang /no/such/clang -o @fuzz @a.c',
    'fuzz --queue postgres://127.0.0.1:1/x --run name @a.c',
  ],
  replay: [
    'replay --detect-loops --json --html @out.html --sarif @out.sarif -o @report --max-time 100s --max-memory 900MB --keep-going \
      --file @data --checks spatial,temporal --seed 7 --plugin @quiet.mjs @test.ktest @a.c',
    'replay --no-detect-loops --quiet --verbose --color never --format gcc --entry-point other --taint args \
      --sinks size --taint-rules @flows --secret env @test.ktest @a.c',
    'replay --clang /no/such/clang @test.ktest @a.c',
  ],
  'heap attack': [
    'heap attack --json --html @out.html --max-time 90s --malloc sri,bibop --seed 7 -o @attacks double-free-fast',
    'heap attack --quiet --verbose --color never --malloc sri double-free-fast',
    'heap attack --clang /no/such/clang',
  ],
  'heap trace': [
    'heap trace --json --html @out.html --max-time 90s --sarif @out.sarif --dir @folder --env LANG=C -o @a.trace @a.c',
    'heap trace --quiet --verbose --color never --format gcc --no-checks -o @b.trace @a.c',
    'heap trace --clang /no/such/clang @a.c',
  ],
  'heap replay': [
    'heap replay --json --html @out.html --max-time 90s --malloc sri --seed 7 --rounds 1 -o @times @a.trace',
    'heap replay --quiet --verbose --color never --malloc sri @a.trace',
  ],
  'heap compare': [
    'heap compare --json --html @out.html --max-time 90s --malloc sri --seed 7 --rounds 1 -o @times @a.trace',
    'heap compare --quiet --verbose --color never --malloc sri @a.trace',
  ],
  'heap map': [
    'heap map --json --html @out.html --malloc sri --seed 7 -o @map.svg @a.trace',
    'heap map --quiet --verbose --color never -o @map.svg @a.trace',
  ],
  prove: [
    'prove lfht --json --html @out.html --engine bmc --property L1 --max-depth 2 --max-time 90s --threads 3 --named \
      --tax 4 --tables 2 --threshold 1/2 --first-size 16 --variant reserve',
    'prove hashtable --quiet --verbose --color never --threads 1 --ops find --entries 1',
    'prove cas --engine explicit --max-states 9',
  ],
  ir: [
    'ir --max-time 90s -o @a.ll --color never --instrumented @a.c',
    'ir --woven @a.c',
    'ir --clang /no/such/clang @a.c',
  ],
  tests: [
    'tests @all --json --line a.c:3 --code memory-leak --new-coverage',
    'tests @all --color never --format xml -o @suite',
  ],
  worker: [
    'worker --json --queue postgres://127.0.0.1:1/x --workers 2 --max-time 90s --max-memory 900MB',
    'worker --quiet --color never --embedded --queue postgres://127.0.0.1:1/x',
  ],
  status: [
    'status --json --queue postgres://127.0.0.1:1/x --cancel name',
    'status --color never --queue postgres://127.0.0.1:1/x',
  ],
  explain: ['explain --json abort', 'explain --color never abort'],
  cc: [],
  lsp: [],
  serve: ['serve --port 70000 --open no'],
  run: [
    'run --json --html @out.html --sarif @out.sarif -o @run --max-time 100s --options exit-code=3 -- @program',
    'run --quiet --verbose --color never --format gcc --keep-going -- @program',
  ],
  doctor: ['doctor --json', 'doctor --color never'],
};

const wordsOf = (line: string): string[] => line.split(/\s+/).map(word => word.replace(/^@/, `${root}/`));
const argumentsOf = (name: string): string[][] => (lines[name] ?? []).map(wordsOf);

type Values = Map<string, unknown[]>;

/** The options from the command lines, and those that are read. */
async function givenAndRead(name: string, spec: CommandSpec): Promise<{ given: Values; read: Values }> {
  const given: Values = new Map();
  const read: Values = new Map();
  const note = (values: Values, key: string, value: unknown): void =>
    void values.set(key, [...(values.get(key) ?? []), value]);
  const words = name.split(' ').length;
  const stop = watchReads((key, value) => note(read, key, value));
  try {
    for (const line of argumentsOf(name)) await redzone(line);
  } finally {
    stop();
  }
  for (const line of argumentsOf(name)) {
    const { options, output } = parseArguments(name, spec, line.slice(words));
    for (const [key, value] of Object.entries({ ...options, ...output })) note(given, key, value);
  }
  return { given, read };
}

const runnable = Object.entries(commands).flatMap(([name, spec]): [string, CommandSpec][] =>
  spec.subcommands === undefined
    ? [[name, spec]]
    : Object.entries(spec.subcommands).map(([sub, own]) => [`${name} ${sub}`, own]),
);

describe('every option is read by its engine', () => {
  test.each(runnable)('%s', async (name, spec) => {
    const { given, read } = await givenAndRead(name, spec);
    const table: OptionTable = { ...spec.options, ...spec.output };
    const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
    const problems: string[] = [];
    for (const [key, option] of Object.entries(table)) {
      const values = given.get(key) ?? [];
      const isUsual = values.every(value => same(value, option.default));
      const isRead = values.some(value => (read.get(key) ?? []).some(seen => same(seen, value)));
      if (isUsual) problems.push(`no command line of this test gives ${option.flags} a value of its own`);
      else if (!isRead) problems.push(`${name} accepts ${option.flags} and ignores it`);
    }
    expect(problems).toEqual([]);
  });
});

test('an invalid choice is an input error, for callers in JavaScript', () => {
  for (const [, { options }] of runnable) {
    for (const [key, { choices }] of Object.entries(options)) {
      if (choices === undefined) continue;
      expect(() => settingsOf<OptionTable, object>(options, { [key]: choices[0] })).not.toThrow();
      expect(() => settingsOf<OptionTable, object>(options, { [key]: [choices[0], 'nonsense'] })).toThrow(
        `option ${key} cannot be 'nonsense'`,
      );
    }
  }
});

test('-o gives check and replay a report in a folder', () => {
  const { command, verdict } = JSON.parse(readFileSync(at('report/report.json'), 'utf8'));
  expect([command, verdict]).toEqual(['replay', 'clean']);
  expect(readdirSync(at('report'))).toEqual(['report.json']);
});

describe('docs/options.schema.json', () => {
  const schema = optionsSchema();
  const ajv = new Ajv({ strict: false });
  ajv.addSchema(schema, 'options');
  const validatorOf = (name: string) => ajv.getSchema(`options#/definitions/${encodeURIComponent(name)}`)!;

  test('agrees with the tables (npm run bless rewrites it)', () => {
    const file = join(import.meta.dirname, '../docs/options.schema.json');
    const text = `${JSON.stringify(schema, null, 2)}\n`;
    if (process.env.REDZONE_BLESS === '1') writeFileSync(file, text);
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  test.each(runnable.filter(([, { options }]) => Object.keys(options).length > 0))(
    'accepts what %s is given, and nothing else',
    (name, spec) => {
      const validate = validatorOf(name);
      for (const line of argumentsOf(name)) {
        const { options } = parseArguments(name, spec, line.slice(name.split(' ').length));
        const { files: _, ...plain } = options as Record<string, unknown>;
        expect(validate(plain), JSON.stringify(validate.errors)).toBe(true);
      }
      expect(validate({ nonsense: 1 })).toBe(false);
    },
  );
});
