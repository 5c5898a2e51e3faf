import fc from 'fast-check';
import { expect, test } from 'vitest';
import { crc32 } from './crc32.js';

/** Bit by bit, as the polynomial is defined. */
function plainCrc(bytes: Uint8Array): number {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (0xedb88320 & -(crc & 1));
  }
  return ~crc >>> 0;
}

test('is the checksum that others compute', () => {
  expect(crc32(new TextEncoder().encode('123456789'))).toBe(0xcbf43926);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), fc.nat(40), (bytes, cut) => {
      expect(crc32(bytes)).toBe(plainCrc(bytes));
      expect(crc32(bytes.subarray(cut), crc32(bytes.subarray(0, cut)))).toBe(plainCrc(bytes));
    }),
    { numRuns: 100, seed: 1 },
  );
});
