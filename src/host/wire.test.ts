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

test('mathematical functions have the order of the enumeration', () => {
  const names = [...header('libc/internal/host.h').matchAll(/__HOST_([A-Z0-9]+)(?=[,\s]*\n?\s*[_}])/g)]
    .map(match => match[1]!.toLowerCase())
    .filter(name => name in Math);
  expect(wire.mathFunctions.map(f => f.name)).toEqual(names);
});

test('structures have the offsets that their comments state', () => {
  const offsets = [...header('libc/internal/host.h').matchAll(/(\w+)(?:\[[^\]]*\])?;\s*\/\*\s*(\d+)/g)];
  const stated = offsets.map(match => Number(match[2]));
  const { bytes: _, ...stat } = wire.statLayout;
  const { nameMax: __, ...entry } = wire.entryLayout;
  expect(stated).toEqual([...Object.values(stat), ...Object.values(entry)]);
});
