/**
 * Infinite loops: what `endless.c` and `endless-threads.c` have is found, at its line and with its
 * twin silent, and nothing of `progress.c`.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { check, explore, type Finding } from '../../src/index.js';

const file = (name: string): string => join(import.meta.dirname, name);
const endless = file('endless.c');
const threads = file('endless-threads.c');
const progress = file('progress.c');

const linesOf = (findings: readonly Finding[]): string[] =>
  findings.map(({ code, location }) => `${code}:${location.line}`).sort();

/** The names of the cases of a program. */
function namesOf(program: string): string[] {
  const list = /cases\[\]\)\(void\) = \{([^}]*)\}/.exec(readFileSync(program, 'utf8'))![1]!;
  return list.split(',').flatMap(name => (name.trim() === '' ? [] : [name.trim()]));
}

test.each([
  ['endless.c', endless],
  ['endless-threads.c', threads],
])('the loops of %s are found where they begin, and their twins end', async (_, program) => {
  const expected = readFileSync(program, 'utf8')
    .split('\n')
    .flatMap((line, i) => (line.includes('//~ LOOP') ? [`infinite-loop:${i + 1}`] : []))
    .sort();
  const found = await explore({ inputs: [program], detectLoops: true });
  expect(linesOf(found.findings)).toEqual(expected);
  const fixed = await explore({ inputs: [program], detectLoops: true, clangFlags: ['-DFIXED'] });
  expect([fixed.verdict, fixed.findings]).toEqual(['clean', []]);
});

test('loops that make progress, or that an external event could end, are not reported', async () => {
  const count = namesOf(progress).length;
  expect(count).toBeGreaterThan(15);
  for (let i = 0; i < count; i++) {
    const report = await explore({
      inputs: [progress],
      arguments: [`${i}`],
      detectLoops: true,
      maxInstructions: 200_000,
      maxPaths: 20,
    });
    expect([i, report.findings]).toEqual([i, []]);
  }
});

const scanner = {
  name: 'scanner.c',
  text: `#include <klee/klee.h>
static int words(const char *at) {
  int count = 0;
  while (*at) {
    while (*at == ' ') at++;
    const char *start = at;
    while (*at >= 'a' && *at <= 'z') at++;
    count += at > start;
  }
  return count;
}
int main(void) {
  char text[3];
  klee_make_symbolic(text, sizeof text, "text");
  klee_assume(text[2] == 0);
  return words(text) > 2;
}
`,
};

test('a finding has the lines of the loop, its length, and the input that enters it', async () => {
  const { findings } = await explore({ inputs: [scanner], detectLoops: true });
  expect(findings).toHaveLength(1);
  const { message, location, loop, notes, cwe } = findings[0]!;
  expect([message, location.line, location.function, cwe]).toEqual([
    'the program never leaves this loop: every iteration ends in the state in which it began',
    4,
    'words',
    835,
  ]);
  expect(loop!.lines.map(({ line }) => line)).toEqual([4, 5, 7, 8]);
  expect(loop!.instructions).toBeGreaterThan(5);
  expect(notes!.map(note => note.message)).toEqual([
    `an iteration is ${loop!.instructions} instructions, on lines 4 to 5 and 7 to 8 of scanner.c`,
    expect.stringMatching(/^happens when `text` = "/),
  ]);
});

describe('listing 3 of the paper, which needs the address that it has freed', () => {
  const text = `#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  void *x = malloc(1), *p;
  klee_make_symbolic(&p, sizeof p, "p");
  while (1) {
    if (x == p) free(x);
    x = malloc(1);
  }
}
`;
  const inputs = [{ name: 'listing3.c', text }];
  const limits = { detectLoops: true, maxInstructions: 200_000, search: 'bfs' } as const;

  test('is found with KDALLOC', async () => {
    const { findings } = await explore({ inputs, ...limits });
    expect(linesOf(findings)).toEqual(['infinite-loop:6']);
  });

  test('is not found with the global allocator, nor with a quarantine', async () => {
    expect((await explore({ inputs, ...limits, allocator: 'global' })).findings).toEqual([]);
    expect((await explore({ inputs, ...limits, quarantine: 8 })).findings).toEqual([]);
  });
});

describe('by default', () => {
  const spin = { name: 'spin.c', text: 'int main(int argc, char **argv) {\n  while (argc)\n    ;\n}\n' };

  test('explore finds a loop on a long path', async () => {
    expect(linesOf((await explore({ inputs: [spin] })).findings)).toEqual(['infinite-loop:2']);
  });

  test('check reports it with the same words, with --detect-loops', async () => {
    const [one] = (await check({ inputs: [spin], detectLoops: true })).findings;
    const [other] = (await explore({ inputs: [spin] })).findings;
    expect(one).toEqual(other);
  });

  test('check reports loops that only ended threads could have left', async () => {
    for (const [i, name] of namesOf(threads).entries()) {
      // The other lock differs only in the explorer, which is the same here.
      if (name === 'look_under_spin_lock') continue;
      const { findings } = await check({ inputs: [threads], arguments: [`${i}`], detectLoops: true });
      expect(findings.map(({ code, location }) => [code, location.function])).toEqual([
        ['infinite-loop', name],
      ]);
    }
  });

  test('check waits for threads that could still leave the loop', async () => {
    // The search executes the thread before main sets `go`; in the run it is the other way round.
    const text = `#include <pthread.h>
#include <stdatomic.h>
static atomic_int ready, go;
static void *worker(void *unused) {
  if (!atomic_load(&go)) return unused;
  for (volatile long i = 0; i < 25000000; i++)
    ;
  atomic_store(&ready, 1);
  return unused;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  atomic_store(&go, 1);
  while (!atomic_load(&ready))
    ;
  return pthread_join(thread, NULL);
}
`;
    const inputs = [{ name: 'go.c', text }];
    const { verdict, findings } = await check({ inputs, seed: 0, detectLoops: true });
    expect([verdict, findings]).toEqual(['clean', []]);
  });

  test('neither detects it if the detection is switched off', async () => {
    const limits = { watchesLoops: false, maxInstructions: 3_000_000, inputs: [spin] };
    expect((await explore(limits)).findings).toEqual([]);
    const { verdict, findings } = await check({ inputs: [spin], watchesLoops: false, maxTimeMs: 1500 });
    expect([verdict, findings]).toEqual(['inconclusive', []]);
  });
});
