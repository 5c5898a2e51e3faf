/**
 * Finds the places of a plan's hooks in a function: before or after which instruction, or at its
 * entry, and which values they receive.
 *
 * Both engines insert their calls there: the monitor while it instruments a function, the explorer
 * as additional instructions. Functions are searched after their locals have been promoted, so
 * loads and stores are those of visible memory and not of every local variable.
 *
 * Everything that is known statically is in a table of `HookSite`s, and the call has the index of
 * its entry. In the C library only accesses through pointers of the program are hooked, and the
 * ranges that it reports. Ranges have fixed numbers, so that the library's objects do not depend on
 * the program.
 */
import type { AttributeSet } from '../ir/attributes.js';
import { calledName } from '../ir/called-functions.js';
import { integerConstant } from '../ir/constants.js';
import type { DataLayout } from '../ir/data-layout.js';
import { functionLocation } from '../ir/debug.js';
import type { CallInstruction, Instruction, IrFunction, Module, Value } from '../ir/model.js';
import type { WithoutAccess } from '../ir/opcodes.js';
import { i64, sameType, type Type } from '../ir/types.js';
import { type AccessRule, type HookPlan, matches, type NameRule } from './hook-plan.js';
import type { Members } from './member-names.js';
import type { Basis, MemberName } from './plugin.js';
import { basisOf, hasRestrict } from './restrict-basis.js';
import { typeNameOf } from './type-names.js';

/** The type of a value that a hook receives: an integer of some width, or another kind. */
export type ValueKind = `i${number}` | `u${number}` | 'pointer' | 'float' | 'none';

export type HookKind = 'load' | 'store' | 'enter' | 'return' | 'before' | 'after' | 'branch' | 'arithmetic';

interface AccessSite {
  /** Undefined for ranges, whose length is the second value. */
  readonly bytes?: number;
  readonly member?: MemberName;
  /** The name of its type in `!tbaa`. */
  readonly type?: string;
  readonly basis?: Basis;
}

export interface HookSite extends AccessSite {
  readonly kind: HookKind;
  readonly plugin: number;
  /** The index among the plug-in's hooks of that kind. */
  readonly hook: number;
  readonly function?: string;
  /** The types of all values that the hook receives, in order. */
  readonly values: readonly ValueKind[];
  /** Set if the hook receives the value of a store, or the result of a return. */
  readonly hasValue?: true;
  readonly sources?: readonly AccessSite[];
  readonly isSwitch?: true;
}

/** Used instead of a table index for a range that the library accesses. */
export const libraryLoad = 0x7fff_fff0;
export const libraryStore = 0x7fff_fff1;

export interface HookPoint {
  readonly site: number;
  readonly values: readonly Value[];
  readonly kinds: readonly ValueKind[];
  /** A call through a pointer is hooked only if it calls this function. */
  readonly only?: { readonly callee: Value; readonly target: IrFunction };
  /** The rule of a load or a store, of which parts are compiled inline. */
  readonly rule?: AccessRule;
  /** Undefined for ranges, whose length is the second value. */
  readonly access?: HookedAccess;
  /** Whether it has no effect where the cells that conditions wait for are all 0, if all wait. */
  readonly isConditionalRange?: boolean;
}

export interface HookPoints {
  readonly entry: readonly HookPoint[];
  readonly before: ReadonlyMap<Instruction, readonly HookPoint[]>;
  readonly after: ReadonlyMap<Instruction, readonly HookPoint[]>;
}

export interface PointContext {
  readonly plan: HookPlan;
  readonly module: Module;
  readonly layout: DataLayout;
  readonly table: HookSite[];
  readonly members: Members | undefined;
}

/** A load or a store of fixed size. */
export interface HookedAccess {
  readonly pointer: Value;
  readonly bytes: number;
  readonly align: number;
  readonly value: Value | undefined;
  readonly type: string;
}

/** The limit for chains of copies and sums. */
const longestChain = 32;

export function programPoints(target: IrFunction, context: PointContext): HookPoints {
  return new Points(context).ofProgram(target);
}

