import { expect, test } from 'vitest';
import { readModule } from '../ir/reader.js';
import { verifyModule } from '../ir/verify.js';
import { writeFunction } from '../ir/writer.js';
import { assert } from '../support/assert.js';
import { promoteLocals } from './mem2reg.js';
import { makeListsValues } from './variadic-lists.js';

/** The lines of the function after the pass and promotion. */
function lines(body: string): string[] {
  const text = `declare void @llvm.va_start.p0(ptr)\ndeclare void @llvm.va_end.p0(ptr)
    declare void @llvm.va_copy.p0(ptr, ptr)\ndeclare i32 @take(ptr)
    define i32 @f(i1 %c, ...) {\nentry:\n  %list = alloca ptr\n${body}\n}`;
  const read = readModule(text, 'test.ll');
  assert(read.kind === 'module', 'the text is IR');
  const target = read.module.functions.find(({ name }) => name === 'f')!;
  makeListsValues(read.module, target);
  promoteLocals(target);
  expect(verifyModule(read.module)).toEqual([]);
  return writeFunction(target)
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '' && line !== '}' && !/^(define|entry)/.test(line));
}

const start = '  call void @llvm.va_start.p0(ptr %list)\n';
const end = '  call void @llvm.va_end.p0(ptr %list)\n';

test('a list that is only passed on is a value', () => {
  const pass = '  %at = load ptr, ptr %list\n  %r = call i32 @take(ptr %at)\n';
  expect(lines(`${start}${pass}${end}  ret i32 %r`)).toEqual([
    '%0 = call ptr @llvm.redzone.list()',
    '%r = call i32 @take(ptr %0)',
    'ret i32 %r',
  ]);
});

test('a list that was not started on every path stays in memory, with what starts it', () => {
  const body = `  br i1 %c, label %some, label %all\nsome:\n${start}  br label %all\nall:
    %at = load ptr, ptr %list\n  %r = call i32 @take(ptr %at)\n${end}  ret i32 %r`;
  expect(lines(body).filter(line => line.includes('%list'))).toEqual([
    '%list = alloca ptr',
    'store ptr %0, ptr %list',
    '%at = load ptr, ptr %list',
  ]);
});

test('a list whose address is passed is left alone', () => {
  const body = `${start}  %r = call i32 @take(ptr %list)\n${end}  ret i32 %r`;
  expect(lines(body)).toContain('call void @llvm.va_start.p0(ptr %list)');
  expect(lines(body)).toContain('call void @llvm.va_end.p0(ptr %list)');
});
