/** Vector operations, which apply an operation to each pair of elements. */

import type { Handler } from '../state/decoded.js';
import type { Running } from '../state/running.js';
import type { Scalar, Vector } from '../values/register-value.js';

export function elementwise(
  each: (machine: Running, a: Scalar, b: Scalar) => Scalar,
): Handler<undefined, Vector> {
  return (machine, step, regs) => {
    const a = regs[step.a]!;
    const b = regs[step.b]!;
    regs[step.into] = a.map((element, i) => each(machine, element, b[i]!));
    return undefined;
  };
}
