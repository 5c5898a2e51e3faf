/**
 * Emits the check before an access, and before a use of a value that may be undefined: an inline
 * condition, and a call of the slow path if it does not hold.
 */
import type { Builder } from '../../ir/builder.js';
import { isOfPassing } from '../../ir/check-marks.js';
import { integerConstant, nullConstant } from '../../ir/constants.js';
import { locationStack } from '../../ir/debug.js';
import type { Block, Constant, Instruction, Value } from '../../ir/model.js';
import { type IntegerType, i32, i64, ptr } from '../../ir/types.js';
import { clientEnd } from '../memory-map.js';
import { accessWord } from './checks.js';
import type { FastLoops } from './fast-loops.js';
import type { Context } from './function.js';
import type { MemoryAccess } from './memory-access.js';
import { isShadowAlone } from './options.js';
import { isBesidePadding } from './padded-members.js';
import type { RedundantChecks } from './redundant-checks.js';
import type { FunctionRewriter } from './rewriter.js';
import type { RuntimeFunction } from './runtime.js';
import { shadowType, type UndefinedValues } from './undefined-values.js';

/**
 * The runtime functions of a check: called only if the inline condition fails, or for the whole
 * check.
 */
interface CheckFunctions {
  readonly read: RuntimeFunction;
  readonly readBits: RuntimeFunction;
  readonly write: RuntimeFunction;
  readonly writeBits: RuntimeFunction;
}

/** The bits of a pointer that select client memory, and its referent number. */
const inClientMemory = (0xffff_ffffn << 32n) | BigInt(clientEnd - 1);

const wholeChecks: CheckFunctions = {
  read: '__rz_read',
  readBits: '__rz_read_bits',
  write: '__rz_write',
  writeBits: '__rz_write_bits',
};

export class AccessChecks {
  /** The values that were found defined in a block, or in one that dominates it. */
  readonly #defined = new Map<Block, Set<Value>>();
  readonly #slowPaths: CheckFunctions;