export function libraryPoints(target: IrFunction, context: PointContext): HookPoints {
  return new Points(context).ofLibrary(target);
}

/** Whether the plan has hooks for functions of the library. */
export function hooksLibrary({ load, store }: HookPlan): boolean {
  return load.length > 0 || store.length > 0;
}

/** The name of a function in the source. */
function nameOf(target: IrFunction): string {
  return functionLocation(target)?.function ?? target.name;
}

class Points implements HookPoints {
  readonly entry: HookPoint[] = [];
  readonly before = new Map<Instruction, HookPoint[]>();
  readonly after = new Map<Instruction, HookPoint[]>();
  /** The basis of an address, in a function with variables that are declared `restrict`. */
  #basisOf: (address: Value) => Partial<AccessSite> = () => ({});

  constructor(private readonly context: PointContext) {}

  ofProgram(target: IrFunction): this {
    const { plan } = this.context;
    const name = nameOf(target);
    const isRestricted = hasRestrict(target);
    if (isRestricted)
      this.#basisOf = address => {
        const found = basisOf(address);
        return found === undefined ? {} : { basis: { function: name, parameter: found.variable } };
      };
    const applies = (rule: NameRule): boolean => !rule.restrict || isRestricted;
    for (const rule of matching(plan.enter, name).filter(applies))
      this.entry.push(
        this.#point(
          'enter',
          rule,
          target.arguments,
          { function: name },
          target.arguments.map(({ attributes }) => attributes),
        ),
      );
    const returns = matching(plan.return, name).filter(applies);
    for (const { instructions } of target.blocks)
      for (const instruction of instructions) this.#visit(instruction, name, returns);
    return this;
  }

  #visit(instruction: Instruction, name: string, returns: readonly NameRule[]): void {
    const { plan, layout } = this.context;
    const { load, store } = accessesOf(instruction, layout);
    if (load !== undefined)
      for (const rule of plan.load)
        this.#add(this.before, instruction, this.#accessPoint('load', rule, load));
    if (store !== undefined)
      for (const rule of plan.store)
        this.#add(this.before, instruction, this.#accessPoint('store', rule, store));
    switch (instruction.op) {
      case 'call':
        this.#call(instruction);
        break;
      case 'ret':
        for (const rule of returns)
          this.#add(
            this.before,
            instruction,
            this.#point('return', rule, given(instruction.value), { function: name }),
          );
        break;
      case 'condbr':
      case 'switch':
        for (const plugin of plan.branch)
          this.#add(
            this.before,
            instruction,
            this.#point('branch', { plugin, hook: 0 }, [instruction.condition], {
              ...(instruction.op === 'switch' && { isSwitch: true }),
            }),
          );
        break;
      case 'getelementptr':
        if (instruction.type.kind !== 'pointer') break;
        for (const plugin of plan.arithmetic)
          this.#add(
            this.after,
            instruction,
            this.#point('arithmetic', { plugin, hook: 0 }, [instruction.base, instruction], {}),
          );
        break;
    }
  }

  #call(call: CallInstruction): void {
    const { plan } = this.context;
    const { callee } = call;
    const range = rangeOf(call);
    if (range?.read !== undefined)
      for (const rule of plan.load)
        this.#add(this.before, call, this.#range('load', rule, range.read, range.bytes));
    if (range?.written !== undefined)
      for (const rule of plan.store)
        this.#add(this.before, call, this.#range('store', rule, range.written, range.bytes));
    if (callee.kind === 'function') {
      if (!callee.name.startsWith('llvm.')) this.#callOf(call, callee, false);
    } else if (callee.kind !== 'assembly' && plan.before.length + plan.after.length > 0) {
      for (const target of this.context.module.functions)
        if (sameType(target.functionType, call.functionType)) this.#callOf(call, target, true);
    }
  }

  #callOf(call: CallInstruction, target: IrFunction, isIndirect: boolean): void {
    const { plan } = this.context;
    const name = nameOf(target);
    const about = { function: name };
    const only = isIndirect ? { only: { callee: call.callee, target } } : {};
    const result = given(call.type.kind === 'void' ? undefined : call);
    for (const rule of matching(plan.before, name))
      this.#add(this.before, call, {
        ...this.#point('before', rule, call.args, about, call.argAttributes),
        ...only,
      });
    for (const rule of matching(plan.after, name))
      this.#add(this.after, call, {
        ...this.#point(
          'after',
          rule,
          [...call.args, ...result],
          {
            ...about,
            ...(result.length > 0 && { hasValue: true }),
          },
          call.argAttributes,
        ),
        ...only,
      });
  }

  #accessPoint(kind: 'load' | 'store', rule: AccessRule, access: HookedAccess): HookPoint {
    const { members, layout } = this.context;
    const { pointer, bytes, value, type } = access;
    const sources = rule.sources && value !== undefined ? loadsInto(value) : [];
    const member = members?.at(pointer);
    const point = this.#point(
      kind,
      rule,
      [pointer, ...given(value), ...sources.map(source => source.pointer)],
      {
        ...{ bytes, type },
        ...this.#basisOf(pointer),
        ...(member && { member }),
        ...(value && { hasValue: true }),
        ...(sources.length > 0 && {
          sources: sources.map(source => {
            const from = members?.at(source.pointer);
            return {
              ...{ bytes: layout.storeBytes(source.type), type: typeNameOf(source) ?? 'char' },
              ...(from && { member: from }),
            };
          }),
        }),
      },
    );
    return { ...point, rule, access };
  }

  #range(kind: 'load' | 'store', rule: AccessRule, pointer: Value, bytes: Value): HookPoint {
    const point = this.#point(kind, rule, [pointer, bytes], this.#basisOf(pointer));
    return { ...point, rule, isConditionalRange: rule.when !== undefined };
  }

  #point(
    kind: HookKind,
    { plugin, hook }: Pick<NameRule, 'plugin' | 'hook'>,
    values: readonly Value[],
    about: Partial<HookSite>,
    attributes: readonly AttributeSet[] = [],
  ): HookPoint {
    const { table } = this.context;
    const kinds = argumentKinds(values, attributes);
    table.push({ kind, plugin, hook, values: kinds, ...about });
    return { site: table.length - 1, values, kinds };
  }

  // ----------------------------------------------------------------------------------- the library

  ofLibrary(target: IrFunction): this {
    const { plan, layout } = this.context;
    for (const { instructions } of target.blocks) {
      for (const instruction of instructions) {
        const { load, store } = accessesOf(instruction, layout);
        const range = instruction.op === 'call' ? rangeOf(instruction) : undefined;
        const add = (site: number, pointer: Value, bytes: Value): void =>
          this.#add(this.before, instruction, {
            ...{ site, values: [pointer, bytes], kinds: ['pointer', kindOf(bytes.type)] },
            isConditionalRange: true,
          });
        const size = (access: HookedAccess): Value => integerConstant(i64, access.bytes);
        if (plan.load.length > 0) {
          if (load !== undefined && isGiven(load.pointer)) add(libraryLoad, load.pointer, size(load));
          if (range?.read !== undefined) add(libraryLoad, range.read, range.bytes);
        }
        if (plan.store.length > 0) {
          if (store !== undefined && isGiven(store.pointer)) add(libraryStore, store.pointer, size(store));
          if (range?.written !== undefined) add(libraryStore, range.written, range.bytes);
        }
      }
    }
    return this;
  }

  #add(to: Map<Instruction, HookPoint[]>, at: Instruction, point: HookPoint): void {
    const known = to.get(at);
    if (known === undefined) to.set(at, [point]);
    else known.push(point);
  }
}

