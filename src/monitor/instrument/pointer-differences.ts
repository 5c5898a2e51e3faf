/**
 * Removes the referent numbers from pointer differences: `b - a` of C is a distance of addresses.
 *
 * Inside a block both pointers have the same number. Between two blocks the numbers would differ
 * too, and `a + (b - a)` would be `b` with its number: `a[b - a]` would look like a valid access to
 * `b`, where C allows neither.
 *
 * ```
 *   %sub.ptr.sub = sub i64 %lhs, %rhs            becomes       sub i64 (%lhs & 0xffffffff), (%rhs & 0xffffffff)
 * ```
 *
 * Only an instruction that clang names `sub.ptr.sub` is a difference of pointers. Integers that
 * were cast from pointers keep their numbers, which lists need whose links are differences or
 * exclusive ors of addresses.
 */
import { Builder } from '../../ir/builder.js';
import { integerConstant } from '../../ir/constants.js';
import type { Instruction, IrFunction } from '../../ir/model.js';
import { i64 } from '../../ir/types.js';

const addressMask = integerConstant(i64, 0xffff_ffff);

export function subtractAddresses(target: IrFunction): void {
  for (const block of target.blocks) {
    if (!block.instructions.some(isPointerDifference)) continue;
    const instructions: Instruction[] = [];
    const builder = new Builder(instructions);
    for (const instruction of block.instructions) {
      if (isPointerDifference(instruction)) {
        instruction.left = builder.binary('and', instruction.left, addressMask);
        instruction.right = builder.binary('and', instruction.right, addressMask);
        instruction.flags = 0;
      }
      instructions.push(instruction);
    }
    block.instructions = instructions;
  }
}

function isPointerDifference(instruction: Instruction): instruction is Instruction & { op: 'sub' } {
  return instruction.op === 'sub' && /^sub\.ptr\.sub\d*$/.test(instruction.name ?? '');
}