  /**
   * `called` are the blocks whose checks are single calls; `dominators` has the immediate dominator
   * of each block; `afterRead` the stores of which only the number is checked. `onChecked` is
   * called between a check and its access.
   */
  constructor(
    private readonly context: Context,
    private readonly rewriter: FunctionRewriter,
    private readonly undefinedValues: UndefinedValues | undefined,
    private readonly site: (at: Instruction) => Constant,
    private readonly blocks: {
      readonly called: ReadonlySet<Block>;
      readonly dominators: ReadonlyMap<Block, Block>;
    },
    private readonly afterRead: RedundantChecks['afterRead'],
    private readonly onChecked: (access: Instruction) => void,
  ) {
    const { options } = context;
    const isAlone = isShadowAlone(options);
    this.#slowPaths = {
      read: isAlone ? '__rz_shadow_read' : options.init ? '__rz_load_strict' : '__rz_load_slow',
      readBits: '__rz_load_bits',
      write: isAlone ? '__rz_shadow_write' : '__rz_store_slow',
      writeBits: '__rz_store_bits',
    };
  }

  get #outOfLine(): boolean {
    return this.blocks.called.has(this.rewriter.sourceBlock);
  }

  get #functions(): CheckFunctions {
    return this.#outOfLine ? wholeChecks : this.#slowPaths;
  }

  get #builder(): Builder {
    return this.rewriter.builder;
  }

  load(load: Instruction, access: MemoryAccess): void {
    if (!this.undefinedValues?.isCarrier(load)) {
      this.alone(access, load);
      this.#emitLoad(load);
      return;
    }
    const type = shadowType(load.type)!;
    const undefinedBits = (builder: Builder): Value => {
      const readBits = this.context.runtime.function(this.#functions.readBits);
      const wide = builder.call(readBits, this.#slowArguments(access, load));
      return type === i64 ? wide : builder.cast('trunc', wide, type);
    };
    this.undefinedValues.setLoaded(
      load,
      this.#unlessPlain(this.#asAligned(access, load), integerConstant(type, 0), undefinedBits)(),
    );
    this.#emitLoad(load);
  }

  /**
   * With `--keep-going`, an invalid load is redirected into client memory, because its own address
   * may be beyond the end of memory.
   */
  #emitLoad(load: Instruction): void {
    if (this.context.options.keepGoing && 'pointer' in load) {
      const whole = this.#builder.cast('ptrtoint', load.pointer, i64);
      const inside = this.#builder.binary('and', whole, integerConstant(i64, inClientMemory));
      setPointer(load, this.#builder.cast('inttoptr', inside, load.pointer.type));
      // The optimiser treats code after an access to null as unreachable.
      if (load.op === 'load') load.volatile = true;
    }
    this.onChecked(load);
    this.rewriter.emit(load);
  }

  store(store: Instruction, access: MemoryAccess): void {
    const { runtime, options } = this.context;
    const shadow = store.op === 'store' ? this.undefinedValues?.shadowOfStored(store) : undefined;
    const args = this.#slowArguments(access, store);
    const allowed = this.#unlessPlain(
      this.#asAligned(access, store),
      access.pointer,
      builder => {
        if (shadow === undefined) return builder.call(runtime.function(this.#functions.write), args);
        const bits = shadow.type === i64 ? shadow : builder.cast('zext', shadow, i64);
        if (!this.#outOfLine && store.op === 'store') this.#tellOrigin(store.value, builder);
        return builder.call(runtime.function(this.#functions.writeBits), [...args, bits]);
      },
      shadow,
      this.#afterRead(store, access),
    );
    if (options.keepGoing) setPointer(store, allowed());
    this.onChecked(store);
    this.rewriter.emit(store);
  }

  /**
   * A part of a structure is nearly always aligned, and is then compared with the same tag word as
   * in the check of the whole structure before. The slow path accepts a misaligned one.
   */
  #asAligned(access: MemoryAccess, at: Instruction): MemoryAccess {
    return isOfPassing(at) ? { ...access, align: this.context.layout.storeBytes(access.type) } : access;
  }

  /** Tells the slow path of a store where the stored value was loaded from. */
  #tellOrigin(value: Value, cold: Builder): void {
    const { runtime, layout } = this.context;
    const { undefinedOrigin, undefinedOriginBytes } = runtime;
    const candidates = this.undefinedValues?.candidates(value) ?? [];
    for (const load of candidates) cold.call(runtime.function('__rz_maybe_loaded'), [this.site(load)]);
    const origin = this.undefinedValues?.origin(value, cold, layout);
    if (origin === undefined || origin.pointer === nullConstant) return;
    let { pointer, bytes } = origin;
    if (candidates.length > 0) {
      const isKnown = cold.icmp('ne', pointer, nullConstant);
      pointer = cold.select(isKnown, pointer, cold.load(ptr, undefinedOrigin, { align: 8 }));
      bytes = cold.select(isKnown, bytes, cold.load(i32, undefinedOriginBytes, { align: 4 }));
    }
    cold.store(pointer, undefinedOrigin, { align: 8 });
    cold.store(bytes, undefinedOriginBytes, { align: 4 });
  }

  /** A check without an access; all loaded bytes must be defined. */
  alone(access: MemoryAccess, at: Instruction): void {
    const { read, write } = this.#functions;
    const check = this.context.runtime.function(access.isStore ? write : read);
    const args = this.#slowArguments(access, at);
    const condition = this.#fastCondition(access);
    if (condition === undefined) this.#builder.call(check, args);
    else this.rewriter.guardTwice(condition, this.#isWritten(access), cold => cold.call(check, args));
  }

  /**
   * Calls the slow path unless the inline condition holds and no bit of `shadow` is set. Returns
   * the result of the call, or `plain`.
   */
  #unlessPlain(
    access: MemoryAccess,
    plain: Value,
    call: (builder: Builder) => Value,
    shadow?: Value,
    condition: Value | undefined = this.#fastCondition(access),
  ): () => Value {
    if (condition === undefined) {
      const made = call(this.#builder);
      return () => made;
    }
    let answer = plain;
    const isPlain = shadow === undefined ? condition : this.#andDefined(condition, shadow);
    const isWritten = this.#isWritten(access, shadow);
    const guarded = this.rewriter.guardTwice(isPlain, isWritten, cold => {
      answer = call(cold);
    });
    return () => this.rewriter.guardPhi(guarded, plain, answer);
  }

  /** With `--keep-going`, a check that failed guarantees nothing in another block. */
  #definedHere(): Set<Value> {
    const block = this.rewriter.sourceBlock;
    const known = this.#defined.get(block);
    if (known !== undefined) return known;
    const before = this.context.options.keepGoing ? undefined : this.blocks.dominators.get(block);
    const made = new Set(before && this.#defined.get(before));
    this.#defined.set(block, made);
    return made;
  }

  /**
   * Reports the operands that must be defined and are not; each value is checked once per block.
   */
  requireDefined(instruction: Instruction): void {
    const { undefinedValues } = this;
    if (undefinedValues === undefined) return;
    const defined = this.#definedHere();
    for (const operand of undefinedValues.operandsThatMatter(instruction)) {
      const shadow = undefinedValues.shadowOf(operand);
      if (shadow === undefined || defined.has(operand)) continue;
      defined.add(operand);
      const type = shadow.type as IntegerType;
      const origin = undefinedValues.originOf(operand);
      const { layout } = this.context;
      const args = [integerConstant(i32, type.bits), this.site(placeOf(instruction, origin))];
      const from = [
        origin?.pointer ?? nullConstant,
        integerConstant(i32, origin === undefined ? 0 : layout.storeBytes(origin.type)),
      ];
      if (this.#outOfLine) {
        const bits = type === i64 ? shadow : this.#builder.cast('zext', shadow, i64);
        this.#builder.call(this.context.runtime.function('__rz_use'), [bits, ...args, ...from]);
        continue;
      }
      const isDefined = this.#builder.icmp('eq', shadow, integerConstant(type, 0));
      this.rewriter.guard(isDefined, cold => {
        for (const load of undefinedValues.candidates(operand))
          cold.call(this.context.runtime.function('__rz_maybe_loaded'), [this.site(load)]);
        const several = undefinedValues.origin(operand, cold, layout);
        const used = this.context.runtime.function('__rz_undefined_used');
        cold.call(used, [...args, several.pointer, several.bytes]);
      });
    }
  }

  /** A fast loop is entered only with defined values. */
  requireDefinedToEnter(instruction: Instruction, { entries }: FastLoops): void {
    if (instruction.op !== 'condbr') return;
    for (const value of entries.get(instruction) ?? []) {
      const shadow = this.undefinedValues?.shadowOf(value);
      if (shadow !== undefined) instruction.condition = this.#andDefined(instruction.condition, shadow);
    }
  }

  /** The second condition of an access whose granule is never plain. */
  #isWritten(access: MemoryAccess, shadow?: Value): ((builder: Builder) => Value) | undefined {
    const { options, layout, checks } = this.context;
    if (!options.init || !options.temporal || !options.optimise || !isBesidePadding(access, layout))
      return undefined;
    const bytes = layout.storeBytes(access.type);
    return builder => {
      const isWritten = checks.writtenCondition(builder, { ...access, bytes });
      return shadow === undefined ? isWritten : this.#andDefined(isWritten, shadow, builder);
    };
  }

  #andDefined(condition: Value, shadow: Value, builder = this.#builder): Value {
    const isDefined = builder.icmp('eq', shadow, integerConstant(shadow.type as IntegerType, 0));
    return builder.binary('and', condition, isDefined);
  }

  #fastCondition({ pointer, type, align, isStore }: MemoryAccess): Value | undefined {
    if (this.#outOfLine) return undefined;
    const bytes = this.context.layout.storeBytes(type);
    return this.context.checks.fastCondition(this.#builder, { pointer, bytes, align, isStore });
  }

  /** The condition of a store to bytes that were read before. */
  #afterRead(store: Instruction, { pointer }: MemoryAccess): Value | undefined {
    if (this.#outOfLine || isShadowAlone(this.context.options) || !this.afterRead.has(store))
      return undefined;
    const isWritable = this.context.checks.isWritable(this.#builder, pointer);
    const read = this.afterRead.get(store);
    const shadow = read && this.undefinedValues?.shadowOf(read);
    return shadow === undefined ? isWritable : this.#andDefined(isWritable, shadow);
  }

  #slowArguments({ pointer, type, align }: MemoryAccess, at: Instruction): Value[] {
    // LLVM infers from `inbounds` that the object exists. A member of a struct at null would then
    // be checked at another address, so the flag is removed.
    if (this.#outOfLine && pointer.kind === 'instruction' && pointer.op === 'getelementptr')
      pointer.flags = 0;
    const bytes = this.context.layout.storeBytes(type);
    const word = accessWord({ bytes, align: isOfPassing(at) ? 1 : align }, this.context.options);
    return [pointer, word, this.site(at)];
  }
}

/**
 * For an expression on one line the load is reported; otherwise the line of the use. `explore` does
 * the same.
 */
function placeOf(use: Instruction, load: Instruction | undefined): Instruction {
  const [read] = locationStack(load?.debugLocation);
  const [used] = locationStack(use.debugLocation);
  const isSameLine = read !== undefined && read.line === used?.line && read.file === used.file;
  return load !== undefined && isSameLine ? load : use;
}

function setPointer(instruction: Instruction, pointer: Value): void {
  if ('pointer' in instruction) instruction.pointer = pointer;
}
