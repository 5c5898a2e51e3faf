/**
 * setjmp and longjmp. The jump buffer's address identifies the activation and the call to return
 * from again. Registers of that activation are in SSA form, so those that the code after setjmp
 * needs are still valid.
 */

import { type Native, SWITCHED } from '../state/decoded.js';
import type { Decisions } from '../state/running.js';
import type { Scalar } from '../values/register-value.js';

function bufferAt(machine: Decisions, buffer: Scalar): number {
  return Number(machine.concretize(buffer, 'a symbolic jump buffer'));
}

const longjmp: Native = (machine, [buffer, value]) => {
  const address = bufferAt(machine, buffer);
  const { state } = machine;
  const target = state.jumps.get(address);
  if (target === undefined || !machine.unwindTo(target.serial)) return machine.fail({ kind: 'stale-jump' });
  const { frame } = state;
  frame.block = target.frame.block;
  frame.pc = target.frame.pc;
  const call = frame.block.steps[frame.pc]!;
  frame.regs[call.into] = value === 0 ? 1 : value!;
  frame.pc++;
  return SWITCHED;
};

export const jumpNatives: Record<string, Native> = {
  setjmp: (machine, [buffer]) => {
    const { state } = machine;
    const { frame } = state;
    const jumps = new Map(state.jumps);
    jumps.set(bufferAt(machine, buffer), { serial: frame.serial, frame: frame.copy({}) });
    state.jumps = jumps;
    return 0;
  },
  longjmp,
};
