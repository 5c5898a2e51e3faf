/**
 * Rewrites a function block by block: every instruction is visited once, and the visitor decides
 * what is emitted in its place. Emitting may end the current block and continue in a new one:
 *
 * ```
 *        current                       current
 *          │                              │ condbr
 *          ▼        guard(condition)      ├─────────▶ slow ──┐
 *       (rest)      ───────────────▶      ▼                  │
 *                                      continuation ◀────────┘
 * ```
 *
 * Invariant: the original Block object stays the first piece, so that branches to it remain right;
 * phis that named it as their source are changed to its last piece at the end.
 */
import { Builder, makeBlock } from '../../ir/builder.js';
import { integerConstant } from '../../ir/constants.js';
import { type MetadataNode, metadataString, tupleNode } from '../../ir/metadata.js';
import type { Block, Instruction, IrFunction, MetadataAttachment, Value } from '../../ir/model.js';
import { i32 } from '../../ir/types.js';

/** Branch weights. */
const certain: MetadataNode = tupleNode([
  metadataString('branch_weights'),
  { kind: 'value', value: integerConstant(i32, 1_000_000) },
  { kind: 'value', value: integerConstant(i32, 1) },
]);
/** Marks the first target of a conditional branch as almost certain. */
export const likely: MetadataAttachment[] = [{ name: 'prof', node: certain }];

/** The predecessors of the code after a guard. */
export interface Guarded {
  /** Those that did not take the cold path. */
  readonly fast: readonly Block[];
  readonly slow: Block;
}

export class FunctionRewriter {
  /** Appends to the piece that is being written. */
  readonly builder: Builder = new Builder([]);
  #current: Block;
  #source: Block;
  #pieces: Block[] = [];
  readonly #cold: Block[] = [];
  readonly #lastPiece = new Map<Block, Block>();

  constructor(private readonly target: IrFunction) {
    this.#current = target.blocks[0]!;
    this.#source = this.#current;
  }

  /** The block that is being rewritten, whatever piece of it is current. */
  get sourceBlock(): Block {
    return this.#source;
  }

  /**
   * Visits every instruction; instructions that the visitor does not emit are removed. `done`
   * completes phis before their source blocks are renamed.
   */
  run(visit: (instruction: Instruction) => void, done: () => void = () => {}): void {
    for (const block of this.target.blocks) {
      const instructions = block.instructions;
      block.instructions = [];
      this.#source = block;
      this.#enter(block);
      for (const instruction of instructions) visit(instruction);
      this.#lastPiece.set(block, this.#current);
    }
    done();
    this.target.blocks = [...this.#pieces, ...this.#cold];
    for (const block of this.target.blocks) this.#renamePhiSources(block);
  }

  /**
   * Emits an instruction of the program. Its alias and value metadata are dropped, because they may
   * no longer hold.
   */
  emit(instruction: Instruction): void {
    if (instruction.metadata !== likely) instruction.metadata = undefined;
    this.#current.instructions.push(instruction);
  }

  /**
   * Continues directly if the condition holds, which is nearly always the case; otherwise through a
   * cold block. Returns the predecessors of the continuation, for a phi.
   */
  guard(condition: Value, cold: (builder: Builder) => void): Guarded {
    return this.guardTwice(condition, undefined, cold);
  }

  /**
   * Like `guard`, with a second condition, if there is one, that is computed only if the first one
   * does not hold.
   */
  guardTwice(
    condition: Value,
    second: ((builder: Builder) => Value) | undefined,
    cold: (builder: Builder) => void,
  ): Guarded {
    const fast = [this.#current];
    const [slow, continuation] = [makeBlock('slow'), makeBlock('checked')];
    const unsure = second && makeBlock('unsure');
    this.builder.condBr(condition, continuation, unsure ?? slow).metadata = likely;
    if (unsure !== undefined) {
      const builder = new Builder(unsure.instructions);
      builder.condBr(second!(builder), continuation, slow).metadata = likely;
      this.#cold.push(unsure);
      fast.push(unsure);
    }
    const coldBuilder = new Builder(slow.instructions);
    cold(coldBuilder);
    coldBuilder.br(continuation);
    this.#cold.push(slow);
    this.#enter(continuation);
    return { fast, slow };
  }

  #enter(block: Block): void {
    this.#current = block;
    this.builder.into = block.instructions;
    this.#pieces.push(block);
  }

  #renamePhiSources(block: Block): void {
    for (const instruction of block.instructions) {
      if (instruction.op !== 'phi') continue;
      instruction.blocks = instruction.blocks.map(source =>
        this.#madePhis.has(instruction) ? source : (this.#lastPiece.get(source) ?? source),
      );
    }
  }

  readonly #madePhis = new Set<Instruction>();

  /** A phi at the start of a guard's continuation, whose sources are already the final pieces. */
  guardPhi({ fast, slow }: Guarded, before: Value, after: Value): Value {
    const incoming = fast.map((block): [Value, Block] => [before, block]);
    const phi = this.builder.phi(before.type, [...incoming, [after, slow]]);
    this.#madePhis.add(phi);
    return phi;
  }
}
