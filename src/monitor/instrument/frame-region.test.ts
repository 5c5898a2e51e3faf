import { expect, test } from 'vitest';
import { instrumentedFunction } from './instrumented-testing.js';
import type { InstrumentOptions } from './options.js';

/** Returns `n` at once if it is small; `large` is what it does otherwise. */
const early = (large: string) => `
  target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
  declare i32 @other(i32)
  declare void @__ubsan_handle_add_overflow_abort(ptr, i64, i64)
  define i32 @early(i32 %n) {
  entry:
    %small = icmp slt i32 %n, 2
    br i1 %small, label %end, label %large
  large:
    ${large}
  end:
    %result = phi i32 [ %n, %entry ], [ %v, %last ]
    ret i32 %result
  }`;

/** The blocks of the instrumented function by their names. */
function blocksOf(text: string, changes: Partial<InstrumentOptions> = {}): Map<string, string> {
  const written = instrumentedFunction(text, 'early', changes);
  const parts = written.split(/^([\w.-]+):$/m);
  return new Map(parts.flatMap((part, i) => (i % 2 === 1 ? [[part, parts[i + 1]!] as const] : [])));
}

const takes = /store i32 %\d+, ptr @__rz_depth/g;
const count = (text: string | undefined) => [...(text ?? '').matchAll(takes)].length;

test('the slot is allocated where the calls begin and released where they end', () => {
  const blocks = blocksOf(early('br label %last\nlast:\n%v = call i32 @other(i32 %n)\nbr label %end'));
  expect(count(blocks.get('entry'))).toBe(0);
  expect(count(blocks.get('last'))).toBe(2);
  expect(count(blocks.get('end'))).toBe(0);
});

test('a branch that leaves the region gets a block for the release', () => {
  const body = `br label %last
  last:
    %v = call i32 @other(i32 %n)
    %odd = icmp slt i32 %v, 7
    br i1 %odd, label %end, label %more
  more:
    %w = call i32 @other(i32 %v)
    ret i32 %w`;
  const blocks = blocksOf(early(body));
  expect(count(blocks.get('last'))).toBe(1);
  expect(count(blocks.get('leave'))).toBe(1);
  expect(blocks.get('leave')).toContain('br label %end');
  expect(count(blocks.get('more'))).toBe(1);
  expect(count(blocks.get('end'))).toBe(0);
});

test('a loop does not allocate a slot in each iteration', () => {
  const body = `br label %last
  last:
    %i = phi i32 [ 0, %large ], [ %v, %last ]
    %v = call i32 @other(i32 %i)
    %goes = icmp slt i32 %v, 7
    br i1 %goes, label %last, label %end`;
  const blocks = blocksOf(early(body));
  expect(count(blocks.get('large'))).toBe(1);
  expect(count(blocks.get('last'))).toBe(0);
  expect(count(blocks.get('leave'))).toBe(1);
});

test('a handler allocates its own slot', () => {
  const body = `%fits = icmp slt i32 %n, 100
    br i1 %fits, label %last, label %handler
  handler:
    call void @__ubsan_handle_add_overflow_abort(ptr null, i64 0, i64 0)
    unreachable
  last:
    %v = add i32 %n, 1
    br label %end`;
  const blocks = blocksOf(early(body));
  expect(count(blocks.get('handler'))).toBe(2);
  expect([...blocks].reduce((sum, [, text]) => sum + count(text), 0)).toBe(2);
});

test('where frames are counted, the slot covers the whole function', () => {
  const blocks = blocksOf(early('br label %last\nlast:\n%v = call i32 @other(i32 %n)\nbr label %end'), {
    watchesDepth: true,
  });
  expect(count(blocks.get('entry'))).toBe(1);
});
