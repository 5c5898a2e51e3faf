/**
 * Random functions for the passes: any graph, with locals that are read, written, begun and ended
 * anywhere, and an interpreter that says what such a function computes.
 */
import fc from 'fast-check';
import { Builder, makeBlock, makeFunction } from '../../src/ir/builder.js';
import { integerConstant } from '../../src/ir/constants.js';
import type { AllocaInstruction, Block, IrFunction, Value } from '../../src/ir/model.js';
import { functionType, i32, ptr, voidType } from '../../src/ir/types.js';

/** One thing that a block does with its locals. */
export type Step =
  | { readonly kind: 'read' | 'begin' | 'end'; readonly local: number }
  | { readonly kind: 'write'; readonly local: number; readonly constant: number | undefined };

export interface BlockPlan {
  readonly steps: readonly Step[];
  /**
   * Its successors: none, one, two by a condition, or many by a switch. The entry is never one.
   */
  readonly targets: readonly number[];
}

export const localCount = 3;

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('read' as const), local: fc.nat(localCount - 1) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('write' as const),
      local: fc.nat(localCount - 1),
      constant: fc.option(fc.nat(99), { nil: undefined }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constantFrom('begin' as const, 'end' as const),
      local: fc.nat(localCount - 1),
    }),
  },
);

export const plan: fc.Arbitrary<readonly BlockPlan[]> = fc.integer({ min: 1, max: 9 }).chain(count =>
  fc.array(
    fc.record({
      steps: fc.array(step, { maxLength: 4 }),
      targets:
        count === 1 ? fc.constant([]) : fc.array(fc.integer({ min: 1, max: count - 1 }), { maxLength: 4 }),
    }),
    { minLength: count, maxLength: count },
  ),
);

const lifetimeType = functionType(voidType, [ptr]);

/**
 * Builds `i32 f(i32)`: a running sum starts as the argument, takes in what is read, steers and is
 * returned.
 */
export function buildFunction(blocks: readonly BlockPlan[]): IrFunction {
  const target = makeFunction('f', functionType(i32, [i32]));
  target.blocks = blocks.map((_, index) => makeBlock(`b${index}`));
  const begin = makeFunction('llvm.lifetime.start.p0', lifetimeType);
  const end = makeFunction('llvm.lifetime.end.p0', lifetimeType);
  const entry = new Builder(target.blocks[0]!.instructions);
  const locals: AllocaInstruction[] = [];
  for (let i = 0; i < localCount; i++) locals.push(entry.alloca(i32, 4, `local${i}`));
  // The sum lives in memory whose address escapes, so that it is itself never promoted.
  const sum = entry.alloca(i32, 4, 'sum');
  entry.cast('ptrtoint', sum, i32);
  entry.store(target.arguments[0]!, sum);
  blocks.forEach(({ steps, targets }, index) => {
    const b = new Builder(target.blocks[index]!.instructions);
    for (const each of steps) {
      const local = locals[each.local]!;
      if (each.kind === 'read') {
        const mixed = b.binary('mul', b.load(i32, sum), integerConstant(i32, 31));
        b.store(b.binary('add', mixed, b.load(i32, local)), sum);
      } else if (each.kind === 'write') {
        b.store(each.constant === undefined ? b.load(i32, sum) : integerConstant(i32, each.constant), local);
      } else {
        b.call(each.kind === 'begin' ? begin : end, [local]);
      }
    }
    finish(b, target, targets, b.load(i32, sum));
  });
  return target;
}

function finish(b: Builder, target: IrFunction, targets: readonly number[], steer: Value): void {
  const [first, second] = targets;
  const blockAt = (index: number): Block => target.blocks[index]!;
  if (first === undefined) {
    b.ret(steer);
  } else if (second === undefined) {
    b.br(blockAt(first));
  } else if (targets.length === 2) {
    const odd = b.binary('and', steer, integerConstant(i32, 1));
    b.condBr(b.icmp('eq', odd, integerConstant(i32, 0)), blockAt(first), blockAt(second));
  } else {
    const cases = targets
      .slice(1)
      .map((each, index) => [integerConstant(i32, index), blockAt(each)] as const);
    b.switch(b.binary('urem', steer, integerConstant(i32, 5)), blockAt(first), cases);
  }
}

/** The contents of uninitialized memory here. */
const garbage = 777;

/** Runs the function; `undefined` when it takes too long. */
export function interpret(target: IrFunction, argument: number): number | undefined {
  const memory = new Map<Value, number>();
  const values = new Map<Value, number>();
  const evaluate = (value: Value): number => {
    if (value.kind === 'integer') return Number(value.value);
    if (value.kind === 'argument') return argument;
    if (value.kind === 'undef') return garbage;
    const known = values.get(value);
    if (known === undefined) throw new Error(`a value is used before it is computed`);
    return known;
  };
  let block = target.blocks[0]!;
  let previous: Block | undefined;
  for (let steps = 0; steps < 200; steps++) {
    const incoming = new Map<Value, number>();
    for (const phi of block.instructions) {
      if (phi.op === 'phi') incoming.set(phi, evaluate(phi.values[phi.blocks.indexOf(previous!)]!));
    }
    for (const [phi, value] of incoming) values.set(phi, value);
    let next: Block | undefined;
    for (const i of block.instructions) {
      if (i.op === 'alloca') memory.set(i, garbage);
      else if (i.op === 'load') values.set(i, memory.get(i.pointer)!);
      else if (i.op === 'store') memory.set(i.pointer, evaluate(i.value));
      else if (i.op === 'call') memory.set(i.args[0]!, garbage);
      else if (i.op === 'add') values.set(i, (evaluate(i.left) + evaluate(i.right)) >>> 0);
      else if (i.op === 'mul') values.set(i, Math.imul(evaluate(i.left), evaluate(i.right)) >>> 0);
      else if (i.op === 'and') values.set(i, evaluate(i.left) & evaluate(i.right));
      else if (i.op === 'urem') values.set(i, evaluate(i.left) % evaluate(i.right));
      else if (i.op === 'icmp') values.set(i, evaluate(i.left) === evaluate(i.right) ? 1 : 0);
      else if (i.op === 'ret') return evaluate(i.value!);
      else if (i.op === 'br') next = i.target;
      else if (i.op === 'condbr') next = evaluate(i.condition) === 1 ? i.ifTrue : i.ifFalse;
      else if (i.op === 'switch') {
        const chosen = i.caseValues.findIndex(value => Number(value.value) === evaluate(i.condition));
        next = chosen < 0 ? i.defaultTarget : i.caseTargets[chosen]!;
      }
    }
    previous = block;
    block = next!;
  }
  return undefined;
}
