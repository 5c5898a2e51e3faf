import { expect, test } from 'vitest';
import { readModule } from '../ir/reader.js';
import { verifyModule } from '../ir/verify.js';
import { writeFunction } from '../ir/writer.js';
import { assert } from '../support/assert.js';
import { foldConstantBranches } from './constant-branches.js';

function folded(body: string): string[] {
  const read = readModule(`declare void @handler()\ndefine i32 @f(i32 %x, i1 %c) {\n${body}\n}`, 'test.ll');
  assert(read.kind === 'module', 'the text is IR');
  const target = read.module.functions.find(({ name }) => name === 'f')!;
  foldConstantBranches(target);
  expect(verifyModule(read.module)).toEqual([]);
  return writeFunction(target)
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '' && line !== '}' && !line.startsWith('define'));
}

const failing = 'failed:\n  call void @handler()\n  unreachable';

test('the block after a decided branch is merged into its predecessor', () => {
  const text = `entry:\n  br i1 true, label %first, label %failed\n${failing}\n
    first:\n  %a = lshr i32 %x, 7\n  br i1 true, label %second, label %failed2\n
    failed2:\n  call void @handler()\n  unreachable\n
    second:\n  %b = and i32 %a, 255\n  ret i32 %b`;
  expect(folded(text)).toEqual(['entry:', '%a = lshr i32 %x, 7', '%b = and i32 %a, 255', 'ret i32 %b']);
});

test('the two checks of a signed shift become one, and a known failure is kept', () => {
  const text = (fits: boolean) => `entry:\n  br i1 ${fits}, label %check, label %after\n
    check:\n  br label %after\n
    after:\n  %ok = phi i1 [ true, %entry ], [ true, %check ]\n  %all = and i1 ${fits}, %ok
      br i1 %all, label %done, label %failed\n${failing}\n
    done:\n  %r = shl i32 %x, 3\n  ret i32 %r`;
  expect(folded(text(false))).toContain('call void @handler()');
  expect(folded(text(false))).not.toContain('ret i32 %r');
  expect(folded(text(true))).toContain('ret i32 %r');
  expect(folded(text(true))).not.toContain('call void @handler()');
});

test('a division by a constant cannot overflow', () => {
  const text = `entry:\n  %small = icmp ne i32 %x, -2147483648\n  %or = or i1 %small, true
      %all = and i1 true, %or\n  br i1 %all, label %done, label %failed\n${failing}\n
    done:\n  %r = sdiv i32 %x, 2\n  ret i32 %r`;
  expect(folded(text)).toContain('ret i32 %r');
  expect(folded(text)).not.toContain('call void @handler()');
  expect(folded(text.replace('%small, true', '%small, %c'))).toContain('call void @handler()');
});

test('a phi of one constant is decided, and one of several values is not', () => {
  const text = (last: string) => `entry:\n  br i1 %c, label %right, label %land\n
    right:\n  br label %land\n
    land:\n  %both = phi i1 [ false, %entry ], [ ${last}, %right ]\n  br i1 %both, label %failed, label %done\n${failing}\n
    done:\n  ret i32 %x`;
  expect(folded(text('false'))).not.toContain('call void @handler()');
  expect(folded(text('true'))).toContain('call void @handler()');
});

test('blocks without constant branches are unchanged', () => {
  const text = `entry:\n  br i1 %c, label %yes, label %no\n
    yes:\n  br label %join\n
    no:\n  br i1 false, label %failed, label %join\n${failing}\n
    join:\n  %r = phi i32 [ 1, %yes ], [ %x, %no ]\n  ret i32 %r`;
  expect(folded(text)).toEqual([
    'entry:',
    'br i1 %c, label %yes, label %no',
    'yes:',
    'br label %join',
    'no:',
    'br label %join',
    'join:',
    '%r = phi i32 [ 1, %yes ], [ %x, %no ]',
    'ret i32 %r',
  ]);
});
