/** What the engine supplies instead of a function of the program: by name, before any definition is looked at. */
import type { Machine } from '../machine/machine.js';
import type { Value } from '../values/value.js';
import { allocationNatives } from './allocation.js';
import { engineNatives } from './engine.js';
import { hostNatives } from './host.js';
import { inputNatives } from './input.js';
import { jumpNatives } from './jumps.js';
import { quadNatives } from './quad.js';
import { rawNatives } from './raw.js';

/** The native has changed the frame: the interpreter looks again. */
export const SWITCHED: unique symbol = Symbol('switched');

/** Returns the result; undefined for none. */
export type Native = (machine: Machine, args: readonly Value[]) => Value | undefined | typeof SWITCHED;

export const natives: ReadonlyMap<string, Native> = new Map(
  Object.entries({
    ...allocationNatives,
    ...engineNatives,
    ...hostNatives,
    ...inputNatives,
    ...jumpNatives,
    ...quadNatives,
    ...rawNatives,
  }),
);
