/**
 * A project of five files by its own Makefile: a library, a generated source, a test runner in
 * shell, and a bug, in a folder with a space in its name.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { hasTool } from '../optional-tools.js';

const root = mkdtempSync(join(tmpdir(), 'redzone cc '));
afterAll(() => rmSync(root, { recursive: true }));
const bin = join(import.meta.dirname, '../../bin');
const compiler = join(bin, 'redzone-cc');

const sources = {
  'stack.h':
    'int *stack_new(int room);\nvoid stack_push(int *stack, int value);\nint stack_sum(const int *stack);\n',
  'stack.c': `#include <stdlib.h>
#include "stack.h"
int *stack_new(int room) { int *stack = malloc((room + 1) * sizeof(int)); stack[0] = 0; return stack; }
void stack_push(int *stack, int value) {
  stack[++stack[0]] = value;
}
`,
  'sum.c':
    '#include "stack.h"\nint stack_sum(const int *stack) { int sum = 0; for (int i = 1; i <= stack[0]; i++) sum += stack[i]; return sum; }\n',
  'main.c': `#include <stdio.h>
#include <stdlib.h>
#include "stack.h"
extern const char *const names[];
int main(int argc, char **argv) {
  int *stack = stack_new(3);
  for (int i = 1; i < argc; i++) stack_push(stack, atoi(argv[i]));
  printf("%s %d %s\\n", names[1], stack_sum(stack), getenv("GREETING"));
  free(stack);
  return argc - 1;
}
`,
  'test.sh': `#!/bin/sh
out=$(GREETING=hello ./sum 1 2 3); [ $? -eq 3 ] && [ "$out" = "two 6 hello" ] || { echo "FAIL: $out"; exit 1; }
echo 7 | ./sum | grep -q 'two 0' || exit 1
[ -n "$MORE" ] || exit 0
./sum 1 2 3 4 5 && exit 1
exit 0
`,
  Makefile: `CFLAGS = -O2 -Wall -Wno-stringop-truncation -march=native -MMD
sum: main.o names.o libstack.a
	$(CC) -o $@ main.o names.o -L. -lstack -lm
libstack.a: stack.o sum.o
	ar rcs $@ $^
names.c: Makefile
	printf 'const char *const names[] = {"one", "two"};\\n' > $@
check: sum
	sh test.sh
clean:
	rm -f sum *.o *.a *.d names.c
-include *.d
`,
};

const folder = join(root, 'build here');
mkdirSync(folder);
for (const [name, text] of Object.entries(sources)) writeFileSync(join(folder, name), text);
const env = { ...process.env, REDZONE_OPTIONS: '' };
/** Objects go to a cache of their own, whose files can be counted. */
const apart = { REDZONE_CACHE: join(root, 'cache') };

function run(command: string, args: readonly string[], more: Record<string, string> = {}) {
  return spawnSync(command, args, { cwd: folder, env: { ...env, ...more }, encoding: 'utf8' });
}

