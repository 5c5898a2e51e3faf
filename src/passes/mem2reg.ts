/**
 * Promotes locals whose address is never taken from memory to values.
 *
 * clang gives every local an `alloca`, and memory must be checked at each access. A local that is
 * only loaded and stored as a whole cannot be accessed wrongly, so its stores become the values
 * that the loads read. Where two values meet a phi is placed: at the iterated dominance frontier of
 * the stores (Cytron et al.), and only where the local is still read afterwards.
 *
 * ```
 *   %x = alloca i32                                     entry:
 *   store i32 1, ptr %x      ┐                            #dbg_value(i32 1, !x)
 *   br i1 %c, %then, %join   │ promoted                   br i1 %c, %then, %join
 * then:                      │                          then:
 *   store i32 2, ptr %x      │                            #dbg_value(i32 2, !x)
 *   br %join                 │                            br %join
 * join:                      │                          join:
 *   %v = load i32, ptr %x    ┘                            %x.0 = phi i32 [ 1, %entry ], [ 2, %then ]
 * ```
 *
 * The following must be preserved:
 * - *Uninitialized reads.* A promoted local that may be read before it is written would become
 *   `undef`, which hides the error. Such locals stay in memory, where the engines check them,
 *   unless the caller requests otherwise. `llvm.lifetime.start` and `end` count as forgetting the
 *   value: a block-scoped local in a loop starts uninitialised each time round.
 * - *Names.* `#dbg_declare` becomes a `#dbg_value` at each store and phi, so a value still has the
 *   name of its variable.
 * - *Volatile and atomic accesses, and accesses of another type* keep the local in memory.
 *
 * **Invariants**: the function is valid before and after; only allocas of the entry block are
 * promoted, since only those exist once per call.
 */
import { poisonConstant, undefConstant } from '../ir/constants.js';
import type {
  AllocaInstruction,
  Block,
  DebugRecord,
  Instruction,
  IrFunction,
  PhiInstruction,
  Value,
} from '../ir/model.js';
import { mapDebugOperands, mapOperands, successorsOf } from '../ir/operands.js';
import { voidType } from '../ir/types.js';
import type { Cfg } from './cfg.js';
import { alwaysAssigned } from './definite-assignment.js';
import { DominatorTree } from './dominators.js';
import { accessOf, findWholeLocals } from './whole-locals.js';

export interface PromoteOptions {
  /** Also promotes locals that may be read before they are written; such reads give `undef`. */
  readonly promoteUninitialized?: boolean;
}

/** Returns the number of promoted locals. */
export function promoteLocals(target: IrFunction, options: PromoteOptions = {}): number {
  if (target.blocks.length === 0) return 0;
  let locals = findWholeLocals(target);
  if (locals.size === 0) return 0;
  const tree = new DominatorTree(target);
  if (options.promoteUninitialized !== true) locals = alwaysAssigned(tree.cfg, locals);
  if (locals.size > 0) new Promotion(target, tree, locals).run();
  return locals.size;
}

/** The phi of a block for a local. */
interface PlacedPhi {
  readonly local: AllocaInstruction;
  readonly phi: PhiInstruction;
}

/** The value of each local at a point, by the local's index. */
type Contents = readonly Value[];

class Promotion {
  readonly #target: IrFunction;
  readonly #tree: DominatorTree;
  readonly #locals: ReadonlySet<AllocaInstruction>;
  readonly #indexOf: ReadonlyMap<AllocaInstruction, number>;
  /** Indexed by block number. */
  readonly #phis: readonly PlacedPhi[][];
  readonly #declares = new Map<Value, DebugRecord[]>();
  /** The replacements of loads, and of addresses of locals that debug information still names. */
  readonly #replaced = new Map<Value, Value>();

  constructor(target: IrFunction, tree: DominatorTree, locals: ReadonlySet<AllocaInstruction>) {
    this.#target = target;
    this.#tree = tree;
    this.#locals = locals;
    this.#indexOf = new Map([...locals].map((local, index) => [local, index]));
    this.#phis = placePhis(tree, locals);
    for (const local of locals) this.#replaced.set(local, poisonConstant(local.type));
  }

  run(): void {
    this.#collectDeclares();
    this.#rename();
    for (const block of this.#target.blocks) {
      if (!this.#tree.cfg.numberOf.has(block)) this.#emptyUnreachable(block);
    }
    const replace = (operand: Value): Value => this.#replaced.get(operand) ?? operand;
    for (const block of this.#target.blocks) {
      for (const instruction of block.instructions) {
        mapOperands(instruction, replace);
        mapDebugOperands(instruction, replace);
      }
    }
  }

  #collectDeclares(): void {
    for (const block of this.#target.blocks) {
      for (const record of block.instructions) {
        const local = this.#declared(record);
        if (local === undefined || record.op !== 'debug-record') continue;
        const known = this.#declares.get(local);
        if (known === undefined) this.#declares.set(local, [record]);
        else known.push(record);
      }
    }
  }

