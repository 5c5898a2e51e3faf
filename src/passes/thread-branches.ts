/**
 * Jump threading: redirects edges to a branch whose outcome is known on that edge.
 *
 * For `i < n && a[i] > key` clang emits a block that only joins the two results and branches on
 * them. The edge from the left side with "false" can go directly to its target:
 *
 * ```
 *   left:  br %c, %right, %join                       left:  br %c, %right, %exit
 *   right: br %join                          becomes  right: br %join
 *   join:  %b = phi [ false, %left ], [ %d, %right ]  join:  %b = phi [ %d, %right ]
 *          br %b, %body, %exit                               br %b, %body, %exit
 * ```
 *
 * Then `right` dominates `body`, and its checks need not be repeated there. The same holds for a
 * branch on a comparison with a constant, as after a call that was inlined: where `next(&symbol)`
 * returns 0, nothing reads `symbol`. The pass only moves edges, and only if what the join computes
 * is used nowhere behind the edges that are moved: in `n = next(&symbol); if (n == 0) break;` the
 * edge with 0 goes to where the loop ends.
 */
import type {
  Block,
  ConditionalBranchInstruction,
  IcmpInstruction,
  Instruction,
  IntegerConstant,
  IrFunction,
  PhiInstruction,
  Value,
} from '../ir/model.js';
import { mapSuccessors, terminatorOf } from '../ir/operands.js';
import { DominatorTree } from './dominators.js';
import { removeUnreachableBlocks } from './unreachable-blocks.js';
import { usesOf } from './value-uses.js';

/** Says whether an edge was moved. */
export function threadBranches(target: IrFunction): boolean {
  let known: Uses | undefined;
  const regions = new Regions(target);
  let isChanged = false;
  for (const join of target.blocks) {
    const shape = joinOf(join);
    if (shape === undefined) continue;
    known ??= usesOf(target);
    const { phi, compare, branch } = shape;
    if (!isOnlyUser(branch, compare, known)) continue;
    if (bringConstants(join, shape, known)) isChanged = regions.forget();
    for (let i = phi.values.length - 1; i >= 0; i--) {
      const value = phi.values[i]!;
      if (value.kind !== 'integer') continue;
      const isTrue = compare === undefined ? value.value === 1n : holds(compare, phi, value);
      if (isTrue === undefined) continue;
      const [destination, remaining] = isTrue
        ? [branch.ifTrue, branch.ifFalse]
        : [branch.ifFalse, branch.ifTrue];
      const source = phi.blocks[i]!;
      if (destination === join || !mayRedirect(source, phi, destination)) continue;
      if (!isUsedBehind(remaining, shape, known, regions)) continue;
      mapSuccessors(terminatorOf(source)!, block => (block === join ? destination : block));
      for (const each of shape.phis) takeEntry(each, source);
      addEntries(destination, join, source);
      isChanged = regions.forget();
    }
  }
  // Nothing may lead to a join, or to a block before it, any more.
  if (isChanged) removeUnreachableBlocks(target);
  return isChanged;
}

/**
 * Whether the values of a join are used, apart from its branch, only where its edge to `first`
 * leads.
 */
function isUsedBehind(first: Block, { phis, compare, branch }: Join, known: Uses, regions: Regions): boolean {
  return phis.every(phi => {
    const others = known.get(phi)?.filter(user => user !== (compare ?? branch)) ?? [];
    return others.length === 0 || regions.areBehind(first, others, phi);
  });
}

/** Large functions are not analysed again after each of many changes. */
const mostTrees = 30;

/** Which blocks are entered only through a block that has one predecessor. */
class Regions {
  #tree: DominatorTree | undefined;
  #trees = 0;
  #blockOf: ReadonlyMap<Instruction, Block> | undefined;

  constructor(private readonly target: IrFunction) {}

  /** An edge was moved: true. */
  forget(): true {
    this.#tree = undefined;
    return true;
  }

  /** Whether all these uses of a value are in blocks that are entered only through `first`. */
  areBehind(first: Block, uses: readonly Instruction[], value: Value): boolean {
    const tree = this.#current();
    const at = tree?.cfg.numberOf.get(first);
    if (tree === undefined || at === undefined || tree.cfg.predecessors[at]!.length !== 1) return false;
    const isBehind = (block: Block): boolean => {
      const number = tree.cfg.numberOf.get(block);
      return number !== undefined && tree.dominates(at, number);
    };
    return uses.every(use =>
      use.op === 'phi'
        ? use.values.every((each, i) => each !== value || isBehind(use.blocks[i]!))
        : isBehind(this.#blockWith(use)),
    );
  }

  #current(): DominatorTree | undefined {
    if (this.#tree === undefined && this.#trees++ < mostTrees) this.#tree = new DominatorTree(this.target);
    return this.#tree;
  }

  #blockWith(instruction: Instruction): Block {
    this.#blockOf ??= new Map(
      this.target.blocks.flatMap(block => block.instructions.map(each => [each, block] as const)),
    );
    return this.#blockOf.get(instruction)!;
  }
}

type Uses = Map<Value, Instruction[]>;

/**
 * A block that consists of phis, perhaps the comparison of one with a constant, and the branch on
 * it.
 */
