/** The code around an engine on the command line, with a fake engine. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { interruptible } from '../../src/cli/interrupt.js';
import { ProgressLine } from '../../src/cli/progress.js';
import { runEngine } from '../../src/cli/run-engine.js';
import type { CheckReport, Finding, RunControl, RunReport } from '../../src/index.js';
import type { checkOutput } from '../../src/options/check-options.js';
import type { Given } from '../../src/options/schema.js';
import { type MemoryIo, memoryIo } from './memory-io.js';

const finding: Finding = {
  code: 'double-free',
  severity: 'error',
  cwe: 415,
  message: 'the block is freed twice',
  location: { file: 'gone.c', line: 3, column: 3, function: 'main' },
  stack: [],
};

const clean: CheckReport = {
  schema: 1,
  command: 'check',
  verdict: 'clean',
  findings: [],
  program: { exit: 7, signal: null },
  stats: { wallMs: 1, compileMs: 1, maxRssBytes: 1 },
};

async function run(
  engine: (control: RunControl) => Promise<RunReport>,
  output: Given<typeof checkOutput> = {},
  io: MemoryIo = memoryIo(),
): Promise<{ exitCode: number; stdout: string; stderr: string }> {
  const exitCode = await interruptible(io, undefined, signal => runEngine({ output, io, signal }, engine));
  return { exitCode, ...io.written };
}

describe('an engine on the command line', () => {
  test('prints the duration of each phase with -v', async () => {
    const engine = async ({ onEvent }: RunControl): Promise<RunReport> => {
      for (const text of ['compiling a.c', 'compiling b.c', 'linking']) onEvent?.({ kind: 'phase', text });
      return clean;
    };
    const { stdout } = await run(engine, { verbose: true });
    expect(stdout).toMatch(/^phases: compiling \d+\.\d\d s, linking \d+\.\d\d s$/m);
  });

  test('prints the findings and how the program ended', async () => {
    expect(await run(async () => clean)).toEqual({
      exitCode: 0,
      stdout: 'redzone check: nothing found; the program exited with status 7\n',
      stderr: '',
    });
    const { exitCode, stdout } = await run(async () => ({
      ...clean,
      verdict: 'findings',
      findings: [finding],
    }));
    expect(exitCode).toBe(1);
    expect(stdout).toBe(`error[double-free]: the block is freed twice
 --> gone.c:3:3 in main

redzone check: 1 finding; the program exited with status 7
help: \`redzone explain double-free\` says what it means and how to fix it
`);
  });

  test('with -q it still prints why a run is inconclusive', async () => {
    const report: CheckReport = { ...clean, verdict: 'inconclusive', summary: 'stopped after 2 s' };
    const { exitCode, stdout } = await run(async () => report, { quiet: true });
    expect(exitCode).toBe(3);
    expect(stdout).toBe('redzone check: inconclusive; stopped after 2 s; the program exited with status 7\n');
    const found: CheckReport = { ...clean, verdict: 'findings', findings: [finding] };
    expect((await run(async () => found, { quiet: true })).stdout).not.toContain('redzone check');
  });

  test('begins on a new line, unless there is nothing to print', async () => {
    const report: CheckReport = { ...clean, leavesLineOpen: true };
    expect((await run(async () => report)).stdout).toMatch(/^\nredzone check: nothing found/);
    expect((await run(async () => report, { quiet: true })).stdout).toBe('');
    expect(JSON.parse((await run(async () => report, { json: true })).stdout)).not.toHaveProperty(
      'leavesLineOpen',
    );
  });

  test('passes the program’s output on; with --json to stderr, the document alone on stdout', async () => {
    const engine = async ({ onEvent }: RunControl): Promise<RunReport> => {
      onEvent?.({ kind: 'output', stream: 'stdout', bytes: new TextEncoder().encode('hello\n') });
      onEvent?.({ kind: 'warning', diagnostic: { severity: 'warning', message: 'beware' } });
      return clean;
    };
    const text = await run(engine);
    expect(text.stdout).toMatch(/^hello\n/);
    expect(text.stderr).toBe('warning: beware\n');
    const json = await run(engine, { json: true, quiet: true });
    expect(JSON.parse(json.stdout)).toEqual(clean);
    expect(json.stderr).toBe('hello\n');
  });

  test('writes SARIF beside whatever else it prints', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'redzone-sarif-'));
    const sarif = join(folder, 'out.sarif');
    await run(async () => ({ ...clean, verdict: 'findings', findings: [finding] }), { sarif });
    const rule = JSON.parse(readFileSync(sarif, 'utf8')).runs[0].tool.driver.rules[0];
    expect(rule.help.markdown).toContain('# heap-buffer-overflow');
    rmSync(folder, { recursive: true });
  });

  test('a result that cannot be written is reported before the work', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'redzone-results-'));
    const file = join(folder, 'file');
    writeFileSync(file, '');
    let runs = 0;
    const engine = async (): Promise<RunReport> => {
      runs++;
      return clean;
    };
    await expect(run(engine, { sarif: join(folder, 'none/out.sarif') })).rejects.toThrow(
      /cannot write .*no folder/,
    );
    await expect(run(engine, { outDir: file })).rejects.toThrow(/cannot write .*file/);
    expect(runs).toBe(0);
    rmSync(folder, { recursive: true });
  });

  test('the first Ctrl-C stops the engine, which prints its results so far; the second ends the process', async () => {
    const io = memoryIo();
    const engine = ({ signal }: RunControl): Promise<RunReport> =>
      new Promise(resolve => {
        signal?.addEventListener('abort', async () => {
          // As `timeout -s INT` does it.
          io.interrupt();
          expect(io.killed).toEqual([]);
          await setTimeout(250);
          io.interrupt();
          resolve({ ...clean, verdict: 'inconclusive', summary: 'interrupted after 12 paths' });
        });
        io.interrupt();
      });
    const { exitCode, stdout, stderr } = await run(engine, {}, io);
    expect(exitCode).toBe(3);
    expect(stdout).toContain('inconclusive; interrupted after 12 paths');
    expect(stderr).toContain('press Ctrl-C again');
    expect(io.killed).toEqual([130]);
  });

  test('progress is shown on a terminal only, and is erased', async () => {
    const engine = async ({ onEvent }: RunControl): Promise<RunReport> => {
      onEvent?.({ kind: 'phase', text: 'compiling a.c' });
      return clean;
    };
    expect((await run(engine)).stderr).toBe('');
    const { stderr } = await run(engine, {}, memoryIo({ terminal: true }));
    expect(stderr).toBe('\r\u001b[Kcompiling a.c\r\u001b[K');
  });
});

test('a progress line drops updates that come too fast and fits the terminal', () => {
  const io = memoryIo({ terminal: true });
  let now = 0;
  const line = new ProgressLine(io.stderr, () => now);
  line.show('first');
  line.show('dropped');
  now = 100;
  line.show('x'.repeat(500));
  line.clear();
  line.clear();
  expect(io.written.stderr).toBe(`\r\u001b[Kfirst\r\u001b[K${'x'.repeat(99)}\r\u001b[K`);
});

describe('--html', () => {
  const folder = mkdtempSync(join(tmpdir(), 'redzone-html-'));
  const html = join(folder, 'out.html');
  const found: CheckReport = { ...clean, verdict: 'findings', findings: [finding] };

  test('writes a page with the findings, the output that was shown, and the warnings', async () => {
    const engine = async ({ onEvent }: RunControl): Promise<RunReport> => {
      onEvent?.({
        kind: 'output',
        stream: 'stdout',
        bytes: new TextEncoder().encode('<hello>\n'),
        isShown: true,
      });
      onEvent?.({ kind: 'warning', diagnostic: { severity: 'warning', message: 'beware' } });
      return found;
    };
    writeFileSync(html, 'an older page');
    const { exitCode, stdout } = await run(engine, { html });
    expect(exitCode).toBe(1);
    // The program has written it already.
    expect(stdout).not.toContain('hello');
    const page = readFileSync(html, 'utf8');
    for (const text of [
      'error[double-free]',
      'gone.c:3:3',
      '&lt;hello&gt;',
      'beware',
      'exited with status 7',
    ])
      expect(page).toContain(text);
    expect(readdirSync(folder)).toEqual(['out.html']);
  });

  test('reports a page that cannot be written before the run begins', async () => {
    let isBegun = false;
    const engine = async (): Promise<RunReport> => {
      isBegun = true;
      return clean;
    };
    for (const [file, why] of [
      [join(folder, 'no/such/out.html'), /there is no folder '.*no\/such'/],
      [folder, /it is a folder/],
    ] as const)
      await expect(run(engine, { html: file })).rejects.toThrow(why);
    expect(isBegun).toBe(false);
  });

  test('writes the results so far when the run is stopped', async () => {
    const io = memoryIo();
    const engine = async ({ signal }: RunControl): Promise<RunReport> => {
      io.interrupt();
      expect(signal?.aborted).toBe(true);
      return { ...found, verdict: 'inconclusive', summary: 'interrupted' };
    };
    expect((await run(engine, { html, quiet: true }, io)).exitCode).toBe(3);
    expect(readFileSync(html, 'utf8')).toContain('inconclusive</span> interrupted');
    rmSync(folder, { recursive: true });
  });
});
