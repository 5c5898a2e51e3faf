/**
 * Removes clang's checks of arithmetic, for an engine that checks arithmetic itself.
 *
 * ```
 *     %r = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %a, i32 %b)
 *     %sum = extractvalue %r, 0
 *     %over = extractvalue %r, 1
 *     %fits = xor i1 %over, true                          %sum = add nsw i32 %a, %b
 *     br i1 %fits, %cont, %handler          becomes       … what is after cont …
 *   handler:
 *     call @__ubsan_handle_add_overflow_abort(…)
 *   cont: …
 * ```
 *
 * Why insert them at all? clang folds constant operands, and the result does not show the error in
 * `INT_MAX + 1`, `1 << 40` or `5 / 0`. With the checks it does not fold the sum, or emits `br i1
 * false`; such branches stay, as do checks whether a left shift loses bits, which the shift alone
 * does not show. Also, both engines share clang's results.
 *
 * The pass expects clang's pattern: a check is alone at the end of its block, and its handler has
 * no other predecessor.
 */

import { Builder } from '../ir/builder.js';
import { calledName } from '../ir/called-functions.js';
import { isOfCheck } from '../ir/check-marks.js';
import { falseConstant } from '../ir/constants.js';
import type { MetadataNode } from '../ir/metadata.js';
import {
  type BinaryOp,
  type Block,
  type CallInstruction,
  type ConditionalBranchInstruction,
  Flag,
  type Instruction,
  type IrFunction,
  type Module,
  type Value,
} from '../ir/model.js';
import { forEachOperand, mapDebugOperands, mapOperands, terminatorOf } from '../ir/operands.js';

const handlerName =
  /^__ubsan_handle_(?=(add|sub|mul|negate|divrem|float_cast|shift)_)(?:\w+_overflow|shift_out)/;
const overflowName = /^llvm\.s(add|sub|mul)\.with\.overflow\./;

export function makeArithmeticPlain(module: Module): void {
  module.functions.forEach(trustAmounts);
  dropChecks(module, check => {
    const { condition } = check.branch;
    return isOfHalf(check) || (condition !== falseConstant && !isOfLostBits(condition));
  });
}

/**
 * A half-precision value that overflows is infinite, like other floats, but clang checks the
 * conversion as if it were to an integer.
 */
export function allowInfiniteHalves(module: Module): void {
  dropChecks(module, isOfHalf);
}

function dropChecks(module: Module, isDropped: (check: Check) => boolean): void {
  for (const target of module.functions) {
    const checks = target.blocks.flatMap(block => checkOf(block) ?? []);
    checks.forEach(remember);
    const dropped = checks.filter(isDropped);
    if (dropped.length > 0) new Plain(target).drop(dropped);
  }
}

/** The type of an operand from the description of a check. */
export interface TypeDescription {
  readonly kind: number;
  readonly info: number;
  /** As clang writes it: `'int'`. */
  readonly name: string;
}

/** The kind of a check; the middle of its handler's name. */
export type ArithmeticCheck = 'add' | 'sub' | 'mul' | 'negate' | 'divrem' | 'float_cast' | 'shift';

/**
 * The descriptions of removed checks, by location and kind: an engine that reports their errors
 * needs the names of the types.
 */
const descriptions = new WeakMap<MetadataNode, Map<string, Value | undefined>>();

function remember({ report }: Check): void {
  const { debugLocation, callee, args } = report;
  const kind = handlerName.exec(callee.name)?.[1];
  if (debugLocation === undefined || kind === undefined) return;
  const known = descriptions.get(debugLocation);
  if (known === undefined) descriptions.set(debugLocation, new Map([[kind, args[0]]]));
  else known.set(kind, args[0]);
}

/** Whether the instruction had such a check. */
export function hadCheck({ debugLocation }: Instruction, kind: ArithmeticCheck): boolean {
  return debugLocation !== undefined && descriptions.get(debugLocation)?.has(kind) === true;
}

/** The types of the operands of a checked instruction; empty if it was not checked. */
export function operandTypes({ debugLocation }: Instruction, kind: ArithmeticCheck): TypeDescription[] {
  const description = debugLocation && descriptions.get(debugLocation)?.get(kind);
  return partsOf(description)
    .slice(1)
    .flatMap(type => {
      const [of, info, name] = partsOf(type);
      if (of?.kind !== 'integer' || info?.kind !== 'integer' || name?.kind !== 'bytes') return [];
      return [{ kind: Number(of.value), info: Number(info.value), name: name.data.replace(/\0$/, '') }];
    });
}

