import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PackedReader, PackedWriter } from './packed-bytes.js';

const value = fc.oneof(
  fc.record({ kind: fc.constant('byte'), value: fc.nat(255) }),
  fc.record({ kind: fc.constant('number'), value: fc.maxSafeNat() }),
  fc.record({ kind: fc.constant('word'), value: fc.integer() }),
  fc.record({ kind: fc.constant('words'), value: fc.tuple(fc.integer(), fc.integer()) }),
  fc.record({ kind: fc.constant('text'), value: fc.string({ unit: 'binary' }) }),
  // Longer ones are copied in another way.
  fc.record({ kind: fc.constant('bytes'), value: fc.uint8Array({ maxLength: 100 }) }),
);

test('what is written is read again', () => {
  const writer = new PackedWriter();
  fc.assert(
    fc.property(fc.array(value, { maxLength: 30 }), values => {
      for (const { kind, value } of values)
        if (kind === 'words') writer.words(...(value as [number, number]));
        else writer[kind as 'byte'](value as number);
      const reader = new PackedReader(writer.take());
      for (const { kind, value } of values)
        expect(kind === 'words' ? [reader.word(), reader.word()] : reader[kind as 'byte']()).toEqual(value);
      expect(reader.isAtEnd).toBe(true);
      expect(() => reader.byte()).toThrow(RangeError);
    }),
    { numRuns: 200, seed: 1 },
  );
});

test('a number below 128 takes one byte, and a text that is cut off is not read', () => {
  const writer = new PackedWriter();
  writer.number(127);
  writer.text('redzone');
  const bytes = writer.take();
  expect(bytes).toHaveLength(9);
  const reader = new PackedReader(bytes.subarray(0, 8));
  expect(reader.number()).toBe(127);
  expect(() => reader.text()).toThrow(RangeError);
});
