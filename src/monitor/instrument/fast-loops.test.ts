import { expect, test } from 'vitest';
import { instrumentedFunction } from './instrumented-testing.js';
import type { InstrumentOptions } from './options.js';

/**
 * Counts the elements above `key`, after a loop header that joins two conditions as clang writes
 * them.
 */
const search = (inLoop = '') => `
  target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
  declare void @other()
  define i32 @search(ptr %a, i32 %n, i32 %key) {
  entry:
    br label %cond
  cond:
    %i = phi i32 [ 0, %entry ], [ %next, %body ]
    %more = icmp slt i32 %i, %n
    br i1 %more, label %right, label %join
  right:
    %wide = sext i32 %i to i64
    %p = getelementptr inbounds i32, ptr %a, i64 %wide
    %v = load i32, ptr %p, align 4
    %above = icmp sgt i32 %v, %key
    br label %join
  join:
    %go = phi i1 [ false, %cond ], [ %above, %right ]
    br i1 %go, label %body, label %end
  body:
    ${inLoop}
    %place = sext i32 %i to i64
    %q = getelementptr inbounds i32, ptr %a, i64 %place
    store i32 0, ptr %q, align 4
    %next = add nsw i32 %i, 1
    br label %cond
  end:
    ret i32 %i
  }`;

const instrumented = (text: string, changes?: Partial<InstrumentOptions>): string =>
  instrumentedFunction(text, 'search', changes);

const count = (text: string, part: RegExp) => [...text.matchAll(part)].length;

test('accesses with a constant stride are checked before the loop', () => {
  const text = instrumented(search());
  expect(text).toMatch(/^attempt:/m);
  expect(count(text, /call i64 @__rz_first_window/g)).toBe(1);
  expect(count(text, /@__rz_window\(/g)).toBe(0);
  // The checks of the other copy: a read and a write.
  expect(count(text, /@__rz_(load|store)_\w+\(/g)).toBe(2);
});

test('a loop that writes behind its reads does not fill the block, and one that writes ahead does', () => {
  const writing = (distance: number) =>
    instrumented(
      search().replace(
        '%place = sext i32 %i to i64',
        `%beside = add nsw i32 %i, ${distance}\n%place = sext i32 %beside to i64`,
      ),
    );
  expect(count(writing(-1), /@__rz_window\(/g)).toBe(0);
  expect(count(writing(1), /@__rz_window\(/g)).toBeGreaterThan(0);
});

test('a data-dependent address is compared with a window', () => {
  const follow = search().replace('[ %next, %body ]', '[ %v, %body ]');
  const text = instrumented(follow);
  expect(count(text, /@__rz_window\(/g)).toBeGreaterThan(0);
  expect(count(text, /@__rz_seldom\(/g)).toBeGreaterThan(0);
});

test('an address that does not change is checked before the loop by its tag word', () => {
  const follow = search().replace('[ %next, %body ]', '[ %v, %body ]');
  const text = instrumented(
    follow
      .replace('%wide = sext', '%limit = load i32, ptr %b, align 4\n%wide = sext')
      .replace('i32 %n,', 'i32 %n, ptr %b,'),
  );
  // The data-dependent address alone has a window.
  expect(count(text, /call i64 @__rz_(first_)?window\(/g)).toBe(
    count(instrumented(follow), /call i64 @__rz_(first_)?window\(/g),
  );
  expect(/^attempt:\n.*?^ {2}br /ms.exec(text)?.[0]).toMatch(/load i32, ptr %\d+, align 1/);
});

test('there is no fast copy of a loop that may free, with --keep-going, or with the shadow alone', () => {
  expect(instrumented(search('call void @other()'))).not.toMatch(/^attempt/m);
  expect(instrumented(search(), { keepGoing: true })).not.toMatch(/^attempt/m);
  expect(instrumented(search(), { temporal: false, init: false })).not.toMatch(/^attempt/m);
});

test('the fast copy follows no labels, and is entered without them', () => {
  const labels = { sinks: [], rules: [], secrets: false };
  const text = instrumented(search(), { labels });
  expect(text).toMatch(/^attempt:/m);
  // Those of the checked copy, and of the value that is returned.
  expect(count(text, /call i32 @__rz_label_load/g)).toBe(1);
  expect(count(text, /call void @__rz_label_store/g)).toBe(1);
  // The labels of three arguments are read, and two of the loop's values have one.
  const attempt = /^attempt:\n.*?^ {2}br /ms.exec(text)?.[0] ?? '';
  expect(attempt).toMatch(/icmp eq i32 %\d+, 0\n.*\n {2}br /);
});

/** A function with that many loops like the one above, one after the other. */
function searches(count: number): string {
  const loop = (i: number) => `
  before${i}:
    br label %cond${i}
  cond${i}:
    %i${i} = phi i64 [ 0, %before${i} ], [ %next${i}, %body${i} ]
    %p${i} = getelementptr inbounds i32, ptr %a, i64 %i${i}
    %v${i} = load i32, ptr %p${i}, align 4
    %above${i} = icmp sgt i32 %v${i}, %key
    br i1 %above${i}, label %body${i}, label %before${i + 1}
  body${i}:
    %next${i} = add nsw i64 %i${i}, 1
    br label %cond${i}`;
  return `
  target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
  define i32 @search(ptr %a, i32 %key) {
  entry:
    br label %before0
  ${Array.from({ length: count }, (_, i) => loop(i)).join('')}
  before${count}:
    ret i32 0
  }`;
}

test('the number of fast copies in a function shrinks as the function grows', () => {
  const copies = (text: string) => count(instrumented(text), /^attempt[\w.]*:/gm);
  expect(copies(searches(20))).toBe(20);
  // 303 blocks with one window each.
  expect(copies(searches(100))).toBe(33);
});
