/** `redzone prove` on the command line, with text and JSON. */
import { describe, expect, test } from 'vitest';
import { main } from '../../src/cli/main.js';
import { memoryIo, redzone } from './memory-io.js';

describe('redzone prove', () => {
  test('--json has the results of the contract, and nothing else is on stdout', async () => {
    const { exitCode, stdout } = await redzone(['prove', 'lfht', '--threads', '2', '--json']);
    const report = JSON.parse(stdout);
    expect(exitCode).toBe(0);
    expect(report).toMatchObject({
      schema: 1,
      command: 'prove',
      verdict: 'clean',
      findings: [],
      neverFires: ['full'],
    });
    const result = report.results.find(({ property }: { property: string }) => property === 'MInv');
    expect(result).toMatchObject({ status: 'proved', engine: 'explicit', depth: 234, lemmas: [] });
    expect(result.certificate).toContain('1863 states');
  });

  test('a refuted property exits with 1 and has a trace', async () => {
    const { exitCode, stdout } = await redzone(['prove', 'cas-broken', '--json']);
    expect(exitCode).toBe(1);
    const { verdict, results } = JSON.parse(stdout);
    expect(verdict).toBe('findings');
    expect(results[0]).toMatchObject({ status: 'refuted', depth: 6 });
    expect(results[0].trace[0].state).toMatchObject({ value: '0', 'pc[1]': 'idle' });
    expect(results[0].trace.at(-1).command).toBe('swap (thread 2)');
  });

  test('--max-time: undecided properties are unknown, with the depth reached; exit 3', async () => {
    const args = ['prove', 'lfht', '--threads', '9', '--engine', 'explicit', '--max-time', '300ms', '--json'];
    const { exitCode, stdout } = await redzone(args);
    expect(exitCode).toBe(3);
    const { verdict, results } = JSON.parse(stdout);
    expect(verdict).toBe('inconclusive');
    for (const { status, reason } of results) {
      expect(status).toBe('unknown');
      expect(reason).toMatch(/the time limit was reached/);
    }
  });

  test('Ctrl-C keeps the results so far', async () => {
    const io = memoryIo({ terminal: true, env: { NO_COLOR: '1' } });
    const running = main(['prove', 'lfht', '--threads', '15', '--engine', 'explicit'], io);
    while (!io.written.stderr.includes('states,')) await new Promise(resolve => setTimeout(resolve, 20));
    io.interrupt();
    expect(await running).toBe(3);
    expect(io.written.stdout).toMatch(/unknown {2}MInv.*interrupted; last: \d+ states/);
  });

  test('a model that cannot be read: line, column, exit 2', async () => {
    const io = memoryIo({ stdin: '(define-state-type S ((x Int)))\n(define-states I S (= y 0))' });
    expect(await main(['prove', '-'], io)).toBe(2);
    expect(io.written.stderr).toMatch(/there is no 'y' here[\s\S]*-:2:23/);
  });

  test.each([
    [['prove'], 'no model given'],
    [['prove', 'lfth'], 'did you mean lfht?'],
    [['prove', 'no-such.mcmt'], "'no-such.mcmt' cannot be read"],
    [['prove', 'lfht', '--threads', 'many'], '--threads needs a number'],
    [['prove', 'lfht', '--threshold', '2'], '--threshold needs a part'],
    [['prove', 'lfht', '--tax', '0'], '--tax needs at least 1'],
    [['prove', 'lfht', '--property', 'MInf'], 'did you mean MInv?'],
    [['prove', 'lfht', '--threads', '5-2'], 'no number of threads from 5 to 2'],
    [['prove', 'lfht', '--threshold', '1.5'], 'at most 1'],
    [['prove', 'queue', '--threads', 'any'], '--threads needs a number'],
    [['prove', 'cas', '--tax', '3'], 'cas has no --tax'],
    [['prove', 'cas', '--named'], 'cas has no --named'],
    [['prove', 'cas', '--engine', 'bmc', '--max-states', '9'], 'bmc visits no states'],
    [['prove', 'cas', '--engine', 'explicit', '--max-depth', '9'], '--max-states limits explicit'],
    [['prove', 'hashtable', '--engine', 'ic3'], 'hashtable has no --engine'],
    [['prove', 'hashtable', '--max-states', '9'], 'hashtable has no --max-states'],
    [
      ['prove', 'examples/models/counter.mcmt', '--threads', '3'],
      '--threads is for models that come with Redzone',
    ],
    [['prove', 'hashtable', '--ops', 'push'], "'push' is not an operation"],
    [['prove', 'a.mcmt', 'b.mcmt'], 'one model at a time'],
  ])('%j is an input error with a message', async (args, message) => {
    const { exitCode, stderr } = await redzone(args);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
  });
});
