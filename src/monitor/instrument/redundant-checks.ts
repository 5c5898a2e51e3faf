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
  /** Whether this call may free memory, or store undefined bytes. */
  mayUnsettle(call: CallInstruction): boolean;
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
  const { blocks } = tree.cfg;
  const numbers = new ValueNumbers([...blocks]);
  const ends = blocks.map(({ instructions }) => instructions.some(each => endsChecks(each, facts)));
  const atEnd: Map<number, Known>[] = [];
  blocks.forEach((block, index) => {
    const known = new Map(index > 0 && inherits(tree, index, ends) ? atEnd[tree.immediate[index]!] : []);
    walk(block, known, numbers, facts, redundant);
    atEnd.push(known);
  });
  return redundant;
}

/** The number of blocks on paths that are searched. */
const mostBetween = 40;

/** Whether no path from the dominator of a block to the block ends checks on its way. */
function inherits({ cfg, immediate }: DominatorTree, block: number, ends: readonly boolean[]): boolean {
  const dominator = immediate[block]!;
  const between = new Set<number>();
  const pending = [...cfg.predecessors[block]!];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    if (at === dominator || between.has(at)) continue;
    between.add(at);
    if (ends[at] || between.size > mostBetween) return false;
    pending.push(...cfg.predecessors[at]!);
  }
  return true;
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
    if (bytes <= (access.isStore ? written : Math.max(read, written))) redundant.add(instruction);
    else if (access.isStore) known.set(number, { read, written: bytes });
    else if (!facts.mayBeUndefined(instruction)) known.set(number, { read: bytes, written });
  }
}

function endsChecks(instruction: Instruction, { mayUnsettle, mayBeUndefined }: RedundancyFacts): boolean {
  if (instruction.op === 'store') return mayBeUndefined(instruction.value);
  return instruction.op === 'callbr' || (instruction.op === 'call' && mayUnsettle(instruction));
}
