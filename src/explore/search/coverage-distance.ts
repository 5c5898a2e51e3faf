/**
 * The distance of a state from uncovered code: the least number of blocks from its position, or
 * from the return address of one of its callers, to an uncovered block of the program (not of its
 * library), including called functions.
 *
 *     uncovered 0 ◀── 1 ◀── 2 ◀── 3 ...        a call of f: 1 + the distance of f's first block
 *
 * Distances are computed per function on demand and cached while little has changed; they only
 * guide the search, so they may be slightly outdated. The result depends only on the program and
 * the states, as the search order must.
 */

import { isInLibrary } from '../../findings/finding.js';
import { functionLocation } from '../../ir/debug.js';
import type { Block } from '../../ir/model.js';
import { successorsOf } from '../../ir/operands.js';
import type { Machine } from '../machine/machine.js';
import type { DecodedBlock, DecodedFunction } from '../state/decoded.js';
import type { State } from '../state/state.js';

/** The number of lookups before new coverage is considered. */
const QUESTIONS_PER_UPDATE = 500;

/** The number of callers that are considered. */
const MOST_FRAMES = 8;

export interface SavedDistances {
  readonly coveredThen: number;
  readonly questions: number;
  readonly entered: readonly string[];
  /** The distances of blocks from which uncovered code can be reached. */
  readonly distances: readonly (readonly [number, number])[];
}

export class CoverageDistance {
  readonly #machine: Machine;
  /** Indexed by the id of a block. */
  #distances = new Map<number, number>();
  #entered = new Set<DecodedFunction>();
  #coveredThen = -1;
  #questions = 0;

  constructor(machine: Machine) {
    this.#machine = machine;
  }

  /** Infinity if no uncovered code is known to be reachable. */
  of(state: State): number {
    this.#update();
    let least = Number.POSITIVE_INFINITY;
    let frame: State['frame'] | undefined = state.frame;
    for (let depth = 0; frame !== undefined && depth < MOST_FRAMES; depth++, frame = frame.caller)
      least = Math.min(least, depth + this.#ofBlock(frame.block));
    return least;
  }

  /** The cached distances, for a resumed exploration. */
  save(): SavedDistances {
    return {
      coveredThen: this.#coveredThen,
      questions: this.#questions,
      entered: [...this.#entered].map(({ name }) => name),
      distances: [...this.#distances].filter(([, distance]) => distance !== Number.POSITIVE_INFINITY),
    };
  }

  restore({ coveredThen, questions, entered, distances }: SavedDistances): void {
    const { program } = this.#machine;
    this.#coveredThen = coveredThen;
    this.#questions = questions;
    this.#entered = new Set(entered.map(name => program.functionNamed(name)!));
    this.#distances = new Map(distances);
  }

  #update(): void {
    const { coveredBlocks } = this.#machine;
    if (coveredBlocks === this.#coveredThen || this.#questions++ % QUESTIONS_PER_UPDATE !== 0) return;
    this.#coveredThen = coveredBlocks;
    this.#questions = 1;
    this.#distances = new Map();
    this.#entered = new Set();
  }

  #ofBlock(block: DecodedBlock): number {
    if (!this.#entered.has(block.target)) this.#compute(block.target);
    return this.#distances.get(block.id) ?? Number.POSITIVE_INFINITY;
  }

  #ofFunction(target: DecodedFunction): number {
    if (!isOfProgram(target)) return Number.POSITIVE_INFINITY;
    const [first] = target.blocks;
    return first === undefined ? 0 : this.#ofBlock(first);
  }

  /** A function that is being computed counts as unreachable, so recursion ends. */
  #compute(target: DecodedFunction): void {
    this.#entered.add(target);
    const { covered, program } = this.#machine;
    const idOf = new Map<Block, number>(target.blocks.map(({ ir, id }) => [ir, id]));
    const own = isOfProgram(target);
    for (const { id, steps } of target.blocks) {
      let distance = own && covered[id] === 0 ? 0 : Number.POSITIVE_INFINITY;
      for (const { ir } of steps) {
        if (distance <= 1 || ir.op !== 'call' || ir.callee.kind !== 'function') continue;
        const callee = program.functionNamed(ir.callee.name);
        if (callee !== undefined && callee.ir.blocks.length > 0)
          distance = Math.min(distance, 1 + this.#ofFunction(callee));
      }
      this.#distances.set(id, distance);
    }
    for (let changed = true; changed; ) {
      changed = false;
      for (const { ir, id } of target.blocks.toReversed()) {
        for (const next of successorsOf(ir)) {
          const through = 1 + (this.#distances.get(idOf.get(next) ?? -1) ?? Number.POSITIVE_INFINITY);
          if (through >= this.#distances.get(id)!) continue;
          this.#distances.set(id, through);
          changed = true;
        }
      }
    }
  }
}

function isOfProgram({ ir }: DecodedFunction): boolean {
  const place = functionLocation(ir);
  return place !== undefined && !isInLibrary(place);
}
