/**
 * Makes two copies of each inner loop: a fast one whose checks only detect a problem, and a checked
 * one that handles it.
 *
 * ```
 *   before ──▶ header ◀──────────────┐
 *                │ now and then      │
 *                ├────▶ attempt ──▶ fast header ◀──┐
 *                ▼        │ fails    │ ...         │
 *              checked ◀──┘          │ p - start < limit?   no: on at the same place of the checked copy
 *              body      ◀───────────┤ ...         │
 *                │                   └─────────────┘
 *                └── header
 * ```
 *
 * In the fast copy every access is known to be valid before it is made, and every loaded value to
 * be initialised. So nothing there needs a slow path, a site, or the shadow of a value
 * (`undefined-values.ts`). An access is known to be valid
 * - *before the loop*: its address is an induction variable (`passes/induction.ts`) whose first and
 *   last value are in one window; if the loop seems to fill the block, and they are not, by a window;
 * - *before the loop* too, but by its tag word, if its address does not change: a window would take
 *   longer than the iterations of a short loop (`while (**at == ' ') ++*at`);
 * - by a *window*: a range of plain granules of one block, `start` with the block's number in its
 *   upper half. One subtraction and one comparison check number, bounds and initialisation. A miss
 *   requests another window from the runtime (`runtime/monitor/window.c`);
 * - by its *tag word*, as elsewhere, if the block changes with each iteration (`list =
 *   list->next`).
 *
 * A granule beside padding, or at the end of a block, is never plain: there the runtime decides
 * whether the access is valid nevertheless (docs/decisions/0195). If it is not, the checked copy
 * continues at the same place, or at the start of the iteration if that has had no effect yet.
 *
 * **Marks.** With labels (`label-flow.ts`), or with conditions of plug-ins (`weave-hooks.ts`), a
 * copy without calls is *clean*: its values have no labels, the granules that it accesses have
 * neither labels nor cells that a condition waits for (`runtime/monitor/marks.h`), and so it has no
 * code for either. No window has a marked granule, and a check by tag word reads the marks as well.
 *
 * A window stays valid while the fast copy runs: nothing in it frees, ends a scope, or stores
 * undefined bytes. Loops with calls that may do so are not copied.
 *
 * **Invariants.** The fast copy is entered only with defined values: the entry is a branch that the
 * instrumentation completes with their shadows (`entries`). Every cycle through the checked copy
 * passes the header, so the loops stay reducible.
 *
 * Why not one check before the loop that selects a copy for the whole loop? It would have to know
 * in advance which addresses the loop accesses; searches, merges and all data-dependent loops would
 * stay slow. And a loop that writes memory for the first time becomes fast only in its second half.
 */
import type { Builder } from '../../ir/builder.js';
import { calledName, returnsTwice } from '../../ir/called-functions.js';
import type { DataLayout } from '../../ir/data-layout.js';
import type { Block, CallInstruction, Constant, Instruction, IrFunction, Value } from '../../ir/model.js';
import { opcodes } from '../../ir/opcodes.js';
import { successorsOf } from '../../ir/operands.js';
import { DominatorTree } from '../../passes/dominators.js';
import { type Induction, LoopAddresses } from '../../passes/induction.js';
import { definedName, readName } from '../../passes/inlined-functions.js';
import { LinearAddress } from '../../passes/linear-addresses.js';
import { findLoops, type Loop } from '../../passes/loops.js';
import { promoteLocals } from '../../passes/mem2reg.js';
import { ValueNumbers } from '../../passes/value-numbers.js';
import { isStructResult } from '../../passes/whole-struct.js';
import { isHandlerCall, isOwnCall, isPureIntrinsic, isRealCall } from './call-kinds.js';
import type { CheckBuilder } from './checks.js';
import { LoopCopy } from './loop-copy.js';
import { accessOf } from './memory-access.js';
import type { Runtime } from './runtime.js';

