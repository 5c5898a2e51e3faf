/**
 * Visiting and replacing the operands of an instruction without knowing which instruction it is, and the
 * blocks that a terminator may go to. The one place that lists the operands of each `op`.
 */

import { unreachable } from '../support/assert.js';
import type { Block, CallCommon, Instruction, Terminator, Value } from './model.js';

/** Calls `visit` for every operand in the order of the text. Debug records have none: they are no uses. */
export function forEachOperand(instruction: Instruction, visit: (operand: Value) => void): void {
  mapOperands(instruction, operand => {
    visit(operand);
    return operand;
  });
}

/** Replaces every operand by what `map` makes of it. */
export function mapOperands(instruction: Instruction, map: (operand: Value) => Value): void {
  switch (instruction.op) {
    case 'add':
    case 'sub':
    case 'mul':
    case 'udiv':
    case 'sdiv':
    case 'urem':
    case 'srem':
    case 'shl':
    case 'lshr':
    case 'ashr':
    case 'and':
    case 'or':
    case 'xor':
    case 'fadd':
    case 'fsub':
    case 'fmul':
    case 'fdiv':
    case 'frem':
    case 'icmp':
    case 'fcmp':
    case 'shufflevector':
      instruction.left = map(instruction.left);
      instruction.right = map(instruction.right);
      return;
    case 'fneg':
    case 'freeze':
    case 'trunc':
    case 'zext':
    case 'sext':
    case 'fptrunc':
    case 'fpext':
    case 'fptoui':
    case 'fptosi':
    case 'uitofp':
    case 'sitofp':
    case 'ptrtoint':
    case 'ptrtoaddr':
    case 'inttoptr':
    case 'bitcast':
    case 'addrspacecast':
      instruction.operand = map(instruction.operand);
      return;
    case 'select':
      instruction.condition = map(instruction.condition);
      instruction.ifTrue = map(instruction.ifTrue);
      instruction.ifFalse = map(instruction.ifFalse);
      return;
    case 'phi':
      mapAll(instruction.values, map);
      return;
    case 'alloca':
      if (instruction.count !== undefined) instruction.count = map(instruction.count);
      return;
    case 'load':
      instruction.pointer = map(instruction.pointer);
      return;
    case 'store':
      instruction.value = map(instruction.value);
      instruction.pointer = map(instruction.pointer);
      return;
    case 'getelementptr':
      instruction.base = map(instruction.base);
      mapAll(instruction.indices, map);
      return;
    case 'cmpxchg':
      instruction.pointer = map(instruction.pointer);
      instruction.expected = map(instruction.expected);
      instruction.replacement = map(instruction.replacement);
      return;
    case 'atomicrmw':
      instruction.pointer = map(instruction.pointer);
      instruction.value = map(instruction.value);
      return;
    case 'extractelement':
      instruction.vector = map(instruction.vector);
      instruction.index = map(instruction.index);
      return;
    case 'insertelement':
      instruction.vector = map(instruction.vector);
      instruction.element = map(instruction.element);
      instruction.index = map(instruction.index);
      return;
    case 'extractvalue':
      instruction.aggregate = map(instruction.aggregate);
      return;
    case 'insertvalue':
      instruction.aggregate = map(instruction.aggregate);
      instruction.element = map(instruction.element);
      return;
    case 'va_arg':
      instruction.list = map(instruction.list);
      return;
    case 'call':
    case 'callbr':
      mapCall(instruction, map);
      return;
    case 'ret':
      if (instruction.value !== undefined) instruction.value = map(instruction.value);
      return;
    case 'condbr':
    case 'switch':
      instruction.condition = map(instruction.condition);
      return;
    case 'indirectbr':
      instruction.address = map(instruction.address);
      return;
    case 'br':
    case 'fence':
    case 'unreachable':
    case 'debug-record':
      return;
    default:
      unreachable(instruction);
  }
}

function mapAll(values: Value[], map: (operand: Value) => Value): void {
  for (let i = 0; i < values.length; i++) values[i] = map(values[i]!);
}

function mapCall(call: CallCommon, map: (operand: Value) => Value): void {
  mapAll(call.args, map);
  call.callee = map(call.callee);
  for (const bundle of call.bundles ?? []) mapAll(bundle.operands, map);
}

/** Replaces the values that a debug record names; does nothing for other instructions. */
export function mapDebugOperands(instruction: Instruction, map: (operand: Value) => Value): void {
  if (instruction.op !== 'debug-record') return;
  mapAll(instruction.values, map);
  const assign = instruction.assign;
  if (assign?.address !== undefined) assign.address = map(assign.address);
}

export function isTerminator(instruction: Instruction): instruction is Terminator {
  switch (instruction.op) {
    case 'ret':
    case 'br':
    case 'condbr':
    case 'switch':
    case 'indirectbr':
    case 'callbr':
    case 'unreachable':
      return true;
    default:
      return false;
  }
}

/** The last instruction, if the block is finished. */
export function terminatorOf(block: Block): Terminator | undefined {
  const last = block.instructions.at(-1);
  return last !== undefined && isTerminator(last) ? last : undefined;
}

/** Where control may go next, one entry for each edge: a switch may name a block twice. */
export function successorsOf(block: Block): Block[] {
  const terminator = terminatorOf(block);
  switch (terminator?.op) {
    case 'br':
      return [terminator.target];
    case 'condbr':
      return [terminator.ifTrue, terminator.ifFalse];
    case 'switch':
      return [terminator.defaultTarget, ...terminator.caseTargets];
    case 'indirectbr':
      return [...terminator.targets];
    case 'callbr':
      return [terminator.fallthrough, ...terminator.targets];
    default:
      return [];
  }
}

/** Replaces the blocks that a terminator names. */
export function mapSuccessors(terminator: Terminator, map: (block: Block) => Block): void {
  switch (terminator.op) {
    case 'br':
      terminator.target = map(terminator.target);
      return;
    case 'condbr':
      terminator.ifTrue = map(terminator.ifTrue);
      terminator.ifFalse = map(terminator.ifFalse);
      return;
    case 'switch':
      terminator.defaultTarget = map(terminator.defaultTarget);
      terminator.caseTargets = terminator.caseTargets.map(map);
      return;
    case 'indirectbr':
      terminator.targets = terminator.targets.map(map);
      return;
    case 'callbr':
      terminator.fallthrough = map(terminator.fallthrough);
      terminator.targets = terminator.targets.map(map);
      return;
    case 'ret':
    case 'unreachable':
      return;
    default:
      unreachable(terminator);
  }
}
