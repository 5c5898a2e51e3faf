/**
 * Duplicates the cleanup block of a scope for each exit (jump threading).
 *
 * clang lets all exits of a scope share one block, which ends the locals of the scope; a slot holds
 * the continuation of each exit. A predecessor with a known slot gets its own copy:
 *
 * ```
 *   found:    store %i, %retval                          found:    store %i, %retval
 *             store 1, %slot                                       store 1, %slot
 *             br %cleanup                                          lifetime.end %x
 *   end:      store 0, %slot                   becomes             br %return
 *             br %cleanup                                end:      store 0, %slot
 *   cleanup:  lifetime.end %x                                      lifetime.end %x
 *             switch (load %slot) 0: %next,                        br %next
 *                                 else: %return
 * ```
 *
 * Then it is visible that `return` is only reached with a value, so `%retval` need not stay in
 * memory (`definite-assignment.ts`). The pass expects clang's pattern, before promotion, when no
 * values cross blocks.
 */
import { cloneInstruction } from '../ir/clone.js';
import type { Block, Instruction, IrFunction, LoadInstruction, SwitchInstruction } from '../ir/model.js';
import { forEachOperand, terminatorOf } from '../ir/operands.js';
import { isLifetimeMarker } from './whole-locals.js';

/** Leaves unreachable blocks behind. */
export function splitCleanups(target: IrFunction): void {
  const cleanups = new Map<Block, Cleanup>();
  for (const block of target.blocks) {
    const cleanup = cleanupOf(block);
    if (cleanup !== undefined && !isUsedElsewhere(target, cleanup)) cleanups.set(block, cleanup);
  }
  if (cleanups.size > 0) for (const block of target.blocks) goOnAlone(block, cleanups);
}

/** A block of lifetime markers and a switch on a local. */
interface Cleanup {
  readonly markers: readonly Instruction[];
  readonly load: LoadInstruction;
  readonly choice: SwitchInstruction;
}

function cleanupOf(block: Block): Cleanup | undefined {
  const choice = terminatorOf(block);
  if (choice?.op !== 'switch') return undefined;
  const load = choice.condition;
  if (load.kind !== 'instruction' || load.op !== 'load' || load.volatile) return undefined;
  const slot = load.pointer;
  if (slot.kind !== 'instruction' || slot.op !== 'alloca') return undefined;
  const markers = block.instructions.filter(each => each !== load && each !== choice);
  const endsSlot = markers.some(
    each => each.op === 'call' && isLifetimeMarker(each) && each.args.at(-1) === slot,
  );
  return markers.every(isMarker) && !endsSlot ? { markers, load, choice } : undefined;
}

function isUsedElsewhere(target: IrFunction, { load, choice }: Cleanup): boolean {
  return target.blocks.some(block =>
    block.instructions.some(user => {
      let uses = false;
      forEachOperand(user, operand => {
        uses ||= operand === load;
      });
      return uses && user !== choice;
    }),
  );
}

function goOnAlone(block: Block, cleanups: ReadonlyMap<Block, Cleanup>): void {
  const jump = terminatorOf(block);
  if (jump?.op !== 'br') return;
  const passed = new Set<Cleanup>();
  for (let cleanup = cleanups.get(jump.target); cleanup !== undefined; cleanup = cleanups.get(jump.target)) {
    const destination = destinationOf(cleanup, block);
    if (destination === undefined || passed.has(cleanup)) return;
    passed.add(cleanup);
    block.instructions.splice(-1, 0, ...cleanup.markers.map(cloneInstruction));
    jump.target = destination;
  }
}

/** The continuation of a predecessor, if it is known. */
function destinationOf({ load, choice }: Cleanup, from: Block): Block | undefined {
  const store = from.instructions.findLast(each => !isMarker(each) && each.op !== 'br');
  if (store?.op !== 'store' || store.pointer !== load.pointer) return undefined;
  const { value } = store;
  if (value.kind !== 'integer' || value.type !== load.type) return undefined;
  const index = choice.caseValues.findIndex(each => each.value === value.value);
  const destination = index < 0 ? choice.defaultTarget : choice.caseTargets[index]!;
  return destination.instructions[0]?.op === 'phi' ? undefined : destination;
}

function isMarker(instruction: Instruction): boolean {
  return instruction.op === 'debug-record' || isLifetimeMarker(instruction);
}
