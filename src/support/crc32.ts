/**
 * The CRC-32 of zlib and Ethernet.
 *
 * Four bytes are taken at a time ("slicing by four"): the checksum of four bytes is the sum of the
 * contributions of each byte, and `before3` has the contribution of a byte that is followed by
 * three more. Where Node has the same in C, `platform/compression.ts` takes that.
 */

const alone = Int32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc;
});
const before1 = followedByZero(alone);
const before2 = followedByZero(before1);
const before3 = followedByZero(before2);

function followedByZero(table: Int32Array): Int32Array {
  return table.map(crc => (crc >>> 8) ^ alone[crc & 0xff]!);
}

/** The checksum of these bytes appended to others whose checksum is `before`; unsigned. */
export function crc32(bytes: Uint8Array, before: number = 0): number {
  let crc = ~before;
  let i = 0;
  for (; i + 4 <= bytes.length; i += 4) {
    crc ^= bytes[i]! | (bytes[i + 1]! << 8) | (bytes[i + 2]! << 16) | (bytes[i + 3]! << 24);
    crc =
      before3[crc & 0xff]! ^
      before2[(crc >>> 8) & 0xff]! ^
      before1[(crc >>> 16) & 0xff]! ^
      alone[crc >>> 24]!;
  }
  for (; i < bytes.length; i++) crc = (crc >>> 8) ^ alone[(crc ^ bytes[i]!) & 0xff]!;
  return ~crc >>> 0;
}
