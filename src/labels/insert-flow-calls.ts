/**
 * Inserts calls of intrinsics for sinks, sources and sanitizers, which the explorer executes
 * (`explore/natives/path-flows.ts`). It needs no shadow values as `check` does, because a symbolic
 * term contains its inputs.
 *
 *     llvm.rz.flow.sink(kind, value)             a value decides something
 *     llvm.rz.flow.sink.bytes(kind, p, n)        bytes of memory do; n is -1 for a text
 *     llvm.rz.flow.source(rule, p, n)            a function that a rule names has given bytes
 *     llvm.rz.flow.sanitize(rule, p, n)          it has looked at bytes
 *     v' = llvm.rz.flow.source.value(rule, v)    the same of what it returns; v' replaces v
 */
import { Builder, makeFunction } from '../ir/builder.js';
import { integerConstant } from '../ir/constants.js';
import type { CallInstruction, Instruction, IrFunction, Value } from '../ir/model.js';
import { mapOperands } from '../ir/operands.js';
import { functionType, i32, i64, type Type, voidType } from '../ir/types.js';
import { type LabelOptions, sinkKinds } from './flow-rules.js';
import { type ByteCount, flowEffectsOf, SinkPoints } from './sink-points.js';

export type FlowIntrinsic =
  | 'llvm.rz.flow.sink'
  | 'llvm.rz.flow.sink.bytes'
  | 'llvm.rz.flow.source'
  | 'llvm.rz.flow.source.value'
  | 'llvm.rz.flow.sanitize'
  | 'llvm.rz.flow.sanitize.value';

const functions = new Map<FlowIntrinsic, IrFunction>();

function intrinsic(name: FlowIntrinsic): IrFunction {
  let found = functions.get(name);
  if (found === undefined) {
    found = makeFunction(name, functionType(voidType, [i32], true));
    functions.set(name, found);
  }
  return found;
}

export function insertFlowCalls(target: IrFunction, labels: LabelOptions): void {
  const points = new SinkPoints(target, labels);
  const replaced = new Map<Value, Value>();
  const before = target.blocks.map(({ instructions }) => instructions.map(each => points.at(each)));
  for (const [i, block] of target.blocks.entries()) {
    block.instructions = block.instructions.flatMap((instruction, j) => {
      const made: Instruction[] = [];
      const builder = new Builder(made, instruction.debugLocation);
      for (const { kind, value, bytes } of before[i]![j]!) {
        const number = integerConstant(i32, sinkKinds.indexOf(kind));
        if (bytes === undefined) call(builder, 'llvm.rz.flow.sink', [number, value]);
        else call(builder, 'llvm.rz.flow.sink.bytes', [number, value, wide(builder, bytes)]);
      }
      made.push(instruction);
      if (instruction.op === 'call') addEffects(builder, instruction, labels, replaced);
      return made;
    });
  }
  if (replaced.size === 0) return;
  const own = new Set(replaced.values());
  for (const { instructions } of target.blocks)
    for (const instruction of instructions)
      if (!own.has(instruction)) mapOperands(instruction, operand => replaced.get(operand) ?? operand);
}

function addEffects(
  builder: Builder,
  at: CallInstruction,
  { rules }: LabelOptions,
  replaced: Map<Value, Value>,
): void {
  for (const { role, rule, range } of flowEffectsOf(at, rules)) {
    const name = role === 'source' ? 'llvm.rz.flow.source' : 'llvm.rz.flow.sanitize';
    const number = integerConstant(i32, rule);
    if (range !== undefined) call(builder, name, [number, range.pointer, wide(builder, range.bytes)]);
    else if (!replaced.has(at)) replaced.set(at, call(builder, `${name}.value`, [number, at], at.type));
  }
}

function call(builder: Builder, name: FlowIntrinsic, args: Value[], type: Type = voidType): Value {
  const types = args.map(arg => arg.type);
  return builder.callPointer(functionType(type, types), intrinsic(name), args);
}

const untilZero = integerConstant(i64, (1n << 64n) - 1n);

function wide(builder: Builder, bytes: ByteCount): Value {
  if (bytes === 'text') return untilZero;
  return bytes.type === i64 ? bytes : builder.cast('sext', bytes, i64);
}
