/** Parts of structs, arrays and vectors that are held in registers. */

import type {
  ExtractElementInstruction,
  ExtractValueInstruction,
  InsertElementInstruction,
  InsertValueInstruction,
  ShuffleVectorInstruction,
} from '../../ir/model.js';
import type { Decoder } from '../program/decoder.js';
import { type Handler, Step } from '../state/decoded.js';
import { partsIn, partsOf, type RegisterValue, scalarIn } from '../values/register-value.js';

export function decodeAggregate(
  decoder: Decoder,
  instruction:
    | ExtractElementInstruction
    | InsertElementInstruction
    | ShuffleVectorInstruction
    | ExtractValueInstruction
    | InsertValueInstruction,
): Step {
  const into = decoder.register(instruction);
  switch (instruction.op) {
    case 'extractvalue':
      return Step.of({
        run: runExtract,
        ir: instruction,
        into,
        a: decoder.register(instruction.aggregate),
        detail: instruction.path,
      });
    case 'insertvalue':
      return Step.of({
        run: runInsert,
        ir: instruction,
        into,
        a: decoder.register(instruction.aggregate),
        b: decoder.register(instruction.element),
        detail: instruction.path,
      });
    case 'extractelement':
      return Step.of({
        run: runExtractElement,
        ir: instruction,
        into,
        a: decoder.register(instruction.vector),
        b: decoder.register(instruction.index),
      });
    case 'insertelement':
      return Step.of({
        run: runInsertElement,
        ir: instruction,
        into,
        a: decoder.register(instruction.vector),
        b: decoder.register(instruction.element),
        c: decoder.register(instruction.index),
      });
    case 'shufflevector': {
      const mask = decoder.program.constants.value(instruction.mask) as number[];
      return Step.of({
        run: runShuffle,
        ir: instruction,
        into,
        a: decoder.register(instruction.left),
        b: decoder.register(instruction.right),
        detail: mask,
      });
    }
  }
}

const runExtract: Handler<readonly number[], RegisterValue> = (_machine, step, regs) => {
  let value = regs[step.a]!;
  for (const index of step.detail) value = partsOf(value)[index]!;
  regs[step.into] = value;
  return undefined;
};

const runInsert: Handler<readonly number[], RegisterValue> = (_machine, step, regs) => {
  regs[step.into] = withElement(regs[step.a]!, step.detail, 0, regs[step.b]!);
  return undefined;
};

function withElement(
  aggregate: RegisterValue,
  path: readonly number[],
  depth: number,
  element: RegisterValue,
): RegisterValue {
  const index = path[depth];
  if (index === undefined) return element;
  const copy = partsOf(aggregate).slice();
  copy[index] = withElement(copy[index]!, path, depth + 1, element);
  return copy;
}

const runExtractElement: Handler<undefined, RegisterValue> = (machine, step, regs) => {
  const index = Number(machine.fewValues(scalarIn(regs, step.b), 'a symbolic index of a vector'));
  regs[step.into] = partsIn(regs, step.a)[index] ?? 0;
  return undefined;
};

const runInsertElement: Handler<undefined, RegisterValue> = (machine, step, regs) => {
  const index = Number(machine.fewValues(scalarIn(regs, step.c), 'a symbolic index of a vector'));
  regs[step.into] = partsIn(regs, step.a).map((old, i) => (i === index ? regs[step.b]! : old));
  return undefined;
};

const runShuffle: Handler<readonly number[], RegisterValue> = (_machine, step, regs) => {
  const all = [...partsIn(regs, step.a), ...partsIn(regs, step.b)];
  regs[step.into] = step.detail.map(index => all[index] ?? 0);
  return undefined;
};
