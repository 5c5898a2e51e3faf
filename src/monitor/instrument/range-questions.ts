/**
 * A quick query before range operations. The C library declares its ranges by calls (`engine.h`),
 * and copies and fills of memory are checked by the same functions. A range is nearly always valid,
 * which a function without a frame can decide. Only otherwise the site is stored, a slot of the
 * call stack is taken if the function has none, and the operation itself is called, which may
 * report.
 *
 * ```
 *   seen = scan(p, n)     becomes     if (!is_written(p, n)) { store the site; other = scan(p, n) }
 *                                     seen = phi(n, other)
 * ```
 *
 * So `strlen` and similar functions store nothing in the call stack.
 *
 * The library may ask, too, and do the work of checked code in raw code if the answer is 1
 * (`engine.h`). Where operations do not ask, the answer to the library is 0.
 */
import type { Builder } from '../../ir/builder.js';
import { calledName } from '../../ir/called-functions.js';
import { integerConstant } from '../../ir/constants.js';
import type { Constant, Instruction, Value } from '../../ir/model.js';
import { i8, i32, i64 } from '../../ir/types.js';
import { readName, writeName } from '../../passes/inlined-functions.js';
import { isBulkIntrinsic, isHandlerCall, isRawLoop, isRealCall } from './call-kinds.js';
import type { CheckBuilder } from './checks.js';
import type { Frame } from './frame-region.js';
import { type InstrumentOptions, isShadowAlone } from './options.js';
import type { FunctionRewriter } from './rewriter.js';
import type { Runtime, RuntimeFunction } from './runtime.js';

export type RangeOperation = `__rz_range_${'read' | 'output' | 'scan' | 'write' | 'copy'}`;

/** The tag words of a structure that are compared inline. */
const mostWords = 4;

/** What leaves an operation out if its answer is 1. */
const questions: Readonly<Record<RangeOperation, RuntimeFunction>> = {
  __rz_range_read: '__rz_range_is_accessible',
  __rz_range_output: '__rz_range_is_written',
  __rz_range_scan: '__rz_range_is_written',
  __rz_range_write: '__rz_range_takes_write',
  __rz_range_copy: '__rz_range_takes_copy',
};

/** Whether the C library asks about a range. */
export function isQuestion(instruction: Instruction): boolean {
  const name = calledName(instruction);
  return name === '__rz_range_is_written' || name === '__rz_range_takes_write';
}

/** The range operation that a call is, or that precedes it. */
export function rangeOperationOf(instruction: Instruction): RangeOperation | undefined {
  const name = calledName(instruction);
  if (name === readName) return '__rz_range_read';
  if (name === writeName) return '__rz_range_write';
  if (isBulkIntrinsic(name)) return name.startsWith('llvm.memset') ? '__rz_range_write' : '__rz_range_copy';
  return Object.hasOwn(questions, name) ? (name as RangeOperation) : undefined;
}

/**
 * Whether operations are preceded by a query. They are not if frames are counted for a budget, if
 * labels or hooks depend on the operations, or with `--keep-going` or threads, where the answer is
 * not sufficient.
 */
export function asksFirst(options: InstrumentOptions): boolean {
  const { optimise, keepGoing, threads, watchesDepth, labels, hooks, annotationsOnly } = options;
  const isPlain = !keepGoing && !threads && !watchesDepth && !labels && !hooks && !annotationsOnly;
  return optimise && isPlain && !isShadowAlone(options);
}

/**
 * Whether an instruction stores its site in a slot of the call stack, as a rule. Where operations
 * ask first, those that ask store none, nor do the library's calls of its raw loops.
 */
export function needsSlot(instruction: Instruction, asks: boolean, isLibrary: boolean): boolean {
  if (!isRealCall(instruction) || isHandlerCall(instruction) || isQuestion(instruction)) return false;
  return !asks || (rangeOperationOf(instruction) === undefined && !(isLibrary && isRawLoop(instruction)));
}