const cc = (...args: string[]) => run(compiler, args);
const cachedFiles = () =>
  readdirSync(join(root, 'cache'), { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
    .length;

describe.skipIf(!hasTool('make', 'projects built by their Makefile') || !hasTool('ar', 'archives'))(
  'a project',
  () => {
    test('is built in parallel and passes its tests', () => {
      const made = run('make', ['-j2', `CC=${compiler.replaceAll(' ', '\\ ')}`], apart);
      expect(made.stderr).toBe('');
      expect(made.status).toBe(0);
      expect(readFileSync(join(folder, 'stack.d'), 'utf8')).toBe('stack.o: stack.c \\\n  stack.h\n');
    });

    test('is built again from the cache alone', () => {
      run('make', ['clean']);
      const before = cachedFiles();
      const made = run('make', ['-j2', `CC=${compiler}`], apart);
      expect(made.status, made.stderr).toBe(0);
      expect(cachedFiles()).toBe(before);
    });

    test.skipIf(!hasTool('sha256sum', 'commands that are answered without node'))(
      'node is started only for changed sources',
      () => {
        const main = readFileSync(join(folder, 'main.o'));
        rmSync(join(folder, 'main.o'));
        // This PATH contains everything but node.
        const tools = join(root, 'tools');
        mkdirSync(tools);
        for (const tool of ['sh', 'make', 'ar', 'rm', 'cp', 'cat', 'printf', 'sha256sum', 'readlink'])
          symlinkSync(execFileSync('which', [tool], { encoding: 'utf8' }).trim(), join(tools, tool));
        const withoutNode = { ...apart, PATH: tools };
        const make = ['-j2', `CC=${compiler}`];
        run('make', ['clean'], withoutNode);
        const made = run('make', make, withoutNode);
        expect([made.status, made.stderr]).toEqual([0, '']);
        expect(readFileSync(join(folder, 'main.o'))).toEqual(main);
        // A header that is found before the one that was read, and one that has changed.
        const compile = () => run(compiler, '-O2 -Ifirst -I. -c main.c -o other.o'.split(' '), withoutNode);
        run(compiler, '-O2 -Ifirst -I. -c main.c -o other.o'.split(' '), apart);
        expect(compile().status).toBe(0);
        mkdirSync(join(folder, 'first'));
        writeFileSync(join(folder, 'first/stdio.h'), '#include_next <stdio.h>\n');
        expect(compile().status).not.toBe(0);
        rmSync(join(folder, 'first'), { recursive: true });
        expect(compile().status).toBe(0);
        writeFileSync(join(folder, 'stack.h'), `${sources['stack.h']}\n`);
        expect(compile().status).not.toBe(0);
        writeFileSync(join(folder, 'stack.h'), sources['stack.h']);
      },
    );

    test('`run` collects the findings of its processes, each once', () => {
      run('make', ['clean']);
      const done = run(process.execPath, [join(bin, 'redzone.js'), 'run', '--json', '--', 'make', 'check'], {
        MORE: '1',
      });
      const report = JSON.parse(done.stdout);
      expect(report).toMatchObject({
        command: 'run',
        verdict: 'findings',
        findings: [
          { code: 'heap-buffer-overflow', location: { file: 'stack.c', line: 5, function: 'stack_push' } },
        ],
        program: { exit: 0, signal: null },
        stats: { runs: 3 },
      });
      expect(done.status).toBe(1);
      const fixed = run(process.execPath, [join(bin, 'redzone.js'), 'run', '-q', '--', 'make', 'check']);
      expect([fixed.status, fixed.stdout.split('\n').filter(line => line.startsWith('error'))]).toEqual([
        0,
        [],
      ]);
    });

    test('`explore` and `fuzz` accept the linked program instead of sources', () => {
      const redzone = (...args: string[]) => {
        const done = run(process.execPath, [join(bin, 'redzone.js'), ...args]);
        return { status: done.status, report: JSON.parse(done.stdout) };
      };
      const overflow = [{ code: 'heap-buffer-overflow', location: { line: 5, function: 'stack_push' } }];
      const explored = redzone('explore', '--json', './sum', '--', '1', '2', '3', '4');
      expect(explored).toMatchObject({ status: 1, report: { command: 'explore', findings: overflow } });
      const fuzzed = redzone('fuzz', '--json', '--max-runs', '20', './sum', '--', '1', '2', '3', '4');
      expect(fuzzed).toMatchObject({ status: 1, report: { command: 'fuzz', findings: overflow } });
    });

    test.each([
      ['libstack.a', '`redzone cc` links objects and libraries that it has made'],
      ['compile_commands.json', '`check -p FOLDER` reads the file in FOLDER'],
    ])('%s is not a source, and `check` names the command that accepts it', (file, help) => {
      writeFileSync(join(folder, 'compile_commands.json'), '[]');
      const refused = run(process.execPath, [join(bin, 'redzone.js'), 'check', file]);
      expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining(help)]);
    });

    test('the linked program has a status, streams, options and folders like any other', () => {
      const found = run('./sum', ['1', '2', '3', '4'], { REDZONE_OPTIONS: 'exit-code=41:color=never' });
      expect(found.status).toBe(41);
      expect(found.stderr).toContain('error[heap-buffer-overflow]: write of 4 bytes');
      expect(found.stderr).toContain('--> stack.c:5:');
      const logged = run('./sum', ['1', '2', '3', '4'], {
        REDZONE_OPTIONS: `speed=quick:log-file='${root}/log'`,
      });
      expect([logged.status, logged.stderr]).toEqual([99, '']);
      expect(readFileSync(join(root, 'log'), 'utf8')).toContain('heap-buffer-overflow');
      const wrong = run('./sum', [], { REDZONE_OPTIONS: 'exitcode=3' });
      expect([wrong.status, wrong.stderr]).toEqual([
        126,
        expect.stringContaining('did you mean --exit-code?'),
      ]);
    });
  },
);

