/** Bytes that a function accesses, and what may have changed on the paths between two blocks. */
import type { DataLayout } from '../../ir/data-layout.js';
import type { Instruction, Value } from '../../ir/model.js';
import type { DominatorTree } from '../../passes/dominators.js';
import type { ValueNumbers } from '../../passes/value-numbers.js';
import { accessOf } from './memory-access.js';
import { constantSteps } from './pointer-origin.js';

/** A range of bytes: its distance from a value-numbered pointer. */
export interface BytePlace {
  readonly base: number;
  readonly offset: number;
  readonly bytes: number;
  /** What the base is the address of. */
  readonly object: 'local' | 'global' | undefined;
}

export class Places {
  constructor(
    private readonly numbers: ValueNumbers,
    private readonly layout: DataLayout,
  ) {}

  numberOf(pointer: Value): number {
    return this.numbers.numberOf(pointer);
  }

  /** The bytes of an access. */
  of(instruction: Instruction): BytePlace {
    const { pointer, type } = accessOf(instruction)!;
    const { base, offset } = constantSteps(pointer, this.layout);
    return {
      ...{ base: this.numbers.numberOf(base), offset, bytes: this.layout.storeBytes(type) },
      object: objectOf(base),
    };
  }
}

function objectOf(base: Value): BytePlace['object'] {
  if (base.kind === 'variable') return 'global';
  return base.kind === 'instruction' && base.op === 'alloca' ? 'local' : undefined;
}

/** Two globals may be names of one object. */
export function mayOverlap(a: BytePlace, b: BytePlace): boolean {
  if (a.base === b.base) return a.offset < b.offset + b.bytes && b.offset < a.offset + a.bytes;
  return a.object === undefined || b.object === undefined || (a.object === 'global' && b.object === 'global');
}

/** What may have changed: everything, or these places. */
export type Changes = 'all' | readonly BytePlace[];

/** The number of blocks on paths that are searched. */
const mostBetween = 40;

/** The changes on the paths from the dominator of a block to the block, given those in blocks. */
export function changesBefore(
  { cfg, immediate }: DominatorTree,
  block: number,
  changes: readonly Changes[],
): Changes {
  const dominator = immediate[block]!;
  const between = new Set<number>();
  const places: BytePlace[] = [];
  const pending = [...cfg.predecessors[block]!];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    if (at === dominator || between.has(at)) continue;
    between.add(at);
    const there = changes[at]!;
    if (there === 'all' || between.size > mostBetween) return 'all';
    places.push(...there);
    pending.push(...cfg.predecessors[at]!);
  }
  return places;
}
