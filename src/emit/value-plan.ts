/**
 * Plans the values of a function: which are computed at their use, and which local holds each of
 * the others.
 *
 * 1. *Aliases.* Casts that change no bits, `freeze` and `extractvalue` are other names for their
 *    operands.
 * 2. *Trees.* A value with one use, in the same block, is computed at that use, on WebAssembly's
 *    stack. A load is moved only if nothing in between writes memory.
 * 3. *Locals.* Every other value has an interval, the hull of all places where it is live, in the
 *    order in which blocks are written. Values whose intervals do not overlap share a local (linear
 *    scan). V8's cost grows with the number of locals at each join, so a function of thirty
 *    thousand values must not have as many locals.
 *
 * ```
 *   position   0 block │ 1 %a = load │ 2 … │ 7 end of block, phis of successors are written │ 8 block …
 *   interval   %a [1, 5]   %b [5, 7] may take the local of %a: operands are read before results are set
 * ```
 *
 * A phi's interval begins with its block. The copies on the edges to it write into its local when
 * whatever else lives there is dead: what is live at the beginning of the block overlaps with the
 * phi.
 *
 * **Invariant:** code that computes a value reads all operands before it sets a local of the
 * result.
 */
import type { Argument, Block, Instruction, IrFunction, PhiInstruction, Value } from '../ir/model.js';
import { forEachOperand } from '../ir/operands.js';
import type { Cfg } from '../passes/cfg.js';
import type { ValueType } from '../wasm/wasm-opcodes.js';
import { componentAt, componentsOf } from './value-types.js';

/** A value that is computed. */
export interface PlannedValue {
  readonly value: Instruction | Argument;
  readonly components: readonly ValueType[];
  /** The number of its block; -1 for arguments. */
  readonly block: number;
  /** Where its instruction stands in the function. */
  position: number;
  uses: number;
  /** The only user, if it is one, its block, and where it is in that. */
  user: Instruction | undefined;
  userBlock: number;
  userIndex: number;
  isInTree: boolean;
  /** The local of each component; empty for what has none. */
  locals: readonly number[];
  start: number;
  end: number;
}

/** The memory effect of an instruction. */
export type Effect = 'none' | 'reads' | 'writes';

export interface PlanRules {
  /** Whether the instruction may be computed at its use, and across which others. */
  effectOf(instruction: Instruction): Effect;
  /** Whether it is recomputed at each use, like a constant. */
  isRepeated(instruction: Instruction): boolean;
  /** Whether the code of the instruction reads an operand more than once. */
  readsTwice(instruction: Instruction): boolean;
  /** The operand that an instruction is another name of. */
  aliasOf(instruction: Instruction): Value | undefined;
}

/** Nesting of trees; a longer one uses a local in its middle. */
const deepestTree = 40;

const none: readonly number[] = [];

export class ValuePlan {
  readonly #values = new Map<Value, PlannedValue>();
  readonly #startOfBlock: Int32Array;
  readonly #endOfBlock: Int32Array;
  readonly #localTypes: ValueType[];

  constructor(
    private readonly cfg: Cfg,
    target: IrFunction,
    parameters: readonly ValueType[],
    firstParameter: number,
    private readonly rules: PlanRules,
    /** Whether each value has a separate local, for functions that are re-entered in the middle. */
    private readonly isUnshared: boolean,
  ) {
    this.#localTypes = [...parameters];
    this.#startOfBlock = new Int32Array(cfg.blocks.length);
    this.#endOfBlock = new Int32Array(cfg.blocks.length);
    let local = firstParameter;
    for (const argument of target.arguments) {
      const planned = this.#add(argument, -1, 0);
      planned.locals = planned.components.map(() => local++);
    }
    this.#number();
    this.#countUses();
    for (const [i, block] of cfg.blocks.entries()) this.#growTrees(block, i);
    this.#extendIntervals();
    this.#assignLocals();
  }

  /** All locals, parameters first. */
  get localTypes(): readonly ValueType[] {
    return this.#localTypes;
  }

  addLocal(type: ValueType): number {
    this.#localTypes.push(type);
    return this.#localTypes.length - 1;
  }

  /** The value that this one is another name of, perhaps one of its components. */
  source(value: Value): Value {
    let source = value;
    while (source.kind === 'instruction') {
      const alias = source.op === 'extractvalue' ? source.aggregate : this.rules.aliasOf(source);
      if (alias === undefined) break;
      source = alias;
    }
    return source;
  }

  /** Which component of its source the value begins with. */
  componentOf(value: Value): number {
    let at = 0;
    let source = value;
    while (source.kind === 'instruction') {
      if (source.op === 'extractvalue') {
        at += componentAt(source.aggregate.type, source.path);
        source = source.aggregate;
        continue;
      }
      const alias = this.rules.aliasOf(source);
      if (alias === undefined) break;
      source = alias;
    }
    return at;
  }