test('a run from the cache loads one module in the first thread, and few in the second', () => {
  writeFileSync(join(folder, 'one.c'), 'int main(void) { return 0; }\n');
  expect(cc('one.c', '-o', 'one').status).toBe(0);
  expect(run('./one', []).status).toBe(0);
  const moduleUrl = (text: string): string => `data:text/javascript,${encodeURIComponent(text)}`;
  const hooks = `import { writeSync } from 'node:fs';
    export function load(url, context, next) { writeSync(2, 'loaded ' + url + '\\n'); return next(url, context); }`;
  const preload = `import { register } from 'node:module'; register(${JSON.stringify(moduleUrl(hooks))});`;
  const { stderr } = run('./one', [], { NODE_OPTIONS: `--import ${moduleUrl(preload)}` });
  const loaded = Array.from(stderr.matchAll(/^loaded file:.*\/dist\/bundle\/(.*)$/gm), ([, file]) => file!);
  expect(loaded.filter(file => !file.startsWith('chunk-'))).toEqual(['start-program.js', 'run-worker.js']);
  expect(loaded.length).toBeLessThanOrEqual(4);
});

test('what is configured under `run` can be built later', () => {
  const driver = [join(bin, 'redzone.js'), 'run', '-q', '--'];
  writeFileSync(join(folder, 'late.c'), 'int main(void) { return 0; }\n');
  const rule = 'printf "late: late.c\\n\\t$CC -o late late.c && ./late\\n" > late.mk && make -f late.mk';
  for (const command of [
    ['sh', '-c', rule],
    ['make', '-B', '-f', 'late.mk'],
  ]) {
    const done = run(process.execPath, [...driver, ...command]);
    expect(done.status, done.stderr).toBe(0);
  }
});

test('a command that does not exist is named', () => {
  const done = run(process.execPath, [join(bin, 'redzone.js'), 'run', '--', 'no-such-tool']);
  expect([done.status, done.stderr]).toEqual([2, "error: cannot run 'no-such-tool': no such program\n"]);
});

test('`run` ends all processes of a command at its time limit', async () => {
  const script = 'sh -c "echo \\$\\$ > pid; sleep 60; true" | cat; true';
  const limited = [join(bin, 'redzone.js'), 'run', '--max-time', '1', '--', 'sh', '-c', script];
  const done = run(process.execPath, limited);
  expect([done.status, done.stdout]).toEqual([3, expect.stringContaining('stopped after 1 s')]);
  const state = `/proc/${Number(readFileSync(join(folder, 'pid'), 'utf8'))}/stat`;
  const isRunning = () => existsSync(state) && !/\) [ZX]/.test(readFileSync(state, 'latin1'));
  for (let i = 0; i < 100 && isRunning(); i++) await setTimeout(50);
  expect(isRunning()).toBe(false);
});

test('`run` is inconclusive if a program needs more memory than there is, and has no other finding', () => {
  const main =
    '#include <stdlib.h>\nint main(int n) { char *p = malloc(3000000000); p[n + 2999999998] = n + 1; return p[2999999999]; }\n';
  writeFileSync(join(folder, 'large.c'), main);
  expect(cc('large.c', '-o', 'large').status).toBe(0);
  const done = run(process.execPath, [join(bin, 'redzone.js'), 'run', '--json', '--', './large']);
  expect(done.status).toBe(3);
  expect(JSON.parse(done.stdout)).toMatchObject({
    verdict: 'inconclusive',
    findings: [{ code: 'out-of-memory', location: { file: 'large.c', line: 2 } }],
    summary: expect.stringContaining('1 run is inconclusive: the program needs more than 1073741824 bytes'),
  });
  // It was compiled with checks, which are removed again.
  const unchecked = { ...process.env, REDZONE_OPTIONS: 'no-checks' };
  expect(spawnSync('./large', { cwd: folder, env: unchecked }).status).toBe(2);
});

