/** The constants of `wire.ts` and `errno.ts` are those of the C headers. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { errno } from './errno.js';
import * as wire from './wire.js';

const runtime = join(import.meta.dirname, '../../runtime');
const header = (name: string) => readFileSync(join(runtime, name), 'utf8');

/** The value of `#define NAME number`, octal as C writes it. */
function defined(text: string, name: string): number | undefined {
  const value = text.match(new RegExp(`^#define ${name}\\s+\\(?(-?[0-9xa-fA-F]+)`, 'm'))?.[1];
  if (value === undefined) return undefined;
  return /^0[0-7]+$/.test(value) ? Number.parseInt(value, 8) : Number(value);
}

test.each([
  ['include/fcntl.h', wire.open],
  ['include/sys/stat.h', wire.mode],
  ['include/stdio.h', wire.whence],
  ['include/errno.h', errno],
  ['libc/internal/host.h', wire.strings],
  ['libc/internal/host.h', wire.clock],
  ['libc/internal/host.h', wire.socketCall],
  ['include/poll.h', wire.poll],
  ['libc/internal/host.h', { __HOST_CURRENT: wire.CURRENT, __HOST_NAME_MAX: wire.entryLayout.nameMax }],
])('%s agrees', (file, table) => {
  const text = header(file);
  const fromHeader = Object.fromEntries(Object.keys(table).map(name => [name, defined(text, name)]));
  expect(fromHeader).toEqual(table);
});

test('the header declares an import for each mathematical function', () => {
  const declared = [...header('libc/internal/host.h').matchAll(/^__RZ_HOST_MATH(_OF_TWO)?\((\w+)\)/gm)];
  const stated = declared.map(([, two, name]) => [name!, two === undefined ? 1 : 2] as const);
  const known = wire.mathFunctions.map(f => [f.name, f.length] as const);
  expect(new Map(known)).toEqual(new Map(stated));
});

test('structures have the offsets that their comments state', () => {
  const offsets = [...header('libc/internal/host.h').matchAll(/(\w+)(?:\[[^\]]*\])?;\s*\/\*\s*(\d+)/g)];
  const stated = offsets.map(match => Number(match[2]));
  const { bytes: _, ...stat } = wire.statLayout;
  const { nameMax: __, ...entry } = wire.entryLayout;
  expect(stated).toEqual([...Object.values(stat), ...Object.values(entry)]);
});
