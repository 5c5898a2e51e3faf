import { expect, test } from 'vitest';
import type { IrFunction, Module } from '../ir/model.js';
import { readModule } from '../ir/reader.js';
import { verifyModule } from '../ir/verify.js';
import { writeModule } from '../ir/writer.js';
import { assert } from '../support/assert.js';
import { isDivisible, splitModule } from './split-module.js';

const program = (constant = 1) => `
@counter = external global i32
@other = external global i32
@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @last, ptr null }]
declare void @puts(ptr)
define i32 @first() {
  %r = call i32 @short()
  %s = call i32 @long()
  ret i32 %r
}
define internal i32 @short() {
  %r = call i32 @inner()
  %v = load i32, ptr @counter
  ret i32 %v
}
define internal i32 @inner() {
  ret i32 ${constant}
}
define internal i32 @long() {
  %v = load i32, ptr @other
  ret i32 %v
}
define void @last() {
  call void @puts(ptr null)
  ret void
}
`;

function read(text: string): Module {
  const outcome = readModule(text, 'program.ll');
  assert(outcome.kind === 'module', 'the text is IR');
  return outcome.module;
}

/** Two parts: the first function, and the others. */
function split(text: string): string[] {
  const module = read(text);
  const [first, ...others] = module.functions.filter(({ blocks }) => blocks.length > 0);
  const isShort = ({ name }: IrFunction) => /^(short|inner)/.test(name);
  const parts = splitModule(module, [[first!], others], { suffix: '.id', isShort });
  for (const part of parts) expect(verifyModule(part)).toEqual([]);
  return parts.map(writeModule);
}

test('a part defines its functions, has copies of short ones, and declares the others that it uses', () => {
  const [first, second] = split(program());
  expect(first).toMatch(/define i32 @first\(\)/);
  expect(first).toMatch(/define available_externally hidden i32 @short\.id\(\)/);
  expect(first).toMatch(/define available_externally hidden i32 @inner\.id\(\)/);
  expect(first).toMatch(/declare hidden i32 @long\.id\(\)/);
  expect(first).toMatch(/@counter = external/);
  expect(first).not.toMatch(/@other|@puts/);
  expect(second).toMatch(/define hidden i32 @short\.id\(\)/);
  expect(second).toMatch(/define hidden i32 @long\.id\(\)/);
  expect(second).not.toMatch(/@first/);
});

test('the first part has the constructors, wherever they are defined', () => {
  const [first, second] = split(program());
  expect(first).toMatch(/@llvm\.global_ctors = appending.*@last/);
  expect(first).toMatch(/declare void @last\(\)/);
  expect(second).not.toMatch(/global_ctors/);
});

test('symbols that a part does not use may change', () => {
  const before = split(program());
  expect(split(program().replace('@puts(ptr null)', '@puts(ptr @other)'))[0]).toBe(before[0]);
  expect(split(program(2))[0]).not.toBe(before[0]);
});

test('an alias is defined beside its function', () => {
  const [first, second] = split(
    `@again = hidden alias void (), ptr @last\n@same = internal alias i32 (), ptr @long\n${program()}`.replace(
      '%s = call i32 @long()',
      'call void @again()\n  %s = call i32 @same()',
    ),
  );
  expect(first).toMatch(/declare hidden void @again\(\)/);
  expect(first).toMatch(/declare hidden i32 @same\.id\(\)/);
  expect(first).not.toMatch(/alias/);
  expect(second).toMatch(/@again = hidden alias void \(\), ptr @last/);
  expect(second).toMatch(/@same\.id = hidden alias i32 \(\), ptr @long/);
});

test('symbols that must stay with their function are not separated', () => {
  expect(isDivisible(read(program()))).toBe(true);
  expect(isDivisible(read(`${program()}\n@again = alias i32, ptr @counter`))).toBe(false);
  expect(isDivisible(read(`module asm ".globl x"\n${program()}`))).toBe(false);
});
