/** CFG, dominators, frontiers, loops and liveness against their definitions, on random graphs. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Block, IrFunction, Value } from '../../src/ir/model.js';
import { forEachOperand, successorsOf } from '../../src/ir/operands.js';
import { verifyFunction } from '../../src/ir/verify.js';
import { DominatorTree } from '../../src/passes/dominators.js';
import { Liveness } from '../../src/passes/liveness.js';
import { findLoops } from '../../src/passes/loops.js';
import { promoteLocals } from '../../src/passes/mem2reg.js';
import { threadBranches } from '../../src/passes/thread-branches.js';
import { removeUnreachableBlocks } from '../../src/passes/unreachable-blocks.js';
import { buildFunction, interpret, plan } from './random-functions.js';

const runs = { numRuns: 400, seed: 1 };

/** The blocks that can be reached from `from` without entering `without`. */
function reachable(from: Block, without?: Block): Set<Block> {
  const seen = new Set<Block>();
  const pending = [from];
  for (let block = pending.pop(); block !== undefined; block = pending.pop()) {
    if (block === without || seen.has(block)) continue;
    seen.add(block);
    pending.push(...successorsOf(block));
  }
  return seen;
}

/** The definition of dominance: B cannot be reached without A. */
function dominates(target: IrFunction, a: Block, b: Block): boolean {
  return a === b || !reachable(target.blocks[0]!, a).has(b);
}

test('a block dominates another if removing it makes that one unreachable', () => {
  fc.assert(
    fc.property(plan, blocks => {
      const target = buildFunction(blocks);
      const tree = new DominatorTree(target);
      const reached = reachable(target.blocks[0]!);
      expect(new Set(tree.cfg.blocks)).toEqual(reached);
      for (const a of reached) {
        for (const b of reached) expect(tree.blockDominates(a, b)).toBe(dominates(target, a, b));
      }
    }),
    runs,
  );
});

test('the frontier of a block is where its dominance ends', () => {
  fc.assert(
    fc.property(plan, blocks => {
      const target = buildFunction(blocks);
      const tree = new DominatorTree(target);
      const { blocks: order, predecessors } = tree.cfg;
      tree.frontiers().forEach((frontier, a) => {
        const expected = order.flatMap((_, b) => {
          const strictly = a !== b && dominates(target, order[a]!, order[b]!);
          const reaches = predecessors[b]!.some(p => dominates(target, order[a]!, order[p]!));
          return reaches && !strictly ? [b] : [];
        });
        expect([...frontier].sort((x, y) => x - y)).toEqual(expected);
      });
    }),
    runs,
  );
});

test('a loop consists of the blocks that lead to its back edges without passing its header', () => {
  fc.assert(
    fc.property(plan, blocks => {
      const target = buildFunction(blocks);
      const tree = new DominatorTree(target);
      const { blocks: order, successors } = tree.cfg;
      const loops = findLoops(tree);
      const headers = order.flatMap((header, h) =>
        order.some((block, b) => successors[b]!.includes(h) && dominates(target, header, block)) ? [h] : [],
      );
      expect(loops.map(loop => loop.header)).toEqual(headers);
      for (const loop of loops) {
        const header = order[loop.header]!;
        const expected = order.flatMap((block, b) => {
          const inLoop =
            b === loop.header ||
            (dominates(target, header, block) &&
              loop.latches.some(latch => reachable(block, header).has(order[latch]!)));
          return inLoop ? [b] : [];
        });
        expect(loop.blocks).toEqual(expected);
        const around = loops.filter(other => other !== loop && other.blocks.includes(loop.header));
        expect(loop.depth).toBe(around.length + 1);
        if (loop.parent !== undefined) expect(around).toContain(loop.parent);
      }
    }),
    runs,
  );
});

/** The definition of liveness: there is a path from the end of the block to a use. */
function liveAtEnd(block: Block, value: Value): boolean {
  const seen = new Set<Block>();
  const visit = (from: Block): boolean =>
    successorsOf(from).some(to => {
      for (const phi of to.instructions) {
        if (phi.op === 'phi' && phi.values.some((each, i) => each === value && phi.blocks[i] === from))
          return true;
      }
      if (seen.has(to)) return false;
      seen.add(to);
      for (const instruction of to.instructions) {
        let used = false;
        if (instruction.op !== 'phi')
          forEachOperand(instruction, operand => {
            used ||= operand === value;
          });
        if (used) return true;
        if (instruction === value) return false;
      }
      return visit(to);
    });
  return visit(block);
}

test('a value is live where a path leads to a use of it', () => {
  fc.assert(
    fc.property(plan, blocks => {
      const target = buildFunction(blocks);
      promoteLocals(target, { promoteUninitialized: true });
      const liveness = new Liveness(target);
      const values: Value[] = [
        ...target.arguments,
        ...liveness.cfg.blocks.flatMap(block => block.instructions),
      ];
      for (const block of liveness.cfg.blocks) {
        const live = liveness.liveOut(block);
        for (const value of values) expect(live.has(value as never)).toBe(liveAtEnd(block, value));
        const last = block.instructions.at(-1)!;
        expect(liveness.liveAfter(block, last)).toEqual(live);
      }
    }),
    { numRuns: 150, seed: 1 },
  );
});

test.each([true, false])('promotion keeps what a function computes (uninitialized too: %s)', all => {
  let promoted = 0;
  fc.assert(
    fc.property(plan, fc.array(fc.nat(1000), { minLength: 3, maxLength: 3 }), (blocks, inputs) => {
      const original = buildFunction(blocks);
      const target = buildFunction(blocks);
      promoted += promoteLocals(target, { promoteUninitialized: all });
      expect(verifyFunction(target)).toEqual([]);
      for (const input of inputs) expect(interpret(target, input)).toBe(interpret(original, input));
      removeUnreachableBlocks(target);
      expect(verifyFunction(target)).toEqual([]);
      for (const input of inputs) expect(interpret(target, input)).toBe(interpret(original, input));
      if (all) return;
      const reading = target.blocks.flatMap(block => block.instructions).filter(usesUndef);
      expect(reading).toEqual([]);
    }),
    runs,
  );
  expect(promoted).toBeGreaterThan(100);
});

function usesUndef(instruction: IrFunction['blocks'][number]['instructions'][number]): boolean {
  let found = false;
  forEachOperand(instruction, operand => {
    found ||= operand.kind === 'undef';
  });
  return found;
}

test('jump threading keeps what a function computes', () => {
  fc.assert(
    fc.property(plan, fc.array(fc.nat(1000), { minLength: 3, maxLength: 3 }), (blocks, inputs) => {
      const original = buildFunction(blocks);
      const target = buildFunction(blocks);
      promoteLocals(target, { promoteUninitialized: true });
      threadBranches(target);
      removeUnreachableBlocks(target);
      expect(verifyFunction(target)).toEqual([]);
      for (const input of inputs) expect(interpret(target, input)).toBe(interpret(original, input));
    }),
    runs,
  );
});
