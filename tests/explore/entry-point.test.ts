/** `--entry-point`: another function instead of `main`, in all engines. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { type CommonReport, check, type ExploreOptions, explore, replay } from '../../src/index.js';

const folder = mkdtempSync(join(tmpdir(), 'redzone-entry-'));
afterAll(() => rmSync(folder, { recursive: true }));

const inputs = [
  {
    name: 'test.c',
    text: `static int table[10];
int area(int width, unsigned char height, double scale) {
  if (width == 77 && height == 3 && scale > 2.5) table[width - 66] = 1;
  return width < 3;
}
static void quiet(short s) { if (s == 5) table[5] = 1; }
int like_main(int argc, char **argv) {
  if (argc > 1 && argv[1][0] == 'x') return table[argc + 9];
  return 4;
}
void pointers(char *p) { *p = 1; }
void variable(int n, ...) { table[n & 1] = 1; }
int main(void) { quiet(3); return area(77, 3, 3) + 5; }`,
  },
];

const from = (entryPoint: string | undefined, more: Partial<ExploreOptions> = {}): Promise<CommonReport> =>
  explore({ inputs, entryPoint, clangFlags: ['-Wno-array-bounds'], ...more });

const places = ({ findings }: CommonReport): string[] =>
  findings.map(({ code, location }) => `${code}:${location.line}`).sort();

test('parameters are inputs, by their names, and findings are confirmed', async () => {
  const report = await from('area', { folder, confirm: true });
  expect(places(report)).toEqual(['global-buffer-overflow:3']);
  expect(report.findings[0]).toMatchObject({ confirmed: true });
  const notes = report.findings[0]!.notes!.map(({ message }) => message);
  expect(notes[0]).toMatch(/^happens when `width` = 77, `height` = 3, `scale` = /);
  expect(notes[1]).toMatch(/--entry-point area /);
  const again = await replay({ inputs, entryPoint: 'area', test: report.findings[0]!.test! });
  expect(places(again)).toEqual(['global-buffer-overflow:3']);
});

test('static functions and functions without an error are explored completely', async () => {
  const report = await from('quiet');
  expect(report.findings).toEqual([]);
  expect(report.summary).toBe('all 2 paths explored');
});

test('a function with the parameters of main gets the arguments', async () => {
  const report = await from('like_main', { symArgs: { min: 1, max: 1, bytes: 1 } });
  expect(places(report)).toEqual(['global-buffer-overflow:8']);
  const options = { inputs, entryPoint: 'like_main' };
  expect(await check({ ...options, arguments: ['y'] })).toMatchObject({ program: { exit: 4 }, findings: [] });
  expect(places(await check({ ...options, arguments: ['x'] }))).toEqual(['global-buffer-overflow:8']);
});

test('without it, and with main, the program begins at main', async () => {
  expect(places(await from(undefined))).toEqual(['global-buffer-overflow:3']);
  expect(places(await from('main'))).toEqual(['global-buffer-overflow:3']);
});

test.each([
  ['pointers', /--entry-point pointers: parameter 1 of `pointers` is not a number/],
  ['variable', /`variable` takes variable arguments/],
  ['none', /no function `none` is defined/],
])('%s is rejected', async (name, message) => {
  await expect(from(name)).rejects.toThrow(message);
});
