import { describe, expect, test } from 'vitest';
import type { Finding, FindingCode } from '../../src/index.js';
import { differences, parseGolden } from './annotations.js';

const source = `// engines: check explore
// flags: -DN=3 -O1
int main(void) {
  free(p);
  p[0] = 1;  //~ ERROR use-after-free
             //~^ NOTE freed long ago
             //[explore]~^^ NOTE when \`n\` = 3
  q[9] = 1;  //~ ERROR heap-buffer-overflow //[check]~ ERROR null-dereference
}
`;

const at = (line: number) => ({ file: 'a.c', line, column: 1 });
const found = (code: FindingCode, line: number, parts: Partial<Finding> = {}): Finding => ({
  code,
  severity: 'error',
  message: 'message',
  location: at(line),
  stack: [],
  ...parts,
});

describe('annotations', () => {
  test('are read with their line, engine and kind', () => {
    expect(parseGolden(source)).toEqual({
      engines: ['check', 'explore'],
      flags: ['-DN=3', '-O1'],
      args: [],
      expectations: [
        { kind: 'ERROR', text: 'use-after-free', line: 5 },
        { kind: 'NOTE', text: 'freed long ago', line: 5 },
        { kind: 'NOTE', text: 'when `n` = 3', line: 5, engine: 'explore' },
        { kind: 'ERROR', text: 'heap-buffer-overflow', line: 8 },
        { kind: 'ERROR', text: 'null-dereference', line: 8, engine: 'check' },
      ],
    });
  });

  test.each([
    ['x; //~ ERROR no-such-code', 'no such code'],
    ['x; //~ERROR abort', 'cannot read'],
    ['x; //~ WARN abort', 'cannot read'],
    ['x; //[monitor]~ ERROR abort', 'no such engine'],
    ['// engines: check\nx; //[explore]~ ERROR abort', 'explore does not run this program'],
    ['// engines: chekc', 'no such engine'],
  ])('%j is refused: %s', (text, message) => {
    expect(() => parseGolden(text)).toThrow(message);
  });
});

describe('the comparison', () => {
  const program = parseGolden(source);
  const stale = found('use-after-free', 5, { notes: [{ message: 'freed long ago, here', location: at(4) }] });
  const overflow = found('heap-buffer-overflow', 8);

  test('accepts exactly the expected findings', () => {
    expect(differences(program, 'check', [found('null-dereference', 8), overflow, stale])).toEqual([]);
    const values = { notes: [...stale.notes!, { message: 'happens when `n` = 3' }] };
    expect(differences(program, 'explore', [{ ...stale, ...values }, overflow])).toEqual([]);
  });

  test('reports missing and unexpected findings', () => {
    const wrongLine = found('heap-buffer-overflow', 7);
    expect(differences(program, 'explore', [found('use-after-free', 5), wrongLine, stale])).toEqual([
      'line 8: expected heap-buffer-overflow, which was not found',
      "line 5: expected a note with 'when `n` = 3', which no finding there has",
      'line 7: found heap-buffer-overflow (message), which was not expected',
      'line 5: found use-after-free (message), which was not expected',
    ]);
  });

  test('a site of allocation or free is a note on its own line', () => {
    const lines = parseGolden(
      '// engines: check\np = malloc(1); //~ NOTE allocated here\n*p; //~ ERROR abort',
    );
    const finding = found('abort', 3, { object: { kind: 'heap', bytes: 1, allocated: [at(2)] } });
    expect(differences(lines, 'check', [finding])).toEqual([]);
  });
});