function matching(rules: readonly NameRule[], name: string): NameRule[] {
  return rules.filter(rule => matches(rule.names, name));
}

function given<T>(value: T | undefined): T[] {
  return value === undefined ? [] : [value];
}

function kindOf(type: Type): ValueKind {
  if (type.kind === 'pointer') return 'pointer';
  // Signed, as far as the IR shows; a boolean is 0 or 1.
  if (type.kind === 'integer' && type.bits <= 64) return type.bits === 1 ? 'u1' : `i${type.bits}`;
  return type.kind === 'float' && (type.format === 'double' || type.format === 'float') ? 'float' : 'none';
}

/** Small integers are passed with an attribute that says how they are extended. */
function argumentKinds(values: readonly Value[], attributes: readonly AttributeSet[]): ValueKind[] {
  return values.map(({ type }, i): ValueKind => {
    const kind = kindOf(type);
    const isUnsigned = attributes[i]?.has('zeroext') === true;
    return isUnsigned && type.kind === 'integer' ? `u${type.bits}` : kind;
  });
}

function accessesOf(
  instruction: Instruction,
  layout: DataLayout,
): { load?: HookedAccess; store?: HookedAccess } {
  const access = (pointer: Value, type: Type, align: number, value?: Value): HookedAccess => ({
    ...{ pointer, bytes: layout.storeBytes(type), align, value, type: typeNameOf(instruction) ?? 'char' },
  });
  switch (instruction.op) {
    case 'load':
      return { load: access(instruction.pointer, instruction.type, instruction.align) };
    case 'store':
      return {
        store: access(instruction.pointer, instruction.value.type, instruction.align, instruction.value),
      };
    case 'atomicrmw':
    case 'cmpxchg': {
      const { type } = instruction.op === 'cmpxchg' ? instruction.expected : instruction.value;
      const both = access(instruction.pointer, type, instruction.align);
      return { load: both, store: both };
    }
    default:
      instruction satisfies WithoutAccess;
      return {};
  }
}