interface Join {
  readonly phis: readonly PhiInstruction[];
  /** The one that decides. */
  readonly phi: PhiInstruction;
  readonly compare: IcmpInstruction | undefined;
  readonly branch: ConditionalBranchInstruction;
}

function joinOf(block: Block): Join | undefined {
  const { phis, others } = partsOf(block);
  const [branch, compare] = others.toReversed();
  if (branch?.op !== 'condbr' || branch.ifTrue === branch.ifFalse || others.length > 2) return undefined;
  if (compare !== undefined && (compare.op !== 'icmp' || branch.condition !== compare)) return undefined;
  const decides = compare?.left ?? branch.condition;
  const phi = phis.find(each => each === decides);
  return phi && { phis, phi, compare, branch };
}

function partsOf({ instructions }: Block): { phis: PhiInstruction[]; others: Instruction[] } {
  const parts: ReturnType<typeof partsOf> = { phis: [], others: [] };
  for (const instruction of instructions)
    if (instruction.op === 'phi') parts.phis.push(instruction);
    else if (instruction.op !== 'debug-record') parts.others.push(instruction);
  return parts;
}

/** Whether the comparison holds for a value of the phi; undefined if that is not known. */
function holds(
  { predicate, left, right }: IcmpInstruction,
  phi: PhiInstruction,
  value: IntegerConstant,
): boolean | undefined {
  if (left !== phi || right.kind !== 'integer' || right.type.kind !== 'integer') return undefined;
  const { bits } = right.type;
  const [a, b] = [BigInt.asUintN(bits, value.value), BigInt.asUintN(bits, right.value)];
  const [x, y] = [BigInt.asIntN(bits, a), BigInt.asIntN(bits, b)];
  switch (predicate) {
    case 'eq':
      return a === b;
    case 'ne':
      return a !== b;
    case 'ugt':
      return a > b;
    case 'uge':
      return a >= b;
    case 'ult':
      return a < b;
    case 'ule':
      return a <= b;
    case 'sgt':
      return x > y;
    case 'sge':
      return x >= y;
    case 'slt':
      return x < y;
    case 'sle':
      return x <= y;
  }
}

/**
 * Edges that bring constants through a block with nothing but phis go to the join themselves:
 * nested scopes return through such blocks.
 */
function bringConstants(join: Block, { phis, phi }: Join, known: Uses): boolean {
  let isChanged = false;
  for (let i = 0; i < phi.values.length; i++) {
    const inner = phi.values[i]!;
    const through = phi.blocks[i]!;
    const { phis: passed, others } = partsOf(through);
    if (inner.kind !== 'instruction' || inner.op !== 'phi' || !passed.includes(inner)) continue;
    const [jump] = others;
    if (jump?.op !== 'br' || others.length > 1 || through === join) continue;
    if (!passed.every(each => isPassedOn(each, through, phis, known))) continue;
    for (let k = inner.values.length - 1; k >= 0; k--) {
      const source = inner.blocks[k]!;
      if (inner.values[k]!.kind !== 'integer' || !mayRedirect(source, inner, join)) continue;
      mapSuccessors(terminatorOf(source)!, block => (block === through ? join : block));
      for (const of of phis) {
        const value = of.values[of.blocks.indexOf(through)]!;
        const before = passed.find(each => each === value);
        const brought = before === undefined ? value : before.values[before.blocks.indexOf(source)]!;
        of.values.push(brought);
        of.blocks.push(source);
        known.set(brought, [...(known.get(brought) ?? []), of]);
      }
      for (const each of passed) takeEntry(each, source);
      isChanged = true;
    }
  }
  return isChanged;
}

/** Whether the source has one edge to the block of the phi, and none to the destination. */
function mayRedirect(source: Block, phi: PhiInstruction, destination: Block): boolean {
  const terminator = terminatorOf(source);
  if (terminator?.op !== 'br' && terminator?.op !== 'condbr') return false;
  if (phi.blocks.filter(block => block === source).length !== 1) return false;
  return !destination.instructions.some(other => other.op === 'phi' && other.blocks.includes(source));
}

/** Whether a phi of the block before a join has no other use than in the phis of the join. */
function isPassedOn(
  passed: PhiInstruction,
  through: Block,
  phis: readonly PhiInstruction[],
  known: Uses,
): boolean {
  const isOfEdge = (user: Instruction): boolean =>
    phis.some(
      phi => phi === user && phi.values.every((each, i) => each !== passed || phi.blocks[i] === through),
    );
  return known.get(passed)?.every(isOfEdge) ?? true;
}

function takeEntry({ values, blocks }: PhiInstruction, source: Block): void {
  const entry = blocks.indexOf(source);
  values.splice(entry, 1);
  blocks.splice(entry, 1);
}

/** The phis of `block` get the values for `from` that they have for `like`. */
function addEntries({ instructions }: Block, like: Block, from: Block): void {
  for (const phi of instructions) {
    if (phi.op !== 'phi') break;
    phi.values.push(phi.values[phi.blocks.indexOf(like)]!);
    phi.blocks.push(from);
  }
}

function isOnlyUser(user: Instruction, value: Value | undefined, known: Uses): boolean {
  return value === undefined || known.get(value)?.every(each => each === user) === true;
}
