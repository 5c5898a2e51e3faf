/**
 * All checks of arrays inside objects: indices (`inner-bounds.ts`) and texts (`inner-texts.ts`).
 */
import type { Module } from '../ir/model.js';
import { keepInnerBounds } from './inner-bounds.js';
import { checkInnerTexts } from './inner-texts.js';

/** Requires a module that was compiled with `innerBoundsFlags`. */
export function checkInnerArrays(module: Module): void {
  keepInnerBounds(module);
  checkInnerTexts(module);
}
