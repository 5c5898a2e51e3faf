import { expect, test } from 'vitest';
import { DataLayout } from '../../ir/data-layout.js';
import { readModule } from '../../ir/reader.js';
import { verifyModule } from '../../ir/verify.js';
import { writeFunction } from '../../ir/writer.js';
import { assert } from '../../support/assert.js';
import { instrumentedFunction } from './instrumented-testing.js';
import { reuseLoads } from './repeated-loads.js';

const header = `
  target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
  @one = external global i32
  @two = external global i32
  declare void @free(ptr)
  declare void @__ubsan_handle_add_overflow(ptr)
  declare void @llvm.lifetime.end.p0(ptr)
  declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
  declare i32 @llvm.fshl.i32(i32, i32, i32)
  declare void @use(i32)`;

/** The loads that are left of a function's body, by name. */
function loadsLeft(body: string, mayBe = true): string[] {
  const text = `${header}\ndefine i32 @f(ptr %p, ptr %q, i32 %x, i32 %y, i1 %c) {\n${body}\n}`;
  const read = readModule(text, 'test.ll');
  assert(read.kind === 'module', 'the text is IR');
  const target = read.module.functions.find(({ name }) => name === 'f')!;
  reuseLoads(target, { layout: new DataLayout(read.module.dataLayout), mayBe: () => mayBe });
  expect(verifyModule(read.module)).toEqual([]);
  return [...writeFunction(target).matchAll(/%([\w.]+) = load/g)].map(([, name]) => name!);
}

/** Loads `%a` and then `%b` from one address, with something between. */
const twice = (between: string, first = 'load i32, ptr %p, align 4') =>
  `entry:\n  %a = ${first}\n  ${between}\n  %b = load i32, ptr %p, align 4\n  %r = add i32 %b, 1\n  ret i32 %r`;

test.each([
  ['', ''],
  ['a store to the next bytes', '%n = getelementptr i32, ptr %p, i64 1\n  store i32 %x, ptr %n'],
  ['the handler of a check', 'call void @__ubsan_handle_add_overflow(ptr null)'],
  ['an operation', '%o = call i32 @llvm.fshl.i32(i32 %a, i32 %a, i32 7)'],
])('a load is replaced by an earlier one of the same bytes %s', (_, between) => {
  expect(loadsLeft(twice(between))).toEqual(['a']);
});

test.each([
  ['a store through another pointer', 'store i32 %x, ptr %q'],
  ['a store to some of the bytes', '%n = getelementptr i8, ptr %p, i64 3\n  store i16 0, ptr %n, align 1'],
  ['a store to an element', '%n = getelementptr i32, ptr %p, i32 %x\n  store i32 0, ptr %n, align 4'],
  ['a call', 'call void @use(i32 0)'],
  ['the end of the block', 'call void @free(ptr %p)'],
  ['the end of a scope', 'call void @llvm.lifetime.end.p0(ptr %q)'],
  ['a range operation', 'call void @llvm.memset.p0.i64(ptr %q, i8 0, i64 4, i1 false)'],
  ['an indirect call', 'call void %q(i32 1)'],
  ['a volatile load', '%v = load volatile i32, ptr %q'],
  ['a volatile store', 'store volatile i32 1, ptr %q'],
  ['an atomic load', '%v = load atomic i32, ptr %q acquire, align 4'],
  ['an atomic operation', '%v = atomicrmw add ptr %q, i32 1 seq_cst'],
  ['an exchange', '%v = cmpxchg ptr %q, i32 1, i32 2 seq_cst seq_cst'],
  ['a fence', 'fence seq_cst'],
])('a load after %s is not replaced', (_, between) => {
  expect(loadsLeft(twice(between))).toContain('b');
});

test.each([
  ['volatile', 'load volatile i32, ptr %p, align 4'],
  ['atomic', 'load atomic i32, ptr %p monotonic, align 4'],
  ['less aligned', 'load i32, ptr %p, align 1'],
  ['of another type', 'load float, ptr %p, align 4'],
  ['of more bytes', 'load i64, ptr %p, align 4'],
  ['of fewer bytes', 'load i16, ptr %p, align 4'],
])('a load is not replaced by an earlier one that is %s', (_, first) => {
  expect(loadsLeft(twice('', first))).toEqual(['a', 'b']);
});

test('neither volatile nor atomic loads are replaced', () => {
  const body = `entry:\n  %a = load i32, ptr %p, align 4\n  %b = load volatile i32, ptr %p, align 4
    %d = load atomic i32, ptr %p monotonic, align 4\n  ret i32 %d`;
  expect(loadsLeft(body)).toEqual(['a', 'b', 'd']);
});

