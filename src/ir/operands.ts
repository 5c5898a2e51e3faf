/**
 * Visits and replaces the operands of any instruction, and the successors of a terminator.
 * `opcodes.ts` has the operands of each `op`.
 */

import { unreachable } from '../support/assert.js';
import type { Block, Instruction, OperandBundle, Terminator, Value } from './model.js';
import { opcodes } from './opcodes.js';

/** The table has only fields of this type for each operation. */
type OperandFields = Record<string, Value | Value[] | undefined>;

/**
 * Calls `visit` for every operand in the order of the text. Debug records have none: they are no
 * uses.
 *
 * The cases are what most code consists of: V8 reads the fields of one kind of instruction in a
 * fraction of the time that it takes for fields with computed names.
 */
export function forEachOperand(instruction: Instruction, visit: (operand: Value) => void): void {
  switch (instruction.op) {
    case 'load':
      visit(instruction.pointer);
      return;
    case 'store':
      visit(instruction.value);
      visit(instruction.pointer);
      return;
    case 'getelementptr':
      visit(instruction.base);
      for (const index of instruction.indices) visit(index);
      return;
    case 'icmp':
      visit(instruction.left);
      visit(instruction.right);
      return;
    case 'add':
    case 'sub':
    case 'and':
    case 'or':
    case 'shl':
    case 'lshr':
      visit(instruction.left);
      visit(instruction.right);
      return;
    case 'zext':
    case 'sext':
    case 'trunc':
    case 'ptrtoint':
    case 'inttoptr':
      visit(instruction.operand);
      return;
    case 'condbr':
      visit(instruction.condition);
      return;
    case 'phi':
      for (const value of instruction.values) visit(value);
      return;
    case 'br':
    case 'debug-record':
      return;
    default:
      forEachOperandOfTable(instruction, visit);
  }
}

/** The same for all instructions, by the table. */
export function forEachOperandOfTable(instruction: Instruction, visit: (operand: Value) => void): void {
  const fields = instruction as unknown as OperandFields;
  const { operands } = opcodes[instruction.op];
  for (let i = 0; i < operands.length; i++) {
    const operand = fields[operands[i]!];
    if (operand === undefined) continue;
    if (Array.isArray(operand)) for (const each of operand) visit(each);
    else visit(operand);
  }
  for (const bundle of bundlesOf(instruction)) for (const each of bundle.operands) visit(each);
}

/** Replaces every operand by the result of `map`. */
export function mapOperands(instruction: Instruction, map: (operand: Value) => Value): void {
  const fields = instruction as unknown as OperandFields;
  const { operands } = opcodes[instruction.op];
  for (let i = 0; i < operands.length; i++) {
    const operand = fields[operands[i]!];
    if (operand === undefined) continue;
    if (Array.isArray(operand)) mapAll(operand, map);
    else fields[operands[i]!] = map(operand);
  }
  for (const bundle of bundlesOf(instruction)) mapAll(bundle.operands, map);
}

function bundlesOf(instruction: Instruction): readonly OperandBundle[] {
  const isCall = instruction.op === 'call' || instruction.op === 'callbr';
  return (isCall ? instruction.bundles : undefined) ?? none;
}

const none: readonly OperandBundle[] = [];

/** The operands that must be defined, because the effect of the instruction depends on them. */
export function strictOperands(instruction: Instruction): Value[] {
  const fields = instruction as unknown as Record<string, Value | undefined>;
  return opcodes[instruction.op].strict.flatMap(field => fields[field] ?? []);
}

function mapAll(values: Value[], map: (operand: Value) => Value): void {
  for (let i = 0; i < values.length; i++) values[i] = map(values[i]!);
}

/** Replaces the values that a debug record names; does nothing for other instructions. */
export function mapDebugOperands(instruction: Instruction, map: (operand: Value) => Value): void {
  if (instruction.op !== 'debug-record') return;
  mapAll(instruction.values, map);
  const assign = instruction.assign;
  if (assign?.address !== undefined) assign.address = map(assign.address);
}

export function isTerminator(instruction: Instruction): instruction is Terminator {
  return opcodes[instruction.op].isTerminator;
}

/** The last instruction, if the block is finished. */
export function terminatorOf(block: Block): Terminator | undefined {
  const last = block.instructions.at(-1);
  return last !== undefined && isTerminator(last) ? last : undefined;
}

/** The possible successors, one entry for each edge: a switch may name a block twice. */
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
    case 'ret':
    case 'unreachable':
    case undefined:
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