export interface FastLoops {
  /** Accesses that need no check: those of the fast copies, and their reads of tag words. */
  readonly trusted: ReadonlySet<Instruction>;
  /**
   * Blocks of checked copies that are rarely executed, because an outer loop enters the fast copy
   * again and again.
   */
  readonly seldom: ReadonlySet<Block>;
  /** The branches into fast copies, and the values that must be defined to take them. */
  readonly entries: ReadonlyMap<Instruction, readonly Value[]>;
  /** The loads that are not the program's: of tag words and of marks. */
  readonly own: ReadonlySet<Instruction>;
  /** The blocks of clean copies. */
  readonly clean: ReadonlySet<Block>;
  /** The branches into clean copies, and the values that must have no label to take them. */
  readonly cleanEntries: ReadonlyMap<Instruction, readonly Value[]>;
}

export function noFastLoops(): MadeLoops {
  return {
    ...{ trusted: new Set(), seldom: new Set(), entries: new Map() },
    ...{ own: new Set(), clean: new Set(), cleanEntries: new Map() },
  };
}

/** The same under construction. */
export interface MadeLoops extends FastLoops {
  readonly trusted: Set<Instruction>;
  readonly seldom: Set<Block>;
  readonly entries: Map<Instruction, readonly Value[]>;
  readonly own: Set<Instruction>;
  readonly clean: Set<Block>;
  readonly cleanEntries: Map<Instruction, readonly Value[]>;
}

/** What clean copies leave out. */
export interface Marks {
  /** Whether the marks of the access can be tested. */
  isTestable(access: Instruction): boolean;
  /** Conditions that the access touches no mark. */
  noneAt(access: Instruction, pointer: Value, builder: Builder): Value[];
}

export interface FastLoopFacts {
  readonly layout: DataLayout;
  readonly runtime: Runtime;
  readonly checks: CheckBuilder;
  /** The encoding of an access for the runtime. */
  accessWord(access: { readonly bytes: number; readonly align: number }): Constant;
  /** Whether the call may end a block's lifetime, or make bytes undefined. */
  mayUnsettle(call: CallInstruction): boolean;
  /** Whether the access is valid in every execution. */
  isSafe(access: Instruction): boolean;
  /** Accesses that an earlier check covers. */
  readonly redundant: ReadonlySet<Instruction>;
  /** Set if memory may have marks. */
  readonly marks: Marks | undefined;
}

/** How the fast copy checks an access. */
export type FastCheck =
  | { readonly kind: 'window'; readonly window: Window }
  | CheckBefore
  | { readonly kind: 'fixed'; readonly address: number }
  | { readonly kind: 'tag' };

export interface CheckBefore {
  readonly kind: 'before';
  readonly window: Window;
  readonly pace: Induction | 'invariant';
  /** The value number of the address: equal addresses are checked once. */
  readonly address: number;
}

/** Accesses of one size that are expected to be in one block. */
export interface Window {
  readonly bytes: number;
  /** The smallest alignment of these accesses. */
  align: number;
  writes: boolean;
  /** Whether the loop seems to initialise the block: it writes elements that it has not read. */
  fills: boolean;
}

export interface LoopPlan {
  readonly header: Block;
  readonly blocks: readonly Block[];
  readonly addresses: LoopAddresses;
  readonly checks: ReadonlyMap<Instruction, FastCheck>;
  /** The instructions after a side effect that an iteration cannot repeat. */
  readonly unrepeatable: ReadonlySet<Instruction>;
  /** Whether the loop is nested in another one. */
  readonly isNested: boolean;
  readonly isClean: boolean;
  /** The accesses of a clean copy that need no check, at an address that does not change. */
  readonly unmarkedBefore: readonly Instruction[];
}

/** Longer loops mostly contain calls, and a copy costs more than it gains. */
const longestLoop = 250;
const mostWindows = 8;

/**
 * A request for a window takes as long as several checks, so loops with a known lower number of
 * iterations are not copied.
 */
const shortestLoop = 8n;

/** The number of tag words that take as long as a window, and the bytes of their accesses. */
const mostFixed = 3;
const largestFixed = 8;

