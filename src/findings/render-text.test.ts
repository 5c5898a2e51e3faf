import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { displayLine, widthOf } from './display-line.js';
import type { Finding, SourceLocation } from './finding.js';
import { renderDiagnostic, renderFinding } from './render-text.js';

const list = `#include <stdlib.h>
int *make(void) {
  return malloc(8);
}
int main(void) {
  int *p = make();
  free(p);

\treturn /* 日本 */ p[1];
}
`;

const at = (line: number, column: number, name?: string, file = 'list.c'): SourceLocation => ({
  file,
  line,
  column,
  ...(name !== undefined && { function: name }),
});

const finding: Finding = {
  code: 'use-after-free',
  severity: 'error',
  cwe: 416,
  message: 'read of 4 bytes from a block that was freed',
  location: at(9, 22, 'main'),
  stack: [at(9, 22, 'main')],
  access: { kind: 'read', bytes: 4 },
  label: 'offset 4 of the block',
  object: {
    kind: 'heap',
    bytes: 8,
    allocated: [at(3, 10, 'make'), at(6, 12, 'main')],
    freed: [at(7, 3, 'main')],
  },
};

function render(
  parts: Partial<Finding> = {},
  sources: Record<string, string> = { 'list.c': list },
  width = 100,
): string {
  return renderFinding({ ...finding, ...parts }, { readSource: file => sources[file], color: false, width });
}

