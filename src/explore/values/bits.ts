/**
 * Converts any value to one integer and back, for memory, bitcasts of vectors and coerced
 * arguments.
 */

import type { Terms } from '../../expr/terms.js';
import * as V from '../../expr/value.js';
import type { DataLayout } from '../../ir/data-layout.js';
import type { Type } from '../../ir/types.js';
import {
  asTerm,
  bitsOfFloat,
  floatFromBits,
  known,
  partsOf,
  type RegisterValue,
  type Scalar,
  scalarOf,
} from './register-value.js';

/** Element after element from the lowest bit. Requires a scalar or a vector. */
export function packBits(terms: Terms, layout: DataLayout, type: Type, value: RegisterValue): Scalar {
  if (type.kind === 'vector') {
    const width = layout.bits(type.element);
    let word: Scalar | undefined;
    partsOf(value).forEach((element, i) => {
      const bits = packBits(terms, layout, type.element, element);
      if (word === undefined) word = bits;
      else if (typeof word === 'object' || typeof bits === 'object')
        word = known(terms.concat(asTerm(terms, width, bits), asTerm(terms, width * i, word)));
      else word = V.concat(width * i, bits, word);
    });
    return word ?? 0;
  }
  if (type.kind === 'float' && (type.bits === 32 || type.bits === 64) && typeof value === 'number')
    return bitsOfFloat(type.bits, value);
  return scalarOf(value);
}

export function unpackBits(terms: Terms, layout: DataLayout, type: Type, word: Scalar): RegisterValue {
  if (type.kind === 'vector') {
    const width = layout.bits(type.element);
    return Array.from({ length: type.length }, (_, i) => {
      const bits =
        typeof word === 'object'
          ? known(terms.extract(word, i * width, width))
          : V.extract(word, i * width, width);
      return unpackBits(terms, layout, type.element, bits);
    });
  }
  if (type.kind === 'float' && (type.bits === 32 || type.bits === 64) && typeof word !== 'object')
    return floatFromBits(type.bits, word);
  return word;
}
