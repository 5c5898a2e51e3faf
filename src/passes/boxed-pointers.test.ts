import { expect, test } from 'vitest';
import { readModule } from '../ir/reader.js';
import { verifyModule } from '../ir/verify.js';
import { writeFunction } from '../ir/writer.js';
import { assert } from '../support/assert.js';
import { keepBoxedPointers } from './boxed-pointers.js';

/** The instructions of a function after one call of the pass, and after two. */
function handled(body: string): string[] {
  const text = `@g = global i64 0\ndefine i64 @f(ptr %p, ptr %q, i64 %x, i64 %y) {\n${body}\n}`;
  const read = readModule(text, 'test.ll');
  assert(read.kind === 'module', 'the text is IR');
  const { module } = read;
  const target = module.functions.find(({ name }) => name === 'f')!;
  keepBoxedPointers(module, target);
  expect(verifyModule(module)).toEqual([]);
  const once = writeFunction(target);
  keepBoxedPointers(module, target);
  expect(writeFunction(target)).toBe(once);
  const lines = once.split('\n').map(line => line.trim());
  return lines.filter(line => line !== '' && !/^(define.*|.*:|})$/.test(line));
}

const tag = '-1125899906842624';
const cut = (of: string, name = '%1'): string => `${name} = and i64 ${of}, 140737488355327`;
const callsOf = (lines: readonly string[]): number =>
  lines.filter(line => line.includes('@llvm.redzone')).length;

test('a tag cuts the number of a pointer beside it', () => {
  expect(handled(`%n = ptrtoint ptr %p to i64\n%v = or i64 ${tag}, %n\nret i64 %v`)).toEqual([
    '%n = ptrtoint ptr %p to i64',
    cut('%n', '%1'),
    `%v = or i64 ${tag}, %1`,
    'ret i64 %v',
  ]);
  expect(handled(`%v = or i64 ptrtoint (ptr @g to i64), ${tag}\nret i64 %v`)[0]).toBe(
    cut('ptrtoint (ptr @g to i64)'),
  );
  expect(handled('%n = ptrtoint ptr %p to i64\n%v = lshr i64 %n, 48\nret i64 %v')).toContain(cut('%n'));
  expect(handled(`%n = ptrtoint ptr %p to i64\n%v = and i64 %n, ${tag}\nret i64 %v`)).toContain(cut('%n'));
});

test('a tag that is not constant cuts the number if it has upper bits', () => {
  expect(handled('%n = ptrtoint ptr %p to i64\n%v = or i64 %n, %x\nret i64 %v')).toEqual([
    '%n = ptrtoint ptr %p to i64',
    '%1 = icmp ugt i64 %x, 140737488355327',
    cut('%n', '%2'),
    '%3 = select i1 %1, i64 %2, i64 %n',
    '%v = or i64 %3, %x',
    'ret i64 %v',
  ]);
});

test.each([
  '%n = ptrtoint ptr %p to i64\n%v = or i64 %n, 7\nret i64 %v',
  '%n = ptrtoint ptr %p to i64\n%v = and i64 %n, -8\nret i64 %v',
  '%n = ptrtoint ptr %p to i64\n%v = lshr i64 %n, 32\nret i64 %v',
  '%n = ptrtoint ptr %p to i64\n%m = ptrtoint ptr %q to i64\n%v = xor i64 %n, %m\n%w = or i64 %n, %m\nret i64 %v',
  `%v = or i64 %x, ${tag}\nret i64 %v`,
  '%v = and i64 %x, 4503599627370495\nret i64 %v',
  '%a = and i64 %x, -8\n%b = inttoptr i64 %a to ptr\n%v = load i64, ptr %b\nret i64 %v',
  '%a = and i64 %x, 4294967295\n%b = inttoptr i64 %a to ptr\n%v = load i64, ptr %b\nret i64 %v',
  '%a = shl i64 %x, 16\n%c = lshr i64 %a, 8\n%b = inttoptr i64 %c to ptr\n%v = load i64, ptr %b\nret i64 %v',
])('other integers are unchanged: %s', body => {
  expect(handled(body)).toEqual(body.split('\n'));
});

test.each([
  '%a = and i64 %x, 1125899906842623',
  '%a = and i64 %x, 281474976710648',
  `%a = xor i64 %x, ${tag}`,
  `%a = sub i64 %x, ${tag}`,
  '%s = shl i64 %x, 16\n%a = lshr i64 %s, 16',
  '%s = shl i64 %x, 16\n%a = ashr i64 %s, 16',
])('an integer without its tag becomes a whole pointer: %s', bits => {
  const lines = handled(`${bits}\n%b = inttoptr i64 %a to ptr\n%v = load i64, ptr %b\nret i64 %v`);
  expect(lines.slice(-3)).toEqual([
    '%1 = call ptr @llvm.redzone.unboxed(ptr %b)',
    '%v = load i64, ptr %1',
    'ret i64 %v',
  ]);
});

test('a member of a union in memory is read as another one', () => {
  const boxed = `store ptr %p, ptr %q\n%n = load i64, ptr %q\n%v = or i64 %n, ${tag}\nret i64 %v`;
  expect(handled(boxed)).toContain(cut('%n'));
  expect(
    handled(boxed.replace('%n = load', '%c = call i64 @f(ptr %q, ptr %q, i64 0, i64 0)\n%n = load')),
  ).not.toContain(cut('%n'));
  const unboxed =
    '%a = and i64 %x, 140737488355327\nstore i64 %a, ptr %q\n%b = load ptr, ptr %q\n%v = load i64, ptr %b\nret i64 %v';
  expect(callsOf(handled(unboxed))).toBe(1);
  expect(callsOf(handled(unboxed.replace('%b = load', 'store i64 %y, ptr %p\n%b = load')))).toBe(0);
});