/** The number of windows in a function, times that of its blocks. */
const largestProduct = 10_000;

export function addFastLoops(target: IrFunction, facts: FastLoopFacts): FastLoops {
  const made = noFastLoops();
  if (target.blocks.some(block => block.instructions.some(returnsTwice))) return made;
  const tree = new DominatorTree(target);
  const loops = findLoops(tree);
  if (loops.length === 0) return made;
  const outer = new Set(loops.map(loop => loop.parent));
  const numbers = new ValueNumbers([...tree.cfg.blocks]);
  const plans = loops
    .filter(loop => !outer.has(loop))
    .map(loop => new Planner(tree, loop, numbers, facts).plan())
    .filter(plan => plan !== undefined);
  for (const plan of withinBudget(plans, target.blocks.length))
    new LoopCopy(target, plan, facts, made).make();
  if (plans.length > 0) promoteLocals(target);
  return made;
}

/**
 * The loops that are copied: if these are too many for the size of the function, the inner ones
 * with the fewest windows. The bounds of windows are live in the whole function, so the engine's
 * compile time grows with windows times blocks (docs/decisions/0246).
 */
function withinBudget(plans: readonly LoopPlan[], blocks: number): readonly LoopPlan[] {
  const windowsOf = ({ checks }: LoopPlan): number =>
    new Set([...checks.values()].map(check => ('window' in check ? check.window : undefined))).size;
  let left = largestProduct / blocks;
  const kept = new Set(
    [...plans]
      .sort((a, b) => Number(b.isNested) - Number(a.isNested) || windowsOf(a) - windowsOf(b))
      .filter(plan => {
        left -= windowsOf(plan);
        return left >= 0;
      }),
  );
  return plans.filter(plan => kept.has(plan));
}

class Planner {
  readonly #blocks: readonly Block[];
  readonly #addresses: LoopAddresses;
  readonly #windows = new Map<string, Window>();

  constructor(
    private readonly tree: DominatorTree,
    private readonly loop: Loop,
    private readonly numbers: ValueNumbers,
    private readonly facts: FastLoopFacts,
  ) {
    this.#blocks = loop.blocks.map(number => tree.cfg.blocks[number]!);
    this.#addresses = new LoopAddresses(tree, loop);
  }

