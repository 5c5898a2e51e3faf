/** Inputs of the program under test, and functions that query whether something is symbolic. */

import type { Term } from '../../expr/term.js';
import type { Native } from '../state/decoded.js';
import type { Path } from '../state/running.js';
import { floatFromBits, isSymbolic } from '../values/register-value.js';

const assume: Native = (machine, [condition]) => {
  if (isSymbolic(condition)) machine.assume(isTrue(machine, condition));
  else if (condition === 0) machine.end({ kind: 'unwanted' });
  return undefined;
};

const prefer: Native = (machine, [, condition]) => {
  const { state } = machine;
  if (isSymbolic(condition)) state.preferences = [...state.preferences, isTrue(machine, condition)];
  return undefined;
};

function isTrue({ terms }: Path, condition: Term): Term {
  return terms.not(terms.eq(condition, terms.constant(condition.width, 0)));
}

const questionSymbolic: Native = (_machine, [value]) => (isSymbolic(value) ? 1 : 0);

/** One possible value of the argument; the path is not restricted to it. */
const oneValue: Native = (machine, [value]) => (isSymbolic(value) ? machine.valueOf(value) : value);

const oneFloat =
  (bits: 32 | 64): Native =>
  (machine, [value]) =>
    isSymbolic(value) ? floatFromBits(bits, machine.valueOf(value)) : value;

const nothing: Native = () => undefined;

export const inputNatives: Record<string, Native> = {
  klee_assume: assume,
  redzone_assume: assume,
  __VERIFIER_assume: assume,
  klee_is_symbolic: questionSymbolic,
  redzone_is_symbolic: questionSymbolic,
  klee_is_replay: () => 0,
  klee_get_valuel: oneValue,
  klee_get_valuell: oneValue,
  klee_get_valuef: oneFloat(32),
  klee_get_valued: oneFloat(64),
  klee_get_value_i32: oneValue,
  klee_get_value_i64: oneValue,
  klee_prefer_cex: prefer,
  klee_posix_prefer_cex: prefer,
  klee_silent_exit: machine => machine.end({ kind: 'unwanted' }),
  klee_get_obj_size: (machine, [pointer]) => {
    const address = machine.concretize(pointer, 'a symbolic pointer');
    return machine.state.memory.find(Number(address))?.info.bytes ?? 0;
  },
  klee_set_forking: (machine, [enable]) => {
    machine.state.isForkingOff = machine.fewValues(enable, 'a symbolic argument of the host') === 0;
    return undefined;
  },
  klee_print_expr: nothing,
  klee_warning: nothing,
  klee_warning_once: nothing,
};
