/**
 * Golden programs: C with its expected findings inside, run under every engine that it names and
 * that is built.
 *
 * They are the files below `tests/golden/` and the examples in the pages of `docs/explain/`. The
 * comments are described in `golden-runner/annotations.ts`. Beside a file may stand `NAME.stderr`
 * with the whole text of its findings, one for all engines (`golden-runner/voice.ts`); those of the
 * pages are in `tests/golden/explain/`, one for each code. `npm run bless` rewrites them.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  codes,
  compileToIr,
  explore,
  type Finding,
  type FindingCode,
  type ProgramInput,
  replay,
} from '../src/index.js';
import { filesBelow } from '../src/platform/files.js';
import { differences, type GoldenProgram, parseGolden } from './golden-runner/annotations.js';
import { goldenEngines } from './golden-runner/engines.js';
import { goldenText } from './golden-runner/voice.js';

const root = join(import.meta.dirname, '..');
const isBlessing = process.env.REDZONE_BLESS === '1';
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

const files = filesBelow(join(root, 'tests/golden'))
  .filter(file => file.endsWith('.c'))
  .map(file => `tests/golden/${file}`);

describe.each(files)('%s', file => {
  const program = parseGolden(read(file));
  const isFixed = file.endsWith('.fixed.c');
  const errors = program.expectations.filter(one => one.kind === 'ERROR');

  test('names its engines, and is one half of a pair', () => {
    expect(program.engines).not.toEqual([]);
    if (isFixed) expect(program.expectations).toEqual([]);
    else if (errors.length > 0) expect(existsSync(join(root, file.replace(/\.c$/, '.fixed.c')))).toBe(true);
  });

  const golden = file.replace(/\.c$/, '.stderr');
  runUnderEngines(file, program, findings => {
    if (existsSync(join(root, golden))) compareText(golden, findings, read);
  });
});

describe.each(Object.keys(codes) as FindingCode[])('docs/explain/%s.md', code => {
  const [buggy, fixed, ...rest] = [...read(`docs/explain/${code}.md`).matchAll(/^```c\n(.*?)^```$/gms)].map(
    match => match[1]!,
  );

  test('shows the error once, and how it looks without', () => {
    expect(rest).toEqual([]);
    expect(parseGolden(buggy!, ['check']).expectations).toMatchObject([{ kind: 'ERROR', text: code }]);
    expect(parseGolden(fixed!, ['check']).expectations).toEqual([]);
  });

  for (const [name, text] of Object.entries({ buggy: buggy!, fixed: fixed! })) {
    runUnderEngines({ name: `${code}.${name}.c`, text }, parseGolden(text, ['check']), findings => {
      if (name === 'buggy' && !scheduled.has(code)) compareWords(code, text, findings);
    });
  }

  if (onlyCheck.has(code)) return;
  test(`${code}.buggy.c has the same words under explore`, async () => {
    const { flags, args, checks, taint, secret } = parseGolden(buggy!);
    const folder = join(tmpdir(), `redzone-${code}-${process.pid}`);
    const inputs = [{ name: `${code}.buggy.c`, text: buggy! }];
    const { findings } = await explore({
      inputs,
      clangFlags: flags,
      arguments: args,
      checks,
      taint,
      secret,
      threads: code === 'deadlock' || scheduled.has(code),
      confirm: confirmed.has(code),
      folder: confirmed.has(code) || scheduled.has(code) ? folder : undefined,
    });
    if (scheduled.has(code)) {
      const replayed = await replay({ inputs, test: `${folder}#1` });
      compareWords(code, buggy!, replayed.findings);
    }
    rmSync(folder, { recursive: true, force: true });
    compareWords(code, buggy!, findings, false);
  });
});

/** Explore treats annotations as comments. */
const onlyCheck: ReadonlySet<FindingCode> = new Set(['acsl-violation']);
/**
 * The schedule decides which thread makes the access that completes the race, so the text is that
 * of one schedule: the explorer finds the race on it, and check follows it.
 */
const scheduled: ReadonlySet<FindingCode> = new Set(['data-race']);
/** The notes on the way of a value come from the run that confirms the finding. */
const confirmed: ReadonlySet<FindingCode> = new Set(['tainted-sink']);

test('every code that is reported has a golden text, with a likely fix', () => {
  const texts = filesBelow(join(root, 'tests/golden/explain')).map(file => file.replace(/\.stderr$/, ''));
  expect(texts.sort()).toEqual(Object.keys(codes).sort());
  for (const code of texts)
    expect(readFileSync(join(root, `tests/golden/explain/${code}.stderr`), 'utf8'), code).toMatch(/^help: /m);
});

function compareWords(
  code: FindingCode,
  source: string,
  findings: readonly Finding[],
  mayBless = isBlessing,
): void {
  const readSource = (file: string): string | undefined => (file === `${code}.buggy.c` ? source : undefined);
  compareText(`tests/golden/explain/${code}.stderr`, findings, readSource, mayBless);
}

/** Only one engine writes a text; the others are compared with it. */
function compareText(
  golden: string,
  findings: readonly Finding[],
  readSource: (file: string) => string | undefined,
  mayBless = isBlessing,
): void {
  const text = goldenText(findings, readSource);
  if (mayBless) writeFileSync(join(root, golden), text);
  expect(text).toBe(read(golden));
}

/** One test per engine that is built, or that it compiles; `compare` gets the findings. */
function runUnderEngines(
  input: ProgramInput,
  program: GoldenProgram,
  compare?: (findings: readonly Finding[]) => void,
): void {
  const name = typeof input === 'string' ? input : input.name;
  const built = program.engines.filter(engine => goldenEngines[engine] !== undefined);
  if (built.length === 0) {
    test(`${name} compiles`, async () => {
      await compileToIr({ inputs: [input], clangFlags: program.flags });
    });
  }
  for (const engine of built) {
    const { run } = goldenEngines[engine]!;
    test(`${name} under ${engine}`, async () => {
      const { findings, verdict, summary } = await run(input, program);
      // Of these codes the verdict is inconclusive: another machine might support the call, or have
      // the memory.
      const isUndecided = program.expectations.some(({ text }) => /^(unsupported|out-of-memory)$/.test(text));
      if (!isUndecided) expect(verdict, summary).not.toBe('inconclusive');
      expect(differences(program, engine, findings)).toEqual([]);
      compare?.(findings);
    });
  }
}
