/**
 * The functions that the engine implements, by name. They take precedence over definitions of the
 * program.
 */
import type { Native } from '../state/decoded.js';
import { allocationNatives } from './allocation.js';
import { engineNatives } from './engine.js';
import { hostNatives } from './host-natives.js';
import { inputNatives } from './input.js';
import { jumpNatives } from './jumps.js';
import { labelNatives } from './path-flows.js';
import { promiseNatives } from './promise-natives.js';
import { quadNatives } from './quad-natives.js';
import { rawNatives } from './raw.js';
import { threadNatives } from './thread-natives.js';

export const natives: ReadonlyMap<string, Native> = new Map(
  Object.entries({
    ...allocationNatives,
    ...engineNatives,
    ...labelNatives,
    ...hostNatives,
    ...inputNatives,
    ...jumpNatives,
    ...promiseNatives,
    ...quadNatives,
    ...rawNatives,
    ...threadNatives,
  }),
);
