/**
 * Nothing hangs: the command line in its own process, stopped by its time limit or by Ctrl-C in
 * every phase in which it could wait forever. A process that does not end fails by the time limit
 * of the test. Each case has a twin that ends by itself.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hasTool } from '../optional-tools.js';

const bin = join(import.meta.dirname, '../../bin/redzone.js');
const folder = mkdtempSync(join(tmpdir(), 'redzone-stopping-'));
const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return name;
};

const reader = file(
  'reader.c',
  `#include <stdio.h>
int main(int argc, char **argv) {
  FILE *from = argc > 1 ? fopen(argv[1], "r") : stdin;
  puts("ready"); fflush(stdout);
  return fgetc(from) == 'x' ? 0 : 3;
}`,
);
const writer = file(
  'writer.c',
  `#include <stdio.h>
int main(int argc, char **argv) {
  puts("ready"); fflush(stdout);
  FILE *to = fopen(argv[1], "w");
  return fputs("x", to) < 0;
}`,
);
const loop = file(
  'loop.c',
  '#include <stdio.h>\nint main(void) { puts("ready"); fflush(stdout); for (unsigned long i = 0;; i++); }',
);
file('quiet.c', 'int main(void) { return 0; }');
file('from-pipe.c', '#include "pipe"\nint main(void) { return 0; }');
file('embeds-device.c', 'char zero[] = {\n#embed "/dev/zero"\n};\nint main(void) { return 0; }');
/**
 * A FIFO for each test that waits, because tests that run at the same time would serve each other.
 */
const pipes = ['pipe', 'unwritten', 'unread', 'results', 'read'];
const hasPipes =
  hasTool('mkfifo', 'programs that wait for a FIFO are not stopped') &&
  spawnSync(
    'mkfifo',
    pipes.map(name => join(folder, name)),
  ).status === 0;

interface Ended {
  readonly code: number | null;
  readonly output: string;
}

/**
 * What a shell makes of a command line; `interrupt` is sent when the program under test says that
 * it is ready, or when the folder of an exploration exists.
 */
function run(script: string, interrupt?: NodeJS.Signals, exploring?: string): Promise<Ended> {
  const redzone = `"${process.execPath}" "${bin}"`;
  const child: ChildProcess = spawn('bash', ['-c', `exec ${script.replace('redzone', redzone)}`], {
    cwd: folder,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let output = '';
  const take = (data: Uint8Array): void => {
    if (interrupt !== undefined && !output.includes('ready') && String(data).includes('ready'))
      child.kill(interrupt);
    output += data;
  };
  child.stdout!.on('data', take);
  child.stderr!.on('data', take);
  const looking = setInterval(() => {
    if (interrupt === undefined || exploring === undefined || !existsSync(exploring)) return;
    clearInterval(looking);
    // Its first query comes soon after.
    setTimeout(() => child.kill(interrupt), 300);
  }, 50);
  return new Promise(resolve =>
    child.on('close', code => {
      clearInterval(looking);
      resolve({ code, output });
    }),
  );
}

// Standard input of the child is a socket without a writer, unless the shell redirects it.
test.concurrent.each([
  ['a socket', `redzone check ${reader}`],
  ['a pipe', `redzone check ${reader} 0<>pipe`],
  ['a FIFO without a writer', `redzone check ${reader} -- unwritten`],
  ['a FIFO without a reader', `redzone check ${writer} -- unread`],
  ['a loop', `redzone heap trace ${loop}`],
])('Ctrl-C ends a program that waits for %s', async (_, script) => {
  if (!hasPipes) return;
  const { code, output } = await run(script, 'SIGINT');
  expect(output).toContain('inconclusive; interrupted');
  expect(code).toBe(3);
});

test.concurrent.each([
  ['nothing reads', 'redzone check --sarif results quiet.c'],
  ['nothing reads, of --html', 'redzone check --html results quiet.c'],
  ['nothing reads, of IR', 'redzone ir -o results quiet.c'],
])('results are not written to a FIFO that %s', async (_, script) => {
  if (!hasPipes) return;
  const { code, output } = await run(script);
  expect(output).toContain("cannot write 'results': it is a FIFO that nothing reads");
  expect(code).toBe(2);
});

test.concurrent('results are written to a FIFO that is read, however slowly', async () => {
  if (!hasPipes) return;
  const { code, output } = await run('bash -c "(sleep 1; wc -c) < read & redzone ir -o read loop.c; wait"');
  expect(Number(output)).toBeGreaterThan(1000);
  expect(code).toBe(0);
});

// A product of two primes: a query that takes much longer than the test may.
file(
  'factor.c',
  `#include <klee/klee.h>
int main(void) {
  unsigned long a, b;
  klee_make_symbolic(&a, sizeof a, "a");
  klee_make_symbolic(&b, sizeof b, "b");
  klee_assume(a > 1 & a < 1ul << 32 & b > 1 & b < 1ul << 32);
  if (a * b == 2147483647ul * 2147483629ul) return 1;
  return 0;
}`,
);

test.concurrent('Ctrl-C ends a query', async () => {
  const { code, output } = await run('redzone explore -o out factor.c', 'SIGINT', join(folder, 'out'));
  expect(output).toContain('inconclusive; 0 paths explored; 1 left; interrupted');
  expect(code).toBe(3);
});

test.concurrent.each([
  [`redzone check --max-time 1s ${reader}`, 3],
  [`redzone check --max-time 1s ${loop}`, 3],
  ['redzone check --max-time 300ms -', 3],
  ['redzone ir --max-time 300ms -', 3],
  ['redzone prove --max-time 300ms -', 3],
  ['redzone heap trace --max-time 1ms quiet.c', 3],
  ['redzone explore --max-time 1ms quiet.c', 3],
  ['redzone check --max-time 300ms pipe', 3],
  ['redzone check from-pipe.c', 2],
  ['redzone check embeds-device.c', 2],
  ['redzone replay pipe quiet.c', 2],
])('%s ends', async (script, expected) => {
  if (!hasPipes) return;
  const { code, output } = await run(script);
  expect({ code, output }).toMatchObject({ code: expected });
});

test.concurrent.each([
  [`redzone check ${reader} < <(echo x)`],
  ['redzone check --max-time 1h <(cat quiet.c)'],
])('%s comes to its end', async script => {
  if (hasPipes) expect(await run(script)).toMatchObject({ code: 0 });
});
