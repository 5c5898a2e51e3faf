/**
 * What the headers declare either works, or fails at run time with ENOSYS, or ends the run as
 * unsupported: no function is declared and forgotten.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Cache } from '../../src/front/cache.js';
import { librarySymbols } from '../../src/front/library.js';
import { Tools } from '../../src/front/tools.js';
import { cacheFolder, filesBelow } from '../../src/platform/files.js';
import { build, run } from './harness.js';

const folder = join(import.meta.dirname, '../../runtime/include');
const headers = filesBelow(folder).filter(name => name.endsWith('.h'));

/** All headers that a program may include, after the preprocessor. */
async function preprocessed(): Promise<string> {
  const included = headers.filter(name => !/^(bits|klee|redzone|sanitizer)\b/.test(name));
  const source = included.map(name => `#include <${name}>\n`).join('');
  const args = [
    ...[
      'clang',
      '-cc1',
      '-triple',
      'wasm64-unknown-unknown',
      '-E',
      '-P',
      '-D_GNU_SOURCE',
      '-resource-dir',
      '/usr',
    ],
    ...['-internal-isystem', '/include', '-internal-isystem', '/usr/include', '/all.c', '-o', '-'],
  ];
  const files = [
    ['/all.c', new TextEncoder().encode(source)] as const,
    ...headers.map(name => [`/include/${name}`, readFileSync(join(folder, name))] as const),
  ];
  const tools = new Tools(new Cache(cacheFolder()));
  const identity = [...args, ...files.flat()];
  const result = await tools.run({ args, files, identity });
  await tools.close();
  if (!result.ok) throw new Error(result.notes);
  return new TextDecoder().decode(result.output);
}

/**
 * The names of functions that a text declares, and the symbol of each: its name, unless it says
 * otherwise.
 */
function declaredFunctions(text: string): Map<string, string> {
  const declared = new Map<string, string>();
  for (const declaration of withoutBodies(text).split(';')) {
    if (/^\s*(typedef|static)\b/.test(declaration)) continue;
    const plain = declaration.replaceAll(/__attribute__\s*\(\(.*?\)\)(?!\))/gs, ' ');
    const name = /^[\w\s*]*?[\s*](\w+)\s*\(\s*(?!\*)/.exec(plain)?.[1];
    if (name === undefined || name === '_Static_assert') continue;
    declared.set(name, /__asm__\s*\(\s*"(\w+)"/.exec(declaration)?.[1] ?? name);
  }
  return declared;
}

function withoutBodies(text: string): string {
  let depth = 0;
  let outside = '';
  for (const character of text) {
    if (character === '{') depth++;
    else if (character === '}') outside += --depth === 0 ? ' ' : '';
    else if (depth === 0) outside += character;
  }
  return outside;
}

/**
 * Functions that are declared and not defined by the library, because the compiler supplies them.
 */
const byCompiler = new Set(['setjmp', '_setjmp', '__sigsetjmp', 'sigsetjmp', 'alloca']);

test('every function that a header declares is defined', async () => {
  const declared = declaredFunctions(await preprocessed());
  expect(declared.size).toBeGreaterThan(1200);
  for (const name of [
    'printf',
    'sin',
    'sinf',
    'sinl',
    'malloc',
    'pthread_create',
    'regcomp',
    'wcstold',
    'qsort_r',
  ])
    expect(declared.has(name), name).toBe(true);
  const symbols = librarySymbols();
  const missing = [...declared].filter(([name, symbol]) => !symbols.has(symbol) && !byCompiler.has(name));
  expect(missing).toEqual([]);
});

/**
 * A call of each function that answers ENOSYS. These functions are documented to fail, so that a
 * program can detect it and use another way.
 */
const unsupported = [
  ...['nice(1)', 'setpriority(PRIO_PROCESS, 0, 1)', 'syscall(1)'],
  ...['mkfifo("fifo", 0600)', 'mkfifoat(AT_FDCWD, "fifo", 0600)', 'mknod("node", S_IFIFO | 0600, 0)'],
  ...['shm_open("/name", O_RDWR, 0600)', 'shm_unlink("/name")'],
  ...['setitimer(ITIMER_PROF, &timer, NULL)', 'fchmod(1, 0600)'],
  'futimens(1, NULL)',
];

test('unsupported functions report themselves', async () => {
  const source = `#include <errno.h>
    #include <fcntl.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <sys/mman.h>
    #include <sys/resource.h>
    #include <sys/socket.h>
    #include <sys/stat.h>
    #include <sys/time.h>
    #include <unistd.h>
    int main(void) {
      struct itimerval timer = {{0, 0}, {1, 0}};
      ${unsupported.map(call => `errno = 0; printf("%d ", ${call} == -1 && errno == ENOSYS);`).join('\n')}
      errno = 0; printf("%d ", crypt("key", "salt") == NULL && errno == ENOSYS);
    }`;
  const { stdout, reason } = run(await build(source, { flags: ['-D_GNU_SOURCE', '-w'] }));
  expect(reason).toBe('');
  const answers = stdout.trim().split(' ');
  expect(unsupported.filter((_, i) => answers[i] !== '1')).toEqual([]);
  expect(answers).toEqual(answers.map(() => '1'));
});

test('<stdlib.h> has the types of <sys/types.h>, the byte order and macros of <sys/cdefs.h>', async () => {
  const usual = `#include <stdlib.h>
    #if BYTE_ORDER == BIG_ENDIAN
    #error "the byte order is not known"
    #endif
    typedef unsigned long long uint64_t;
    struct fields { int __unused; };
    __BEGIN_DECLS
    int main __P((void));
    __END_DECLS
    int main(void) { ssize_t a = -1; u_int b = 1; int32_t c = 2; uint64_t d = 3; return a + b + c + d; }`;
  const strict =
    '#include <stdlib.h>\nenum { LITTLE_ENDIAN = 5 }; typedef char uint; int main(void) { return 5; }';
  expect(run(await build(usual))).toMatchObject({ status: 5 });
  expect(run(await build(strict, { flags: ['-std=c99'] }))).toMatchObject({ status: 5 });
});