  /** Undefined for constants, and for values that are recomputed at each use. */
  planned(source: Value): PlannedValue | undefined {
    return this.#values.get(source);
  }

  isAlias(instruction: Instruction): boolean {
    return instruction.op === 'extractvalue' || this.rules.aliasOf(instruction) !== undefined;
  }

  #add(value: Instruction | Argument, block: number, position: number): PlannedValue {
    // Without spreads, which cost more than all other planning.
    const planned: PlannedValue = {
      value,
      components: componentsOf(value.type),
      block,
      position,
      uses: 0,
      user: undefined,
      userBlock: -1,
      userIndex: -1,
      isInTree: false,
      locals: none,
      start: position,
      end: position,
    };
    this.#values.set(value, planned);
    return planned;
  }

  #number(): void {
    let position = 1;
    this.cfg.blocks.forEach((block, i) => {
      this.#startOfBlock[i] = position++;
      for (const instruction of block.instructions) {
        const isPhi = instruction.op === 'phi';
        if (
          instruction.type.kind !== 'void' &&
          !this.isAlias(instruction) &&
          !this.rules.isRepeated(instruction)
        ) {
          const planned = this.#add(instruction, i, isPhi ? this.#startOfBlock[i]! : position);
          // All phis of a block are set together, also one that only unused values use.
          if (isPhi) planned.end++;
        }
        if (!isPhi) position++;
      }
      this.#endOfBlock[i] = position++;
    });
  }

  #countUses(): void {
    let user: Instruction;
    let userBlock = 0;
    let userIndex = 0;
    const count = (operand: Value): void => {
      if (operand.kind !== 'instruction' && operand.kind !== 'argument') return;
      const planned = this.#values.get(this.source(operand));
      if (planned === undefined) return;
      planned.user = planned.uses === 0 ? user : undefined;
      planned.userBlock = userBlock;
      planned.userIndex = userIndex;
      planned.uses++;
    };
    const { blocks } = this.cfg;
    for (userBlock = 0; userBlock < blocks.length; userBlock++) {
      const { instructions } = blocks[userBlock]!;
      for (userIndex = 0; userIndex < instructions.length; userIndex++) {
        user = instructions[userIndex]!;
        if (!this.isAlias(user)) forEachOperand(user, count);
      }
    }
  }

  /** From the end of the block, so that it is known where the user of a value is computed. */
  #growTrees(block: Block, number: number): void {
    const { instructions } = block;
    const { length } = instructions;
    const writesBefore = new Int32Array(length + 1);
    for (let i = 0; i < length; i++)
      writesBefore[i + 1] = writesBefore[i]! + (this.rules.effectOf(instructions[i]!) === 'writes' ? 1 : 0);
    /** Where each instruction is computed in the end, as an index, and how deep in its tree. */
    const rootOf = new Int32Array(length + 1);
    const depthOf = new Int32Array(length + 1);
    for (let i = length - 1; i >= 0; i--) {
      const instruction = instructions[i]!;
      rootOf[i] = i;
      const planned = this.#values.get(instruction);
      const user = planned?.user;
      if (planned === undefined || user === undefined || planned.components.length !== 1) continue;
      const effect = this.rules.effectOf(instruction);
      if (effect === 'writes' || instruction.op === 'phi' || this.rules.readsTwice(user)) continue;
      let at = planned.userIndex;
      if (user.op === 'phi') {
        // A value of which a phi is the only user is computed on the edge, if that begins here.
        if (!this.#isOnEdge(user, instruction, block)) continue;
        at = length;
        rootOf[at] = length;
      } else if (planned.userBlock !== number) continue;
      const root = rootOf[at]!;
      const depth = depthOf[at]!;
      // An instruction before this one has not been visited.
      if (at < i || depth >= deepestTree) continue;
      if (effect === 'reads' && writesBefore[root]! > writesBefore[i + 1]!) continue;
      planned.isInTree = true;
      rootOf[i] = root;
      depthOf[i] = depth + 1;
    }
  }

  #isOnEdge(user: PhiInstruction, instruction: Instruction, block: Block): boolean {
    const edge = user.values.findIndex(value => this.source(value) === instruction);
    return user.blocks[edge] === block;
  }

  // ------------------------------------------------------------------------------------- intervals

  #extendIntervals(): void {
    const { blocks, numberOf, predecessors } = this.cfg;
    /** By value, the last one that marked a block as live at its beginning. */
    const marked = new Array<PlannedValue | undefined>(blocks.length);
    const pending: number[] = [];
    /** The uses of one value must follow each other, or marks would be lost. */
    const uses = new Map<PlannedValue, number[]>();
    const use = (source: Value, block: number, position: number): void => {
      const planned = this.#values.get(source);
      if (planned === undefined || planned.block < 0) return;
      if (planned.isInTree) {
        this.#eachOperand(planned.value, operand => use(operand, block, position));
        return;
      }
      if (position > planned.end) planned.end = position;
      if (position < planned.start) planned.start = position;
      if (planned.block === block) return;
      const list = uses.get(planned);
      if (list === undefined) uses.set(planned, [block]);
      else if (list.at(-1) !== block) list.push(block);
    };
    let position = 1;
    blocks.forEach((block, i) => {
      position++;
      for (const instruction of block.instructions) {
        if (instruction.op === 'phi') {
          const phi = this.#values.get(instruction);
          if (phi === undefined || phi.uses === 0) continue;
          instruction.values.forEach((value, edge) => {
            const from = numberOf.get(instruction.blocks[edge]!);
            if (from !== undefined) use(this.source(value), from, this.#endOfBlock[from]!);
          });
          continue;
        }
        if (!this.isSkipped(instruction))
          this.#eachOperand(instruction, operand => use(operand, i, position));
        position++;
      }
      position++;
    });
    for (const [planned, list] of uses)
      for (const block of list) {
        pending.push(block);
        while (pending.length > 0) {
          const at = pending.pop()!;
          if (marked[at] === planned) continue;
          marked[at] = planned;
          // Live at the beginning of the block, so at the end of those before it.
          if (this.#startOfBlock[at]! < planned.start) planned.start = this.#startOfBlock[at]!;
          if (this.#startOfBlock[at]! > planned.end) planned.end = this.#startOfBlock[at]!;
          for (const from of predecessors[at]!) {
            const end = this.#endOfBlock[from]!;
            if (end > planned.end) planned.end = end;
            if (end < planned.start) planned.start = end;
            if (from !== planned.block) pending.push(from);
          }
        }
      }
  }

  /** Whether the instruction has no code at its own position. */
  isSkipped(instruction: Instruction): boolean {
    if (this.isAlias(instruction) || this.rules.isRepeated(instruction)) return true;
    const planned = this.#values.get(instruction);
    if (planned === undefined) return false;
    return planned.isInTree || (planned.uses === 0 && this.rules.effectOf(instruction) !== 'writes');
  }

  #eachOperand(value: Instruction | Argument, visit: (source: Value) => void): void {
    if (value.kind === 'instruction') forEachOperand(value, operand => visit(this.source(operand)));
  }

  /** Shorter intervals end first, so the heap has the next local that becomes free on top. */
  #assignLocals(): void {
    const waiting = [...this.#values.values()]
      .filter(({ block, isInTree, uses }) => block >= 0 && !isInTree && uses > 0)
      .sort((a, b) => a.start - b.start);
    if (this.isUnshared) {
      for (const planned of waiting) planned.locals = planned.components.map(type => this.addLocal(type));
      return;
    }
    const free = new Map<ValueType, number[]>();
    const ends = new EndHeap();
    for (const planned of waiting) {
      for (let next = ends.takeUntil(planned.start); next !== undefined; next = ends.takeUntil(planned.start))
        next.components.forEach((type, i) => {
          const list = free.get(type);
          if (list === undefined) free.set(type, [next!.locals[i]!]);
          else list.push(next!.locals[i]!);
        });
      planned.locals = planned.components.map(type => {
        const list = free.get(type);
        if (list === undefined) return this.addLocal(type);
        return this.#withoutCopy(planned, list) ?? list.pop() ?? this.addLocal(type);
      });
      ends.add(planned);
    }
  }

  /** A phi had best lie where one of its values does, or the value where the phi does. */
  #withoutCopy({ value, user, components }: PlannedValue, free: number[]): number | undefined {
    if (components.length !== 1 || value.kind !== 'instruction') return undefined;
    const others = value.op === 'phi' ? value.values : user?.op === 'phi' ? [user] : [];
    for (const other of others) {
      const wanted = this.#values.get(this.source(other))?.locals[0];
      const at = wanted === undefined ? -1 : free.lastIndexOf(wanted);
      if (at < 0) continue;
      free.splice(at, 1);
      return wanted;
    }
    return undefined;
  }
}

/** Intervals by their end, the first on top. */
class EndHeap {
  readonly #items: PlannedValue[] = [];

  add(item: PlannedValue): void {
    const items = this.#items;
    let at = items.length;
    items.push(item);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (items[parent]!.end <= item.end) break;
      items[at] = items[parent]!;
      at = parent;
    }
    items[at] = item;
  }

  /** The first, if it ends there or before. */
  takeUntil(position: number): PlannedValue | undefined {
    const items = this.#items;
    const [first] = items;
    if (first === undefined || first.end > position) return undefined;
    const last = items.pop()!;
    if (items.length === 0) return first;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= items.length) break;
      if (child + 1 < items.length && items[child + 1]!.end < items[child]!.end) child++;
      if (items[child]!.end >= last.end) break;
      items[at] = items[child]!;
      at = child;
    }
    items[at] = last;
    return first;
  }
}
