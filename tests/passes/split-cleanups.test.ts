/**
 * Separate cleanup paths for each exit of a scope: on random graphs of exits and cleanups, and on
 * clang's IR for an early return.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Builder, makeBlock, makeFunction } from '../../src/ir/builder.js';
import { integerConstant } from '../../src/ir/constants.js';
import type { IrFunction } from '../../src/ir/model.js';
import { readModule } from '../../src/ir/reader.js';
import { functionType, i32, ptr, voidType } from '../../src/ir/types.js';
import { verifyFunction } from '../../src/ir/verify.js';
import { promoteLocals } from '../../src/passes/mem2reg.js';
import { splitCleanups } from '../../src/passes/split-cleanups.js';
import { removeUnreachableBlocks } from '../../src/passes/unreachable-blocks.js';
import { interpret } from './random-functions.js';

/** A block that leaves through the slot, a cleanup, or the end. */
type Part =
  | { readonly kind: 'exit'; readonly slot: number; readonly target: number }
  | { readonly kind: 'cleanup'; readonly ends: boolean; readonly targets: readonly number[] }
  | { readonly kind: 'end' };

const target = fc.nat(6);
const part: fc.Arbitrary<Part> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('exit' as const), slot: fc.nat(3), target }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('cleanup' as const),
      ends: fc.boolean(),
      targets: fc.array(target, { minLength: 1, maxLength: 3 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('end' as const) }) },
);

/**
 * `i32 f(i32)`: each exit leaves its mark in a sum, to which the end adds a local that a cleanup
 * may have ended.
 */
function build(parts: readonly Part[]): IrFunction {
  const made = makeFunction('f', functionType(i32, [i32]));
  const end = makeFunction('llvm.lifetime.end.p0', functionType(voidType, [ptr]));
  const entry = makeBlock('entry');
  const blocks = parts.map((_, index) => makeBlock(`b${index}`));
  made.blocks = [entry, ...blocks];
  const first = new Builder(entry.instructions);
  const [slot, sum, local] = [first.alloca(i32, 4), first.alloca(i32, 4), first.alloca(i32, 4)];
  first.store(integerConstant(i32, 0), slot);
  first.store(made.arguments[0]!, sum);
  first.store(integerConstant(i32, 5), local);
  first.br(blocks[0]!);
  const blockAt = (index: number) => blocks[index % blocks.length]!;
  parts.forEach((each, index) => {
    const b = new Builder(blocks[index]!.instructions);
    if (each.kind === 'end') b.ret(b.binary('add', b.load(i32, sum), b.load(i32, local)));
    else if (each.kind === 'exit') {
      const mixed = b.binary('mul', b.load(i32, sum), integerConstant(i32, 31));
      b.store(b.binary('add', mixed, integerConstant(i32, index)), sum);
      b.store(integerConstant(i32, each.slot), slot);
      b.br(blockAt(each.target));
    } else {
      if (each.ends) b.call(end, [local]);
      const [other, ...cases] = each.targets.map(blockAt);
      const choices = cases.map((block, value) => [integerConstant(i32, value), block] as const);
      b.switch(b.load(i32, slot), other!, choices);
    }
  });
  return made;
}

test('splitting keeps what a function computes', () => {
  let split = 0;
  fc.assert(
    fc.property(fc.array(part, { minLength: 2, maxLength: 7 }), fc.nat(1000), (parts, input) => {
      const expected = interpret(build(parts), input);
      const changed = build(parts);
      splitCleanups(changed);
      split += removeUnreachableBlocks(changed) > removeUnreachableBlocks(build(parts)) ? 1 : 0;
      expect(verifyFunction(changed)).toEqual([]);
      if (expected !== undefined) expect(interpret(changed, input)).toBe(expected);
    }),
    { numRuns: 400, seed: 1 },
  );
  expect(split).toBeGreaterThan(40);
});

/** As clang writes `for (;;) { int x; if (n & 1) return 7; }`, two scopes deep. */
const early = `
declare void @llvm.lifetime.end.p0(ptr)
define i32 @f(i32 %n) {
  %retval = alloca i32
  %slot = alloca i32
  %x = alloca i32
  br label %loop
loop:
  %odd = and i32 %n, 1
  %c = icmp eq i32 %odd, 1
  br i1 %c, label %found, label %next
found:
  store i32 7, ptr %retval
  store i32 1, ptr %slot
  br label %inner
next:
  store i32 0, ptr %slot
  br label %inner
inner:
  call void @llvm.lifetime.end.p0(ptr %x)
  %a = load i32, ptr %slot
  switch i32 %a, label %outer [ i32 0, label %loop ]
outer:
  %b = load i32, ptr %slot
  switch i32 %b, label %loop [ i32 1, label %return ]
return:
  %r = load i32, ptr %retval
  ret i32 %r
}`;

test('a value that every return sets needs no memory', () => {
  const promoted = (splits: boolean): IrFunction => {
    const read = readModule(early, 'early.ll');
    if (read.kind !== 'module') throw new Error(read.error.message);
    const made = read.module.functions.find(({ name }) => name === 'f')!;
    if (splits) splitCleanups(made);
    removeUnreachableBlocks(made);
    promoteLocals(made);
    return made;
  };
  const inMemory = ({ blocks }: IrFunction) => blocks[0]!.instructions.some(({ op }) => op === 'alloca');
  expect([inMemory(promoted(false)), inMemory(promoted(true))]).toEqual([true, false]);
  expect(interpret(promoted(true), 3)).toBe(7);
});
