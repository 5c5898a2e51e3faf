import { expect, test } from 'vitest';
import { readIr } from './link-program.js';
import { definitionsOf, outlineOf } from './outline.js';
import { valueOrThrow } from './step-outcome.js';

const module = valueOrThrow(
  readIr(
    `
@table = internal constant [2 x ptr] [ptr @twice, ptr @puts]
@shared = global i32 0
@environ = external global ptr
@maybe = extern_weak global i32
@llvm.used = appending global [1 x ptr] [ptr @shared], section "llvm.metadata"
define internal i32 @twice(i32 %x) {
  %y = load i32, ptr @maybe
  ret i32 %x
}
define i32 @main() {
  %f = load ptr, ptr @table
  %e = load ptr, ptr @environ
  %r = call i32 @read(i32 0)
  %t = call i32 @main()
  ret i32 %r
}
declare i32 @puts(ptr)
declare i32 @read(i32) #0
attributes #0 = { "wasm-import-module"="redzone" }
`,
    'a.ll',
  ),
);

test('an outline lists references: to other modules by name, to its own private symbols by position', () => {
  const { nodes, ...declared } = outlineOf(module);
  expect(definitionsOf(module).map(({ name }) => name)).toEqual(nodes.map(({ name }) => name));
  const twice = nodes.findIndex(({ name }) => name === 'twice');
  expect(nodes).toEqual([
    { name: 'table', isVisible: false, isKept: false, references: [twice, 'puts'] },
    { name: 'shared', isVisible: true, isKept: false, references: [] },
    { name: 'llvm.used', isVisible: false, isKept: true, references: ['shared'] },
    // What is weakly referred to may be missing.
    { name: 'twice', isVisible: false, isKept: false, references: [], weakReferences: ['maybe'] },
    // The functions of the engine are ignored.
    { name: 'main', isVisible: true, isKept: false, references: [0, 'environ', 'main'], signature: 'i32()' },
  ]);
  expect(declared).toEqual({
    declaredFunctions: ['puts', 'read'],
    declaredVariables: ['environ', 'maybe'],
  });
});
