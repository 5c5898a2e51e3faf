/**
 * Inserts the hooks of plug-ins into a function: calls of the imports `__rz_hook_N`, with the index
 * of the hook, the site and N numbers, at the places that `plugins/hook-points.ts` finds.
 *
 * Every value is passed as a double, which is what it becomes in TypeScript anyway: no call makes a
 * BigInt. A hook with a condition on a shadow calls only where the condition holds
 * (`inline-shadow.ts`), and one that only sets cells calls once for each page. Conditions on ranges
 * and settings of ranges are functions of the runtime (`runtime/monitor/window.c`).
 */
import { AttributeSet, attribute, stringAttribute } from '../../ir/attributes.js';
import { type Builder, getOrDeclareFunction } from '../../ir/builder.js';
import { floatConstant, integerConstant } from '../../ir/constants.js';
import type { Constant, Instruction, IrFunction, Value } from '../../ir/model.js';
import { doubleType, floatType, functionType, i1, i32, i64, voidType } from '../../ir/types.js';
import { type AccessRule, decidingShadows, holdsForZeros } from '../../plugins/hook-plan.js';
import {
  type HookPoint,
  type HookPoints,
  libraryPoints,
  libraryStore,
  type PointContext,
  programPoints,
  type ValueKind,
} from '../../plugins/hook-points.js';
import type { ShadowKind } from '../../plugins/plugin.js';
import type { FastLoops } from './fast-loops.js';
import {
  cellsAround,
  hasFewGranules,
  InlineCells,
  isInline,
  kindWord,
  orderedPages,
  pagesOf,
  setOrderedCells,
  somePasses,
} from './inline-shadow.js';
import { accessOf } from './memory-access.js';
import type { FunctionRewriter } from './rewriter.js';
import type { Runtime } from './runtime.js';

/** The hook settings of a module. */
export interface WeaveContext extends PointContext {
  readonly isLibrary: boolean;
  readonly runtime: Runtime;
}

/** The import that a hook calls; `asked` if compiled code has tested its condition. */
const importName = (values: number, isAsked: boolean): string =>
  `__rz_hook_${values}${isAsked ? '_asked' : ''}`;

/** Parses the name of an import; undefined if it is not a hook. */
export function hookImport(name: string): { readonly isAsked: boolean } | undefined {
  const found = /^__rz_hook_\d+(_asked)?$/.exec(name);
  return found === null ? undefined : { isAsked: found[1] !== undefined };
}

export class HookWeaver {
  readonly #points: HookPoints;
  /** Where the pages of shadows lie in order. */
  readonly #ordered: readonly (number | undefined)[];

  /** Finds the points at once, because the function must not be changed before it is rewritten. */
  constructor(
    private readonly context: WeaveContext,
    target: IrFunction,
    private readonly rewriter: FunctionRewriter,
    private readonly resolve: (value: Value) => Value,
    private readonly site: (at: Instruction | undefined) => Constant,
    private readonly fast: FastLoops,
  ) {
    this.#ordered = orderedPages(context.plan.shadows);
    this.#points = context.isLibrary ? libraryPoints(target, context) : programPoints(target, context);
  }

