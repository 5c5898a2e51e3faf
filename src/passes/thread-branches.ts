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
 * returns 0, nothing reads `symbol`. The pass only moves edges.
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
import { removeUnreachableBlocks } from './unreachable-blocks.js';
import { usesOf } from './value-uses.js';

export function threadBranches(target: IrFunction): void {
  // Moving edges adds no instruction that uses a value.
  let known: Uses | undefined;
  let isChanged = false;
  for (const join of target.blocks) {
    const shape = joinOf(join);
    if (shape === undefined) continue;
    known ??= usesOf(target);
    const { phi, compare, branch } = shape;
    if (!isOnlyUser(compare ?? branch, phi, known) || !isOnlyUser(branch, compare, known)) continue;
    isChanged = bringConstants(join, phi, known) || isChanged;
    for (let i = phi.values.length - 1; i >= 0; i--) {
      const value = phi.values[i]!;
      if (value.kind !== 'integer') continue;
      const isTrue = compare === undefined ? value.value === 1n : holds(compare, phi, value);
      if (isTrue === undefined) continue;
      const destination = isTrue ? branch.ifTrue : branch.ifFalse;
      const source = phi.blocks[i]!;
      if (destination === join || !mayRedirect(source, phi, destination)) continue;
      mapSuccessors(terminatorOf(source)!, block => (block === join ? destination : block));
      phi.values.splice(i, 1);
      phi.blocks.splice(i, 1);
      addEntries(destination, join, source);
      isChanged = true;
    }
  }
  // Nothing may lead to a join, or to a block before it, any more.
  if (isChanged) removeUnreachableBlocks(target);
}

type Uses = ReadonlyMap<Value, readonly Instruction[]>;

/** A block that consists of a phi, perhaps its comparison with a constant, and the branch on it. */
interface Join {
  readonly phi: PhiInstruction;
  readonly compare: IcmpInstruction | undefined;
  readonly branch: ConditionalBranchInstruction;
}

function joinOf(block: Block): Join | undefined {
  const [phi, ...others] = block.instructions.filter(({ op }) => op !== 'debug-record');
  const branch = others.at(-1);
  if (phi?.op !== 'phi' || branch?.op !== 'condbr' || branch.ifTrue === branch.ifFalse) return undefined;
  if (others.length === 1) return branch.condition === phi ? { phi, compare: undefined, branch } : undefined;
  const [compare] = others;
  if (others.length !== 2 || compare?.op !== 'icmp' || branch.condition !== compare) return undefined;
  return { phi, compare, branch };
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
 * Edges that bring constants through a block with nothing but a phi go to the join themselves:
 * nested scopes return through such blocks.
 */
function bringConstants(join: Block, phi: PhiInstruction, known: Uses): boolean {
  let isChanged = false;
  for (let i = 0; i < phi.values.length; i++) {
    const value = phi.values[i]!;
    const through = phi.blocks[i]!;
    const [inner, jump, ...more] = through.instructions.filter(({ op }) => op !== 'debug-record');
    if (inner?.op !== 'phi' || inner !== value || jump?.op !== 'br' || more.length > 0) continue;
    if (!isOnlyUser(phi, inner, known)) continue;
    for (let k = inner.values.length - 1; k >= 0; k--) {
      const source = inner.blocks[k]!;
      if (inner.values[k]!.kind !== 'integer' || !mayRedirect(source, inner, join)) continue;
      mapSuccessors(terminatorOf(source)!, block => (block === through ? join : block));
      phi.values.push(...inner.values.splice(k, 1));
      phi.blocks.push(...inner.blocks.splice(k, 1));
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
