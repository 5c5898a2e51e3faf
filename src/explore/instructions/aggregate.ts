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
import type { Scalar, Value } from '../values/value.js';

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
      return new Step(
        runExtract,
        into,
        decoder.register(instruction.aggregate),
        0,
        0,
        0,
        instruction.path,
        instruction,
      ) as Step;
    case 'insertvalue':
      return new Step(
        runInsert,
        into,
        decoder.register(instruction.aggregate),
        decoder.register(instruction.element),
        0,
        0,
        instruction.path,
        instruction,
      ) as Step;
    case 'extractelement':
      return new Step(
        runExtractElement,
        into,
        decoder.register(instruction.vector),
        decoder.register(instruction.index),
        0,
        0,
        undefined,
        instruction,
      ) as Step;
    case 'insertelement':
      return new Step(
        runInsertElement,
        into,
        decoder.register(instruction.vector),
        decoder.register(instruction.element),
        decoder.register(instruction.index),
        0,
        undefined,
        instruction,
      ) as Step;
    case 'shufflevector': {
      const mask = decoder.program.constants.value(instruction.mask) as number[];
      return new Step(
        runShuffle,
        into,
        decoder.register(instruction.left),
        decoder.register(instruction.right),
        0,
        0,
        mask,
        instruction,
      ) as Step;
    }
  }
}

const runExtract: Handler<readonly number[]> = (_machine, step, regs) => {
  let value = regs[step.a]!;
  for (const index of step.detail) value = (value as Value[])[index]!;
  regs[step.into] = value;
  return undefined;
};

const runInsert: Handler<readonly number[]> = (_machine, step, regs) => {
  regs[step.into] = withElement(regs[step.a]!, step.detail, 0, regs[step.b]!);
  return undefined;
};

function withElement(aggregate: Value, path: readonly number[], depth: number, element: Value): Value {
  const index = path[depth];
  if (index === undefined) return element;
  const copy = (aggregate as Value[]).slice();
  copy[index] = withElement(copy[index]!, path, depth + 1, element);
  return copy;
}

const runExtractElement: Handler<undefined> = (machine, step, regs) => {
  const index = Number(machine.fewValues(regs[step.b] as Scalar, 'a symbolic index of a vector'));
  regs[step.into] = (regs[step.a] as Value[])[index] ?? 0;
  return undefined;
};

const runInsertElement: Handler<undefined> = (machine, step, regs) => {
  const index = Number(machine.fewValues(regs[step.c] as Scalar, 'a symbolic index of a vector'));
  regs[step.into] = (regs[step.a] as Value[]).map((old, i) => (i === index ? regs[step.b]! : old));
  return undefined;
};

const runShuffle: Handler<readonly number[]> = (_machine, step, regs) => {
  const all = [...(regs[step.a] as Value[]), ...(regs[step.b] as Value[])];
  regs[step.into] = step.detail.map(index => all[index] ?? 0);
  return undefined;
};
