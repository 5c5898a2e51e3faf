/**
 * KLEE's file format for tests, so that its tools read ours and we read theirs.
 *
 * ```
 *   "KTEST" | version 3 | arguments: count, (length, bytes)* | 0 | 0 | objects: count, (name, bytes)*
 * ```
 *
 * All numbers are 32-bit and big-endian; the two zeros describe KLEE's older way of symbolic arguments.
 */
import { concatenate } from '../support/bytes.js';

export interface KTest {
  /** `argv`, the program's name first. */
  readonly arguments: readonly string[];
  /** The inputs in the order in which the program asks for them. */
  readonly objects: readonly KTestObject[];
}

export interface KTestObject {
  readonly name: string;
  readonly bytes: Uint8Array;
}

export type KTestResult =
  | { readonly kind: 'test'; readonly test: KTest }
  | { readonly kind: 'invalid'; readonly problem: string };

const MAGIC = 'KTEST';
const VERSION = 3;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

function number(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
}

function counted(bytes: Uint8Array): Uint8Array[] {
  return [number(bytes.length), bytes];
}

export function writeKTest(test: KTest): Uint8Array {
  return concatenate([
    encoder.encode(MAGIC),
    number(VERSION),
    number(test.arguments.length),
    ...test.arguments.flatMap(argument => counted(encoder.encode(argument))),
    number(0),
    number(0),
    number(test.objects.length),
    ...test.objects.flatMap(({ name, bytes }) => [...counted(encoder.encode(name)), ...counted(bytes)]),
  ]);
}

export function readKTest(file: Uint8Array): KTestResult {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  let at = MAGIC.length;
  const nextNumber = (): number => {
    at += 4;
    return view.getUint32(at - 4);
  };
  const nextBytes = (): Uint8Array => {
    const length = nextNumber();
    if (at + length > file.length) throw new RangeError('cut off');
    at += length;
    return new Uint8Array(file.subarray(at - length, at));
  };
  const many = <T>(read: () => T): T[] => {
    const count = nextNumber();
    const items: T[] = [];
    for (let i = 0; i < count; i++) items.push(read());
    return items;
  };
  if (decoder.decode(file.subarray(0, MAGIC.length)) !== MAGIC)
    return { kind: 'invalid', problem: 'it does not begin with KTEST' };
  try {
    const version = nextNumber();
    if (version > VERSION) return { kind: 'invalid', problem: `its version ${version} is not known` };
    const args = many(() => decoder.decode(nextBytes()));
    if (version >= 2) at += 8;
    const objects = many(() => ({ name: decoder.decode(nextBytes()), bytes: nextBytes() }));
    return { kind: 'test', test: { arguments: args, objects } };
  } catch (error) {
    // DataView and `nextBytes` throw a RangeError at the end of the file.
    if (error instanceof RangeError) return { kind: 'invalid', problem: 'it is cut off' };
    throw error;
  }
}
