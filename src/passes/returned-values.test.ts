import { expect, test } from 'vitest';
import type { Block, IrFunction, Value } from '../ir/model.js';
import { readModule } from '../ir/reader.js';
import { verifyModule } from '../ir/verify.js';
import { assert } from '../support/assert.js';
import { isHandedOver, returnedBy } from './returned-values.js';

/** A scope whose ways out set `dest`, as clang leaves scopes, after promotion. */
const text = `
  define i32 @f(i32 %x, i32 %y) !dbg !0 {
  entry:
    switch i32 %x, label %four [
      i32 1, label %one
      i32 2, label %two
      i32 3, label %three
    ]
  one:
    br label %cleanup, !dbg !2
  two:
    br label %cleanup, !dbg !2
  three:
    br label %cleanup, !dbg !2
  four:
    br label %cleanup, !dbg !2
  cleanup:
    %retval.0 = phi i32 [ %x, %one ], [ 20, %two ], [ %y, %three ], [ 40, %four ]
    %dest = phi i32 [ 0, %one ], [ 1, %two ], [ 7, %three ], [ %y, %four ]
    switch i32 %dest, label %out [
      i32 0, label %rest
      i32 1, label %outer
    ]
  outer:
    br label %out, !dbg !2
  rest:
    %more = add i32 %x, 1
    br label %out
  out:
    %retval.1 = phi i32 [ %retval.0, %cleanup ], [ %retval.0, %outer ], [ %more, %rest ]
    ret i32 %retval.1, !dbg !2
  }
  define i32 @g(i32 %x, i1 %c) !dbg !0 {
  entry:
    br i1 %c, label %one, label %two
  one:
    br label %out, !dbg !2
  two:
    br label %out
  out:
    %retval.0 = phi i32 [ %x, %one ], [ 0, %two ]
    ret i32 %retval.0, !dbg !2
  }
  define i32 @h(i32 %x, i1 %c) !dbg !0 {
  entry:
    br i1 %c, label %one, label %two
  one:
    br label %between, !dbg !2
  between:
    br label %out
  out:
    %retval.0 = phi i32 [ %x, %between ]
    ret i32 %retval.0, !dbg !2
  two:
    br label %forever, !dbg !2
  forever:
    br label %forever, !dbg !2
  }
  !0 = distinct !DISubprogram(name: "f", file: !1)
  !1 = !DIFile(filename: "f.c", directory: "/")
  !2 = !DILocation(line: 3, scope: !0)`;
const read = readModule(text, 'test.ll');
assert(read.kind === 'module', 'the text is IR');
expect(verifyModule(read.module)).toEqual([]);
const [f, g, h] = read.module.functions;

function block(target: IrFunction | undefined, name: string): Block {
  return target!.blocks.find(each => each.name === name)!;
}

function shown(value: Value | undefined): string | undefined {
  if (value === undefined) return undefined;
  return value.kind === 'integer' ? String(value.value) : 'name' in value ? value.name : value.kind;
}

test.each([
  ['one', undefined, 'the function continues'],
  ['two', '20', 'its case leads to `ret`'],
  ['three', 'y', 'no case has its number'],
  ['four', undefined, 'its number is not known'],
  ['outer', undefined, 'the value is that of another jump'],
  ['rest', undefined, 'it has no line'],
])('the jump of block %s passes on %s: %s', (name, value, _why) => {
  const from = block(f, name);
  expect(shown(returnedBy(from.instructions.at(-1)!, from))).toBe(value);
});

test.each([
  ['one', 'x', 'only a jump lies between'],
  ['two', undefined, 'the jumps do not end'],
])('the jump of block %s through others passes on %s: %s', (name, value, _why) => {
  const from = block(h, name);
  expect(shown(returnedBy(from.instructions.at(-1)!, from))).toBe(value);
});

test.each([
  ['a value is computed on the way', f, false],
  ['each value is a constant, or passed on by its jump', g, true],
])('whether a result was handed over: %s', (_, target, isPassedOn) => {
  const end = block(target, 'out').instructions.at(-1);
  assert(end?.op === 'ret' && end.value !== undefined, 'the function returns a value');
  expect(isHandedOver(end.value)).toBe(isPassedOn);
});
