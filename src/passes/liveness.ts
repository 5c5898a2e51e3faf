/**
 * Liveness: a value is live at a point if some path from there uses it.
 *
 * It is a backward fixpoint. Most values never leave the block that computes them, so the sets have
 * one bit for each value that does, and the others are found by walking their block. The operand of
 * a phi is used at the end of the block that it comes from, and the phi itself is defined at the
 * beginning of its block, so neither is live into the phi's block on account of the phi.
 *
 * **Invariant**: only arguments and results are tracked; debug records use nothing.
 */
import type { Argument, Block, Instruction, IrFunction, Value } from '../ir/model.js';
import { forEachOperand } from '../ir/operands.js';
import { buildCfg, type Cfg } from './cfg.js';

export type Tracked = Argument | Instruction;

export class Liveness {
  readonly cfg: Cfg;
  /** The values that cross from one block to another. */
  readonly #crossing: Tracked[] = [];
  readonly #bitOf = new Map<Value, number>();
  readonly #liveIn: Uint32Array[];
  readonly #liveOut: Uint32Array[];

  constructor(target: IrFunction) {
    this.cfg = buildCfg(target);
    this.#findCrossing(target);
    const words = (this.#crossing.length + 31) >>> 5;
    this.#liveIn = this.cfg.blocks.map(() => new Uint32Array(words));
    this.#liveOut = this.cfg.blocks.map(() => new Uint32Array(words));
    this.#solve();
  }

  #findCrossing(target: IrFunction): void {
    const definedIn = new Map<Value, Block>();
    for (const argument of target.arguments) definedIn.set(argument, this.cfg.blocks[0]!);
    for (const block of this.cfg.blocks) {
      for (const instruction of block.instructions) definedIn.set(instruction, block);
    }
    const use = (operand: Value, block: Block | 'edge'): void => {
      if (!isTracked(operand) || this.#bitOf.has(operand) || definedIn.get(operand) === block) return;
      this.#bitOf.set(operand, this.#crossing.length);
      this.#crossing.push(operand);
    };
    for (const block of this.cfg.blocks) {
      for (const instruction of block.instructions) {
        // A phi's operand crosses an edge, even that of a block to itself.
        if (instruction.op === 'phi') for (const value of instruction.values) use(value, 'edge');
        else forEachOperand(instruction, operand => use(operand, block));
      }
    }
  }

  #solve(): void {
    const { blocks, successors } = this.cfg;
    const phiUses = this.#phiUses();
    for (let changed = true; changed; ) {
      changed = false;
      for (let block = blocks.length - 1; block >= 0; block--) {
        const out = this.#liveOut[block]!;
        for (const use of phiUses[block]!) setBit(out, use);
        for (const successor of successors[block]!) {
          const liveIn = this.#liveIn[successor]!;
          for (let word = 0; word < out.length; word++) out[word]! |= liveIn[word]!;
        }
        const live = this.#throughBlock(blocks[block]!, out);
        if (live.some((word, index) => word !== this.#liveIn[block]![index])) {
          this.#liveIn[block] = live;
          changed = true;
        }
      }
    }
  }

  /** The values that phis elsewhere take from the end of each block. */
  #phiUses(): number[][] {
    const uses: number[][] = this.cfg.blocks.map(() => []);
    for (const block of this.cfg.blocks) {
      for (const phi of block.instructions) {
        if (phi.op !== 'phi') continue;
        phi.values.forEach((value, index) => {
          const from = this.cfg.numberOf.get(phi.blocks[index]!);
          const bit = this.#bitOf.get(value);
          if (from !== undefined && bit !== undefined) uses[from]!.push(bit);
        });
      }
    }
    return uses;
  }

  /** Maps the live values at the end of a block to those at its beginning. */
  #throughBlock(block: Block, out: Uint32Array): Uint32Array {
    const live = out.slice();
    for (let i = block.instructions.length - 1; i >= 0; i--) {
      const instruction = block.instructions[i]!;
      const defined = this.#bitOf.get(instruction);
      if (defined !== undefined) clearBit(live, defined);
      if (instruction.op === 'phi') continue;
      forEachOperand(instruction, operand => {
        const bit = this.#bitOf.get(operand);
        if (bit !== undefined) setBit(live, bit);
      });
    }
    return live;
  }

  #members(bits: Uint32Array): Set<Tracked> {
    return new Set(this.#crossing.filter((_, index) => hasBit(bits, index)));
  }

  /** At the beginning of a reachable block, before its phis. */
  liveIn(block: Block): Set<Tracked> {
    return this.#members(this.#liveIn[this.cfg.numberOf.get(block)!]!);
  }

  /** At the end of a reachable block, including the phi operands of its successors. */
  liveOut(block: Block): Set<Tracked> {
    return this.#members(this.#liveOut[this.cfg.numberOf.get(block)!]!);
  }

  /** Directly after an instruction of that block: the values that must be kept across it. */
  liveAfter(block: Block, instruction: Instruction): Set<Tracked> {
    const live = this.liveOut(block);
    for (let i = block.instructions.length - 1; block.instructions[i] !== instruction && i >= 0; i--) {
      const later = block.instructions[i]!;
      live.delete(later);
      if (later.op === 'phi') continue;
      forEachOperand(later, operand => {
        if (isTracked(operand)) live.add(operand);
      });
    }
    return live;
  }
}

function isTracked(value: Value): value is Tracked {
  return value.kind === 'instruction' || value.kind === 'argument';
}

function setBit(bits: Uint32Array, index: number): void {
  bits[index >>> 5]! |= 1 << (index & 31);
}

function clearBit(bits: Uint32Array, index: number): void {
  bits[index >>> 5]! &= ~(1 << (index & 31));
}

function hasBit(bits: Uint32Array, index: number): boolean {
  return (bits[index >>> 5]! & (1 << (index & 31))) !== 0;
}