/** The memory range of a call: of the memory intrinsics, and of ranges that the library reports. */
function rangeOf(
  call: CallInstruction,
): { readonly read?: Value; readonly written?: Value; readonly bytes: Value } | undefined {
  const { args } = call;
  const name = calledName(call);
  const [first, second, third] = args;
  if (/^llvm\.mem(cpy|move)\.|^__rz_range_copy$/.test(name))
    return { written: first!, read: second!, bytes: third! };
  if (/^llvm\.memset\./.test(name)) return { written: first!, bytes: third! };
  if (name === '__rz_range_write') return { written: first!, bytes: second! };
  if (/^__rz_range_(read|scan|output)$/.test(name)) return { read: first!, bytes: second! };
  return undefined;
}

/** Whether the pointer may belong to the program. The library's own variables do not. */
function isGiven(pointer: Value): boolean {
  let value = pointer;
  while (value.kind === 'instruction' && value.op === 'getelementptr') value = value.base;
  return value.kind === 'argument' || (value.kind === 'instruction' && value.op !== 'alloca');
}

/** The loads whose values are copied, added or subtracted into a value. */
function loadsInto(value: Value): Extract<Instruction, { op: 'load' }>[] {
  const loads = new Set<Extract<Instruction, { op: 'load' }>>();
  const visited = new Set<Value>();
  const waiting = [value];
  for (let at = waiting.pop(); at !== undefined && visited.size < longestChain; at = waiting.pop()) {
    if (at.kind !== 'instruction' || visited.has(at)) continue;
    visited.add(at);
    switch (at.op) {
      case 'load':
        loads.add(at);
        break;
      case 'add':
      case 'sub':
      case 'fadd':
      case 'fsub':
        waiting.push(at.left, at.right);
        break;
      case 'fneg':
      case 'sext':
      case 'zext':
      case 'trunc':
      case 'fpext':
      case 'fptrunc':
      case 'sitofp':
      case 'uitofp':
      case 'fptosi':
      case 'fptoui':
      case 'freeze':
        waiting.push(at.operand);
        break;
      // A checked sum of signed integers.
      case 'extractvalue':
        waiting.push(at.aggregate);
        break;
      case 'call':
        if (/^llvm\.[su](add|sub)\./.test(calledName(at))) waiting.push(...at.args);
        break;
    }
  }
  return [...loads];
}
