import { expect, test } from 'vitest';
import { readModule } from '../ir/reader.js';
import { verifyModule } from '../ir/verify.js';
import { writeModule } from '../ir/writer.js';
import { assert } from '../support/assert.js';
import { makeHandlersFatal } from './fatal-handlers.js';

const text = (declarations: string) => `
  ${declarations}
  define i32 @f(i32 %a, i1 %ok) {
  entry:
    br i1 %ok, label %cont, label %handler
  handler:
    call void @__ubsan_handle_add_overflow(ptr null, i64 1, i64 2)
    br label %cont
  cont:
    %r = phi i32 [ %a, %entry ], [ 0, %handler ]
    ret i32 %r
  }`;
const returning = 'declare void @__ubsan_handle_add_overflow(ptr, i64, i64)';
const fatal = 'declare void @__ubsan_handle_add_overflow_abort(ptr, i64, i64)';

function changed(source: string): string {
  const read = readModule(source, 'test.ll');
  assert(read.kind === 'module', 'the text is IR');
  makeHandlersFatal(read.module, new Set(['__ubsan_handle_add_overflow']));
  expect(verifyModule(read.module)).toEqual([]);
  return writeModule(read.module);
}

test('a handler that returned becomes the end of its path', () => {
  const after = changed(text(returning));
  expect(after).toMatch(/call void @__ubsan_handle_add_overflow_abort\(.*\n\s*unreachable/);
  expect(after).toMatch(/%r = phi i32 \[ %a, %entry \]$/m);
  expect(after).not.toMatch(/overflow\(/);
});

test('a module that declares both variants calls the fatal one', () => {
  const after = changed(text(`${returning}\n${fatal}`));
  expect(after).toMatch(/call void @__ubsan_handle_add_overflow_abort\(/);
  expect(after.match(/declare .*overflow_abort\(/g)).toHaveLength(1);
});

test('other calls stay', () => {
  const other = text('declare void @h(ptr, i64, i64)').replace('__ubsan_handle_add_overflow', 'h');
  expect(changed(other)).toMatch(/call void @h\(.*\n\s*br label %cont/);
});
