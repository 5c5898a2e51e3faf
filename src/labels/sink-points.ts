/**
 * Finds the instructions of a function at which labels matter: the values that decide something,
 * and the effect of calls that a rule names. Both engines use it: the monitor while it instruments
 * a function (`monitor/instrument/label-flow.ts`), the explorer before the first execution of one
 * (`insert-flow-calls.ts`). So both have the same sinks.
 */
import { calledName } from '../ir/called-functions.js';
import { isOfCheck } from '../ir/check-marks.js';
import { isConstant } from '../ir/constants.js';
import type { CallInstruction, Instruction, IrFunction, Module, Value } from '../ir/model.js';
import { ptr, voidType } from '../ir/types.js';
import {
  comparesTexts,
  type FlowRule,
  type LabelOptions,
  labelFunctions,
  type Place,
  type SinkKind,
  sinksOf,
} from './flow-rules.js';
import { loopBounds } from './loop-bounds.js';

/** A value that decides something; with `bytes` it is the memory to which the value points. */
export interface SinkPoint {
  readonly kind: SinkKind;
  readonly value: Value;
  readonly bytes?: ByteCount;
}

/** A number of bytes: a value of the program, or everything up to a zero. */
export type ByteCount = Value | 'text';

export interface MemoryRange {
  readonly pointer: Value;
  readonly bytes: ByteCount;
}

export class SinkPoints {
  readonly #bounds: ReadonlyMap<Instruction, readonly Value[]>;

  constructor(
    private readonly target: IrFunction,
    private readonly labels: LabelOptions,
  ) {
    this.#bounds = this.#looksFor('loop') ? loopBounds(target) : new Map();
  }

  #looksFor(kind: SinkKind): boolean {
    return (this.labels.sinks as readonly SinkKind[]).includes(kind);
  }

  /** The sinks of an instruction. */
  at(instruction: Instruction): SinkPoint[] {
    const { secrets } = this.labels;
    switch (instruction.op) {
      case 'load':
      case 'store':
      case 'atomicrmw':
      case 'cmpxchg':
        if (this.#looksFor('index')) return [{ kind: 'index', value: instruction.pointer }];
        return secrets ? [{ kind: 'lookup', value: instruction.pointer }] : [];
      case 'sdiv':
      case 'udiv':
      case 'srem':
      case 'urem':
        return this.#looksFor('divisor') ? [{ kind: 'divisor', value: instruction.right }] : [];
      case 'condbr': {
        const bounds = this.#bounds.get(instruction) ?? [];
        return [
          ...bounds.map(value => ({ kind: 'loop' as const, value })),
          ...(secrets && !isOfCheck(instruction)
            ? [{ kind: 'branch' as const, value: instruction.condition }]
            : []),
        ];
      }
      case 'switch':
        return secrets ? [{ kind: 'branch', value: instruction.condition }] : [];
      case 'alloca':
        return instruction.count !== undefined && this.#looksFor('size')
          ? [{ kind: 'size', value: instruction.count }]
          : [];
      case 'call':
        return [...this.#ofCall(instruction), ...this.#comparison(instruction)];
      default:
        // Sinks are a fixed list of uses, documented in docs/taint.md.
        return [];
    }
  }

  #ofCall(call: CallInstruction): SinkPoint[] {
    return sinksOf(calledName(call), this.labels).flatMap(({ kind, place }): SinkPoint[] => {
      const value = call.args[place.argument!];
      if (value === undefined || isConstant(value)) return [];
      if (place.bytes === undefined) return [{ kind, value }];
      const range = rangeOf(call, place);
      return range === undefined ? [] : [{ kind, value, bytes: range.bytes }];
    });
  }

  /**
   * The inner loops of library functions are not tracked; the library declares the bytes on which
   * their results depend.
   */
  #comparison(call: CallInstruction): SinkPoint[] {
    const { secrets, isLibrary } = this.labels;
    if (!secrets || !isLibrary || !comparesTexts.test(this.target.name)) return [];
    if (!/^__rz_range_(output|scan)$/.test(calledName(call))) return [];
    const [value, bytes] = call.args as [Value, Value];
    return [{ kind: 'branch', value, bytes }];
  }
}

/** The memory that a rule names, if the call has that argument. */
export function rangeOf(call: CallInstruction, { argument, bytes }: Place): MemoryRange | undefined {
  const pointer = argument === undefined ? call : call.args[argument];
  const count = bytes === 'result' ? call : typeof bytes === 'number' ? call.args[bytes] : bytes;
  if (pointer?.type !== ptr || count === undefined) return undefined;
  if (count !== 'text' && count.type.kind !== 'integer') return undefined;
  return { pointer, bytes: count };
}

/** A rule that sets or removes the labels of what a call returns or writes. */
export interface FlowEffect {
  readonly role: 'source' | 'sanitizer';
  /** The index of the rule. */
  readonly rule: number;
  /** Undefined if the rule is about the result. */
  readonly range: MemoryRange | undefined;
}

export function flowEffectsOf(call: CallInstruction, rules: readonly FlowRule[]): FlowEffect[] {
  return rules.flatMap((rule, number): FlowEffect[] => {
    const { role, place } = rule;
    if (role === 'sink' || rule.function !== calledName(call)) return [];
    const range = place.bytes === undefined ? undefined : rangeOf(call, place);
    const isThere = place.bytes === undefined ? call.type !== voidType : range !== undefined;
    return isThere ? [{ role, rule: number, range }] : [];
  });
}

/**
 * The label options of a program: the requested ones, or only those of its own calls. Branches on
 * secrets are checked if it has a secret. Undefined if it has no labels.
 */
export function labelsOfProgram(
  { functions }: Module,
  asked: LabelOptions | undefined,
): LabelOptions | undefined {
  if (asked === undefined && !functions.some(({ name }) => labelFunctions.test(name))) return undefined;
  const { sinks, rules, secrets } = asked ?? { sinks: [], rules: [], secrets: false };
  return { sinks, rules, secrets: secrets || functions.some(({ name }) => name === 'redzone_secret') };
}

/** All programs with labels share one library. */
export const libraryLabels: LabelOptions = { sinks: [], rules: [], secrets: true, isLibrary: true };
