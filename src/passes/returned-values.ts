/**
 * Where a `return` statement hands over its value.
 *
 * clang lets all `return` statements of a function share one block: each stores its value in a
 * local, `retval`, and jumps there. The store and the jump have the line of the statement, `ret`
 * that of the closing brace. So a question about the value that is asked at one of the two is
 * answered with the line that the user wrote:
 *
 * ```
 *   store %conv, %retval, line 6             after promotion    br %cleanup, line 6                    brings %conv
 *   br %cleanup, line 6                                         cleanup:  %retval.0 = phi [ %conv, %then ], [ 0, %end ]
 *   cleanup:  lifetime.end %x                                             lifetime.end %x
 *             %v = load %retval                                           ret %retval.0, line 10
 *             ret %v, line 10
 * ```
 *
 * Only markers may lie between the jump and `ret`, and switches on what the jump itself brings: how
 * scopes inside of each other are left.
 */
import { isConstant } from '../ir/constants.js';
import type {
  Block,
  BranchInstruction,
  Instruction,
  IrFunction,
  PhiInstruction,
  StoreInstruction,
  SwitchInstruction,
  Value,
} from '../ir/model.js';
import { isLifetimeMarker } from './whole-locals.js';

/** Scopes that one `return` leaves, at most. */
const MOST_BLOCKS = 64;

/**
 * Gives jumps the line of the `return` statement that they end, where a scope is left in between
 * and clang gives them none. Meant for what clang wrote, before promotion.
 */
export function placeReturns(target: IrFunction): void {
  for (const { instructions } of target.blocks) {
    const jump = instructions.at(-1);
    if (jump?.op === 'br') jump.debugLocation ??= instructions.findLast(isStoreOfResult)?.debugLocation;
  }
}

/**
 * The value that a jump, the last instruction of the block, hands over to be returned; undefined if
 * it does not.
 */
export function returnedBy(jump: Instruction, block: Block): Value | undefined {
  if (jump.op !== 'br' || jump.debugLocation === undefined) return undefined;
  const value = broughtBy(jump, block);
  return value === undefined || isResult(value) ? undefined : value;
}

/** The value that a store hands over, where `retval` is in memory. */
export function returnedThrough(store: Instruction): Value | undefined {
  return isStoreOfResult(store) && store.debugLocation !== undefined ? store.value : undefined;
}

/** Is a returned value one that jumps have handed over, whichever of them has led here? */
export function isHandedOver(value: Value, seen: Set<Value> = new Set()): boolean {
  if (!isResult(value)) return false;
  seen.add(value);
  return value.values.every((each, i) => {
    const from = value.blocks[i]!;
    if (isConstant(each) || seen.has(each)) return true;
    return isHandedOver(each, seen) || returnedBy(from.instructions.at(-1)!, from) === each;
  });
}

/** A structure may be returned with members that were never written. */
function isStoreOfResult(instruction: Instruction): instruction is StoreInstruction {
  if (instruction.op !== 'store') return false;
  const { pointer } = instruction;
  return (
    pointer.kind === 'instruction' &&
    pointer.op === 'alloca' &&
    pointer.name === 'retval' &&
    pointer.allocatedType.kind !== 'struct'
  );
}

function broughtBy(jump: BranchInstruction, from: Block): Value | undefined {
  /** The phis on the way, by what they are when one comes from here. */
  const brought = new Map<Value, Value>();
  const known = (value: Value): Value => brought.get(value) ?? value;
  let [previous, block] = [from, jump.target];
  for (let i = 0; i < MOST_BLOCKS; i++) {
    const phis = block.instructions.filter(each => each.op === 'phi');
    const values = phis.map(phi => known(valueFrom(phi, previous)));
    for (const [n, phi] of phis.entries()) brought.set(phi, values[n]!);
    const end = block.instructions.find(
      each => each.op !== 'phi' && each.op !== 'debug-record' && !isLifetimeMarker(each),
    );
    if (end?.op === 'ret') return end.value && isResult(end.value) ? known(end.value) : undefined;
    const next =
      end?.op === 'br' ? end.target : end?.op === 'switch' ? choiceOf(end, known(end.condition)) : undefined;
    if (next === undefined) return undefined;
    [previous, block] = [block, next];
  }
  return undefined;
}

/** Is this `retval` after promotion? */
function isResult(value: Value): value is PhiInstruction {
  return value.kind === 'instruction' && value.op === 'phi' && value.name?.startsWith('retval.') === true;
}

function valueFrom({ blocks, values }: PhiInstruction, from: Block): Value {
  return values[blocks.indexOf(from)]!;
}

function choiceOf(
  { caseValues, caseTargets, defaultTarget }: SwitchInstruction,
  chosen: Value,
): Block | undefined {
  if (chosen.kind !== 'integer') return undefined;
  const index = caseValues.findIndex(({ value }) => value === chosen.value);
  return index < 0 ? defaultTarget : caseTargets[index];
}
