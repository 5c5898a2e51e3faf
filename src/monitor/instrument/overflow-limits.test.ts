import { describe, expect, it } from 'vitest';
import { signedValue } from '../../ir/constants.js';
import type { Instruction, IntegerConstant, IrFunction } from '../../ir/model.js';
import { readModule } from '../../ir/reader.js';
import { verifyModule } from '../../ir/verify.js';
import { compareWithLimits } from './overflow-limits.js';

/** A function that returns whether `x op constant` fits, with more uses of the pair if wanted. */
function rewritten(op: 'add' | 'sub', constant: number, more = ''): IrFunction {
  const text = `
declare { i8, i1 } @llvm.s${op}.with.overflow.i8(i8, i8)
declare void @use(i8, i1)
declare void @keep({ i8, i1 })
define i1 @fits(i8 %x) {
  %pair = call { i8, i1 } @llvm.s${op}.with.overflow.i8(i8 %x, i8 ${constant})
  %sum = extractvalue { i8, i1 } %pair, 0
  %over = extractvalue { i8, i1 } %pair, 1
  %fits = xor i1 %over, true
  ${more}
  ret i1 %fits
}`;
  const read = readModule(text, 'a.ll');
  if (read.kind !== 'module') throw new Error(read.error.message);
  const target = read.module.functions.find(({ name }) => name === 'fits')!;
  compareWithLimits(target);
  expect(verifyModule(read.module)).toEqual([]);
  return target;
}

const instructionsOf = (target: IrFunction): Instruction[] => target.blocks[0]!.instructions;
const opsOf = (target: IrFunction): string[] => instructionsOf(target).map(({ op }) => op);

describe('compareWithLimits', () => {
  it('agrees with the pair, for all bytes', () => {
    for (const op of ['add', 'sub'] as const) {
      for (let constant = -128; constant < 128; constant++) {
        const compare = instructionsOf(rewritten(op, constant)).find(
          instruction => instruction.op === 'icmp',
        )!;
        const limit = Number(signedValue(compare.right as IntegerConstant));
        for (let x = -128; x < 128; x++) {
          const sum = op === 'add' ? x + constant : x - constant;
          const answer = compare.predicate === 'sle' ? x <= limit : x >= limit;
          if (answer !== (sum >= -128 && sum < 128)) expect.fail(`${x} ${op} ${constant}: ${answer}`);
        }
      }
    }
  });

  it('keeps the sum, and an overflow flag with other uses than a negation', () => {
    expect(opsOf(rewritten('sub', 1))).toEqual(['sub', 'icmp', 'ret']);
    expect(opsOf(rewritten('sub', 1, 'call void @use(i8 %sum, i1 %over)'))).toEqual([
      ...['sub', 'icmp', 'icmp', 'call', 'ret'],
    ]);
  });

  it('does not change a pair that is used as a whole', () => {
    expect(opsOf(rewritten('add', 1, 'call void @keep({ i8, i1 } %pair)'))).toContain('extractvalue');
  });
});
