/**
 * Additional instrumentation of programs with threads: it reports accesses that may race to the
 * monitor (`runtime/monitor/races.c`), announces atomic operations, and yields to other threads in
 * long loops.
 *
 * ```
 *   cell = shadow[address / 4]
 *   cell >= slice, signed, and odd for a store    this thread was here in this slice, or call the
 * slow path
 * ```
 *
 * Only accesses to memory that other threads may see are recorded: not those to locals whose
 * address does not escape, nor to constants.
 */
import type { Builder } from '../../ir/builder.js';
import { integerConstant, nullConstant } from '../../ir/constants.js';
import type {
  CallInstruction,
  CompareExchangeInstruction,
  Constant,
  GlobalVariable,
  Instruction,
  IrFunction,
  Ordering,
  Value,
} from '../../ir/model.js';
import { Flag } from '../../ir/model.js';
import { i8, i32, i64, ptr } from '../../ir/types.js';
import { DominatorTree } from '../../passes/dominators.js';
import { findLoops } from '../../passes/loops.js';
import { raceShadowStart, threadsClientEnd } from '../memory-map.js';
import type { Context } from './function.js';
import { accessOf, type MemoryAccess } from './memory-access.js';
import { pointerOrigin } from './pointer-origin.js';
import type { FunctionRewriter } from './rewriter.js';

/** `enum atomic_kind` and `enum order` of the runtime. */
const atomicKind = { load: 0, store: 1, atomicrmw: 2, fence: 3 } as const;
const orders: Readonly<Record<Ordering, number>> = {
  unordered: 0,
  monotonic: 0,
  acquire: 1,
  release: 2,
  acq_rel: 3,
  seq_cst: 3,
};

/** The scope of `atomic_signal_fence`, which orders nothing between threads. */
const signalScope = 'singlethread';

export function isAtomic(instruction: Instruction): boolean {
  const { op } = instruction;
  if (op === 'load' || op === 'store') return instruction.ordering !== undefined;
  if (op === 'fence') return instruction.syncScope !== signalScope;
  return op === 'atomicrmw' || op === 'cmpxchg';
}

export class RaceChecks {
  readonly #latches: ReadonlySet<Instruction>;

  constructor(
    private readonly context: Context,
    target: IrFunction,
    private readonly rewriter: FunctionRewriter,
    private readonly site: (at: Instruction) => Constant,
  ) {
    this.#latches = latchesOf(target);
  }

