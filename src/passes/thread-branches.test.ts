import { expect, test } from 'vitest';
import { readModule } from '../ir/reader.js';
import { verifyModule } from '../ir/verify.js';
import { writeFunction } from '../ir/writer.js';
import { assert } from '../support/assert.js';
import { threadBranches } from './thread-branches.js';

/** The function after the pass, which says whether it changed anything. */
function threaded(body: string): string {
  const read = readModule(
    `declare void @use(i32)\ndefine i32 @f(i32 %x, i1 %c, i1 %d) {\n${body}\n}`,
    'test.ll',
  );
  assert(read.kind === 'module', 'the text is IR');
  const target = read.module.functions.find(({ name }) => name === 'f')!;
  const before = writeFunction(target);
  const isChanged = threadBranches(target);
  expect(verifyModule(read.module)).toEqual([]);
  const after = writeFunction(target);
  expect(isChanged).toBe(after !== before);
  return after;
}

/** `n = next(&x); if (n == 0) return 7; ...`, after the call was inlined. */
const next = (behind: string, ended = 'ret i32 7') => `entry:\n  br i1 %c, label %none, label %some\n
  none:\n  br label %join\n
  some:\n  br label %join\n
  join:\n  %at = phi i32 [ 1, %none ], [ 2, %some ]\n  %n = phi i32 [ 0, %none ], [ %x, %some ]
    %is = icmp eq i32 %n, 0\n  br i1 %is, label %end, label %more\n
  more:\n  ${behind}\n
  end:\n  ${ended}`;

const moved = /none:[^:]*br label %end/;

test('an edge is moved although the value is used behind the other one', () => {
  expect(threaded(next('ret i32 %n'))).toMatch(moved);
  expect(threaded(next('%sum = add i32 %n, %at\n  ret i32 %sum'))).toMatch(moved);
});

test('an edge stays if a value of the join is used where it would lead', () => {
  expect(threaded(next('ret i32 %n', 'ret i32 %n'))).not.toMatch(moved);
  expect(threaded(next('ret i32 0', 'ret i32 %at'))).not.toMatch(moved);
});

test('an edge stays if the other one leads there, too', () => {
  const ended = '%r = phi i32 [ 0, %join ], [ %n, %more ]\n  ret i32 %r';
  expect(threaded(next('br label %end', ended))).toMatch(moved);
  const also = '%r = phi i32 [ %at, %join ], [ %n, %more ]\n  ret i32 %r';
  expect(threaded(next('br label %end', also))).not.toMatch(moved);
  expect(
    threaded(next('call void @use(i32 %n)\n  br label %end', 'call void @use(i32 %at)\n  ret i32 1')),
  ).not.toMatch(moved);
});

test('an edge stays if the blocks behind the other one are entered elsewhere', () => {
  const body = `entry:\n  br i1 %c, label %none, label %some\n
    none:\n  br label %join\n
    some:\n  br label %join\n
    join:\n  %n = phi i32 [ 0, %none ], [ %x, %some ]\n  %is = icmp eq i32 %n, 0
      br i1 %is, label %end, label %more\n
    more:\n  call void @use(i32 %n)\n  br label %end\n
    end:\n  br i1 %d, label %last, label %more2\n
    more2:\n  call void @use(i32 %n)\n  ret i32 0\n
    last:\n  ret i32 1`;
  expect(threaded(body)).not.toMatch(moved);
});

/** Both phis of `inner` are used in `join`, or `%k` behind it. */
const nested = (join: string, used: string) => `entry:
    switch i32 %x, label %a [ i32 1, label %b\n i32 2, label %other ]\n
  a:\n  br label %inner\n
  b:\n  br label %inner\n
  inner:\n  %i = phi i32 [ 0, %a ], [ %x, %b ]\n  %k = phi i32 [ 5, %a ], [ 6, %b ]\n  br label %join\n
  ${join}
    %is = icmp eq i32 %n, 0\n  br i1 %is, label %end, label %more\n
  more:\n  %r = add i32 %n, ${used}\n  ret i32 %r\n
  end:\n  ret i32 1`;

test('constants come through blocks with several phis, unless these are used elsewhere', () => {
  const two = `other:\n  br label %join\n
    join:\n  %n = phi i32 [ %i, %inner ], [ 3, %other ]\n  %m = phi i32 [ %k, %inner ], [ 8, %other ]`;
  expect(threaded(nested(two, '%m'))).toMatch(/a:[^:]*br label %end/);
  const one = 'other:\n  ret i32 0\n\njoin:\n  %n = phi i32 [ %i, %inner ]';
  expect(threaded(nested(one, '%k'))).not.toMatch(/a:[^:]*br label %end/);
});

test('the header of a loop is left through its own edge as before', () => {
  const body = `entry:\n  br label %head\n
    head:\n  %i = phi i32 [ 0, %entry ], [ %next, %body ]\n  %s = phi i32 [ 0, %entry ], [ %sum, %body ]
      %more = icmp slt i32 %i, 9\n  br i1 %more, label %body, label %end\n
    body:\n  %sum = add i32 %s, %i\n  %next = add i32 %i, 1\n  br label %head\n
    end:\n  ret i32 %s`;
  expect(threaded(body)).toMatch(/entry:\s*br label %head/);
});
