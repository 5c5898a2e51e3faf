/**
 * Where a function has a slot in the call stack: only around its calls.
 *
 * ```
 *   entry: n < 2 ?                    the slot is taken where `calls` begins, which dominates all calls
 *     │        └─────▶ calls ...      and lies in no loop, and given back on the edge to `join`
 *     ▼                  │
 *   join: return ◀───────┘
 * ```
 *
 * Many functions return at once for a simple case, or call only in a rare one; a slot at the entry
 * would cost them a load and two stores for nothing. Whether a place has a slot is known before the
 * program runs, because the blocks that have one are those that one block dominates: a report made
 * there tells it (`hasFrame` of a site).
 *
 * The calls of clang's handlers do not count, nor do those of range operations that ask first
 * (`range-questions.ts`). They are made when something is wrong or unusual, and take a slot for
 * themselves.
 */
import { Builder, makeBlock } from '../../ir/builder.js';
import { integerConstant } from '../../ir/constants.js';
import type { Block, Constant, Instruction, IrFunction, Value } from '../../ir/model.js';
import { mapSuccessors, successorsOf, terminatorOf } from '../../ir/operands.js';
import { i32, i64, ptr } from '../../ir/types.js';
import { DominatorTree } from '../../passes/dominators.js';
import { findLoops } from '../../passes/loops.js';
import { assert } from '../../support/assert.js';
import type { FunctionRewriter } from './rewriter.js';
import type { Runtime } from './runtime.js';

export interface FrameRegion {
  /** The block that takes the slot. */
  readonly start: Block;
  /** The blocks that have it. Each that leads to another block ends with a jump. */
  readonly blocks: ReadonlySet<Block>;
}

/** The slot itself, while a function is rewritten. */
export class Frame {
  #slot: Value | undefined;

  constructor(
    private readonly region: FrameRegion | undefined,
    private readonly rewriter: FunctionRewriter,
    private readonly runtime: Runtime,
  ) {}

  /** Whether the code at the current position has a slot. */
  get isHere(): boolean {
    return this.region?.blocks.has(this.rewriter.sourceBlock) === true;
  }

  /** The address of the slot, an i32. */
  get slot(): Value {
    assert(this.#slot !== undefined, 'a slot of the call stack is used before it is taken');
    return this.#slot;
  }

  take(): void {
    this.#slot = this.#next();
  }

  /** Takes the slot at the first instruction of a region that is not the whole function. */
  reach(instruction: Instruction): void {
    const isStart = this.region?.start === this.rewriter.sourceBlock && instruction.op !== 'phi';
    if (isStart && this.#slot === undefined) this.take();
  }

  /**
   * Stores the site of a call. One outside the region gets a slot for itself, which is returned
   * and must be given back.
   */
  say(site: Constant, builder: Builder = this.rewriter.builder): Value | undefined {
    const own = this.isHere ? undefined : this.#next(builder);
    const pointer = builder.cast('inttoptr', builder.cast('zext', own ?? this.slot, i64), ptr);
    builder.store(site, pointer, { align: 4 });
    return own;
  }

  giveBack(slot: Value = this.slot, builder: Builder = this.rewriter.builder): void {
    builder.store(slot, this.runtime.depth, { align: 4 });
  }

  /** Gives the slot back before a jump to a block that has none. */
  leave(to: Block): void {
    if (this.isHere && !this.region!.blocks.has(to)) this.giveBack();
  }

  #next(builder: Builder = this.rewriter.builder): Value {
    const slot = builder.load(i32, this.runtime.depth, { align: 4 });
    builder.store(builder.binary('add', slot, integerConstant(i32, 4)), this.runtime.depth, { align: 4 });
    return slot;
  }
}

/** The whole function. */
export function wholeFrame({ blocks }: IrFunction): FrameRegion {
  return { start: blocks[0]!, blocks: new Set(blocks) };
}

/**
 * The region around the instructions that need a slot; undefined when none does. Adds blocks on the
 * edges that leave it.
 */
export function frameRegion(
  target: IrFunction,
  needsSlot: (instruction: Instruction) => boolean,
): FrameRegion | undefined {
  const tree = new DominatorTree(target);
  const { blocks, numberOf } = tree.cfg;
  const needing = [...blocks.keys()].filter(number => blocks[number]!.instructions.some(needsSlot));
  if (needing.length === 0) return undefined;
  const inLoop = new Set(findLoops(tree).flatMap(loop => loop.blocks));
  let start = needing[0]!;
  while (start > 0 && (inLoop.has(start) || !needing.every(number => tree.dominates(start, number))))
    start = tree.immediate[start]!;
  if (start === 0) return wholeFrame(target);
  const region = new Set(blocks.filter(block => tree.dominates(start, numberOf.get(block)!)));
  const leaving = [...region].filter(block => successorsOf(block).some(next => !region.has(next)));
  if (leaving.some(block => !isDivisible(block))) return wholeFrame(target);
  for (const block of leaving) if (terminatorOf(block)!.op !== 'br') divideEdges(target, block, region);
  return { start: blocks[start]!, blocks: region };
}

function isDivisible(block: Block): boolean {
  return ['br', 'condbr', 'switch'].includes(terminatorOf(block)!.op);
}

/** Puts a block of the region on each edge from the block to one outside. */
function divideEdges(target: IrFunction, from: Block, region: Set<Block>): void {
  const made = new Map<Block, Block>();
  mapSuccessors(terminatorOf(from)!, next => {
    if (region.has(next)) return next;
    let edge = made.get(next);
    if (edge === undefined) {
      edge = makeBlock('leave');
      new Builder(edge.instructions).br(next);
      made.set(next, edge);
    }
    return edge;
  });
  for (const [next, edge] of made) {
    for (const phi of next.instructions) {
      if (phi.op !== 'phi') break;
      const value = phi.values[phi.blocks.indexOf(from)]!;
      phi.values = [...phi.values.filter((_, i) => phi.blocks[i] !== from), value];
      phi.blocks = [...phi.blocks.filter(block => block !== from), edge];
    }
    region.add(edge);
  }
  target.blocks.splice(target.blocks.indexOf(from) + 1, 0, ...made.values());
}
