/** Handlers of violated promises to the compiler, which passes insert. */
import {
  assumedAlignmentHandler,
  farPointerHandler,
  nullOffsetHandler,
  unsequencedHandler,
} from '../../passes/promise-handlers.js';
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

function checkNullOffset(machine: Accesses, [offset]: CallArguments): undefined {
  const { terms } = machine;
  if (machine.decide(terms.eq(asTerm(terms, 64, offset), terms.constant(64, 0)))) return undefined;
  return machine.fail({ kind: 'null-offset', offset: BigInt.asIntN(64, BigInt(machine.onTest(offset))) });
}

function failAlignment(machine: Accesses, [pointer, alignment]: CallArguments): never {
  const address = Number(machine.fewValues(pointer!, 'the symbolic start of a range'));
  const object = machine.state.memory.find(address);
  return machine.fail({
    kind: 'assumed-alignment',
    alignment: BigInt(machine.onTest(alignment!)),
    ...(object && { object: machine.factsOf(object), offset: address - object.info.base }),
  });
}

export const promiseNatives: Record<string, Native> = {
  [farPointerHandler]: checkFarPointer,
  [nullOffsetHandler]: checkNullOffset,
  [assumedAlignmentHandler]: failAlignment,
  [unsequencedHandler]: (machine, [name, areBothWrites]) =>
    machine.fail({
      kind: 'unsequenced',
      variable: textAt(machine, name),
      areBothWrites: areBothWrites !== 0,
    }),
};
