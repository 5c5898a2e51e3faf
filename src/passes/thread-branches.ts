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
 * Then `right` dominates `body`, and its checks need not be repeated there. The pass only moves
 * edges.
 */
import type { Block, ConditionalBranchInstruction, IrFunction, PhiInstruction } from '../ir/model.js';
import { forEachOperand, mapSuccessors, terminatorOf } from '../ir/operands.js';

export function threadBranches(target: IrFunction): void {
  for (const join of target.blocks) {
    const shape = joinOf(join);
    if (shape === undefined || isUsedElsewhere(target, shape.phi, shape.branch)) continue;
    const { phi, branch } = shape;
    for (let i = phi.values.length - 1; i >= 0 && phi.values.length > 1; i--) {
      const value = phi.values[i]!;
      const source = phi.blocks[i]!;
      if (value.kind !== 'integer') continue;
      const destination = value.value === 1n ? branch.ifTrue : branch.ifFalse;
      const terminator = terminatorOf(source);
      const isSingleEdge = phi.blocks.filter(block => block === source).length === 1;
      const alreadyThere = destination.instructions.some(
        other => other.op === 'phi' && other.blocks.includes(source),
      );
      if (destination === join || terminator === undefined || !isSingleEdge || alreadyThere) continue;
      if (terminator.op !== 'br' && terminator.op !== 'condbr') continue;
      mapSuccessors(terminator, block => (block === join ? destination : block));
      phi.values.splice(i, 1);
      phi.blocks.splice(i, 1);
      for (const other of destination.instructions) {
        if (other.op !== 'phi') break;
        other.values.push(other.values[other.blocks.indexOf(join)]!);
        other.blocks.push(source);
      }
    }
  }
}

/** A block that consists of a phi and the branch on it. */
function joinOf(block: Block): { phi: PhiInstruction; branch: ConditionalBranchInstruction } | undefined {
  const [phi, branch, ...more] = block.instructions.filter(({ op }) => op !== 'debug-record');
  if (phi?.op !== 'phi' || branch?.op !== 'condbr' || more.length > 0) return undefined;
  return branch.condition === phi && branch.ifTrue !== branch.ifFalse ? { phi, branch } : undefined;
}

function isUsedElsewhere(
  target: IrFunction,
  phi: PhiInstruction,
  branch: ConditionalBranchInstruction,
): boolean {
  for (const block of target.blocks) {
    for (const instruction of block.instructions) {
      let uses = false;
      forEachOperand(instruction, operand => {
        uses ||= operand === phi;
      });
      if (uses && instruction !== branch) return true;
    }
  }
  return false;
}
