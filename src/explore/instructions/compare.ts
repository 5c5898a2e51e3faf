/** Comparisons, `select` and `freeze`. */

import { floatComparison } from '../../expr/float-terms.js';
import type { Term } from '../../expr/term.js';
import type { Terms } from '../../expr/terms.js';
import * as V from '../../expr/value.js';
import type {
  FcmpInstruction,
  FloatPredicate,
  IcmpInstruction,
  IntegerPredicate,
  SelectInstruction,
  UnaryInstruction,
} from '../../ir/model.js';
import { scalarType } from '../../ir/types.js';
import { requireDefined } from '../access/undefined-use.js';
import type { Decoder } from '../program/decoder.js';
import { type Handler, Step } from '../state/decoded.js';
import type { Path } from '../state/running.js';
import { quadCompare } from '../values/quad.js';
import {
  asTerm,
  isSymbolic,
  type Known,
  known,
  partsIn,
  type RegisterValue,
  type Scalar,
  scalarIn,
} from '../values/register-value.js';
import { floatTerm, formatOf, knownFloat } from '../values/symbolic-floats.js';
import { elementwise } from './elementwise.js';
import { unsupported } from './unsupported.js';

interface IntegerComparison {
  readonly compute: (width: number, a: Known, b: Known) => boolean;
  readonly term: (terms: Terms, a: Term, b: Term) => Term;
}

const comparisons: Record<IntegerPredicate, IntegerComparison> = {
  eq: { compute: (_w, a, b) => a === b, term: (t, a, b) => t.eq(a, b) },
  ne: { compute: (_w, a, b) => a !== b, term: (t, a, b) => t.not(t.eq(a, b)) },
  ult: { compute: (_w, a, b) => a < b, term: (t, a, b) => t.ult(a, b) },
  ule: { compute: (_w, a, b) => a <= b, term: (t, a, b) => t.ule(a, b) },
  ugt: { compute: (_w, a, b) => a > b, term: (t, a, b) => t.ugt(a, b) },
  uge: { compute: (_w, a, b) => a >= b, term: (t, a, b) => t.uge(a, b) },
  slt: { compute: (w, a, b) => V.slt(w, a, b), term: (t, a, b) => t.slt(a, b) },
  sle: { compute: (w, a, b) => !V.slt(w, b, a), term: (t, a, b) => t.sle(a, b) },
  sgt: { compute: (w, a, b) => V.slt(w, b, a), term: (t, a, b) => t.sgt(a, b) },
  sge: { compute: (w, a, b) => !V.slt(w, a, b), term: (t, a, b) => t.sge(a, b) },
};

const isUnordered = (a: number, b: number): boolean => Number.isNaN(a) || Number.isNaN(b);

const floatComparisons: Record<FloatPredicate, (a: number, b: number) => boolean> = {
  false: () => false,
  true: () => true,
  oeq: (a, b) => a === b,
  ogt: (a, b) => a > b,
  oge: (a, b) => a >= b,
  olt: (a, b) => a < b,
  ole: (a, b) => a <= b,
  one: (a, b) => a < b || a > b,
  ord: (a, b) => !isUnordered(a, b),
  uno: isUnordered,
  ueq: (a, b) => isUnordered(a, b) || a === b,
  ugt: (a, b) => !(a <= b),
  uge: (a, b) => !(a < b),
  ult: (a, b) => !(a >= b),
  ule: (a, b) => !(a > b),
  une: (a, b) => a !== b,
};

export function decodeCompare(
  decoder: Decoder,
  instruction: IcmpInstruction | FcmpInstruction | SelectInstruction,
): Step {
  const into = decoder.register(instruction);
  switch (instruction.op) {
    case 'icmp':
      return decodeIcmp(decoder, instruction, into);
    case 'fcmp':
      return decodeFcmp(decoder, instruction, into);
    case 'select': {
      const [a, b] = [instruction.ifTrue, instruction.ifFalse].map(value => decoder.register(value));
      const { type } = instruction;
      const isFloat = type.kind === 'float' && (type.bits === 32 || type.bits === 64);
      const isTermSized = type.kind === 'integer' || type.kind === 'pointer' || isFloat;
      const isEach = instruction.condition.type.kind === 'vector';
      const run = isEach ? runSelectEach : isFloat ? runSelectFloat : runSelect;
      const width = isTermSized ? decoder.layout.bits(type) : 0;
      return Step.of({
        run,
        ir: instruction,
        into,
        a: a!,
        b: b!,
        c: decoder.register(instruction.condition),
        width,
      });
    }
  }
}

export function decodeFreeze(decoder: Decoder, instruction: UnaryInstruction): Step {
  const [into, a] = [decoder.register(instruction), decoder.register(instruction.operand)];
  return Step.of({ run: runMove, ir: instruction, into, a });
}

