/**
 * Run-time support of long double for the library's mathematics
 * (`runtime/libc/internal/floating.h`), which does not exist as IR.
 */

import * as V from '../../expr/value.js';
import type { Native } from '../state/decoded.js';
import type { Decisions } from '../state/running.js';
import { quadFromParts } from '../values/quad.js';
import type { Known, Scalar } from '../values/register-value.js';

/** Significands have three extra bits for rounding; exponents have a bias. */
const UNIT = 115;
const BIAS = 16383;

function one(machine: Decisions, value: Scalar): Known {
  return machine.fewValues(value, 'a symbolic float');
}

export const quadNatives: Record<string, Native> = {
  __rz_quad_pack: (machine, [negative, exponent, significand]) => {
    const power = Number(V.toSigned(32, one(machine, exponent))) - BIAS - UNIT;
    const bits = quadFromParts(one(machine, negative) !== 0, BigInt(one(machine, significand)), power);
    return V.toValue(128, bits);
  },
};
