import { expect, test } from 'vitest';
import { DataLayout } from '../ir/data-layout.js';
import { readModule } from '../ir/reader.js';
import { verifyModule } from '../ir/verify.js';
import { writeModule } from '../ir/writer.js';
import { assert } from '../support/assert.js';
import { makeLocalsIntegers } from './integer-locals.js';
import { promoteLocals } from './mem2reg.js';

/** The function after both passes; the body begins with `%n = alloca TYPE`. */
function promoted(type: string, body: string, result: string, keepsMembers = false): string {
  const text = `
    %struct.pair = type { i16, i16 }
    %union.word = type { i32 }
    declare void @use(ptr)
    declare void @llvm.lifetime.end.p0(ptr)
    define ${result} @f(i32 %a, float %x, ptr %p, i1 %c) {
      %n = alloca ${type}, align 8
      ${body}
    }`;
  const read = readModule(text, 'test.ll');
  assert(read.kind === 'module', 'the text is IR');
  const target = read.module.functions.find(({ name }) => name === 'f')!;
  makeLocalsIntegers(target, new DataLayout(), keepsMembers);
  promoteLocals(target);
  expect(verifyModule(read.module)).toEqual([]);
  const written = writeModule(read.module);
  return written.slice(written.indexOf('define'), written.indexOf('\n}'));
}

test('a byte of a number', () => {
  const after = promoted(
    '{ i32 }',
    `store i32 %a, ptr %n
     %q = getelementptr [4 x i8], ptr %n, i64 0, i64 2
     %v = load i8, ptr %q
     ret i8 %v`,
    'i8',
  );
  expect(after).not.toMatch(/alloca|load|store|getelementptr/);
  expect(after).toMatch(/lshr i32 %a, 16\n.*trunc i32 .* to i8/);
});

test('the bits of a float, and of a pointer', () => {
  const ofFloat = promoted('{ float }', 'store float %x, ptr %n\n%v = load i32, ptr %n\nret i32 %v', 'i32');
  expect(ofFloat).toMatch(/%\w+ = bitcast float %x to i32\n\s*ret i32/);
  const ofPointer = promoted('{ ptr }', 'store ptr %p, ptr %n\n%v = load i64, ptr %n\nret i64 %v', 'i64');
  expect(ofPointer).toMatch(/ptrtoint ptr %p to i64/);
  expect(ofPointer).not.toMatch(/alloca/);
});

test('a structure of one member needs no conversion', () => {
  const after = promoted(
    '{ float }',
    'store float %x, ptr %n\n%v = load float, ptr %n\nret float %v',
    'float',
  );
  expect(after).toMatch(/^0:\n\s*ret float %x/m);
});

test('members of structures stay in memory where hooks see them, the bytes of a union do not', () => {
  const ofMember = `store i32 %a, ptr %n
     %q = getelementptr %struct.pair, ptr %n, i64 0, i32 1
     %v = load i16, ptr %q
     ret i16 %v`;
  expect(promoted('%struct.pair', ofMember, 'i16')).not.toMatch(/alloca|load/);
  expect(promoted('%struct.pair', ofMember, 'i16', true)).toMatch(/alloca/);
  expect(promoted('%union.word', ofMember, 'i16', true)).toMatch(/alloca/);
  const ofUnion = 'store i32 %a, ptr %n\n%v = load i8, ptr %n\nret i8 %v';
  expect(promoted('%union.word', ofUnion, 'i8', true)).not.toMatch(/alloca|load/);
});

test('values of two paths meet', () => {
  const after = promoted(
    '{ i32 }',
    `br i1 %c, label %then, label %else
   then:
     store i32 %a, ptr %n
     br label %join
   else:
     store float %x, ptr %n
     br label %join
   join:
     %v = load i32, ptr %n
     ret i32 %v`,
    'i32',
  );
  expect(after).toMatch(/phi i32/);
  expect(after).not.toMatch(/alloca/);
});

const staying: Record<string, string> = {
  'is written in part': `store i32 %a, ptr %n
     %q = getelementptr i8, ptr %n, i64 1
     store i8 1, ptr %q
     %v = load i16, ptr %n`,
  'is read before it is written on a path': `br i1 %c, label %then, label %join
   then:
     store i32 %a, ptr %n
     br label %join
   join:
     %v = load i16, ptr %n`,
  'is read after its lifetime': `store i32 %a, ptr %n
     call void @llvm.lifetime.end.p0(ptr %n)
     %v = load i16, ptr %n`,
  'is read beyond its end': `store i32 %a, ptr %n
     %q = getelementptr i8, ptr %n, i64 3
     %v = load i16, ptr %q`,
  'is read before its start': `store i32 %a, ptr %n
     %q = getelementptr i8, ptr %n, i64 -1
     %v = load i16, ptr %q`,
  'is indexed by a variable': `store i32 %a, ptr %n
     %q = getelementptr i8, ptr %n, i32 %a
     %v = load i16, ptr %q`,
  'has an address that is passed on': `store i32 %a, ptr %n
     call void @use(ptr %n)
     %v = load i16, ptr %n`,
  'has an address that is stored': `store i32 %a, ptr %n
     store ptr %n, ptr %p
     %v = load i16, ptr %n`,
  'is volatile': `store i32 %a, ptr %n
     %v = load volatile i16, ptr %n`,
};

test.each(Object.entries(staying))('a local that %s stays in memory', (_, body) => {
  const after = promoted('{ i32 }', `${body}\nret i16 %v`, 'i16');
  expect(after).toMatch(/alloca \{ i32 \}/);
  expect(after).toMatch(/load (volatile )?i16/);
});
