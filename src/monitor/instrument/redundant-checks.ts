/**
 * Finds checks that an earlier check of the same pointer makes redundant.
 *
 * A check holds until a block may be freed, a local may end, or bytes may become undefined: a call
 * that may do so, a lifetime marker, a store of a value that may be undefined. A check in a block
 * holds in the blocks that it dominates, if nothing on the paths between them can invalidate it;
 * long paths are not searched.
 *
 * ```
 *   check a[j]            %p = gep a, j            number 7, 4 bytes read
 *   check a[j + 1]                                 number 9, 4 bytes read
 *   br, single predecessor
 *     a[j] again          %q = gep a, j            number 7: redundant
 * ```
 *
 * A checked read covers later reads, a checked write covers both, because constants may be read and
 * not written: of a write after a read only the pointer's number is checked. A write of undefined
 * bits covers nothing, and invalidates what is known about reads, except of other members of the
 * same structure. A read whose undefined bits are reported only at a use covers a write if it found
 * none.
 */
import type { DataLayout } from '../../ir/data-layout.js';
import type { Block, CallInstruction, Instruction, IrFunction, Value } from '../../ir/model.js';
import { DominatorTree } from '../../passes/dominators.js';
import { ValueNumbers } from '../../passes/value-numbers.js';
import { accessOf } from './memory-access.js';
import { type BytePlace, type Changes, changesBefore, mayOverlap, Places } from './places.js';

export interface RedundancyFacts {
  readonly layout: DataLayout;
  /** Whether this call may free memory, or store undefined bytes. */
  mayUnsettle(call: CallInstruction): boolean;
  /** Whether the value may be undefined without having been reported. */
  mayBeUndefined(value: Value): boolean;
}

export interface RedundantChecks {
  readonly redundant: ReadonlySet<Instruction>;
  /**
   * Stores to bytes that were read before. If the check of that read did not report undefined
   * bytes, it is the value here, and the store is covered only if the shadow of the value is zero.
   */
  readonly afterRead: ReadonlyMap<Instruction, Instruction | undefined>;
}

export const noRedundantChecks: RedundantChecks = { redundant: new Set(), afterRead: new Map() };

/** What is known about the bytes at a value-numbered pointer. */
interface Known {
  readonly place: BytePlace;
  readonly align: number;
  /** The number of bytes that may be read and are initialised, and of those that may be written. */
  readonly read: number;
  readonly written: number;
  /** A load that found the bytes accessible, and maybe not initialised. */
  readonly loaded: Instruction | undefined;
}

export function redundantChecks(target: IrFunction, facts: RedundancyFacts): RedundantChecks {
  const redundant = new Set<Instruction>();
  const afterRead = new Map<Instruction, Instruction | undefined>();
  const tree = new DominatorTree(target);
  const { blocks } = tree.cfg;
  const numbers = new ValueNumbers([...blocks]);
  const places = new Places(numbers, facts.layout);
  const ends = blocks.map(({ instructions }) => endingOf(instructions, facts, places));
  const atEnd: Map<number, Known>[] = [];
  blocks.forEach((block, index) => {
    const ending = index > 0 ? changesBefore(tree, index, ends) : 'all';
    const known = new Map(ending === 'all' ? [] : atEnd[tree.immediate[index]!]);
    if (ending !== 'all') for (const place of ending) forget(known, place);
    walk(block, { known, places, facts, redundant, afterRead });
    atEnd.push(known);
  });
  return { redundant, afterRead };
}

function forget(known: Map<number, Known>, written: BytePlace): void {
  for (const [number, { place }] of known) if (mayOverlap(place, written)) known.delete(number);
}

interface Walk {
  readonly known: Map<number, Known>;
  readonly places: Places;
  readonly facts: RedundancyFacts;
  readonly redundant: Set<Instruction>;
  readonly afterRead: Map<Instruction, Instruction | undefined>;
}

function walk(block: Block, { known, places, facts, redundant, afterRead }: Walk): void {
  for (const instruction of block.instructions) {
    if (endsAll(instruction, facts)) {
      known.clear();
      continue;
    }
    const access = accessOf(instruction);
    if (access === undefined) continue;
    const { pointer, align, isStore } = access;
    const number = places.numberOf(pointer);
    const place = places.of(instruction);
    const { bytes } = place;
    const before = known.get(number);
    const { read, written, loaded } = before ?? { read: 0, written: 0, loaded: undefined };
    const isUndefinedStore = storesUndefined(instruction, facts);
    if (!isUndefinedStore && bytes <= (isStore ? written : Math.max(read, written)))
      redundant.add(instruction);
    else if (instruction.op === 'store' && before !== undefined && align <= before.align) {
      if (bytes <= read) afterRead.set(instruction, undefined);
      else if (loaded !== undefined && bytes <= before.place.bytes) afterRead.set(instruction, loaded);
    }
    if (isUndefinedStore) forget(known, place);
    else if (redundant.has(instruction)) continue;
    else if (isStore) known.set(number, { place, align, read, written: bytes, loaded: undefined });
    else if (!facts.mayBeUndefined(instruction))
      known.set(number, { place, align, read: bytes, written, loaded: undefined });
    else if (before === undefined)
      known.set(number, { place, align, read: 0, written: 0, loaded: instruction });
  }
}

/** What ends checks: all of them, or those of the places that are stored to. */
function endingOf(instructions: readonly Instruction[], facts: RedundancyFacts, places: Places): Changes {
  const undefinedStores: BytePlace[] = [];
  for (const instruction of instructions) {
    if (endsAll(instruction, facts)) return 'all';
    if (storesUndefined(instruction, facts)) undefinedStores.push(places.of(instruction));
  }
  return undefinedStores;
}

function storesUndefined(instruction: Instruction, { mayBeUndefined }: RedundancyFacts): boolean {
  return instruction.op === 'store' && mayBeUndefined(instruction.value);
}

function endsAll(instruction: Instruction, { mayUnsettle }: RedundancyFacts): boolean {
  return instruction.op === 'callbr' || (instruction.op === 'call' && mayUnsettle(instruction));
}