  get #builder(): Builder {
    return this.rewriter.builder;
  }

  /** Whether another thread may see the memory. Must be called before operands are resolved. */
  isShared({ pointer }: MemoryAccess): boolean {
    const { layout, isAskedAbout } = this.context;
    const origin = pointerOrigin(pointer, layout)?.object;
    if (origin === undefined) return true;
    return origin.kind === 'variable' ? !origin.isConstant : isAskedAbout(origin);
  }

  /** Records a plain access after it was made. */
  accessed({ pointer, type, align, isStore }: MemoryAccess, at: Instruction): void {
    const { layout, runtime, options } = this.context;
    if (!options.races) return;
    const bytes = layout.storeBytes(type);
    const slow = (builder: Builder): void => {
      const kind = integerConstant(i32, bytes * 16 + (isStore ? 1 : 0));
      builder.call(runtime.function('__rz_race_access'), [pointer, kind, this.site(at)]);
    };
    const isInline = bytes === 1 || (align >= bytes && (bytes === 2 || bytes === 4 || bytes === 8));
    if (!isInline) {
      slow(this.#builder);
      return;
    }
    const first = this.#isOwn(pointer, 0, isStore);
    const own = bytes < 8 ? first : this.#builder.binary('and', first, this.#isOwn(pointer, 4, isStore));
    this.rewriter.guard(own, slow);
  }

  #isOwn(pointer: Value, offset: number, isStore: boolean): Value {
    const builder = this.#builder;
    const low = builder.cast('trunc', builder.cast('ptrtoint', pointer, i64), i32);
    const masked = builder.binary('and', low, integerConstant(i32, threadsClientEnd - (offset + 4)));
    const place = builder.gep(
      i8,
      shadow,
      [builder.cast('zext', masked, i64)],
      undefined,
      Flag.nuw | Flag.nusw,
    );
    const at = offset === 0 ? place : builder.gep(i8, place, [integerConstant(i64, offset)]);
    const cell = builder.load(i32, at, { align: 4 });
    const slice = builder.load(i32, this.context.runtime.slice, { align: 4 });
    const isRecent = builder.icmp('sge', cell, slice);
    if (!isStore) return isRecent;
    const odd = builder.binary('and', cell, integerConstant(i32, 1));
    return builder.binary('and', isRecent, builder.icmp('ne', odd, integerConstant(i32, 0)));
  }

  /** Called before an atomic operation, which is a scheduling point. */
  atomic(instruction: Instruction, access: MemoryAccess | undefined): void {
    const { op } = instruction;
    if (op === 'cmpxchg')
      this.#builder.call(this.context.runtime.function('__rz_atomic_point'), [this.site(instruction)]);
    else if (op in atomicKind) {
      const kind = integerConstant(i32, atomicKind[op as keyof typeof atomicKind]);
      const order = integerConstant(i32, orders[orderingOf(instruction)]);
      this.#tell('__rz_atomic', instruction, access, kind, order);
    }
  }

  /** Called after a compare-exchange: a failed one is a load with its own memory order. */
  exchanged(instruction: CompareExchangeInstruction): void {
    const builder = this.#builder;
    const { successOrdering, failureOrdering } = instruction;
    const hasStored = builder.extractValue(instruction, 1);
    const either = (stored: number, failed: number): Value =>
      builder.select(hasStored, integerConstant(i32, stored), integerConstant(i32, failed));
    this.#tell(
      '__rz_atomic_done',
      instruction,
      accessOf(instruction),
      either(atomicKind.atomicrmw, atomicKind.load),
      either(orders[successOrdering], orders[failureOrdering]),
    );
  }

  #tell(
    name: '__rz_atomic' | '__rz_atomic_done',
    instruction: Instruction,
    access: MemoryAccess | undefined,
    kind: Value,
    order: Value,
  ): void {
    const { layout, runtime } = this.context;
    this.#builder.call(runtime.function(name), [
      access?.pointer ?? nullConstant,
      kind,
      order,
      integerConstant(i32, access === undefined ? 0 : layout.storeBytes(access.type)),
      this.site(instruction),
    ]);
  }

  /** Called at the end of a loop's body. */
  goesRound(instruction: Instruction): void {
    if (!this.#latches.has(instruction)) return;
    const { runtime } = this.context;
    const builder = this.#builder;
    const left = builder.binary(
      'sub',
      builder.load(i32, runtime.fuel, { align: 4 }),
      integerConstant(i32, 1),
    );
    builder.store(left, runtime.fuel, { align: 4 });
    const goesOn = builder.icmp('sgt', left, integerConstant(i32, 0));
    this.rewriter.guard(goesOn, cold => cold.call(runtime.function('__rz_refuel'), [this.site(instruction)]));
  }

  /** The thread's own copy of a variable. */
  threadLocal(call: CallInstruction, variable: Value): Value {
    const { layout, runtime, initialCopies } = this.context;
    const [named] = call.args;
    if (named?.kind !== 'variable') return variable;
    return this.#builder.call(runtime.function('__rz_thread_local'), [
      variable,
      initialCopies.get(named) ?? nullConstant,
      integerConstant(i64, layout.allocBytes(named.valueType)),
    ]);
  }
}

function orderingOf(instruction: Instruction): Ordering {
  return 'ordering' in instruction ? (instruction.ordering ?? 'monotonic') : 'seq_cst';
}

/** The branches back to the headers of loops. */
function latchesOf(target: IrFunction): Set<Instruction> {
  const tree = new DominatorTree(target);
  const { blocks } = tree.cfg;
  const latches = findLoops(tree).flatMap(loop => loop.latches);
  return new Set(latches.map(block => blocks[block]!.instructions.at(-1)!));
}

/** Thread-local variables, each with a constant that holds its initial value, if that is not 0. */
export type InitialCopies = ReadonlyMap<GlobalVariable, GlobalVariable>;

const shadow: Constant = {
  kind: 'expression',
  op: 'inttoptr',
  type: ptr,
  operands: [integerConstant(i64, raceShadowStart)],
  flags: 0,
  sourceType: undefined,
  inRange: undefined,
};
