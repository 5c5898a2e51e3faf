/** Plain data as bytes, typed arrays included, for another process of the same version. */
import { deserialize, serialize } from 'node:v8';
import { deflated, deflatedApart, inflated } from './compression.js';

export function bytesOf(data: unknown): Uint8Array {
  return deflated(serialize(data));
}

/** As `bytesOf`, without blocking this thread for long. */
export function bytesApart(data: unknown): Promise<Uint8Array> {
  return deflatedApart(serialize(data));
}

/** Throws when the bytes are damaged. */
export function dataOf(bytes: Uint8Array): unknown {
  return deserialize(inflated(bytes));
}