  /** Undefined for a loop that is not copied. */
  plan(): LoopPlan | undefined {
    const blocks = this.#blocks;
    const count = blocks.reduce((sum, block) => sum + block.instructions.length, 0);
    const { mostRounds } = this.#addresses;
    if (mostRounds !== undefined && mostRounds <= shortestLoop) return undefined;
    if (
      count > longestLoop ||
      !blocks.every(block => block.instructions.every(each => this.#isCopyable(each)))
    )
      return undefined;
    const checks = new Map<Instruction, FastCheck>();
    const covered = this.#covered();
    const isClean = this.#canBeClean();
    const unmarkedBefore: Instruction[] = [];
    for (const block of blocks) {
      for (const instruction of block.instructions) {
        const access = accessOf(instruction);
        if (access === undefined || covered.has(instruction)) continue;
        if (this.facts.isSafe(instruction) || this.facts.redundant.has(instruction)) {
          if (!isClean) continue;
          if (this.#addresses.paceOf(access.pointer, block) === 'invariant') {
            unmarkedBefore.push(instruction);
            continue;
          }
        }
        checks.set(instruction, this.#checkFor(instruction, block));
      }
    }
    this.#checkFixed(checks);
    if (checks.size === 0 || this.#windows.size > mostWindows) return undefined;
    this.#expectFilling(checks);
    return {
      ...{ blocks, addresses: this.#addresses, checks },
      header: this.#header,
      unrepeatable: this.#unrepeatable(),
      isNested: this.loop.parent !== undefined,
      ...{ isClean, unmarkedBefore },
    };
  }

  /** What is called may have labels, make them, and call hooks that set cells. */
  #canBeClean(): boolean {
    const { marks } = this.facts;
    return (
      marks !== undefined &&
      this.#blocks.every(({ instructions }) =>
        instructions.every(
          each =>
            (!isRealCall(each) || isHandlerCall(each)) &&
            (accessOf(each) === undefined || marks.isTestable(each)),
        ),
      )
    );
  }

  /**
   * The accesses whose address was checked before in each iteration. Nothing in the fast copy ends
   * a block or makes bytes undefined, so that check still holds.
   */
  #covered(): ReadonlySet<Instruction> {
    const covered = new Set<Instruction>();
    /** Indexed by value number of the address. */
    const seen = new Map<number, { block: number; bytes: number; align: number; isStore: boolean }[]>();
    for (const index of this.loop.blocks) {
      for (const instruction of this.tree.cfg.blocks[index]!.instructions) {
        const access = accessOf(instruction);
        if (access === undefined) continue;
        const { align, isStore } = access;
        const address = this.numbers.numberOf(access.pointer);
        const bytes = this.facts.layout.storeBytes(access.type);
        const known = seen.get(address) ?? [];
        const covers = known.some(
          each =>
            each.bytes >= bytes &&
            each.align >= align &&
            (each.isStore || !isStore) &&
            this.tree.dominates(each.block, index),
        );
        if (covers) covered.add(instruction);
        else seen.set(address, [...known, { block: index, bytes, align, isStore }]);
      }
    }
    return covered;
  }

  /** A block with a few accesses, whose addresses do not change, needs no window. */
  #checkFixed(checks: Map<Instruction, FastCheck>): void {
    for (const [key, window] of this.#windows) {
      const within = [...checks].filter(([, check]) => 'window' in check && check.window === window);
      const addresses = new Set<number>();
      for (const [, check] of within)
        addresses.add(check.kind === 'before' && check.pace === 'invariant' ? check.address : -1);
      if (addresses.has(-1) || addresses.size > mostFixed || window.bytes > largestFixed) continue;
      for (const [access, check] of within)
        if (check.kind === 'before') checks.set(access, { kind: 'fixed', address: check.address });
      this.#windows.delete(key);
    }
  }

  /**
   * A block that the loop fills cannot be checked before it: its granules become plain only when
   * they are written.
   */
  #expectFilling(checks: Map<Instruction, FastCheck>): void {
    const before = [...checks].flatMap(([access, check]) =>
      check.kind === 'before' ? [{ access, check, isStore: accessOf(access)!.isStore }] : [],
    );
    const reads = before.filter(({ isStore }) => !isStore);
    const filled = new Map<Window, Window>();
    for (const { access, check, isStore } of before)
      if (isStore && check.pace !== 'invariant' && !this.#isReadBefore(access, check, reads))
        filled.set(check.window, { ...check.window, fills: true });
    for (const { access, check } of before) {
      const window = filled.get(check.window);
      if (window !== undefined) checks.set(access, { ...check, window });
    }
  }

  /** Whether the loop has read what it writes there, in this iteration or in an earlier one. */
  #isReadBefore(
    store: Instruction,
    { address, window, pace }: CheckBefore,
    reads: readonly { readonly access: Instruction; readonly check: CheckBefore }[],
  ): boolean {
    if (reads.some(({ check }) => check.address === address)) return true;
    if (pace === 'invariant') return false;
    const { layout } = this.facts;
    const addressOf = (access: Instruction) =>
      new LinearAddress(accessOf(access)!.pointer, layout, this.numbers);
    const written = addressOf(store);
    const isForward = written.factorOf(pace.phi) > 0n === pace.ascends;
    return reads.some(({ access, check }) => {
      if (check.window !== window) return false;
      const distance = written.distanceFrom(addressOf(access));
      return distance !== undefined && isForward === distance < 0n;
    });
  }

