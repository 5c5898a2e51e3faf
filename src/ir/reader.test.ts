import { expect, test } from 'vitest';
import { readModule } from './reader.js';
import { writeModule } from './writer.js';

function errorOf(text: string): string {
  const result = readModule(text, 'x.ll');
  return result.kind === 'error'
    ? `${result.error.line}:${result.error.column}: ${result.error.message}`
    : 'none';
}

function body(...lines: string[]): string {
  return `define i32 @f(i32 %x, ptr %p) {\n${lines.join('\n')}\n}\n`;
}

test.each([
  ['', 'none'],
  ['what', `1:1: expected a definition, found 'what'`],
  ['@x = global i32', `1:16: expected a value, found the end of the file`],
  ['@x = global i32 true', `1:17: 'true' has the type i1`],
  ['@x = global i8 256', `1:16: '256' does not fit into 8 bits`],
  ['@x = global float 0.1', `1:19: '0.1' is not a constant of type float`],
  ['@x = global ptr @y', `1:17: there is no global '@y'`],
  ['@x = global i32 1\n@x = global i32 2', `2:1: '@x' is defined twice`],
  ['@x = global i32* null', `1:16: typed pointers are not supported: write 'ptr'`],
  ['@x = global <vscale x 4 x i32> zeroinitializer', `1:14: scalable vectors are not supported`],
  ['@x = global [2 x i8] c"abc"', `1:22: this string does not have the length of its type`],
  ['%a = type { i32, %a }', `1:1: this struct contains itself`],
  ['%a = type { %b }\n%b = type { [2 x %a] }', `1:1: this struct contains itself`],
  ['@x = global "', `1:13: this string has no end`],
  ['define void @f() {', `1:18: this bracket is never closed`],
  ['!0 = !{!1}', `1:8: this metadata node is never defined`],
  ['!0 = !{}\n!0 = !{}', `2:1: '!0' is defined twice`],
  ['declare void @f() #7', `1:19: there is no attribute group '#7'`],
  ['target triple = 5', `1:17: expected a string, found '5'`],
  [body('  ret i32 %y'), `2:11: this value is never defined`],
  [body('  ret i32 %p'), `2:11: '%p' has another type where it is defined`],
  [body('  %x = add i32 1, 2', '  ret i32 0'), `2:3: this name is defined twice`],
  [body('  br label %nowhere'), `2:12: this block is never defined`],
  [body('a:', '  br label %a', 'a:', '  ret i32 0'), `4:1: this block is defined twice`],
  [body('  %1 = add i32 1, 2', '  %1 = add i32 1, 2', '  ret i32 0'), `3:3: expected a number of at least 2`],
  [body('  add i32 1', '  ret i32 0'), `3:3: expected ',', found 'ret'`],
  [body('  %s = store i32 1, ptr %p', '  ret i32 0'), `2:3: this instruction has no result to name`],
  [body('  store i32 1, ptr %p, align 3'), `2:30: an alignment is a power of two`],
  [body('  frobnicate i32 1'), `2:3: expected an instruction, found 'frobnicate'`],
  [body('  %l = landingpad i32 cleanup'), `2:8: 'landingpad' is not supported: C has no exceptions`],
  [body('  %c = call i32 @f(i32 1)', '  ret i32 %c'), 'none'],
  [body('  %i = icmp eq float 1.0, 2.0', '  ret i32 0'), `3:3: 'icmp' compares integers or pointers`],
  ['@x = global i32 blockaddress(@f, %b)\ndefine void @f() {\n  ret void\n}', `1:34: there is no such block`],
  [`@x = global ${'{'.repeat(9999)}`, `1:13: this bracket is never closed`],
  [
    `@x = global ${'['.repeat(600)}${']'.repeat(600)} zeroinitializer`,
    `1:14: expected the length of an array, found '['`,
  ],
  [`@x = global ${'{'.repeat(600)}${'}'.repeat(600)} zeroinitializer`, `1:513: nested too deeply`],
])('%s', (text, expected) => {
  expect(errorOf(text)).toBe(expected);
});

test('structs may nest, but not infinitely', () => {
  const chain = (length: number): string => {
    const lines = Array.from({ length }, (_, i) => `%s${i} = type { %s${i + 1}, [2 x { %s${i + 1} }] }`);
    return [...lines, `%s${length} = type { i32 }`].join('\n');
  };
  expect(errorOf(chain(400))).toBe('none');
  expect(errorOf(chain(10_000))).toBe('1:1: nested too deeply');
});

test('names keep their spelling, whatever bytes they have', () => {
  const text = `@"a\\22b\\5C\\FF" = global i32 0\n@.x$y-z = global i32 0\n@7 = global i32 0\n`;
  const result = readModule(text, 'x.ll');
  if (result.kind === 'error') expect.fail(result.error.message);
  expect(result.module.variables.map(variable => variable.name)).toEqual(['a"b\\\xff', '.x$y-z', '']);
  const written = writeModule(result.module);
  expect(written).toContain('@"a\\22b\\\\\\FF" = global i32 0');
  expect(written).toContain('@0 = global i32 0');
});

test('numbers may have gaps, which are closed when written', () => {
  const result = readModule(body('  %7 = add i32 %x, 1', '  %9 = mul i32 %7, %7', '  ret i32 %9'), 'x.ll');
  if (result.kind === 'error') expect.fail(result.error.message);
  expect(writeModule(result.module)).toContain('%1 = add i32 %x, 1\n  %2 = mul i32 %1, %1\n  ret i32 %2');
});
