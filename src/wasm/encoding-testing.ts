/** Bytes of small WebAssembly modules for tests. */

export const uleb = (value: number): number[] =>
  value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...uleb(value >>> 7)];
export const vector = (items: readonly (readonly number[])[]): number[] => [
  ...uleb(items.length),
  ...items.flat(),
];
export const sized = (bytes: readonly number[]): number[] => [...uleb(bytes.length), ...bytes];
export const text = (name: string): number[] => sized([...new TextEncoder().encode(name)]);
export const section = (id: number, content: readonly number[]): number[] => [id, ...sized(content)];
/** The magic number and the version. */
export const header: readonly number[] = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
/** Names of functions by their numbers. */
export const nameSection = (names: readonly (readonly [number, string])[]): number[] =>
  section(0, [...text('name'), 1, ...sized(vector(names.map(([i, name]) => [...uleb(i), ...text(name)])))]);
