import { expect, test } from 'vitest';
import type { IrFunction } from '../ir/model.js';
import { readModule } from '../ir/reader.js';
import { verifyModule } from '../ir/verify.js';
import { writeFunction } from '../ir/writer.js';
import { assert } from '../support/assert.js';
import { keepInnerBounds } from './inner-bounds.js';

/** An access as clang writes it: `array` is of type `[8 x i8]`. */
function checked({
  array,
  predicate = 'ult',
  index = '%i',
  condition = '%in',
  behind = 'store i8 1, ptr %at',
}: {
  array: string;
  predicate?: string;
  index?: string;
  condition?: string;
  behind?: string;
}): string {
  return `
    %user = type { [8 x i8], i32 }
    @data = private constant i32 0
    @alone = global [8 x i8] zeroinitializer
    @part = global %user zeroinitializer
    declare void @__ubsan_handle_out_of_bounds_abort(ptr, i64)
    declare void @use(ptr)
    define void @f(ptr %p, i64 %i) {
      %local = alloca [8 x i8]
      %inner = alloca %user
      %first = getelementptr %user, ptr %inner, i32 0, i32 0
      %in = icmp ${predicate} i64 %i, 8
      br i1 ${condition}, label %cont, label %handler
    handler:
      call void @__ubsan_handle_out_of_bounds_abort(ptr @data, i64 ${index})
      unreachable
    cont:
      %at = getelementptr inbounds [8 x i8], ptr ${array}, i64 0, i64 ${index}
      ${behind}
      ret void
    }`;
}

function kept(text: string): string {
  const read = readModule(text, 'test.ll');
  assert(read.kind === 'module', 'the text is IR');
  keepInnerBounds(read.module);
  expect(verifyModule(read.module)).toEqual([]);
  const f = read.module.functions.find((each): each is IrFunction => each.name === 'f');
  return writeFunction(f!);
}

const CHECK = /br i1 (\S+), label %cont, label %handler/;

test.each(['%local', '@alone'])('%s is a separate object, so its end is known', array => {
  expect(kept(checked({ array }))).not.toMatch(CHECK);
});

test.each(['%p', '%first', '@part'])(
  '%s may be in a larger object: the handler gets the kind of access',
  array => {
    const text = kept(checked({ array }));
    expect(text).toMatch(CHECK);
    expect(text).toContain(`out_of_bounds_abort(ptr @data, i64 %i, ptr ${array}, i64 1, i32 2, i64 1)`);
  },
);

test('the index one past the end is allowed for an address, not for an access', () => {
  const behind = 'call void @use(ptr %at)';
  const address = kept(checked({ array: '%p', predicate: 'ule', behind }));
  expect(address).toContain('icmp ule');
  expect(address).toContain('i32 0, i64 0)');
  const access = kept(checked({ array: '%p', predicate: 'ule', behind: 'load i16, ptr %at' }));
  expect(access).toContain('icmp ult');
  expect(access).toContain('i32 1, i64 2)');
});

test('a constant index is checked at compile time', () => {
  const at = (index: string, condition: string) => kept(checked({ array: '%p', index, condition }));
  expect(at('7', 'true')).not.toMatch(CHECK);
  expect(CHECK.exec(at('8', 'true'))?.[1]).toBe('false');
  expect(CHECK.exec(at('9', 'false'))?.[1]).toBe('false');
});

test('a check whose element is not found is dropped', () => {
  expect(kept(checked({ array: '%p' }).replace('i64 0, i64 %i', 'i64 0, i64 3'))).not.toMatch(CHECK);
});