test('a linked program that continues without the memory says that this was not its whole run', () => {
  const main = '#include <stdlib.h>\nint main(void) { return malloc(3000000000) != NULL; }\n';
  writeFileSync(join(folder, 'modest.c'), main);
  expect(cc('modest.c', '-o', 'modest').status).toBe(0);
  const done = run('./modest', []);
  expect([done.status, done.stderr]).toEqual([
    0,
    'redzone: ./modest: inconclusive: a request of 3000000000 bytes failed for lack of memory and returned null\n',
  ]);
});

test('`run` is inconclusive if the globals of a program do not fit', () => {
  writeFileSync(join(folder, 'globals.c'), 'static char a[1500000000]; int main(void) { return a[1]; }\n');
  expect(cc('globals.c', '-o', 'globals').status).toBe(0);
  const done = run(process.execPath, [join(bin, 'redzone.js'), 'run', '--', './globals']);
  expect(done.status).toBe(3);
  expect(done.stderr).toMatch(/^redzone: .*globals: inconclusive: the global variables of the program take/);
});

test('with -Werror, warnings that only clang has are none', () => {
  const compile = (text: string, ...flags: string[]) => {
    writeFileSync(join(folder, 'strict.c'), text);
    const { status, stderr } = cc('-Wall', '-Werror', ...flags, '-c', 'strict.c', '-o', 'strict.o');
    return [status, /\[-W([\w,-]+)\]/.exec(stderr)?.[1]];
  };
  const declared = 'int f(void); int f() { return 1; }\n';
  expect(compile(declared, '-Wpedantic', '-Wstrict-prototypes')).toEqual([0, 'strict-prototypes']);
  expect(compile(declared, '-Werror=strict-prototypes')).toEqual([1, 'error,-Wstrict-prototypes']);
  const unknown = '__attribute__((nosuch)) int g(void) { return 1; }\n';
  expect(compile(unknown)).toEqual([1, 'error,-Wunknown-attributes']);
  expect(compile(unknown, '-Wno-attributes')).toEqual([0, undefined]);
  expect(compile(unknown, '-Wno-error')).toEqual([0, 'unknown-attributes']);
});

test('-std=gnu89 declares implicitly what C99 does not', () => {
  writeFileSync(join(folder, 'old.c'), 'main() { return twice(3); }\ntwice(x) { return 2 * x; }\n');
  const { status, stderr } = cc('-std=gnu89', 'old.c', '-o', 'old');
  expect([status, stderr]).toEqual([0, '']);
  expect(run('./old', []).status).toBe(6);
});

test('a program that starts another passes its options on, unless folders confine it', () => {
  writeFileSync(
    join(folder, 'outer.c'),
    '#include <stdlib.h>\nint main(void) { return system("./inner") == 41 << 8 ? 5 : 6; }\n',
  );
  writeFileSync(join(folder, 'inner.c'), 'int main(void) { int a[2], i = 2; a[i] = 1; return a[i]; }\n');
  for (const name of ['outer', 'inner']) expect(cc(`${name}.c`, '-o', name).status).toBe(0);
  const ran = run('./outer', [], { REDZONE_OPTIONS: 'exit-code=41' });
  expect([ran.status, ran.stderr]).toEqual([5, expect.stringContaining('stack-buffer-overflow')]);
  const confined = run('./outer', [], { REDZONE_OPTIONS: 'exit-code=41:dir=.' });
  expect([confined.status, confined.stderr]).toEqual([41, expect.stringContaining('--allow-run')]);
});

test('a program that is found in PATH has the name that was typed', () => {
  writeFileSync(
    join(folder, 'called.c'),
    '#include <stdio.h>\nint main(int n, char **v) { return puts(v[n - 1]) < 0; }\n',
  );
  expect(cc('called.c', '-o', 'called').status).toBe(0);
  const path = `${folder}:${process.env.PATH}`;
  const names = ['called', './called', `"../build here/called"`];
  const done = spawnSync('sh', ['-c', names.join('; ')], {
    cwd: folder,
    env: { ...env, PATH: path },
    encoding: 'utf8',
  });
  expect(done.stdout).toBe('called\n./called\n../build here/called\n');
});

