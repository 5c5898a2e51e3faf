/**
 * A project with Meson: probes of the compiler, a static and a shared library, generated source,
 * and a test that has a finding; and `check -p` on its build folder.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { hasTool } from '../optional-tools.js';

const root = mkdtempSync(join(tmpdir(), 'redzone meson '));
afterAll(() => rmSync(root, { recursive: true }));
const bin = join(import.meta.dirname, '../../bin');

const sources = {
  'meson.build': `project('sum', 'c', version: '1.0', default_options: ['c_std=c11', 'warning_level=2'])
cc = meson.get_compiler('c')
conf = configuration_data()
conf.set10('HAVE_STRNLEN', cc.has_function('strnlen'))
conf.set10('HAVE_NOTHING', cc.has_function('no_such_function'))
conf.set10('HAVE_UNISTD_H', cc.has_header('unistd.h'))
conf.set('SIZEOF_LONG', cc.sizeof('long'))
conf.set_quoted('VERSION', meson.project_version())
configure_file(output: 'config.h', configuration: conf)
libraries = [cc.find_library('m'), dependency('threads')]
stack = static_library('stack', 'stack.c')
twice = shared_library('twice', 'twice.c', version: '1.2.0')
names = custom_target('names', output: 'names.c', capture: true, command: [find_program('names.sh')])
sum = executable('sum', 'main.c', names, link_with: [stack, twice], dependencies: libraries)
test('three', sum, args: ['1', '2', '3'])
test('four', sum, args: ['1', '2', '3', '4'])
`,
  'names.sh': `#!/bin/sh\necho 'const char *const names[] = { "one", "two" };'\n`,
  'stack.h':
    'int *stack_new(int room);\nvoid stack_push(int *stack, int value);\nint stack_sum(const int *stack);\nint twice(int value);\n',
  'stack.c': `#include <stdlib.h>
#include "stack.h"
int *stack_new(int room) { int *stack = malloc((room + 1) * sizeof *stack); stack[0] = 0; return stack; }
void stack_push(int *stack, int value) {
  stack[++stack[0]] = value;
}
int stack_sum(const int *stack) { int sum = 0; for (int i = 1; i <= stack[0]; i++) sum += stack[i]; return sum; }
`,
  'twice.c': '#include "stack.h"\nint twice(int value) { return value * 2; }\n',
  'main.c': `#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "config.h"
#include "stack.h"
#if SIZEOF_LONG != 8 || !HAVE_STRNLEN || !HAVE_UNISTD_H || HAVE_NOTHING
#error "a probe of Meson has failed"
#endif
extern const char *const names[];
int main(int argc, char **argv) {
  int *stack = stack_new(3);
  for (int i = 1; i < argc; i++) stack_push(stack, atoi(argv[i]));
  printf("%s %s %d %.0f\\n", VERSION, names[1], twice(stack_sum(stack)), sqrt(16.0));
  free(stack);
  return 0;
}
`,
};

const tools = ['meson', 'ninja'].map(tool => hasTool(tool, 'a project with Meson'));

test.skipIf(tools.includes(false))('a project with Meson is configured, built, tested and checked', () => {
  for (const [name, text] of Object.entries(sources)) writeFileSync(join(root, name), text);
  chmodSync(join(root, 'names.sh'), 0o755);
  const run = (command: string, ...args: string[]) =>
    spawnSync(command, args, {
      cwd: root,
      encoding: 'utf8',
      env: { ...process.env, CC: join(bin, 'redzone-cc') },
    });
  const configured = run('meson', 'setup', 'build');
  expect([configured.status, configured.stderr], configured.stdout).toEqual([0, '']);
  const built = run('ninja', '-C', 'build');
  expect(built.status, built.stdout).toBe(0);
  expect(built.stdout).not.toContain('warning');
  expect(run('build/sum', '1', '2', '3').stdout).toBe('1.0 two 12 4\n');
  const command = ['run', '--', 'meson', 'test', '-C', 'build'];
  const tested = run(process.execPath, join(bin, 'redzone.js'), ...command);
  expect(tested.stdout).toMatch(/three\s+OK/);
  expect(tested.stdout).toMatch(/four\s+(ERROR|FAIL)/);
  expect([tested.status, tested.stdout]).toEqual([
    1,
    expect.stringContaining('error[heap-buffer-overflow]: write of 4 bytes'),
  ]);
  const options = ['-q', '--format', 'gcc', '-p', 'build', '--target', 'sum'];
  const checked = run(
    process.execPath,
    join(bin, 'redzone.js'),
    'check',
    ...options,
    '--',
    '1',
    '2',
    '3',
    '4',
  );
  expect([checked.status, checked.stdout]).toEqual([1, expect.stringContaining('stack.c:5:21: error: ')]);
});
