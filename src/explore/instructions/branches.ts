/** Control flow: branches, switches, returns. A symbolic condition forks the state. */

import type { Term } from '../../expr/term.js';
import { calledName } from '../../ir/called-functions.js';
import { isOfCheck } from '../../ir/check-marks.js';
import type {
  Block,
  BranchInstruction,
  ConditionalBranchInstruction,
  Value as IrValue,
  ReturnInstruction,
  SwitchInstruction,
  UnreachableInstruction,
} from '../../ir/model.js';
import { isWholeStruct } from '../../passes/whole-struct.js';
import { requireDefined } from '../access/undefined-use.js';
import type { Decoder } from '../program/decoder.js';
import { type DecodedBlock, type Handler, Step } from '../state/decoded.js';
import { isSymbolic, type Known, type RegisterValue } from '../values/register-value.js';

export function decodeControl(
  decoder: Decoder,
  instruction:
    | ReturnInstruction
    | BranchInstruction
    | ConditionalBranchInstruction
    | SwitchInstruction
    | UnreachableInstruction,
): Step {
  switch (instruction.op) {
    case 'ret': {
      const a = instruction.value === undefined ? -1 : decoder.register(instruction.value);
      const isCopy = instruction.value !== undefined && isWholeStruct(instruction.value);
      return Step.of({ run: isCopy ? runReturnOfCopy : runReturn, ir: instruction, a });
    }
    case 'br':
      return Step.of({ run: runJump, ir: instruction, detail: decoder.block(instruction.target) });
    case 'condbr': {
      const targets = [decoder.block(instruction.ifTrue), decoder.block(instruction.ifFalse)] as const;
      const condition = decoder.register(instruction.condition);
      const errors = isOfCheck(instruction) ? targets.findIndex(({ ir }) => reportsError(ir)) : -1;
      if (errors >= 0)
        return Step.of({
          run: reportsError(targets[errors]!.ir, valueHandler) ? runValueCheck : runCheck,
          ir: instruction,
          into: errors,
          a: condition,
          width: 1,
          detail: targets,
        });
      return Step.of({ run: runBranch, ir: instruction, a: condition, width: 1, detail: targets });
    }
    case 'switch':
      return decodeSwitch(decoder, instruction);
    case 'unreachable':
      return Step.of({ run: runUnreachable, ir: instruction });
  }
}

const runReturn: Handler<undefined, RegisterValue> = (machine, step, regs) => {
  const value = step.a < 0 ? undefined : regs[step.a]!;
  if (typeof value === 'object') requireDefined(machine, value);
  machine.returnFrom(value);
  return true;
};

/** A returned copy of a struct may have uninitialized members. */
const runReturnOfCopy: Handler<undefined, RegisterValue> = (machine, step, regs) => {
  machine.returnFrom(regs[step.a]!);
  return true;
};

/**
 * Wraps a step that passes on the value of a `return` statement, which must be defined; `a` is its
 * register.
 */
export function handingOver(step: Step, value: IrValue, a: number): Step {
  return Step.of({ run: runHandOver, ir: step.ir, into: step.into, a, detail: { step, value } });
}

interface HandOver {
  readonly step: Step;
  readonly value: IrValue;
}

const runHandOver: Handler<HandOver, RegisterValue> = (machine, { a, detail }, regs) => {
  const value = regs[a]!;
  if (typeof value === 'object') requireDefined(machine, value, detail.value);
  return detail.step.run(machine, detail.step, regs);
};

const runJump: Handler<DecodedBlock> = (machine, step) => {
  machine.enter(step.detail);
  return true;
};

const runBranch: Handler<readonly [DecodedBlock, DecodedBlock]> = (machine, step, regs) => {
  const condition = regs[step.a]!;
  const holds = typeof condition === 'object' ? machine.decide(condition) : condition !== 0;
  machine.enter(step.detail[holds ? 0 : 1]);
  return true;
};

/** Whether clang generated this block to report an error. */
function reportsError({ instructions }: Block, handler = '__ubsan_handle'): boolean {
  return instructions.some(instruction => calledName(instruction).startsWith(handler));
}

/** A branch of clang's own checks, which uninitialized values may reach. */
const runCheck: Handler<readonly [DecodedBlock, DecodedBlock]> = (machine, step, regs) => {
  const condition = regs[step.a]!;
  if (!isSymbolic(condition) || !machine.unwritten.isIn(condition)) return runBranch(machine, step, regs);
  machine.enter(step.detail[step.into === 0 ? 1 : 0]);
  return true;
};

/** The handler that clang calls for a value that is invalid for its type. */
const valueHandler = '__ubsan_handle_load_invalid_value';

/**
 * Symbolic bytes are not meant to have such values, for example in a `bool`, so only concrete ones
 * are reported.
 */
const runValueCheck: Handler<readonly [DecodedBlock, DecodedBlock]> = (machine, step, regs) => {
  if (!isSymbolic(regs[step.a]!)) return runBranch(machine, step, regs);
  machine.enter(step.detail[step.into === 0 ? 1 : 0]);
  return true;
};

const runUnreachable: Handler<undefined> = machine => machine.fail({ kind: 'unreachable' });

// ------------------------------------------------------------------------------------------ switch

interface SwitchDetail {
  readonly byValue: ReadonlyMap<Known, DecodedBlock>;
  readonly otherwise: DecodedBlock;
  /** Each target once, with the values that select it. */
  readonly groups: readonly { readonly target: DecodedBlock; readonly values: readonly Known[] }[];
}

function decodeSwitch(decoder: Decoder, instruction: SwitchInstruction): Step {
  const byValue = new Map<Known, DecodedBlock>();
  const groups = new Map<DecodedBlock, Known[]>();
  const otherwise = decoder.block(instruction.defaultTarget);
  instruction.caseValues.forEach((constant, i) => {
    const value = decoder.program.constants.value(constant) as Known;
    const target = decoder.block(instruction.caseTargets[i]!);
    byValue.set(value, target);
    if (target !== otherwise) groups.set(target, [...(groups.get(target) ?? []), value]);
  });
  const detail: SwitchDetail = {
    byValue,
    otherwise,
    groups: [...groups].map(([target, values]) => ({ target, values })),
  };
  const width = decoder.layout.bits(instruction.condition.type);
  return Step.of({
    run: runSwitch,
    ir: instruction,
    a: decoder.register(instruction.condition),
    width,
    detail,
  });
}

/** The path forks over targets, not values: cases that share code share a path. */
const runSwitch: Handler<SwitchDetail> = (machine, step, regs) => {
  const condition = regs[step.a]!;
  const { byValue, otherwise, groups } = step.detail;
  if (typeof condition !== 'object') {
    machine.enter(byValue.get(condition) ?? otherwise);
    return true;
  }
  const { terms } = machine;
  const isOneOf = (values: readonly Known[]): Term =>
    values
      .map(value => terms.eq(condition, terms.constant(step.width, value)))
      .reduce((either, equal) => terms.or(either, equal));
  const taken = groups.find(({ values }) => machine.decide(isOneOf(values)));
  machine.enter(taken?.target ?? otherwise);
  return true;
};
