import { expect, test } from 'vitest';
import { definedSymbols, libraryMembers, librarySymbols } from './library.js';

test('the index of the library names exactly the existing files; otherwise run `npm run libc:index`', () => {
  const indexed = new Set(librarySymbols().values());
  const members = new Set(libraryMembers());
  expect([...indexed].filter(member => !members.has(member))).toEqual([]);
  expect([...members].filter(member => !indexed.has(member))).toEqual([]);
});

test('definitions are distinguished from declarations and from static symbols', () => {
  const ir = `
@visible = hidden global i32 1, align 4
@.str = private unnamed_addr constant [2 x i8] c"a\\00", align 1
@elsewhere = external global i32, align 4
@weak_one = weak hidden global i32 1
@alias = hidden alias i32, ptr @visible
@hidden_one = internal global i32 0
define hidden i32 @f(i32 noundef %x) #0 {
define internal i32 @g() {
define weak hidden void @h(ptr %p) #1 {
declare i32 @printf(ptr, ...)
`;
  expect(definedSymbols(ir)).toEqual(['visible', 'weak_one', 'alias', 'f', 'h']);
});