export class RangeOperations {
  constructor(
    readonly asks: boolean,
    private readonly rewriter: FunctionRewriter,
    private readonly runtime: Runtime,
    private readonly checks: CheckBuilder,
    private readonly frame: Frame,
  ) {}

  /** Emits the operation that reports at the site; returns the result of a scan. */
  emit(operation: RangeOperation, args: Value[], site: Constant): Value | undefined {
    const { builder } = this.rewriter;
    let made: Value | undefined;
    const operate = (into: Builder): void => {
      const slot = this.frame.say(site, into);
      made = into.call(this.runtime.function(operation), args);
      if (slot !== undefined) this.frame.giveBack(slot, into);
    };
    if (!this.asks) {
      operate(builder);
      return made;
    }
    const ask = (into: Builder): Value =>
      into.icmp('ne', into.call(this.runtime.function(questions[operation]), args), integerConstant(i32, 0));
    const report = (cold: Builder): void => {
      cold.call(this.runtime.function('__rz_seldom'), []);
      operate(cold);
    };
    const isPlain = this.#inline(operation, args);
    const guarded =
      isPlain === undefined
        ? this.rewriter.guard(ask(builder), report)
        : this.rewriter.guardTwice(isPlain, ask, report);
    return operation === '__rz_range_scan' ? this.rewriter.guardPhi(guarded, args[1]!, made!) : undefined;
  }

  /** A condition that implies that a small structure may be passed or copied. */
  #inline(
    operation: RangeOperation,
    [first, second, length, mayOverlap]: readonly Value[],
  ): Value | undefined {
    if (operation === '__rz_range_read') return this.#isPlain(first!, second!, false);
    if (operation === '__rz_range_write') return this.#isPlain(first!, second!, true);
    if (operation !== '__rz_range_copy' || mayOverlap?.kind !== 'integer') return undefined;
    const isWritten = this.#isPlain(first!, length!, true);
    if (isWritten === undefined) return undefined;
    const isCopied = this.rewriter.builder.binary('and', isWritten, this.#isPlain(second!, length!, false)!);
    if (mayOverlap.value !== 0n) return isCopied;
    return this.rewriter.builder.binary('and', isCopied, this.#areApart(first!, second!, length!));
  }

  #areApart(first: Value, second: Value, length: Value): Value {
    const { builder } = this.rewriter;
    const [to, from] = [builder.cast('ptrtoint', first, i32), builder.cast('ptrtoint', second, i32)];
    return areApart(builder, to, from, length.kind === 'integer' ? Number(length.value) : 0);
  }

  /**
   * A small structure is passed in memory, and then its members are read: the comparison of its tag
   * words includes theirs.
   */
  #isPlain(pointer: Value, length: Value, isStore: boolean): Value | undefined {
    const bytes = length.kind === 'integer' ? Number(length.value) : 0;
    const step = bytes % 8 === 0 ? 8 : 4;
    if (bytes === 0 || bytes % step !== 0 || bytes / step > mostWords) return undefined;
    const { builder } = this.rewriter;
    let all: Value | undefined;
    for (let at = 0; at < bytes; at += step) {
      const part = at === 0 ? pointer : builder.gep(i8, pointer, [integerConstant(i64, BigInt(at))]);
      const isPlain = this.checks.fastCondition(builder, {
        ...{ pointer: part, bytes: step, align: step, isStore },
      })!;
      all = all === undefined ? isPlain : builder.binary('and', all, isPlain);
    }
    return all;
  }
}

/** The ranges of a small copy overlap if their distance is between -bytes and bytes. */
export function areApart(builder: Builder, to: Value, from: Value, bytes: number): Value {
  const moved = builder.binary('add', builder.binary('sub', to, from), integerConstant(i32, bytes - 1));
  return builder.icmp('uge', moved, integerConstant(i32, 2 * bytes - 1));
}
