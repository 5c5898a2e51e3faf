/**
 * Finds the place where a `return` statement passes its value on.
 *
 * clang lets all `return` statements of a function share one block: each stores its value in a
 * local, `retval`, and jumps there. The store and the jump have the line of the statement, `ret`
 * that of the closing brace. So a check of the value at one of the two is reported at the line of
 * the statement:
 *
 * ```
 *   store %conv, %retval, line 6             after promotion    br %cleanup, line 6                    has %conv
 *   br %cleanup, line 6                                         cleanup:  %retval.0 = phi [ %conv, %then ], [ 0, %end ]
 *   cleanup:  lifetime.end %x                                             lifetime.end %x
 *             %v = load %retval                                           ret %retval.0, line 10
 *             ret %v, line 10
 * ```
 *
 * Between the jump and `ret` there may only be lifetime markers, and switches on the value of the
 * jump itself, by which nested scopes are left.
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

/** The largest number of scopes that one `return` leaves. */
const MOST_BLOCKS = 64;

/**
 * Gives jumps the line of their `return` statement if a scope is left in between and clang gives
 * them none. It expects clang's pattern, before promotion.
 */
export function placeReturns(target: IrFunction): void {
  for (const { instructions } of target.blocks) {
    const jump = instructions.at(-1);
    if (jump?.op === 'br') jump.debugLocation ??= instructions.findLast(isStoreOfResult)?.debugLocation;
  }
}

/**
 * The value that a jump, the last instruction of the block, passes on to be returned; undefined if
 * it does not.
 */
export function returnedBy(jump: Instruction, block: Block): Value | undefined {
  if (jump.op !== 'br' || jump.debugLocation === undefined) return undefined;
  const value = broughtBy(jump, block);
  return value === undefined || isResult(value) ? undefined : value;
}

/** The value that a store passes on, if `retval` is in memory. */
export function returnedThrough(store: Instruction): Value | undefined {
  return isStoreOfResult(store) && store.debugLocation !== undefined ? store.value : undefined;
}

/** Whether a returned value is one that jumps have passed on, whichever of them led here. */
export function isHandedOver(value: Value, seen: Set<Value> = new Set()): boolean {
  if (!isResult(value)) return false;
  seen.add(value);
  return value.values.every((each, i) => {
    const from = value.blocks[i]!;
    if (isConstant(each) || seen.has(each)) return true;
    return isHandedOver(each, seen) || returnedBy(from.instructions.at(-1)!, from) === each;
  });
}

/** A structure may be returned with uninitialized members. */
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
  /** The phis along the way, with their values when entered from here. */
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

/** Whether this is `retval` after promotion. */
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
