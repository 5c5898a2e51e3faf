/**
 * The checks before a call: the function to which a pointer points, the ranges of `memcpy` and
 * others, arguments passed by value, and the size of the variadic arguments.
 *
 * `function.ts` classifies calls, and handles frames and the definedness of arguments.
 */
import type { Builder } from '../../ir/builder.js';
import { integerConstant, nullConstant } from '../../ir/constants.js';
import { isMissing } from '../../ir/global-references.js';
import type {
  CallInstruction,
  Constant,
  Instruction,
  IntegerConstant,
  IrFunction,
  Value,
} from '../../ir/model.js';
import { fits, signatureOfCall } from '../../ir/signatures.js';
import { i32, i64 } from '../../ir/types.js';
import { isBulkIntrinsic, isRawWriter } from './call-kinds.js';
import type { Context } from './function.js';
import { areApart, type RangeOperations } from './range-questions.js';
import type { FunctionRewriter } from './rewriter.js';
import { hide, mayBeAnother, numberOfSignature } from './signature-numbers.js';

/** `SIGNATURES` of `runtime/monitor/check.h`. */
const signatureCount = 16384;

export class CallChecks {
  constructor(
    private readonly context: Context,
    private readonly rewriter: FunctionRewriter,
    private readonly site: (at: Instruction) => Constant,
    private readonly ranges: RangeOperations,
  ) {}

  get #builder(): Builder {
    return this.rewriter.builder;
  }

  /** Emits the checks before the call, and stores what the callee needs. */
  before(call: CallInstruction, name: string): void {
    const builder = this.#builder;
    const signature = signatureOfCall(call, this.context.layout);
    call.args.forEach((argument, i) => {
      const type = call.argAttributes[i]?.get('byval')?.type;
      if (type === undefined) return;
      const bytes = integerConstant(i64, this.context.layout.allocBytes(type));
      builder.call(this.context.runtime.function('__rz_range_read'), [argument, bytes]);
      // The callee makes the copy, and so learns which of its bytes are undefined.
      call.argAttributes[i] = call.argAttributes[i]!.without('byval');
    });
    if (call.functionType.variadic) this.#tellVariadic(call);
    // wasm-ld would call a function that traps. What a library member refers to weakly, the program
    // may define.
    if (isMissing(call.callee) && this.context.options.isLibrary !== true)
      call.callee = hide(builder, nullConstant);
    if (call.callee.kind !== 'function') this.#checkCallee(call, signature);
    else if (!isBulkIntrinsic(name) && !fits(signature, this.context.signatureOf(call.callee))) {
      this.report('__rz_mismatched_call', call);
      call.callee = this.#nothingToCall(call);
    }
    if (isBulkIntrinsic(name)) this.#bulkCheck(call, name);
    if (this.context.options.keepGoing && (isBulkIntrinsic(name) || isRawWriter(name)))
      this.#suppressTail(call);
  }

  /**
   * A call through a pointer: see `signature-numbers.ts`. With `--keep-going`, an invalid target is
   * not called.
   */
  #checkCallee(call: CallInstruction, signature: string): void {
    const { runtime, functions, options } = this.context;
    const builder = this.#builder;
    const index = builder.cast('ptrtoint', call.callee, i64);
    const inTable = builder.binary('and', index, integerConstant(i64, signatureCount - 1));
    const entry = builder.gep(i32, runtime.signatures, [inTable]);
    const number = integerConstant(i32, numberOfSignature(signature));
    const fitting = builder.binary(
      'and',
      builder.icmp('ult', index, integerConstant(i64, signatureCount)),
      builder.icmp('eq', builder.load(i32, entry, { align: 4 }), number),
    );
    let isWrong: Value | undefined;
    const guarded = this.rewriter.guard(fitting, cold => {
      isWrong = cold.call(runtime.function('__rz_call_slow'), [call.callee, number, this.site(call)]);
    });
    const wrong = options.keepGoing
      ? this.rewriter.guardPhi(guarded, integerConstant(i32, 0), isWrong!)
      : undefined;
    if (mayBeAnother(call, functions)) call.callee = hide(this.#builder, call.callee);
    if (wrong === undefined) return;
    const goes = this.#builder.icmp('eq', wrong, integerConstant(i32, 0));
    call.callee = this.#builder.select(goes, call.callee, this.#nothingToCall(call));
  }

  /** A function of the expected type that returns zeroes, called in place of an invalid target. */
  #nothingToCall({ functionType: type }: CallInstruction): IrFunction {
    return this.context.emptyFunctions.ofType(type);
  }

  /** A distance of 0 is harmless, which the slow path knows. */
  checkApart(call: CallInstruction): void {
    const builder = this.#builder;
    const [first, second, length] = call.args as [Value, Value, IntegerConstant];
    const [to, from] = [builder.cast('ptrtoint', first, i32), builder.cast('ptrtoint', second, i32)];
    const bytes = Number(length.value);
    const report = this.context.runtime.function('__rz_overlap');
    this.rewriter.guard(areApart(builder, to, from, bytes), cold =>
      cold.call(report, [to, from, integerConstant(i32, bytes), this.site(call)]),
    );
  }

  report(
    report: '__rz_trap' | '__rz_lost_goto' | '__rz_mismatched_call' | '__rz_unsupported_assembly',
    at: Instruction,
  ): void {
    this.#builder.call(this.context.runtime.function(report), [this.site(at)]);
  }

  #tellVariadic(call: CallInstruction): void {
    const { layout, runtime } = this.context;
    const passed = call.args.slice(call.functionType.parameters.length).map(argument => argument.type);
    const { bytes } = layout.variadicPlaces(passed);
    this.#builder.store(integerConstant(i32, bytes), runtime.variadicBytes, { align: 4 });
  }

  /** With `--keep-going`, a range operation is shortened to the bytes that it may access. */
  #suppressTail(call: CallInstruction): void {
    const [destination, , bytes] = call.args as [Value, Value, Value];
    const wide = bytes.type === i64 ? bytes : this.#builder.cast('zext', bytes, i64);
    const allowed = this.#builder.call(this.context.runtime.function('__rz_range_allowed'), [
      destination,
      wide,
    ]);
    call.args[2] = bytes.type === i64 ? allowed : this.#builder.cast('trunc', allowed, bytes.type);
  }

  #bulkCheck(call: CallInstruction, name: string): void {
    const [destination, second, bytes] = call.args as [Value, Value, Value];
    const wide = bytes.type === i64 ? bytes : this.#builder.cast('zext', bytes, i64);
    const isSet = name.startsWith('llvm.memset');
    const mayOverlap = integerConstant(i32, name.startsWith('llvm.memmove') ? 1 : 0);
    const args = isSet ? [destination, wide] : [destination, second, wide, mayOverlap];
    const operation = isSet ? '__rz_range_write' : '__rz_range_copy';
    if (this.ranges.asks) this.ranges.emit(operation, args, this.site(call));
    else this.#builder.call(this.context.runtime.function(operation), args);
  }
}
