import { expect, test } from 'vitest';
import { readModule } from '../ir/reader.js';
import { buildCfg } from '../passes/cfg.js';
import { rulesFor } from './instructions.js';
import { ValuePlan } from './value-plan.js';

/** An edge sets all phis of a block, so one that only unused values use must not share a local. */
test('the phis of a block have different locals', () => {
  const text = `
    define i32 @choice(i1 %c, i32 %a) {
    entry:
      br i1 %c, label %then, label %join
    then:
      br label %join
    join:
      %unused = phi i32 [ 1, %entry ], [ 2, %then ]
      %used = phi i32 [ %a, %entry ], [ 7, %then ]
      %dead = add i32 %unused, 1
      ret i32 %used
    }`;
  const read = readModule(text, 'test.ll');
  if (read.kind !== 'module') throw new Error(read.kind);
  const [target] = read.module.functions;
  const cfg = buildCfg(target!);
  const plan = new ValuePlan(cfg, target!, [0x7f, 0x7f], 0, rulesFor(cfg.blocks[0]!.instructions), false);
  const phis = target!.blocks.flatMap(({ instructions }) => instructions.filter(({ op }) => op === 'phi'));
  const locals = phis.map(phi => plan.planned(phi)!.locals);
  expect(locals.map(({ length }) => length)).toEqual([1, 1]);
  expect(locals[0]).not.toEqual(locals[1]);
});
