import { expect, test } from 'vitest';
import { functionLocation, globalVariable, stackOf, variablesOf } from '../../src/ir/debug.js';
import { analysisFlags, compileToIr, program, read } from './clang.js';

const source = `
struct node { struct node *next; int value; };
typedef unsigned long size;
enum color { red };
union mix { int i; float f; };
int *array[3];
const char *const text = "x";
int (*callback)(char, ...);
struct node list, *head;
size grid[2][3];
enum color color;
union mix mix;
void (*signal(int n, void (*handler)(int)))(int) { static volatile int calls; calls += n; return handler; }
struct { int x; } anonymous;
_Bool flag;
int (*matrix)[4];
int sum(const int *from, int count) {
  int total = 0;
  for (int i = 0; i < count; i++) {
    total += from[i];
  }
  return total;
}
`;

test('variables and types have the names that the source gives them', async () => {
  const module = read(await compileToIr(source, analysisFlags));
  const types = new Map(
    module.variables.flatMap(variable => {
      const found = globalVariable(variable);
      return found === undefined ? [] : [[found.name, [found.type, found.bytes, found.location.line]]];
    }),
  );
  expect(Object.fromEntries(types)).toEqual({
    array: ['int *[3]', 24, 6],
    text: ['const char *const', 8, 7],
    callback: ['int (*)(char, ...)', 8, 8],
    list: ['struct node', 16, 9],
    head: ['struct node *', 8, 9],
    grid: ['size[2][3]', 48, 10],
    color: ['enum color', 4, 11],
    mix: ['union mix', 4, 12],
    calls: ['volatile int', 4, 13],
    anonymous: ['struct {...}', 4, 14],
    flag: ['_Bool', 1, 15],
    matrix: ['int (*)[4]', 8, 16],
  });
  const target = module.functions.find(each => each.name === 'sum')!;
  expect(functionLocation(target)).toEqual({ file: 'program.c', line: 17, column: 0, function: 'sum' });
  const locals = [...variablesOf(target).values()];
  expect(locals.map(({ name, type, isParameter }) => [name, type, isParameter])).toEqual([
    ['from', 'const int *', true],
    ['count', 'int', true],
    ['total', 'int', false],
    ['i', 'int', false],
  ]);
});

test('every instruction of a loop knows its line and column', async () => {
  const module = read(await compileToIr(source, analysisFlags));
  const target = module.functions.find(each => each.name === 'sum')!;
  const loads = target.blocks.flatMap(block => block.instructions).filter(each => each.op === 'load');
  const places = loads
    .map(load => stackOf(load))
    .map(([frame]) => `${frame?.function}:${frame?.line}:${frame?.column}`);
  expect(places).toContain('sum:20:14');
  expect(places.every(place => /^sum:(19|20|22):[0-9]+$/.test(place))).toBe(true);
});

test('code that was inlined has a frame for each call', () => {
  const module = read(program('every-construct.ll'));
  const target = module.functions.find(each => each.name === 'loop')!;
  const compare = target.blocks.flatMap(block => block.instructions).find(each => each.name === 'done')!;
  expect(stackOf(compare)).toEqual([
    { file: 'every.c', line: 11, column: 7, function: 'arithmetic' },
    { file: 'every.c', line: 20, column: 2, function: 'loop' },
  ]);
});

test('without debug information there are no frames', async () => {
  const module = read(await compileToIr(source, ['-O0']));
  const [target] = module.functions.filter(each => each.blocks.length > 0);
  expect(functionLocation(target!)).toBeUndefined();
  expect(stackOf(target!.blocks[0]!.instructions[0]!)).toEqual([]);
});
