/**
 * KLEE's file format for tests, so that both tools can read each other's tests.
 *
 * ```
 *   "KTEST" | version 3 | arguments: count, (length, bytes)* | 0 | 0 | objects: count, (name, bytes)*
 * ```
 *
 * All numbers are 32-bit and big-endian; the two zeros describe KLEE's older way of symbolic
 * arguments.
 */
export interface KTest {
  /** `argv`, the program's name first. */
  readonly arguments: readonly string[];
  /** The inputs in the order in which the program requests them. */
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

export function writeKTest({ arguments: strings, objects }: KTest): Uint8Array {
  let most = MAGIC.length + 20;
  for (const text of strings) most += 4 + 3 * text.length;
  for (const { name, bytes } of objects) most += 8 + 3 * name.length + bytes.length;
  const file = new Uint8Array(most);
  let at = encoder.encodeInto(MAGIC, file).written;
  const addNumber = (value: number): void => {
    file[at++] = value >>> 24;
    file[at++] = value >>> 16;
    file[at++] = value >>> 8;
    file[at++] = value;
  };
  const addText = (text: string): void => {
    const { written } = encoder.encodeInto(text, file.subarray(at + 4));
    addNumber(written);
    at += written;
  };
  addNumber(VERSION);
  addNumber(strings.length);
  for (const text of strings) addText(text);
  addNumber(0);
  addNumber(0);
  addNumber(objects.length);
  for (const { name, bytes } of objects) {
    addText(name);
    addNumber(bytes.length);
    file.set(bytes, at);
    at += bytes.length;
  }
  return file.subarray(0, at);
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
    if (error instanceof RangeError) return { kind: 'invalid', problem: 'it is truncated' };
    throw error;
  }
}
