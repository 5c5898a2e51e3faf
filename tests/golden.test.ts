/**
 * Golden programs: C with its expected findings inside, run under every engine that it names and that is built.
 *
 * They are the files below `tests/golden/` and the examples in the pages of `docs/explain/`. The comments are described in
 * `golden-runner/annotations.ts`. Beside a file may stand `NAME.ENGINE.stderr` with the whole text of its findings; `npm run bless`
 * rewrites those that exist, so make an empty one to begin.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { codes, compileToIr, type FindingCode, type ProgramInput, renderFinding } from '../src/index.js';
import { filesBelow } from '../src/platform/files.js';
import {
  differences,
  type EngineName,
  type GoldenProgram,
  parseGolden,
} from './golden-runner/annotations.js';
import { goldenEngines } from './golden-runner/engines.js';

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

  runUnderEngines(file, program, (engine, text) => {
    const golden = join(root, file.replace(/\.c$/, `.${engine}.stderr`));
    if (!existsSync(golden)) return;
    if (isBlessing) writeFileSync(golden, text);
    else expect(text).toBe(readFileSync(golden, 'utf8'));
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
    runUnderEngines({ name: `${code}.${name}.c`, text }, parseGolden(text, ['check']));
  }
});

/** One test per engine that is built, or that it compiles; `compare` gets the text of all findings. */
function runUnderEngines(
  input: ProgramInput,
  program: GoldenProgram,
  compare?: (engine: EngineName, text: string) => void,
): void {
  const name = typeof input === 'string' ? input : input.name;
  const readSource = (file: string): string | undefined =>
    typeof input === 'string' ? read(file) : file === name ? input.text : undefined;
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
      const isUnsupported = program.expectations.some(({ text }) => text === 'unsupported');
      if (!isUnsupported) expect(verdict, summary).not.toBe('inconclusive');
      expect(differences(program, engine, findings)).toEqual([]);
      compare?.(
        engine,
        findings.map(finding => renderFinding(finding, { readSource, color: false })).join('\n'),
      );
    });
  }
}