const stored = (value: string, pointer: string, from: string) =>
  `entry:\n  %l = alloca i32\n  %m = alloca i32\n  %g = getelementptr i8, ptr %p, i64 0
    %first = load i32, ptr ${from}\n  store i32 ${value}, ptr ${pointer}\n  %b = load i32, ptr ${from}
    %r = add i32 %first, %b\n  ret i32 %r`;

test.each([
  ['stored there', '%x', '%p', '%p', ['first']],
  ['stored there, addressed otherwise', '%x', '%g', '%p', ['first']],
  ['loaded, after a store to another local', '%x', '%l', '%m', ['first']],
  ['loaded from a global, after a store to a local', '%x', '%l', '@one', ['first']],
])('a load is the value that was %s', (_, value, pointer, from, left) => {
  expect(loadsLeft(stored(value, pointer, from))).toEqual(left);
});

test.each([
  ['an undefined value was stored', 'undef', '%p', '%p'],
  ['the store may be to another name of the global', '%x', '@two', '@one'],
  ['the store may be to the local', '%x', '%q', '%l'],
])('a load stays if %s', (_, value, pointer, from) => {
  expect(loadsLeft(stored(value, pointer, from))).toEqual(['first', 'b']);
});

test('a value is known in the blocks behind it, unless a path may change it', () => {
  const diamond = (left: string) => `entry:\n  %a = load i32, ptr %p\n  br i1 %c, label %left, label %right\n
    left:\n  ${left}\n  br label %join\n\nright:\n  br label %join\n
    join:\n  %b = load i32, ptr %p\n  ret i32 %b`;
  expect(loadsLeft(diamond(''))).toEqual(['a']);
  expect(loadsLeft(diamond('store i32 %x, ptr %q'))).toEqual(['a', 'b']);
  expect(loadsLeft(diamond('%d = load i32, ptr %q'))).toEqual(['a', 'd']);
  expect(loadsLeft(diamond('call void @use(i32 1)'))).toEqual(['a', 'b']);
});

test('what only one path has loaded is not known where paths meet', () => {
  const body = `entry:\n  br i1 %c, label %left, label %join\n\nleft:\n  %a = load i32, ptr %p\n  br label %join\n
    join:\n  %b = load i32, ptr %p\n  ret i32 %b`;
  expect(loadsLeft(body)).toEqual(['a', 'b']);
});

test('in a loop, a later part of its body may have changed what was known before it', () => {
  const loop = (body: string) => `entry:\n  %a = load i32, ptr %p\n  br label %head\n
    head:\n  %i = phi i32 [ 0, %entry ], [ %b, %head ]\n  %b = load i32, ptr %p\n  ${body}
      br i1 %c, label %head, label %end\n\nend:\n  ret i32 %i`;
  expect(loadsLeft(loop(''))).toEqual(['a']);
  expect(loadsLeft(loop('store i32 %x, ptr %q'))).toEqual(['a', 'b']);
});

test('values are passed on through several places', () => {
  const body = `entry:\n  store i32 %x, ptr %p\n  %a = load i32, ptr %p\n  store i32 %a, ptr %q
    %b = load i32, ptr %q\n  %r = add i32 %a, %b\n  ret i32 %r`;
  expect(loadsLeft(body)).toEqual([]);
  expect(loadsLeft(body, false)).toEqual(['a', 'b']);
});

/** `copy` may store undefined bits; the branch would report them. */
const copied = (use: string) => `${header}
  define void @copy(ptr %p, ptr %q) {
  entry:
    %value = load i32, ptr %q, align 4
    store i32 %value, ptr %p, align 4
    %again = load i32, ptr %p, align 4
    ${use}
  after:
    ret void
  }`;

test('a value that may be undefined replaces only loads that are stored', () => {
  const onlyStored = copied('store i32 %again, ptr %q, align 4\n  br label %after');
  expect(instrumentedFunction(onlyStored, 'copy')).not.toContain('%again');
  const compared = copied(
    '%is = icmp eq i32 %again, 1\n  br i1 %is, label %after, label %other\n  other:\n  br label %after',
  );
  expect(instrumentedFunction(compared, 'copy')).toContain('%again = load');
  const passed = copied('call void @use(i32 %again)\n  br label %after');
  expect(instrumentedFunction(passed, 'copy')).toContain('%again = load');
});

test.each([{ keepGoing: true }, { threads: true }, { optimise: false }, { annotationsOnly: true }])(
  'with %o each load is made',
  changes => {
    const text = copied('store i32 %again, ptr %q, align 4\n  br label %after');
    expect(instrumentedFunction(text, 'copy', changes)).toContain('%again = load');
  },
);
