import { expect, test } from 'vitest';
import { addBranchHints } from './branch-hints.js';

const text = (name: string): number[] => [name.length, ...new TextEncoder().encode(name)];
const section = (id: number, content: readonly number[]): number[] => [id, content.length, ...content];

/** A module with one import, and a function with one argument and the given instructions. */
function moduleOf(instructions: readonly number[], name = 'cold'): Uint8Array {
  const body = [0, ...instructions, 0x0b];
  return new Uint8Array([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [2, 0x60, 0, 0, 0x60, 1, 0x7f, 0]),
    ...section(2, [1, ...text('m'), ...text(name), 0, 0]),
    ...section(3, [1, 1]),
    ...section(10, [1, body.length, ...body]),
    ...section(0, [...text('name'), 1, name.length + 3, 1, 0, ...text(name)]),
  ]);
}

/** The offsets and values of the hints of the function. */
function hintsOf(instructions: readonly number[]): [number, number][] {
  const hinted = addBranchHints(moduleOf(instructions), name => name === 'cold');
  const module = new WebAssembly.Module(new Uint8Array(hinted));
  const [found] = WebAssembly.Module.customSections(module, 'metadata.code.branch_hint');
  const [functions, , count, ...rows] = new Uint8Array(found!);
  if (functions === 0) return [];
  return Array.from({ length: count! }, (_, i) => [rows[3 * i]!, rows[3 * i + 2]!]);
}

const argument = [0x20, 0];
const block = [0x02, 0x40];
const ifBegin = [0x04, 0x40];
const end = 0x0b;
const [brIf, call, unreachable, nop, drop] = [0x0d, 0x10, 0x00, 0x01, 0x1a];

test('a branch around a call of a cold function is likely', () => {
  expect(hintsOf([...block, ...argument, brIf, 0, call, 0, end])).toEqual([[5, 1]]);
});

test('a branch to a call of a cold function is unlikely', () => {
  expect(hintsOf([...block, ...argument, brIf, 0, 0x0f, end, call, 0])).toEqual([[5, 0]]);
});

test('an if with a cold call in it is unlikely, one with a cold call behind it likely', () => {
  expect(hintsOf([...argument, ...ifBegin, call, 0, end])).toEqual([[3, 0]]);
  expect(hintsOf([...argument, ...ifBegin, 0x0f, end, call, 0, unreachable])).toEqual([[3, 1]]);
});

test('a mark makes a path with further branches unlikely, and is removed', () => {
  const marked = [...argument, ...ifBegin, call, 0, ...argument, ...ifBegin, nop, end, end];
  const hinted = addBranchHints(moduleOf(marked, '__rz_seldom'), () => false);
  const [section] = WebAssembly.Module.customSections(
    new WebAssembly.Module(new Uint8Array(hinted)),
    'metadata.code.branch_hint',
  );
  expect([...new Uint8Array(section!)]).toEqual([1, 1, 1, 3, 1, 0]);
  const removed = marked.map((byte, i) => (i === 4 || i === 5 ? nop : byte));
  expect(hinted.join()).toContain(removed.join());
});

test('an if with a cold call on both sides, or on none, has no hint', () => {
  expect(hintsOf([...argument, ...ifBegin, nop, end, call, 0])).toEqual([]);
  expect(hintsOf([...argument, ...ifBegin, nop, end, ...argument, drop])).toEqual([]);
});
