/** Handlers of violated promises to the compiler, which passes insert. */
import { farPointerHandler, unsequencedHandler } from '../../passes/promise-handlers.js';
import type { CallArguments, Native } from '../state/decoded.js';
import type { Accesses } from '../state/running.js';
import { asTerm } from '../values/register-value.js';
import { textAt } from './text.js';

/** An unsigned offset that leads back into its object is not an error. */
function checkFarPointer(machine: Accesses, [base, step, isUnsigned]: CallArguments): undefined {
  const { terms, state } = machine;
  const from = Number(machine.fewValues(base, 'the symbolic start of a range'));
  const object = state.memory.find(from);
  if (isUnsigned !== 0 && object !== undefined) {
    const start = terms.constant(64, from - object.info.base);
    const offset = terms.add(start, asTerm(terms, 64, step));
    if (machine.decide(terms.ule(offset, terms.constant(64, object.info.bytes)))) return undefined;
  }
  const moved = BigInt(machine.onTest(step));
  return machine.fail({
    kind: 'far-pointer',
    step: isUnsigned === 0 ? BigInt.asIntN(64, moved) : BigInt.asUintN(64, moved),
    ...(object && { object: machine.factsOf(object) }),
  });
}

export const promiseNatives: Record<string, Native> = {
  [farPointerHandler]: checkFarPointer,
  [unsequencedHandler]: (machine, [name, areBothWrites]) =>
    machine.fail({
      kind: 'unsequenced',
      variable: textAt(machine, name),
      areBothWrites: areBothWrites !== 0,
    }),
};