  /** The promoted local that a `#dbg_declare` names. */
  #declared(record: Instruction): Value | undefined {
    if (record.op !== 'debug-record' || record.record !== 'declare') return undefined;
    const [local] = record.values;
    return local !== undefined && this.#indexOf.has(local as AllocaInstruction) ? local : undefined;
  }

  /**
   * Walks down the dominator tree with the value of each local: a definition is visited before all
   * of its uses.
   */
  #rename(): void {
    const uninitialized = [...this.#locals].map(local => undefConstant(local.allocatedType));
    const pending: { block: number; contents: Contents }[] = [{ block: 0, contents: uninitialized }];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const contents = this.#renameBlock(next.block, next.contents);
      for (const child of this.#tree.children[next.block]!) pending.push({ block: child, contents });
    }
  }

  #renameBlock(number: number, before: Contents): Contents {
    const block = this.#tree.cfg.blocks[number]!;
    const placed = this.#phis[number]!;
    const contents = [...before];
    const kept: Instruction[] = [];
    for (const { local, phi } of placed) {
      contents[this.#indexOf.get(local)!] = phi;
      kept.push(phi);
    }
    let named = false;
    for (const instruction of block.instructions) {
      if (!named && instruction.op !== 'phi') {
        for (const { local, phi } of placed) this.#nameValue(local, phi, kept);
        named = true;
      }
      this.#renameInstruction(instruction, contents, kept);
    }
    block.instructions = kept;
    for (const successor of this.#tree.cfg.successors[number]!) {
      for (const { local, phi } of this.#phis[successor]!) {
        phi.values.push(contents[this.#indexOf.get(local)!]!);
        phi.blocks.push(block);
      }
    }
    return contents;
  }

  #renameInstruction(instruction: Instruction, contents: Value[], kept: Instruction[]): void {
    if (instruction.op === 'alloca' && this.#locals.has(instruction)) return;
    if (this.#declared(instruction) !== undefined) return;
    const access = accessOf(instruction, this.#locals);
    if (access === undefined) {
      kept.push(instruction);
      return;
    }
    const index = this.#indexOf.get(access.local)!;
    if (instruction.op === 'load') {
      this.#replaced.set(instruction, contents[index]!);
    } else if (instruction.op === 'store') {
      const value = this.#replaced.get(instruction.value) ?? instruction.value;
      contents[index] = value;
      this.#nameValue(access.local, value, kept);
    } else {
      contents[index] = undefConstant(access.local.allocatedType);
    }
  }

  /** From here on the local's variable has this value. */
  #nameValue(local: AllocaInstruction, value: Value, kept: Instruction[]): void {
    for (const declare of this.#declares.get(local) ?? []) {
      kept.push({
        kind: 'instruction',
        type: voidType,
        name: undefined,
        debugLocation: declare.debugLocation,
        metadata: undefined,
        op: 'debug-record',
        record: 'value',
        values: [value],
        isList: false,
        variable: declare.variable,
        expression: declare.expression,
        assign: undefined,
      });
    }
  }

  /**
   * Unreachable code reads arbitrary values, but the phis of its successors need an entry for it.
   */
  #emptyUnreachable(block: Block): void {
    block.instructions = block.instructions.filter(instruction => {
      if (this.#declared(instruction) !== undefined) return false;
      const access = accessOf(instruction, this.#locals);
      if (access?.kind === 'read') this.#replaced.set(instruction, poisonConstant(instruction.type));
      return access === undefined;
    });
    for (const successor of successorsOf(block)) {
      const number = this.#tree.cfg.numberOf.get(successor);
      if (number === undefined) continue;
      for (const { phi } of this.#phis[number]!) {
        phi.values.push(poisonConstant(phi.type));
        phi.blocks.push(block);
      }
    }
  }
}

/** For each block, the phis that it needs; their entries are added while renaming. */
function placePhis(tree: DominatorTree, locals: ReadonlySet<AllocaInstruction>): PlacedPhi[][] {
  const { cfg } = tree;
  const frontiers = tree.frontiers();
  const phis: PlacedPhi[][] = cfg.blocks.map(() => []);
  for (const [local, { writers, readers }] of blocksByAccess(cfg, locals)) {
    const needed = blocksReadingOnEntry(cfg, writers, readers);
    const pending = [...writers];
    const placed = new Set<number>();
    for (let writer = pending.pop(); writer !== undefined; writer = pending.pop()) {
      for (const block of frontiers[writer]!) {
        if (placed.has(block) || !needed.has(block)) continue;
        placed.add(block);
        phis[block]!.push({ local, phi: emptyPhi(local) });
        if (!writers.has(block)) pending.push(block);
      }
    }
  }
  return phis;
}

/** The blocks that change a local, and those that read it before they change it. */
interface AccessBlocks {
  readonly writers: Set<number>;
  readonly readers: Set<number>;
}

function blocksByAccess(
  cfg: Cfg,
  locals: ReadonlySet<AllocaInstruction>,
): Map<AllocaInstruction, AccessBlocks> {
  const found = new Map<AllocaInstruction, AccessBlocks>();
  for (const local of locals) found.set(local, { writers: new Set(), readers: new Set() });
  cfg.blocks.forEach((block, number) => {
    for (const instruction of block.instructions) {
      const access = accessOf(instruction, locals);
      if (access === undefined) continue;
      const { writers, readers } = found.get(access.local)!;
      if (access.kind !== 'read') writers.add(number);
      else if (!writers.has(number)) readers.add(number);
    }
  });
  return found;
}

/** Walks backwards from the readers up to the blocks that write: elsewhere a phi would be dead. */
function blocksReadingOnEntry(
  cfg: Cfg,
  writers: ReadonlySet<number>,
  readers: ReadonlySet<number>,
): Set<number> {
  const needed = new Set(readers);
  const pending = [...readers];
  for (let block = pending.pop(); block !== undefined; block = pending.pop()) {
    for (const predecessor of cfg.predecessors[block]!) {
      if (needed.has(predecessor) || writers.has(predecessor)) continue;
      needed.add(predecessor);
      pending.push(predecessor);
    }
  }
  return needed;
}

function emptyPhi(local: AllocaInstruction): PhiInstruction {
  return {
    kind: 'instruction',
    type: local.allocatedType,
    name: local.name === undefined ? undefined : `${local.name}.0`,
    debugLocation: undefined,
    metadata: undefined,
    op: 'phi',
    flags: 0,
    values: [],
    blocks: [],
  };
}
