import { expect, test } from 'vitest';
import { largeInitializers, largeNumbers } from './large-initializers.js';

const place = (file: string, line: number, col: number) => ({ file, line, col });

test('variables with large initial values are named with their location, others are not', () => {
  const tree = {
    kind: 'TranslationUnitDecl',
    inner: [
      { kind: 'VarDecl', name: 'small', init: 'c', type: { qualType: 'char[64]' }, loc: place('a.c', 1, 6) },
      { kind: 'VarDecl', name: 'bare', type: { qualType: 'char[2147483648]' }, loc: { line: 2, col: 6 } },
      {
        kind: 'FunctionDecl',
        loc: { line: 4, col: 5 },
        inner: [
          {
            kind: 'VarDecl',
            name: 'grid',
            init: 'c',
            type: { qualType: 'int[65536][65536]' },
            loc: { col: 14 },
          },
        ],
      },
    ],
  };
  expect(largeInitializers(JSON.stringify(tree), 'a.c')).toMatchObject([
    {
      message: "the initial value of 'grid' has 4294967296 elements: clang has no memory for it",
      location: { file: 'a.c', line: 4, column: 14 },
    },
  ]);
});

test('without a syntax tree, large numbers in brackets are named', () => {
  expect(largeNumbers('int a[3];\nint b[ 0x7fffffff] = {1};\nint c[10];', 'b.c')).toMatchObject([
    { location: { file: 'b.c', line: 2, column: 8 } },
  ]);
  expect(largeNumbers('int a[100] = {[99] = 1};', 'b.c')).toEqual([]);
});