test('redirected input has a size and a position, which a child shares', () => {
  const text = `#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
int main(void) {
  char word[4] = "";
  struct stat stat;
  fstat(0, &stat);
  read(0, word, 3);
  int status = system("dd bs=1 count=4 2>/dev/null");
  read(0, word, 3);
  printf(" %s %d %d %d %d", word, status, S_ISREG(stat.st_mode), (int)stat.st_size, (int)lseek(0, 0, SEEK_CUR));
  printf(" %d", (int)lseek(0, -3, SEEK_END));
  printf(" %d %s\\n", (int)read(0, word, 3), word);
  return 0;
}
`;
  writeFileSync(join(folder, 'redirected.c'), text);
  writeFileSync(join(folder, 'numbers'), '0123456789abcdef');
  expect(cc('redirected.c', '-o', 'redirected').status).toBe(0);
  const { stdout, stderr } = run('sh', ['-c', '(dd bs=1 count=2 2>/dev/null; ./redirected) < numbers']);
  expect([stdout, stderr]).toEqual(['015678 9ab 0 1 16 12 13 3 def\n', '']);
});

test('a program whose output is no longer read ends as by SIGPIPE, unless it ignores the signal', () => {
  const text = `#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
static int caught;
static void on_pipe(int signal) { caught = signal == SIGPIPE; }
int main(int argc, char **argv) {
  if (argc > 1) signal(SIGPIPE, argc > 2 ? on_pipe : SIG_IGN);
  while (puts("again") >= 0 && fflush(stdout) == 0) {}
  fprintf(stderr, "%s %d\\n", strerror(errno), caught);
  return 3;
}
`;
  writeFileSync(join(folder, 'endless.c'), text);
  expect(cc('endless.c', '-o', 'endless').status).toBe(0);
  const line = (args: string): string[] => {
    const done = run('sh', ['-c', `(./endless ${args}; echo $? >&2) | head -n 1`]);
    return [done.stdout, done.stderr];
  };
  expect(line('')).toEqual(['again\n', '141\n']);
  expect(line('ignored')).toEqual(['again\n', 'Broken pipe 0\n3\n']);
  expect(line('to be caught')).toEqual(['again\n', 'Broken pipe 1\n3\n']);
});

test.skipIf(!existsSync('/usr/include/zlib.h'))(
  'headers of the machine are not searched, and a note says so',
  () => {
    const text = '#include <stdio.h>\n#include <limits.h>\nint main(void) { return CHAR_BIT - 8; }\n';
    writeFileSync(join(folder, 'header.c'), text);
    const flags = ['-I/usr/include', '-isystem', '/usr/include/'];
    expect(cc('header.c', ...flags, '-o', 'header')).toMatchObject({ status: 0, stderr: '' });
    writeFileSync(join(folder, 'foreign.c'), '#include <zlib.h>\n');
    const { status, stderr } = cc('-c', 'foreign.c', ...flags);
    expect(status).toBe(1);
    expect(stderr).toContain("foreign.c:1:10: fatal error: 'zlib.h' file not found");
    expect(stderr).toContain(
      "note: '/usr/include/zlib.h' belongs to a library that another compiler has built",
    );
    writeFileSync(join(folder, 'foreign.c'), '#include <sys/vm86.h>\n');
    expect(cc('-c', 'foreign.c').stderr).toContain(
      "/sys/vm86.h' is one of the headers of Linux that the C library of Redzone does not have",
    );
  },
);

test('a program continues after an error if a comment in a header suppresses it', () => {
  const main =
    '#include <limits.h>\nint main(int argc, char **argv) { add(INT_MAX, argc); return 1 / (argc - 1); }';
  for (const [name, comment] of [
    ['ignored', '// redzone:ignore signed-overflow'],
    ['reported', ''],
  ] as const) {
    const header = `static int add(int a, int b) {\n  return a + b; ${comment}\n}\n`;
    writeFileSync(join(folder, `${name}.h`), header);
    writeFileSync(join(folder, `${name}.c`), `#include "${name}.h"\n${main}\n`);
    expect(cc(`${name}.c`, '-o', name).status).toBe(0);
  }
  const found = (name: string, options = '') =>
    [...run(name, [], { REDZONE_OPTIONS: options }).stderr.matchAll(/^error\[([\w-]+)\]/gm)].map(
      ([, code]) => code,
    );
  expect(found('./ignored')).toEqual(['division-by-zero']);
  expect(found('./reported')).toEqual(['signed-overflow']);
  expect(found('./reported', 'keep-going')).toEqual(['signed-overflow', 'division-by-zero']);
});

