/** An unsupported instruction ends only the paths that reach it. */
import type { Instruction } from '../../ir/model.js';
import type { Decoder } from '../program/decoder.js';
import { type Handler, Step } from '../state/decoded.js';

export function unsupported(decoder: Decoder, instruction: Instruction, what: string): Step {
  const into = instruction.type.kind === 'void' ? 0 : decoder.register(instruction);
  return Step.of({ run, ir: instruction, into, detail: what });
}

const run: Handler<string> = (machine, step) => machine.fail({ kind: 'unsupported', what: step.detail });

/** For instructions that have no effect here. */
export const runNothing: Handler<undefined> = () => undefined;