class Plain {
  readonly #target: IrFunction;
  /** Blocks that were merged into their predecessor, and handlers without callers. */
  readonly #gone = new Map<Block, Block | undefined>();
  /** Results of checked arithmetic, and their replacements. */
  readonly #results = new Map<Value, Value>();

  constructor(target: IrFunction) {
    this.#target = target;
  }

  drop(checks: readonly Check[]): void {
    for (const check of checks) this.#makePlain(check);
    for (const { block, branch } of checks) {
      const into = this.#now(block);
      for (const instruction of branch.ifTrue.instructions) into.instructions.push(instruction);
      this.#gone.set(branch.ifTrue, into);
      this.#gone.set(branch.ifFalse, undefined);
    }
    this.#target.blocks = this.#target.blocks.filter(block => !this.#gone.has(block));
    this.#rename();
  }

  /** Removes the branch and everything that was computed only for it. */
  #makePlain({ block, branch }: Check): void {
    const forCheck = new Set<Value>([branch]);
    const collect = (value: Value): void => {
      if (value.kind !== 'instruction' || !isOfCheck(value) || !block.instructions.includes(value)) return;
      // The result of `abs`, which clang marks like its check: `abs(x) + y`.
      if (value.op === 'select') return;
      forCheck.add(value);
      forEachOperand(value, collect);
    };
    collect(branch.condition);
    const kept: Instruction[] = [];
    const sums = new Map<Value, Value>();
    for (const instruction of block.instructions) {
      const op = forCheck.has(instruction) ? checkedOperator(instruction) : undefined;
      if (op !== undefined) {
        const { args, debugLocation } = instruction as CallInstruction;
        const plain = new Builder(kept, debugLocation).binary(op, args[0]!, args[1]!, undefined, Flag.nsw);
        sums.set(instruction, plain);
      } else if (instruction.op === 'extractvalue' && sums.has(instruction.aggregate)) {
        this.#results.set(instruction, sums.get(instruction.aggregate)!);
      } else if (!forCheck.has(instruction)) kept.push(instruction);
    }
    block.instructions = kept;
  }

  /** Where the instructions of a block are. */
  #now(block: Block): Block {
    let now = block;
    for (let into = this.#gone.get(now); into !== undefined; into = this.#gone.get(now)) now = into;
    return now;
  }

  #rename(): void {
    const value = (old: Value): Value => this.#results.get(old) ?? old;
    for (const { instructions } of this.#target.blocks) {
      for (const instruction of instructions) {
        mapOperands(instruction, value);
        mapDebugOperands(instruction, value);
        if (instruction.op === 'phi') instruction.blocks = instruction.blocks.map(block => this.#now(block));
      }
    }
  }
}

interface Check {
  readonly block: Block;
  readonly branch: ConditionalBranchInstruction;
  /** The call of the handler. */
  readonly report: CallInstruction & { readonly callee: IrFunction };
}

function checkOf(block: Block): Check | undefined {
  const branch = terminatorOf(block);
  if (branch?.op !== 'condbr' || !isOfCheck(branch)) return undefined;
  const report = branch.ifFalse.instructions.find(isReport);
  return report && { block, branch, report };
}

function isReport(instruction: Instruction): instruction is Check['report'] {
  return handlerName.test(calledName(instruction));
}

/**
 * The handler receives the location and the two types; the description of a float begins with 1.
 */
function isOfHalf({ report }: Check): boolean {
  if (!report.callee.name.includes('float_cast')) return false;
  const to = partsOf(report.args[0])[2];
  const kind = partsOf(to)[0];
  return kind?.kind === 'integer' && kind.value === 1n;
}

function partsOf(variable: Value | undefined): readonly Value[] {
  const initializer = variable?.kind === 'variable' ? variable.initializer : undefined;
  return initializer?.kind === 'aggregate' ? initializer.elements : [];
}

/**
 * Of "the amount is less than the width, and no bit is lost" keeps only the second, unless the
 * first is known to be false.
 */
function trustAmounts({ blocks }: IrFunction): void {
  for (const block of blocks) {
    const { branch, report } = checkOf(block) ?? {};
    const condition = branch?.condition;
    if (condition?.kind !== 'instruction' || condition.op !== 'and') continue;
    if (branch === undefined || !report?.callee.name.includes('shift')) continue;
    block.instructions = block.instructions.filter(each => each !== condition);
    branch.condition = condition.left === falseConstant ? falseConstant : condition.right;
  }
}

/** clang checks for lost bits only if the amount is valid, and combines the two. */
function isOfLostBits(condition: Value): boolean {
  return condition.kind === 'instruction' && condition.op === 'phi';
}

function checkedOperator(instruction: Instruction): BinaryOp | undefined {
  return overflowName.exec(calledName(instruction))?.[1] as BinaryOp | undefined;
}
