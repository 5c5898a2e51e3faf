/**
 * How programs start and end: arguments, environment, constructors, exit status, what is flushed.
 */
import { describe, expect, test } from 'vitest';
import { check } from '../../src/index.js';
import { runSource } from './harness.js';

describe('main', () => {
  test('may take no arguments', async () => {
    const { stdout, status } = await runSource(
      '#include <stdio.h>\nint main(void) { puts("hello"); return 3; }',
    );
    expect([stdout, status]).toEqual(['hello\n', 3]);
  });

  test('gets its arguments', async () => {
    const source = `#include <stdio.h>
      int main(int argc, char **argv) { for (int i = 1; i < argc; i++) puts(argv[i]); return argv[argc] != NULL; }`;
    const { stdout, status } = await runSource(source, { arguments: ['one', 'zwölf', ''] });
    expect([stdout, status]).toEqual(['one\nzwölf\n\n', 0]);
  });

  test.each([
    ['int main(int n) { return n < 9 ? main(n + 1) : n - 4; }', 5],
    ['void main(void) { static int n; if (n++ < 2) main(); else exit(5); }', 5],
    ['void main(int n, char **words) { if (n > 9) exit(n); else puts(words[0]); }', 0],
    ['main(argc, argv, env) char **argv, **env; { return env[1] == NULL ? argc + 4 : 1; }', 5],
  ])('may have an unusual form: %s', async (main, exit) => {
    const source = { name: 'form.c', text: `#include <stdio.h>\n#include <stdlib.h>\n${main}\n` };
    const { program, findings } = await check({ inputs: [source], environment: { A: 'b' }, speed: 'quick' });
    expect([program?.exit, findings]).toEqual([exit, []]);
  });

  test('gets the environment', async () => {
    const source = `#include <stdio.h>
      int main(int argc, char **argv, char **environment) { puts(environment[0]); return environment[1] != NULL; }`;
    const { stdout, status } = await runSource(source, { environment: { HOME: '/home/me' } });
    expect([stdout, status]).toEqual(['HOME=/home/me\n', 0]);
  });

  test('comes after constructors and before handlers, and buffers are written at the end', async () => {
    const source = `#include <stdio.h>
      #include <stdlib.h>
      __attribute__((constructor)) static void early(void) { fputs("early ", stdout); }
      static void late(void) { fputs("late ", stdout); }
      int main(void) { atexit(late); fputs("main ", stdout); exit(300); }`;
    const { stdout, status } = await runSource(source);
    expect([stdout, status]).toEqual(['early main late ', 300 & 255]);
  });

  test('abort ends a program without writing its buffers', async () => {
    const { stdout, status, reason } = await runSource(
      '#include <stdio.h>\n#include <stdlib.h>\nint main(void) { fputs("lost", stdout); abort(); }',
    );
    expect([stdout, status]).toEqual(['', -1]);
    expect(reason).toContain('abort');
  });
});
