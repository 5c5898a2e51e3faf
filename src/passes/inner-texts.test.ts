import { expect, test } from 'vitest';
import { readModule } from '../ir/reader.js';
import { verifyModule } from '../ir/verify.js';
import { writeFunction } from '../ir/writer.js';
import { assert } from '../support/assert.js';
import { checkInnerTexts } from './inner-texts.js';

function checked(call: string, type = '[8 x i8]', index = 0): string {
  const read = readModule(
    `
    %user = type { ${type}, i32 }
    declare ptr @strcpy(ptr, ptr)
    declare ptr @strncpy(ptr, ptr, i64)
    declare ptr @fgets(ptr, i32, ptr)
    declare ptr @memcpy(ptr, ptr, i64)
    define void @f(ptr %p, ptr %text, i64 %n, i32 %small) {
      %local = alloca ${type}
      %name = getelementptr inbounds ${type}, ptr %p, i64 0, i64 ${index}
      %whole = getelementptr inbounds ${type}, ptr %local, i64 0, i64 0
      ${call}
      ret void
    }`,
    'test.ll',
  );
  assert(read.kind === 'module', 'the text is IR');
  checkInnerTexts(read.module);
  expect(verifyModule(read.module)).toEqual([]);
  return writeFunction(read.module.functions.find(({ name }) => name === 'f')!);
}

test('a text must end in the array it is written to', () => {
  const strcpy = 'call ptr @strcpy(ptr %name, ptr %text)';
  expect(checked(strcpy)).toContain('call void @__rz_inner_text(ptr %name, i64 8, i64 -1)');
  expect(checked(strcpy, '[8 x i8]', 3)).toContain('@__rz_inner_text(ptr %name, i64 5, i64 -1)');
  const fgets = checked('call ptr @fgets(ptr %name, i32 %small, ptr %p)');
  expect(fgets).toMatch(/(%\d+) = sext i32 %small to i64\n.*@__rz_inner_text\(ptr %name, i64 8, i64 \1\)/);
});

test('a function that fills the rest writes as many bytes as its argument says', () => {
  const text = checked('call ptr @strncpy(ptr %name, ptr %text, i64 %n)');
  expect(text).toContain('call void @__rz_inner_range(ptr %name, i64 8, i64 %n)');
});

test.each([
  ['an object of its own', 'call ptr @strcpy(ptr %whole, ptr %text)', '[8 x i8]'],
  ['a pointer from elsewhere', 'call ptr @strcpy(ptr %p, ptr %text)', '[8 x i8]'],
  ['a function that copies anything', 'call ptr @memcpy(ptr %name, ptr %text, i64 %n)', '[8 x i8]'],
  ['an array that may be of any length', 'call ptr @strcpy(ptr %name, ptr %text)', '[1 x i8]'],
])('%s is not changed', (_, call, type) => {
  expect(checked(call, type)).not.toContain('__rz_inner');
});
