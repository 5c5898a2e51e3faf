/** Command lines of gcc that build systems write, and the plan that is made of them. */
import { expect, test } from 'vitest';
import { type DriverPlan, readDriverArguments } from './driver-arguments.js';

function planOf(line: string, files: Readonly<Record<string, string>> = {}): DriverPlan {
  const plan = readDriverArguments(line.split(' '), path => files[path]);
  if (!('inputs' in plan)) throw new Error(JSON.stringify(plan));
  return plan;
}

const inputsOf = (line: string): string[] =>
  planOf(line).inputs.map(
    input =>
      `${input.kind === 'library' ? `-l${input.name}` : input.path}${'isWhole' in input && input.isWhole ? ' whole' : ''}`,
  );

test('words of the linker are options, their values, or files', () => {
  expect(inputsOf('m.o -Wl,--whole-archive,la.a,-lb,--no-whole-archive lc.a')).toEqual([
    'm.o',
    'la.a whole',
    '-lb whole',
    'lc.a',
  ]);
  expect(inputsOf('m.o -Wl,-soname,libx.so.1 -Wl,-rpath,/x -Wl,-Map=x.map -Wl,-z,relro,-znow')).toEqual([
    'm.o',
  ]);
  const apart = planOf('m.o -Xlinker -u -Xlinker kept -Xlinker --rpath -Xlinker /x -Xlinker -L/y');
  expect(apart).toMatchObject({ needed: ['kept'], libraryFolders: ['/y'], inputs: [{ path: 'm.o' }] });
  expect(planOf('m.o -Wl,-z,muldefs')).toMatchObject({ allowsDuplicates: true });
  expect(planOf('m.o -Wl,--unresolved-symbols=ignore-in-object-files')).toMatchObject({
    allowsUndefined: true,
  });
  expect(planOf('m.o -Wl,--wrap=a,--wrap,b')).toMatchObject({ wrapped: ['a', 'b'] });
  expect(planOf('m.o -Wl,-r')).toMatchObject({ product: 'object' });
});

test('-undef is no symbol, and -idirafter stays behind the system', () => {
  expect(planOf('-E -undef -P a.c')).toMatchObject({ needed: [], preprocessorFlags: ['-undef', '-P'] });
  expect(planOf('-c -idirafter compat -isystem/sys a.c').flags).toEqual([
    '-idirafter',
    'compat',
    '-isystem',
    '/sys',
  ]);
});

test('headers are compiled, not linked', () => {
  expect(planOf('-x c-header a.h').action).toBe('compile');
  expect(planOf('a.h').action).toBe('compile');
  expect(readDriverArguments(['a.c', 'a.h', '-o', 'a'], () => undefined)).toHaveProperty('error');
});

test('a flag that would change the program is named, once', () => {
  expect(planOf('-fopenmp -fopenmp -fpack-struct=1 -O2 -c a.c').notes).toEqual([
    "'-fopenmp' is ignored: the pragmas of OpenMP have no effect, and the program is serial",
    "'-fpack-struct=1' is ignored: structures keep their padding",
  ]);
});

test('response files may include others, with quotes', () => {
  const files = { outer: `-DTEXT="a b" @inner`, inner: "-c 'x y.c'" };
  expect(planOf('@outer', files)).toMatchObject({
    flags: ['-D', 'TEXT=a b'],
    inputs: [{ path: 'x y.c' }],
  });
});