test('references are replaced by `--wrap`, and a source may be a device or standard input', () => {
  const mocks = `#include <stdlib.h>
void *__real_malloc(size_t n);
int calls;
void *__wrap_malloc(size_t n) { calls++; return __real_malloc(n); }
`;
  writeFileSync(join(folder, 'mocks.c'), mocks);
  const user = `#include <stdlib.h>
extern int calls;
int main(void) { char *p = malloc(3); p[0] = 7; free(p); return 10 * calls + 1; }
`;
  const linked = spawnSync(compiler, ['-Wl,--wrap=malloc', 'mocks.c', '-x', 'c', '-', '-o', 'mocked'], {
    ...{ cwd: folder, env, encoding: 'utf8' as const, input: user },
  });
  expect([linked.status, linked.stderr, run('./mocked', []).status]).toEqual([0, '', 11]);
  expect(cc('-c', '-x', 'c', '/dev/null', '-o', '/dev/null')).toMatchObject({ status: 0, stderr: '' });
});

test('objects are linked without functions that only excluded code calls', () => {
  const text = 'int missing(void); int main(int n, char **v) { return n > 1 && LIMIT ? missing() : 3; }\n';
  writeFileSync(join(folder, 'excluded.c'), text);
  expect(cc('excluded.c', '-DLIMIT=0', '-o', 'excluded')).toMatchObject({ status: 0, stderr: '' });
  expect(run('./excluded', ['more']).status).toBe(3);
  const { status, stderr } = cc('excluded.c', '-DLIMIT=1', '-o', 'excluded');
  expect([status, stderr]).toEqual([1, "redzone-cc: error: excluded.c: undefined reference to 'missing'\n"]);
});

test('the dependencies of a linked source are those of the program', () => {
  writeFileSync(join(folder, 'one.c'), '#include "stack.h"\nint main(void) { return 0; }\n');
  expect(cc('one.c', '-MMD', '-o', 'one').status).toBe(0);
  expect(readFileSync(join(folder, 'one.d'), 'utf8')).toBe('one: one.c \\\n  stack.h\n');
});

test('generated headers that do not exist yet are dependencies with -MG', () => {
  writeFileSync(join(folder, 'made.c'), '#include "stack.h"\n#include "later.h"\n');
  expect(cc('-MM', '-MG', 'made.c').stdout).toBe('made.o: made.c \\\n  stack.h \\\n  later.h\n');
  expect(cc('-MM', 'made.c').stderr).toContain("'later.h' file not found");
});

describe('bad input', () => {
  test.each([
    [['-c', 'nothing.c'], "redzone-cc: error: no such file: 'nothing.c'"],
    [
      ['-c', '-fno-such-thing', 'main.c'],
      "redzone-cc: error: unrecognized command-line option '-fno-such-thing'",
    ],
    [['-m32', '-c', 'main.c'], "redzone-cc: error: '-m32' is not supported"],
    [[], 'redzone-cc: error: no input files'],
    [['-o'], "redzone-cc: error: missing argument to '-o'"],
    [['-x', 'c++', 'main.c'], "redzone-cc: error: language 'c++' is not supported"],
    [['main.c', '-lnothing'], 'redzone-cc: error: cannot find -lnothing'],
    [['main.c', 'stack.c', 'sum.c'], "redzone-cc: error: main.c: undefined reference to 'names'"],
    [['sum.c'], "redzone-cc: error: undefined reference to 'main'"],
    [['test.sh'], 'redzone-cc: error: test.sh: file format not recognized'],
  ])('%s: %s', (args, message) => {
    const { status, stderr } = cc(...args);
    expect(stderr).toContain(message);
    expect(status).toBe(1);
  });

  test.skipIf(!hasTool('gcc', 'objects of another compiler'))('an object of another compiler', () => {
    run('gcc', ['-c', '-o', 'foreign.o', 'sum.c']);
    const { status, stderr } = cc('foreign.o', 'main.c');
    expect(stderr).toContain('foreign.o: was compiled by another compiler than redzone cc');
    expect(status).toBe(1);
    // The same in the opposite direction.
    cc('-c', '-o', 'own.o', 'main.c');
    const other = run('gcc', ['own.o', 'foreign.o', '-o', 'mixed']);
    expect(other.stderr).toContain("undefined reference to `this_object_is_to_be_linked_by_redzone_cc'");
    expect(other.status).not.toBe(0);
  });
});
