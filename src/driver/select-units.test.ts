/** Which members of archives are linked, as `ld` chooses them. */
import { expect, test } from 'vitest';
import { type LinkerInput, selectUnits } from './select-units.js';
import type { Symbols, Unit } from './units.js';

function unit(name: string, strong: string[], missing: string[] = []): Unit {
  const symbols: Symbols = { strong, weak: [], common: [], undefined: missing, weakUndefined: [] };
  const nothing = new Uint8Array();
  return { head: { version: 1, name, folder: '/', key: name, symbols }, ir: nothing, plain: nothing };
}

const archive = (...units: Unit[]): LinkerInput => ({
  candidates: units.map(one => ({ unit: one, from: one.head.name })),
  isTakenWhole: false,
});

const object = (one: Unit): LinkerInput => ({ ...archive(one), isTakenWhole: true });

const chosen = (...inputs: LinkerInput[]): string[] =>
  selectUnits(inputs, ['main'], () => false).chosen.map(({ from }) => from);

const main = object(unit('main', ['main'], ['x']));

test('what a member needs comes from its own archive before the next', () => {
  const first = archive(unit('y1', ['y']), unit('x1', ['x'], ['y']));
  const second = archive(unit('y2', ['y'], ['z']), unit('z2', ['z']));
  expect(chosen(main, first, second)).toEqual(['main', 'x1', 'y1']);
  expect(chosen(main, archive(unit('x1', ['x'], ['y'])), second)).toEqual(['main', 'x1', 'y2', 'z2']);
});

test('archives that need each other are searched until nothing is missing', () => {
  const a = archive(unit('a1', ['x'], ['b']), unit('a2', ['a'], []));
  const b = archive(unit('b1', ['b'], ['a']));
  expect(chosen(main, b, a)).toEqual(['main', 'a1', 'b1', 'a2']);
});

test('a definition in two objects is named with both', () => {
  const twice = selectUnits([main, object(unit('other', ['main', 'x']))], ['main'], () => false);
  expect(twice.duplicates).toEqual([{ name: 'main', from: 'other', first: 'main' }]);
});
