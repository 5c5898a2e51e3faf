/**
 * Merges `a || b` and `a && b` into one condition if `b` has no side effects and cannot fail.
 *
 * ```
 *   before   test:  br %a, end, other          after   test:  %b = ...
 *            other: %b = ...; br end                          %r = select %a, true, %b; br end
 *            end:   %r = phi [true, test], [%b, other]
 * ```
 *
 * Two states that fork at `a` and meet again at `end` would do the same work twice, and the branch
 * on `%r` makes the same distinction. As a term, the select is one condition.
 *
 * Only selects between conditions are merged: other values that depend on a branch are what
 * distinguishes paths.
 *
 * **Invariant:** only a few instructions that can neither fail nor access memory are speculated.
 */
import type {
  Block,
  ConditionalBranchInstruction,
  Instruction,
  IrFunction,
  SelectInstruction,
} from '../../ir/model.js';
import { successorsOf } from '../../ir/operands.js';
import { i1 } from '../../ir/types.js';

const MOST_INSTRUCTIONS = 4;

const harmless: ReadonlySet<Instruction['op']> = new Set([
  'icmp',
  'and',
  'or',
  'xor',
  'zext',
  'sext',
  'trunc',
  'select',
  'debug-record',
]);

export function joinConditions(target: IrFunction): void {
  // Labels whose address is taken are numbered by their position.
  if (target.blocks.some(block => block.instructions.at(-1)?.op === 'indirectbr')) return;
  const predecessors = new Map<Block, Block[]>();
  for (const block of target.blocks) {
    for (const next of successorsOf(block))
      predecessors.set(next, [...(predecessors.get(next) ?? []), block]);
  }
  // An outer condition may become simple once the inner one has been merged.
  for (let changed = true; changed; ) {
    changed = false;
    for (const block of target.blocks) changed = joinAt(target, block, predecessors) || changed;
  }
}

/** Merges the side block of a test, if possible. */
function joinAt(target: IrFunction, test: Block, predecessors: Map<Block, Block[]>): boolean {
  const branch = test.instructions.at(-1);
  if (branch?.op !== 'condbr' || branch.ifTrue === branch.ifFalse) return false;
  for (const [side, end] of [
    [branch.ifTrue, branch.ifFalse],
    [branch.ifFalse, branch.ifTrue],
  ] as const) {
    const last = side.instructions.at(-1);
    if (last?.op !== 'br' || last.target !== end || side === target.blocks[0]) continue;
    if (predecessors.get(side)?.length !== 1 || !isHarmless(side) || !choosesConditions(end)) continue;
    join(target, test, branch, side, end);
    predecessors.set(
      end,
      predecessors.get(end)!.filter(block => block !== side),
    );
    return true;
  }
  return false;
}

/** Whether the block begins with phis, all of which select between conditions. */
function choosesConditions({ instructions }: Block): boolean {
  const phis = instructions.filter(({ op }) => op === 'phi');
  return phis.length > 0 && phis.every(({ type }) => type === i1);
}

function isHarmless({ instructions }: Block): boolean {
  const body = instructions.slice(0, -1);
  return body.length <= MOST_INSTRUCTIONS && body.every(({ op }) => harmless.has(op));
}

function join(
  target: IrFunction,
  test: Block,
  branch: ConditionalBranchInstruction,
  side: Block,
  end: Block,
): void {
  const body = side.instructions.slice(0, -1);
  const choices: SelectInstruction[] = [];
  const sideIsTrue = branch.ifTrue === side;
  for (const phi of end.instructions) {
    if (phi.op !== 'phi') continue;
    const viaSide = phi.values[phi.blocks.indexOf(side)]!;
    const direct = phi.values[phi.blocks.indexOf(test)]!;
    const choice: SelectInstruction = {
      kind: 'instruction',
      op: 'select',
      type: phi.type,
      name: undefined,
      debugLocation: branch.debugLocation,
      metadata: undefined,
      flags: 0,
      condition: branch.condition,
      ifTrue: sideIsTrue ? viaSide : direct,
      ifFalse: sideIsTrue ? direct : viaSide,
    };
    choices.push(choice);
    phi.values = phi.values.map((value, i) => (phi.blocks[i] === test ? choice : value));
    const keep = phi.blocks.map(block => block !== side);
    phi.values = phi.values.filter((_, i) => keep[i]);
    phi.blocks = phi.blocks.filter((_, i) => keep[i]);
  }
  const { kind, type, name, debugLocation, metadata } = branch;
  test.instructions = [
    ...test.instructions.slice(0, -1),
    ...body,
    ...choices,
    { kind, op: 'br', type, name, debugLocation, metadata, target: end },
  ];
  target.blocks = target.blocks.filter(block => block !== side);
}