function decodeIcmp(decoder: Decoder, instruction: IcmpInstruction, into: number): Step {
  const comparison = comparisons[instruction.predicate];
  const width = decoder.layout.bits(scalarType(instruction.left.type));
  const a = decoder.register(instruction.left);
  const b = decoder.register(instruction.right);
  if (instruction.type.kind === 'vector') {
    const each = elementwise((machine, x, y) => compare(machine.terms, comparison, width, x, y));
    return Step.of({ run: each, ir: instruction, into, a, b, width });
  }
  return Step.of({ run: runIcmp, ir: instruction, into, a, b, width, detail: comparison });
}

function compare(terms: Terms, comparison: IntegerComparison, width: number, a: Scalar, b: Scalar): Scalar {
  if (typeof a !== 'object' && typeof b !== 'object') return comparison.compute(width, a, b) ? 1 : 0;
  return known(comparison.term(terms, asTerm(terms, width, a), asTerm(terms, width, b)));
}

function decodeFcmp(decoder: Decoder, instruction: FcmpInstruction, into: number): Step {
  const type = scalarType(instruction.left.type);
  const { predicate } = instruction;
  const a = decoder.register(instruction.left);
  const b = decoder.register(instruction.right);
  if (type.kind === 'float' && type.bits === 128)
    return Step.of({ run: runQuadCompare, ir: instruction, into, a, b, width: 128, detail: predicate });
  if (type.kind !== 'float' || (type.bits !== 32 && type.bits !== 64))
    return unsupported(decoder, instruction, 'a comparison of half');
  const { bits } = type;
  const compareFloats = (machine: Path, x: Scalar, y: Scalar): Scalar => {
    if (typeof x !== 'object' && typeof y !== 'object')
      return floatComparisons[predicate](x as number, y as number) ? 1 : 0;
    const { terms } = machine;
    const [left, right] = [x, y].map(value => floatTerm(terms, bits, value));
    return known(floatComparison(terms, predicate, formatOf(bits), left!, right!));
  };
  return instruction.type.kind === 'vector'
    ? Step.of({ run: elementwise(compareFloats), ir: instruction, into, a, b, width: bits })
    : Step.of({ run: runFcmp, ir: instruction, into, a, b, width: bits, detail: compareFloats });
}

const runIcmp: Handler<IntegerComparison> = (machine, step, regs) => {
  const a = regs[step.a]!;
  const b = regs[step.b]!;
  regs[step.into] =
    typeof a !== 'object' && typeof b !== 'object'
      ? step.detail.compute(step.width, a, b)
        ? 1
        : 0
      : compare(machine.terms, step.detail, step.width, a, b);
  return undefined;
};

const runFcmp: Handler<(machine: Path, a: Scalar, b: Scalar) => Scalar> = (machine, step, regs) => {
  regs[step.into] = step.detail(machine, regs[step.a]!, regs[step.b]!);
  return undefined;
};

/** The sign of the comparison of two numbers decides every predicate. */
const runQuadCompare: Handler<FloatPredicate> = (machine, step, regs) => {
  const [a, b] = [step.a, step.b].map(register =>
    BigInt(machine.fewValues(regs[register]!, 'a symbolic float')),
  );
  regs[step.into] = floatComparisons[step.detail](quadCompare(a!, b!), 0) ? 1 : 0;
  return undefined;
};

/** A select between integers or floats becomes a term; any other forks. */
const runSelect: Handler<undefined, RegisterValue> = (machine, step, regs) => {
  const condition = scalarIn(regs, step.c);
  const a = regs[step.a]!;
  const b = regs[step.b]!;
  if (typeof condition !== 'object') regs[step.into] = condition !== 0 ? a : b;
  else if (step.width > 0) {
    // Selects between conditions become queries where they are branched on (`join-conditions.ts`).
    if (step.width > 1) requireDefined(machine, condition);
    const { terms } = machine;
    const yes = asTerm(terms, step.width, scalarIn(regs, step.a));
    const no = asTerm(terms, step.width, scalarIn(regs, step.b));
    regs[step.into] = known(terms.ite(condition, yes, no));
  } else regs[step.into] = machine.decide(condition) ? a : b;
  return undefined;
};

const runSelectFloat: Handler<undefined> = ({ terms }, step, regs) => {
  const condition = regs[step.c]!;
  const [a, b] = [regs[step.a]!, regs[step.b]!];
  if (typeof condition !== 'object') regs[step.into] = condition !== 0 ? a : b;
  else {
    const [yes, no] = [a, b].map(value => floatTerm(terms, step.width, value));
    regs[step.into] = knownFloat(terms.ite(condition, yes!, no!));
  }
  return undefined;
};

const runSelectEach: Handler<undefined, RegisterValue> = (machine, step, regs) => {
  const a = partsIn(regs, step.a);
  const b = partsIn(regs, step.b);
  regs[step.into] = partsIn(regs, step.c).map((condition, i) =>
    (isSymbolic(condition) ? machine.decide(condition) : condition !== 0) ? a[i]! : b[i]!,
  );
  return undefined;
};

const runMove: Handler<undefined, RegisterValue> = (_machine, step, regs) => {
  regs[step.into] = regs[step.a]!;
  return undefined;
};
