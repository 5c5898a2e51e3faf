/**
 * Finds checks that an earlier check of the same pointer makes redundant.
 *
 * A check holds until a block may be freed or a local may end: a call that may free, a lifetime
 * marker. A check in a block holds in the blocks that it dominates, if nothing on the paths between
 * them can invalidate it. For simplicity this is assumed only if the dominated block has its
 * dominator as its only predecessor, or if nothing in the function invalidates checks.
 *
 * ```
 *   check a[j]            %p = gep a, j            number 7, 4 bytes read
 *   check a[j + 1]                                 number 9, 4 bytes read
 *   br, single predecessor
 *     a[j] again          %q = gep a, j            number 7: redundant
 * ```
 *
 * A checked read covers later reads, a checked write covers both, because constants may be read and
 * not written. A write of undefined bits covers nothing, and invalidates what is known about reads.
 * A read whose undefined bits are reported only at a use covers nothing either.
 */
import type { DataLayout } from '../../ir/data-layout.js';
import type { Block, CallInstruction, Instruction, IrFunction, Value } from '../../ir/model.js';
import { DominatorTree } from '../../passes/dominators.js';
import { ValueNumbers } from '../../passes/value-numbers.js';
import { accessOf } from './memory-access.js';

export interface RedundancyFacts {
  readonly layout: DataLayout;
  /** Whether this call may free memory. */
  mayFree(call: CallInstruction): boolean;
  /** Whether the value may be undefined without having been reported. */
  mayBeUndefined(value: Value): boolean;
}

/** The bytes known to be accessible at a value-numbered pointer. */
interface Known {
  readonly read: number;
  readonly written: number;
}

export function redundantChecks(target: IrFunction, facts: RedundancyFacts): Set<Instruction> {
  const redundant = new Set<Instruction>();
  const tree = new DominatorTree(target);
  const { blocks, predecessors } = tree.cfg;
  const numbers = new ValueNumbers([...blocks]);
  const endsNothing = !blocks.some(block =>
    block.instructions.some(instruction => endsChecks(instruction, facts)),
  );
  const atEnd: Map<number, Known>[] = [];
  blocks.forEach((block, index) => {
    const dominator = tree.immediate[index]!;
    const inherits = index > 0 && (endsNothing || predecessors[index]!.every(from => from === dominator));
    const known = new Map(inherits ? atEnd[dominator] : []);
    walk(block, known, numbers, facts, redundant);
    atEnd.push(known);
  });
  return redundant;
}

function walk(
  block: Block,
  known: Map<number, Known>,
  numbers: ValueNumbers,
  facts: RedundancyFacts,
  redundant: Set<Instruction>,
): void {
  for (const instruction of block.instructions) {
    if (endsChecks(instruction, facts)) {
      known.clear();
      continue;
    }
    const access = accessOf(instruction);
    if (access === undefined) continue;
    const number = numbers.numberOf(access.pointer);
    const bytes = facts.layout.storeBytes(access.type);
    const { read, written } = known.get(number) ?? { read: 0, written: 0 };
    if (instruction.op === 'store' && facts.mayBeUndefined(instruction.value)) {
      known.clear();
      continue;
    }
    if (bytes <= (access.isStore ? written : Math.max(read, written))) redundant.add(instruction);
    else if (access.isStore) known.set(number, { read, written: bytes });
    else if (!facts.mayBeUndefined(instruction)) known.set(number, { read: bytes, written });
  }
}

function endsChecks(instruction: Instruction, facts: RedundancyFacts): boolean {
  return instruction.op === 'callbr' || (instruction.op === 'call' && facts.mayFree(instruction));
}