  entry(): void {
    for (const point of this.#points.entry) this.#weave(point, undefined);
  }

  before(instruction: Instruction): void {
    if (this.fast.own.has(instruction) || this.#neverPasses(instruction)) return;
    for (const point of this.#points.before.get(instruction) ?? []) this.#weave(point, instruction);
  }

  after(instruction: Instruction): void {
    for (const point of this.#points.after.get(instruction) ?? []) this.#weave(point, instruction);
  }

  /** In a clean copy of a loop no condition holds. */
  #neverPasses(instruction: Instruction): boolean {
    return (
      this.fast.clean.has(this.rewriter.sourceBlock) &&
      accessOf(instruction) !== undefined &&
      decidingShadows(this.context.plan) !== undefined
    );
  }

  #weave(point: HookPoint, at: Instruction | undefined): void {
    const { rule, access, only } = point;
    const { builder } = this.rewriter;
    // Locals are loaded here, because a cold block has no rewriter.
    const resolved = point.values.map(this.resolve);
    if (only !== undefined) {
      const isOther = builder.icmp('ne', this.resolve(only.callee), only.target);
      this.rewriter.guard(isOther, cold => this.#call(point, resolved, at, false, cold));
      return;
    }
    if (rule?.when !== undefined && access !== undefined && hasFewGranules(access)) {
      const { when } = rule;
      const cells = cellsAround(builder, this.#shadow(when.shadow), access, resolved[0]!);
      const passesNot = (into: Builder): Value =>
        into.binary('xor', somePasses(cells, when, into), integerConstant(i1, 1));
      const call = (cold: Builder): void => this.#call(point, resolved, at, isInline(access), cold);
      if (holdsForZeros(when)) this.rewriter.guard(passesNot(builder), call);
      else {
        const hasNoPage = builder.icmp('eq', pagesOf(cells, builder), integerConstant(i32, 0));
        this.rewriter.guardTwice(hasNoPage, passesNot, call);
      }
    } else if (rule?.set !== undefined && rule.when === undefined && !rule.runs)
      this.#set(rule.set, point, resolved, at);
    else if (point.isConditionalRange) this.#unlessUnmarked(point, resolved, at);
    else this.#call(point, resolved, at, false);
  }

  #shadow(number: number): { readonly number: number; readonly kind: ShadowKind } {
    return { number, kind: this.context.plan.shadows[number]! };
  }

  /** Sets the cells of an access or a range; TypeScript allocates pages. */
  #set(
    { shadow, to }: NonNullable<AccessRule['set']>,
    point: HookPoint,
    resolved: readonly Value[],
    at: Instruction | undefined,
  ): void {
    const { builder } = this.rewriter;
    const { kind } = this.#shadow(shadow);
    const [pointer, second] = resolved as [Value, Value];
    const { access } = point;
    if (access === undefined || !isInline(access)) {
      const bytes = access === undefined ? this.#wide(second) : integerConstant(i64, access.bytes);
      const isSet = builder.call(this.context.runtime.function('__rz_set_cells'), [
        ...[pointer, bytes, integerConstant(i32, shadow)],
        ...[integerConstant(i32, kindWord(kind)), integerConstant(i32, to)],
      ]);
      const isDone = builder.icmp('ne', isSet, integerConstant(i32, 0));
      this.rewriter.guard(isDone, cold => this.#call(point, resolved, at, true, cold));
      return;
    }
    const start = this.#ordered[shadow];
    if (start !== undefined) {
      setOrderedCells(builder, start, kind, access, pointer, to);
      return;
    }
    const cells = new InlineCells(builder, shadow, kind, access, pointer);
    if (to === 0) {
      cells.set(0, cells.page);
      return;
    }
    let made: Value = cells.page;
    const hasPage = builder.icmp('ne', cells.page, integerConstant(i32, 0));
    const guarded = this.rewriter.guard(hasPage, cold => {
      this.#call(point, resolved, at, true, cold);
      made = cells.loadPage(cold);
    });
    cells.set(to, this.rewriter.guardPhi(guarded, cells.page, made));
  }

  /**
   * The hooks of a range are called only if a condition may hold for a cell of it, and those of the
   * library only if they do more than set cells.
   */
  #unlessUnmarked(point: HookPoint, resolved: readonly Value[], at: Instruction | undefined): void {
    const { builder } = this.rewriter;
    const [pointer, second] = resolved as [Value, Value];
    const [bytes, { runtime, isLibrary }] = [this.#wide(second), this.context];
    const isStore = integerConstant(i32, point.site === libraryStore ? 1 : 0);
    const isQuiet = isLibrary
      ? builder.call(runtime.function('__rz_library_access'), [pointer, bytes, isStore])
      : builder.call(runtime.function('__rz_no_cells'), [pointer, bytes]);
    const isDone = builder.icmp('ne', isQuiet, integerConstant(i32, 0));
    this.rewriter.guard(isDone, cold => this.#call(point, resolved, at, false, cold));
  }

  #wide(bytes: Value): Value {
    return bytes.type === i64 ? bytes : this.rewriter.builder.cast('zext', bytes, i64);
  }

  #call(
    { site, kinds }: HookPoint,
    resolved: readonly Value[],
    at: Instruction | undefined,
    isAsked: boolean,
    builder: Builder = this.rewriter.builder,
  ): void {
    const told = resolved.map((value, i) => asDouble(builder, value, kinds[i]!));
    const index = integerConstant(i32, site);
    builder.call(this.#import(told.length, isAsked), [index, this.site(at), ...told]);
  }

  #import(values: number, isAsked: boolean): IrFunction {
    const name = importName(values, isAsked);
    const type = functionType(voidType, [i32, i32, ...Array.from({ length: values }, () => doubleType)]);
    const made = getOrDeclareFunction(this.context.module, name, type);
    made.attributes = AttributeSet.of(
      attribute('nounwind'),
      attribute('memory', 'read, inaccessiblemem: readwrite'),
      ...(isAsked ? [attribute('cold')] : []),
      stringAttribute('wasm-import-module', 'redzone'),
      stringAttribute('wasm-import-name', name),
    );
    return made;
  }
}

function asDouble(builder: Builder, value: Value, kind: ValueKind): Value {
  if (kind === 'none') return floatConstant(doubleType, Number.NaN);
  if (kind === 'float') return value.type === floatType ? builder.cast('fpext', value, doubleType) : value;
  if (kind === 'pointer') {
    const low = builder.cast('trunc', builder.cast('ptrtoint', value, i64), i32);
    return builder.cast('uitofp', low, doubleType);
  }
  return builder.cast(kind.startsWith('u') ? 'uitofp' : 'sitofp', value, doubleType);
}
