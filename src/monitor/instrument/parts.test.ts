import fc from 'fast-check';
import { expect, test } from 'vitest';
import { makeFunction } from '../../ir/builder.js';
import type { Block, Instruction, IrFunction } from '../../ir/model.js';
import { functionType, voidType } from '../../ir/types.js';
import { divide, idOfPart, sizeOf } from './parts.js';

const largest = 300;

function functionOf(name: string, size: number): IrFunction {
  const made = makeFunction(name, functionType(voidType, []));
  const instructions = Array.from({ length: size }, () => ({ op: 'fence' }) as Instruction);
  made.blocks = [{ instructions } as Block];
  return made;
}

const sizes = fc.array(fc.integer({ min: 1, max: 120 }), { maxLength: 80 });
const programOf = (list: readonly number[]) => list.map((size, i) => functionOf(`f${i}`, size));
const namesOf = (parts: readonly (readonly IrFunction[])[]) =>
  parts.map(part => part.map(({ name }) => name).join());

test('parts keep the order, are complete, and respect the limit', () => {
  fc.assert(
    fc.property(sizes, list => {
      const functions = programOf(list);
      const parts = divide(functions, largest);
      expect(parts.flat()).toEqual(functions);
      if (parts.length === 1) return;
      for (const part of parts) {
        expect(part.length).toBeGreaterThan(0);
        expect(part.reduce((sum, target) => sum + sizeOf(target), 0)).toBeLessThanOrEqual(largest);
      }
      expect(new Set(parts.map(part => idOfPart('0123456789abcdef', part[0]!))).size).toBe(parts.length);
    }),
    { seed: 9 },
  );
});

test('a function that grows moves the ends of few parts', () => {
  const list = Array.from({ length: 400 }, (_, i) => 20 + ((i * 37) % 60));
  const before = new Set(namesOf(divide(programOf(list), largest)));
  for (const at of [10, 200, 390]) {
    const grown = list.map((size, i) => (i === at ? size + 50 : size));
    const moved = namesOf(divide(programOf(grown), largest)).filter(part => !before.has(part));
    expect(moved.length).toBeLessThan(8);
  }
  expect(before.size).toBeGreaterThan(40);
});

test('small programs stay whole', () => {
  expect(divide(programOf([100, 100, 100]), largest)).toHaveLength(1);
  expect(divide([], largest)).toEqual([[]]);
});