describe('a finding as text', () => {
  test('shows error, allocation and free in one excerpt of the file', () => {
    expect(render()).toBe(`error[use-after-free]: read of 4 bytes from a block that was freed
 --> list.c:9:22 in main
  |
3 |   return malloc(8);
  |          --------- the 8-byte block is allocated here
...
7 |   free(p);
  |   ------- it is freed here
8 |
9 |     return /* 日本 */ p[1];
  |                       ^^^^ offset 4 of the block
  = allocated: make  list.c:3:10
               main  list.c:6:12
`);
  });

  test('puts a site in another file into a note of its own, with notes and help after', () => {
    const object = {
      kind: 'global',
      name: 'table',
      bytes: 1,
      allocated: [at(1, 6, undefined, 'table.c')],
    } as const;
    const text = render(
      {
        object,
        notes: [{ message: 'happens when `n` = 2' }],
        help: 'look at `redzone explain use-after-free`',
      },
      { 'list.c': list, 'table.c': 'char table[1];' },
    );
    expect(text).toContain(`
note: \`table\` (1 byte) is declared here
 --> table.c:1:6
  |
1 | char table[1];
  |      ^^^^^^^^
note: happens when \`n\` = 2
help: look at \`redzone explain use-after-free\`
`);
  });

  test('prints the location and the label when the source is missing', () => {
    expect(render({}, {})).toBe(`error[use-after-free]: read of 4 bytes from a block that was freed
 --> list.c:9:22 in main
  = offset 4 of the block
note: the 8-byte block is allocated here
 --> list.c:3:10 in make
  = allocated: make  list.c:3:10
               main  list.c:6:12
note: it is freed here
 --> list.c:7:3 in main
`);
  });

  test('names the called function of the C library, and shows its inner frames on request', () => {
    const stack = [
      at(4, 80, 'compare'),
      at(22, 3, 'merge_sort', '/redzone/libc/stdlib/qsort.c'),
      at(73, 3, 'qsort', '/redzone/libc/stdlib/qsort.c'),
      at(9, 22, 'main'),
    ];
    expect(render({ stack })).toContain(`
  = stack: compare  list.c:4:80
           qsort    in the C library
           main     list.c:9:22
`);
    const whole = { readSource: () => list, color: false, showsLibrary: true };
    expect(renderFinding({ ...finding, stack }, whole)).toContain(
      'merge_sort  /redzone/libc/stdlib/qsort.c:22:3\n',
    );
  });

  test('shows no line without debug information', () => {
    const { object: _, ...rest } = finding;
    const text = renderFinding(
      { ...rest, location: at(0, 0, 'main') },
      { readSource: () => list, color: false },
    );
    expect(text).toContain(' --> list.c in main\n  = offset 4 of the block\n');
  });

  test('underlines the whole line when the column is unknown', () => {
    expect(render({ location: at(7, 0), object: { kind: 'heap', bytes: 8 } })).toContain(
      '7 |   free(p);\n  |   ^^^^^^^^ ',
    );
  });

  test('several marks on one line get their labels from right to left', () => {
    const source = 'int *p = malloc(4); free(p); *p = 1;';
    const text = render(
      {
        location: at(1, 33, undefined, 'x.c'),
        access: { kind: 'write', bytes: 4 },
        object: {
          kind: 'heap',
          bytes: 4,
          allocated: [at(1, 10, undefined, 'x.c')],
          freed: [at(1, 21, undefined, 'x.c')],
        },
      },
      { 'x.c': source },
    );
    expect(text).toContain(`
1 | int *p = malloc(4); free(p); *p = 1;
  |          ---------  -------  ^^ offset 4 of the block
  |          |          |
  |          |          it is freed here
  |          |
  |          the 4-byte block is allocated here
`);
  });

  test('shortens a long line to the part around the carets', () => {
    const source = `${'x = 1; '.repeat(100)}buf[9] = 1; ${'y = 2; '.repeat(100)}`;
    const text = render(
      { location: at(1, 708, undefined, 'x.c'), object: { kind: 'heap', bytes: 4 } },
      { 'x.c': source },
      60,
    );
    const [line, carets] = text.split('\n').slice(3, 5) as [string, string];
    expect(line.length).toBeLessThanOrEqual(60);
    expect(line).toMatch(/\| ….*…$/);
    expect(line.slice(carets.indexOf('^')).startsWith('= 1')).toBe(false);
    expect(line.slice(carets.indexOf('^'), carets.lastIndexOf('^') + 1)).toBe('buf[9] = 1');
  });

  test('any line, column and width give carets that stand within the line', () => {
    const unit = fc.constantFrom(
      'a',
      ' ',
      '\t',
      '[',
      ']',
      '(',
      ')',
      '->',
      '=',
      'ß',
      '日',
      '\u0301',
      '\u0007',
      '😀',
    );
    const lines = fc.array(unit, { maxLength: 150 }).map(units => units.join(''));
    fc.assert(
      fc.property(lines, fc.nat(500), fc.integer({ min: 30, max: 120 }), (line, column, width) => {
        const { label: _, object: __, ...bare } = finding;
        const text = renderFinding(
          { ...bare, location: at(1, column) },
          { readSource: () => line, color: false, width },
        );
        const [source, carets] = text.split('\n').slice(3) as [string, string];
        expect(carets).toMatch(/^ {2}\| *\^+$/);
        expect(widthOf(source)).toBeLessThanOrEqual(width);
        const cells = Math.min(displayLine(line).cellOf.at(-1)!, width);
        expect(carets.length).toBeLessThanOrEqual('1 | '.length + cells + 1);
      }),
      { seed: 1, numRuns: 500 },
    );
  });

  test('a deep stack is shortened in the middle', () => {
    const stack = Array.from({ length: 5000 }, (_, i) => at(3, 10, `f${i}`));
    const text = render({ code: 'stack-exhausted', stack });
    expect(render({ stack, omittedFrames: 11 })).toContain('… 5000 more frames …');
    expect(text).toContain(
      'f7     list.c:3:10\n           … 4989 more frames …\n           f4997  list.c:3:10\n',
    );
  });

  test('is coloured only on request', () => {
    const coloured = renderFinding(finding, { readSource: () => list, color: true });
    expect(coloured).toContain('\u001b[31m');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: this is what colours are made of
    expect(coloured.replaceAll(/\u001b\[\d+m/g, '')).toBe(
      renderFinding(finding, { readSource: () => list, color: false }),
    );
  });
});

describe('an input error as text', () => {
  test('points at the one token', () => {
    const text = renderDiagnostic(
      { severity: 'error', message: 'expected a type', location: at(1, 8, undefined, 'x.ll') },
      { readSource: () => 'define @f() { ret void }', color: false },
    );
    expect(text).toBe(
      'error: expected a type\n --> x.ll:1:8\n  |\n1 | define @f() { ret void }\n  |        ^\n',
    );
  });

  test('is printed as clang wrote it', () => {
    const verbatim = "a.c:1:1: error: unknown type name 'in'\n";
    expect(
      renderDiagnostic({ severity: 'error', message: '', verbatim }, { readSource: () => '', color: false }),
    ).toBe(verbatim);
  });
});

test('a function without a column is marked by its name, anything else without one by its line', () => {
  const diagnostic = { severity: 'error', message: 'twice' } as const;
  const render = (location: SourceLocation) =>
    renderDiagnostic({ ...diagnostic, location }, { readSource: () => list, color: false });
  expect(render(at(2, 0, 'make'))).toContain('2 | int *make(void) {\n  |      ^^^^\n');
  expect(render(at(2, 0))).toContain('2 | int *make(void) {\n  | ^^^^^^^^^^^^^^^^^\n');
});

test('the stack of an allocation is printed once', () => {
  const allocated = [at(3, 10, 'make'), at(6, 12, 'main')];
  const leak = {
    code: 'memory-leak',
    location: allocated[0]!,
    object: { kind: 'heap', bytes: 8, allocated },
  } as const;
  expect(render({ ...leak, stack: allocated }).match(/list\.c:6:12/g)).toHaveLength(1);
  expect(render({ ...leak, stack: allocated.slice(0, 1) }).match(/list\.c:6:12/g)).toHaveLength(1);
});