  get #header(): Block {
    return this.tree.cfg.blocks[this.loop.header]!;
  }

  #unrepeatable(): Set<Instruction> {
    const unrepeatable = new Set<Instruction>();
    /** Blocks that an iteration may reach after a side effect. */
    const late = new Set<Block>();
    for (let known = -1; known < late.size; ) {
      known = late.size;
      for (const block of this.#blocks) {
        let isLate = late.has(block);
        for (const instruction of block.instructions) {
          if (isLate) unrepeatable.add(instruction);
          isLate ||= doesSomething(instruction);
        }
        if (isLate)
          for (const next of successorsOf(block))
            if (next !== this.#header && this.#blocks.includes(next)) late.add(next);
      }
    }
    return unrepeatable;
  }

  #isCopyable(instruction: Instruction): boolean {
    // The result of a call that is a struct may be undefined.
    if (instruction.op === 'store' && isStructResult(instruction, instruction.value)) return false;
    if (instruction.op !== 'call') return opcodes[instruction.op].isRepeatable;
    if (calledName(instruction) === definedName) return this.#passesStructures();
    return (
      instruction.callee.kind === 'function' &&
      !this.facts.mayUnsettle(instruction) &&
      !isSpecial(instruction)
    );
  }

  /**
   * With other inlined calls, loops are mostly too short for a copy to gain (docs/decisions/0297).
   */
  #passesStructures(): boolean {
    return this.#blocks.some(({ instructions }) => instructions.some(isStructureCheck));
  }

  #checkFor(instruction: Instruction, block: Block): FastCheck {
    const { pointer, type, align, isStore } = accessOf(instruction)!;
    const bytes = this.facts.layout.storeBytes(type);
    const pace = this.#addresses.paceOf(pointer, block);
    const root = this.#rootOf(pointer);
    if (root === undefined) return { kind: 'tag' };
    const key = `${root} ${bytes}`;
    const window = this.#windows.get(key) ?? { bytes, align, writes: false, fills: false };
    window.align = Math.min(window.align, align);
    window.writes ||= isStore;
    this.#windows.set(key, window);
    if (pace === undefined) return { kind: 'window', window };
    return { kind: 'before', window, pace, address: this.numbers.numberOf(pointer) };
  }

  /**
   * A key for the block in which a pointer probably stays during the loop; undefined if the block
   * changes.
   */
  #rootOf(pointer: Value): string | undefined {
    let root = pointer;
    while (root.kind === 'instruction' && root.op === 'getelementptr') root = root.base;
    if (this.#addresses.isInvariant(root)) return `${this.numbers.numberOf(root)}`;
    if (root.kind !== 'instruction') return undefined;
    if (root.op === 'load' && this.#addresses.paceOf(root.pointer, this.#blocks[0]!) === 'invariant')
      return `at ${this.numbers.numberOf(root.pointer)}`;
    return root.op === 'phi' && this.#isWalking(root, new Set())
      ? `${this.numbers.numberOf(root)}`
      : undefined;
  }

  /**
   * Whether all values of the phi are its own value plus an offset, or come from outside the
   * loop.
   */
  #isWalking(value: Value, seen: Set<Value>): boolean {
    if (seen.has(value) || this.#addresses.isInvariant(value)) return true;
    seen.add(value);
    if (value.kind !== 'instruction') return false;
    if (value.op === 'getelementptr') return this.#isWalking(value.base, seen);
    return value.op === 'phi' && value.values.every(each => this.#isWalking(each, seen));
  }
}

function doesSomething(instruction: Instruction): boolean {
  return (
    instruction.op === 'store' ||
    (instruction.op === 'load' && instruction.volatile) ||
    (isRealCall(instruction) && !isStructureCheck(instruction))
  );
}

/** The check of a structure that an inlined call passes: it may report, and does nothing else. */
function isStructureCheck(instruction: Instruction): boolean {
  return calledName(instruction) === readName;
}

/** Intrinsics that have side effects. */
function isSpecial(call: CallInstruction): boolean {
  if (isRealCall(call) || isOwnCall(call)) return false;
  return !isPureIntrinsic(call);
}
