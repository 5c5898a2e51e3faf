/**
 * Handles non-void functions that may end without a `return`. By C11 6.9.1p12 that is an error only
 * if the caller uses the value.
 *
 * Both engines check at `ret` whether the value was written, which is correct for callers that use
 * it. For the others there is a second version of the function, whose `retval` is initially zero:
 *
 * ```
 *   log_it(3);          call @log_it               the forgiving one: %retval = 0 at its start
 *   x = log_it(3);      call @log_it.result        as it was written
 * ```
 *
 * The version that keeps the name is the one to which pointers refer. It is the forgiving one
 * unless a call through a pointer of its type uses the result, or the pointer is passed to a
 * function outside the module, such as `qsort`. Functions with taken block addresses are not
 * changed.
 */
import { Builder } from '../ir/builder.js';
import { cloneFunction } from '../ir/clone.js';
import { isConstant, zeroConstant } from '../ir/constants.js';
import type { AllocaInstruction, CallInstruction, Constant, IrFunction, Module, Value } from '../ir/model.js';
import { forEachOperand } from '../ir/operands.js';
import { voidType } from '../ir/types.js';
import { buildCfg } from './cfg.js';
import { alwaysAssigned } from './definite-assignment.js';
import { splitCleanups } from './split-cleanups.js';

export function forgiveUnusedResults(module: Module): void {
  const falling = new Set(module.functions.filter(mayEndWithoutResult));
  if (falling.size === 0) return;
  const references = referencesIn(module, falling);
  for (const target of falling) {
    const { used, unused, isAddressTaken, isHandedOut } = references.of(target);
    const forgives = !isAddressTaken || !(isHandedOut || references.usesResultOf(target));
    const others = forgives ? used : unused;
    if (others.length > 0) {
      const other = cloneFunction(target, `${target.name}.${forgives ? 'result' : 'unused'}`);
      module.functions.push(other);
      for (const call of others) call.callee = other;
      if (!forgives) begin(other);
    }
    if (forgives && (unused.length > 0 || isAddressTaken)) begin(target);
  }
}

/** Initializes the result, because nothing was returned yet. */
function begin(target: IrFunction): void {
  const { instructions } = target.blocks[0]!;
  const local = resultOf(target)!;
  const made = new Builder([]);
  made.store(zeroConstant(local.allocatedType), local, { align: local.align });
  instructions.splice(
    instructions.findIndex(({ op }) => op !== 'alloca'),
    0,
    ...made.into,
  );
}

function resultOf({ blocks }: IrFunction): AllocaInstruction | undefined {
  return blocks[0]?.instructions.find(
    (each): each is AllocaInstruction => each.op === 'alloca' && each.name === 'retval',
  );
}

function mayEndWithoutResult(target: IrFunction): boolean {
  if (target.functionType.returns === voidType || !lacksResult(target)) return false;
  if (
    target.blocks.some(({ instructions }) =>
      instructions.some(({ op }) => op === 'indirectbr' || op === 'callbr'),
    )
  )
    return false;
  // The exits of scopes meet in one block, where it is unknown which of them had a value.
  const apart = cloneFunction(target, target.name);
  splitCleanups(apart);
  return lacksResult(apart);
}

function lacksResult(target: IrFunction): boolean {
  const result = resultOf(target);
  return result !== undefined && !alwaysAssigned(buildCfg(target), new Set([result])).has(result);
}

interface References {
  readonly used: CallInstruction[];
  readonly unused: CallInstruction[];
  isAddressTaken: boolean;
  /** Whether a function outside the module receives the address. */
  isHandedOut: boolean;
}

function referencesIn(module: Module, falling: ReadonlySet<IrFunction>) {
  const all = new Map<IrFunction, References>();
  for (const target of falling)
    all.set(target, { used: [], unused: [], isAddressTaken: false, isHandedOut: false });
  const usedValues = new Set<Value>();
  const calls: CallInstruction[] = [];
  const take = (value: Value, isHandedOut: boolean, seen = new Set<Value>()): void => {
    if (!isConstant(value) || seen.has(value)) return;
    seen.add(value);
    const known = value.kind === 'function' ? all.get(value) : undefined;
    if (known !== undefined) {
      known.isAddressTaken = true;
      known.isHandedOut ||= isHandedOut;
    }
    for (const part of partsOf(value)) take(part, isHandedOut, seen);
  };
  for (const { initializer } of module.variables) if (initializer !== undefined) take(initializer, false);
  for (const { aliasee } of module.aliases) take(aliasee, true);
  for (const { blocks } of module.functions) {
    for (const { instructions } of blocks) {
      for (const instruction of instructions) {
        const callee = instruction.op === 'call' ? instruction.callee : undefined;
        const isOutside = callee?.kind === 'function' && callee.blocks.length === 0;
        if (instruction.op === 'call') calls.push(instruction);
        forEachOperand(instruction, operand => {
          usedValues.add(operand);
          if (operand !== callee) take(operand, isOutside);
        });
      }
    }
  }
  const usedTypes = new Set<unknown>();
  for (const call of calls) {
    const isUsed = usedValues.has(call);
    const known = call.callee.kind === 'function' ? all.get(call.callee) : undefined;
    if (known !== undefined) (isUsed ? known.used : known.unused).push(call);
    else if (isUsed && call.callee.kind !== 'function') usedTypes.add(call.functionType);
  }
  return {
    of: (target: IrFunction): References => all.get(target)!,
    usesResultOf: ({ functionType }: IrFunction): boolean => usedTypes.has(functionType),
  };
}

function partsOf(constant: Constant): readonly Constant[] {
  if (constant.kind === 'expression') return constant.operands;
  return constant.kind === 'aggregate' ? constant.elements : [];
}
