/** All that guards arrays inside of objects: indices (`inner-bounds.ts`) and texts (`inner-texts.ts`). */
import type { Module } from '../ir/model.js';
import { innerBoundsHandlers, keepInnerBounds } from './inner-bounds.js';
import { checkInnerTexts, innerRangeHandler, innerTextHandler } from './inner-texts.js';

/** What the engines supply. */
export const innerArrayHandlers: readonly string[] = [
  ...innerBoundsHandlers,
  innerTextHandler,
  innerRangeHandler,
];

/** Requires a module that was compiled with `innerBoundsFlags`. */
export function checkInnerArrays(module: Module): void {
  keepInnerBounds(module);
  checkInnerTexts(module);
}
