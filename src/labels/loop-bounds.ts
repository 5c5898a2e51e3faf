/**
 * Finds the values that bound the number of iterations of a loop: the values that its counter is
 * compared with, and the counter's initial value.
 *
 * ```
 *   for (i = 0; i < n; i++)      n, and what i begins with
 *   while (count--)              what count begins with
 *   while (*text++)              nothing: the text ends itself, no number says where
 * ```
 *
 * A counter is a phi of the loop header that each iteration changes by a loop-invariant amount.
 */
import { calledName } from '../ir/called-functions.js';
import type { Instruction, IrFunction, PhiInstruction, Value } from '../ir/model.js';
import { forEachOperand, terminatorOf } from '../ir/operands.js';
import type { Cfg } from '../passes/cfg.js';
import { DominatorTree } from '../passes/dominators.js';
import { findLoops, type Loop } from '../passes/loops.js';

/** For each branch that leaves a loop, the values that bound it. */
export function loopBounds(target: IrFunction): Map<Instruction, Value[]> {
  const tree = new DominatorTree(target);
  const bounds = new Map<Instruction, Value[]>();
  for (const loop of findLoops(tree)) {
    const inside = new InLoop(tree.cfg, loop);
    for (const number of loop.blocks) {
      const exit = terminatorOf(tree.cfg.blocks[number]!);
      if (exit?.op !== 'condbr' || !tree.cfg.successors[number]!.some(to => !loop.blocks.includes(to)))
        continue;
      const found = inside.boundsIn(exit.condition);
      if (found.length > 0) bounds.set(exit, [...(bounds.get(exit) ?? []), ...found]);
    }
  }
  return bounds;
}

class InLoop {
  readonly #instructions = new Set<Value>();
  readonly #header: ReadonlySet<Value>;

  constructor(cfg: Cfg, { blocks, header }: Loop) {
    for (const number of blocks)
      for (const instruction of cfg.blocks[number]!.instructions) this.#instructions.add(instruction);
    this.#header = new Set(cfg.blocks[header]!.instructions);
  }

  boundsIn(condition: Value): Value[] {
    if (condition.kind !== 'instruction' || condition.op !== 'icmp') return [];
    const found = new Set<Value>();
    let counts = false;
    const visited = new Set<Value>();
    const visit = (value: Value): boolean => {
      if (value.kind === 'argument') found.add(value);
      if (value.kind !== 'instruction' || visited.has(value)) return true;
      visited.add(value);
      if (!this.#instructions.has(value)) {
        found.add(value);
        return true;
      }
      if (value.op === 'phi') {
        if (!this.#isCounter(value)) return false;
        counts = true;
        found.add(value);
        return true;
      }
      if (value.op === 'load') {
        if (this.#changes(value.pointer)) return false;
        found.add(value);
        return true;
      }
      return (this.#operandsOf(value) ?? limitedBy(value))?.every(visit) ?? false;
    };
    return [condition.left, condition.right].every(visit) && counts ? [...found] : [];
  }

  /** Whether each iteration adds or subtracts a loop-invariant value. */
  #isCounter(phi: PhiInstruction): boolean {
    if (!this.#header.has(phi)) return false;
    const next = phi.values.filter(value => this.#instructions.has(value));
    return next.length > 0 && next.every(value => this.#isStep(value, phi, 0));
  }

  #isStep(value: Value, phi: PhiInstruction, depth: number): boolean {
    if (value === phi) return depth > 0;
    if (value.kind !== 'instruction' || depth > 6) return false;
    const isPlain = value.op === 'add' || value.op === 'sub' || value.op === 'getelementptr';
    if (!isPlain && this.#operandsOf(value) === undefined) return false;
    const operands = this.#operandsOf(value) ?? [];
    const [moving, ...others] = operands.filter(operand => this.#changes(operand));
    return moving !== undefined && others.length === 0 && this.#isStep(moving, phi, depth + 1);
  }

  /** Whether the value is computed anew in each iteration. */
  #changes(value: Value): boolean {
    if (!this.#instructions.has(value) || value.kind !== 'instruction') return false;
    if (value.op === 'phi' || value.op === 'load') return true;
    return this.#operandsOf(value)?.some(operand => this.#changes(operand)) ?? true;
  }

  /** The operands of an operation; undefined if its result depends on more than these. */
  #operandsOf(value: Instruction): Value[] | undefined {
    if (value.op === 'extractvalue' && value.aggregate.kind === 'instruction')
      return this.#operandsOf(value.aggregate);
    if (value.op === 'call' && calledName(value).includes('.with.overflow.')) return [...value.args];
    switch (value.op) {
      case 'add':
      case 'sub':
      case 'mul':
      case 'shl':
      case 'getelementptr':
      case 'sext':
      case 'zext':
      case 'trunc':
      case 'ptrtoint':
      case 'inttoptr':
      case 'freeze': {
        const operands: Value[] = [];
        forEachOperand(value, operand => operands.push(operand));
        return operands;
      }
      default:
        // The result also depends on memory, a call or the path, so the search ends here.
        return undefined;
    }
  }
}

/**
 * The operands of an operation on a limit, as in `i < (n & 7)`. Counters do not use such
 * operations.
 */
function limitedBy(value: Instruction): Value[] | undefined {
  switch (value.op) {
    case 'and':
    case 'or':
    case 'xor':
    case 'lshr':
    case 'ashr':
    case 'udiv':
    case 'sdiv':
    case 'urem':
    case 'srem':
      return [value.left, value.right];
    default:
      // Only these operations bound their result by an operand.
      return undefined;
  }
}
