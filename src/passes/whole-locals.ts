/**
 * The locals of a function that are only read and written as a whole, and how instructions access
 * them.
 */
import { calledName } from '../ir/called-functions.js';
import type { AllocaInstruction, Instruction, IrFunction, Value } from '../ir/model.js';
import { forEachOperand } from '../ir/operands.js';

/**
 * The effect of an instruction on one of a set of locals. `forget` is the beginning or end of its
 * lifetime.
 */
export interface LocalAccess {
  readonly kind: 'read' | 'write' | 'forget';
  readonly local: AllocaInstruction;
}

export function isLifetimeMarker(instruction: Instruction): boolean {
  return /^llvm\.lifetime\.(start|end)\./.test(calledName(instruction));
}

/** Requires locals from `findWholeLocals`, which are accessed in no other way. */
export function accessOf(instruction: Instruction, locals: ReadonlySet<Value>): LocalAccess | undefined {
  if (instruction.op === 'load' || instruction.op === 'store') {
    const { pointer } = instruction;
    if (!locals.has(pointer)) return undefined;
    return { kind: instruction.op === 'load' ? 'read' : 'write', local: pointer as AllocaInstruction };
  }
  if (instruction.op !== 'call' || !isLifetimeMarker(instruction)) return undefined;
  const pointer = instruction.args.at(-1);
  if (pointer === undefined || !locals.has(pointer)) return undefined;
  return { kind: 'forget', local: pointer as AllocaInstruction };
}

/** The allocas of the entry block that a register could replace. */
export function findWholeLocals(target: IrFunction): Set<AllocaInstruction> {
  const locals = new Set<Value>();
  for (const instruction of target.blocks[0]?.instructions ?? []) {
    if (instruction.op === 'alloca' && isScalar(instruction)) locals.add(instruction);
  }
  for (const block of target.blocks) {
    for (const instruction of block.instructions) {
      const indexed = indexedLocal(instruction);
      if (indexed !== undefined) locals.delete(indexed);
      forEachOperand(instruction, operand => {
        if (locals.has(operand) && !isWholeAccess(instruction, operand)) locals.delete(operand);
        if (operand.kind === 'metadata' && operand.metadata.kind === 'value') {
          locals.delete(operand.metadata.value);
        }
      });
    }
  }
  return locals as Set<AllocaInstruction>;
}

/**
 * The vector of which an element is accessed by an index that may be too large: in memory, such an
 * access is checked (`vector-elements.ts`).
 */
function indexedLocal(instruction: Instruction): Value | undefined {
  if (instruction.op !== 'extractelement' && instruction.op !== 'insertelement') return undefined;
  const { vector, index } = instruction;
  if (vector.kind !== 'instruction' || vector.op !== 'load' || vector.type.kind !== 'vector')
    return undefined;
  const isInside = index.kind === 'integer' && index.value < BigInt(vector.type.length);
  return isInside ? undefined : vector.pointer;
}

function isScalar(local: AllocaInstruction): boolean {
  if (local.count !== undefined || local.inalloca || local.swiftError) return false;
  switch (local.allocatedType.kind) {
    case 'integer':
    case 'float':
    case 'pointer':
    case 'vector':
      return true;
    default:
      // Aggregates are accessed in parts.
      return false;
  }
}

/** Whether this use of a local neither lets its address escape nor is an access that must stay. */
function isWholeAccess(user: Instruction, local: Value): boolean {
  if (local.kind !== 'instruction' || local.op !== 'alloca') return false;
  switch (user.op) {
    case 'load':
      return !user.volatile && user.ordering === undefined && user.type === local.allocatedType;
    case 'store':
      return (
        user.value !== local &&
        !user.volatile &&
        user.ordering === undefined &&
        user.value.type === local.allocatedType
      );
    default:
      // Any other use may let the address escape.
      return isLifetimeMarker(user);
  }
}
