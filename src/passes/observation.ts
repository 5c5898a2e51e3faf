/**
 * Determines which properties of the memory of each pointer are observed: the backward data-flow
 * analysis of the hybrid-monitoring paper. It finds the blocks that need no monitoring because no
 * annotation or check observes them.
 *
 * A query (is this access valid? are these bytes initialised?) concerns a pointer at its use. It is
 * passed backwards to every value that the pointer may have been computed from, until it reaches
 * the allocations. On SSA form this needs no sets at program points: each value has one set of
 * purposes, and an edge for each way in which it may become another value.
 *
 * ```
 *   store v, p        v  ◀── memory            what is stored may be what a load yields
 *   w = load p        memory ◀── w
 *   w = gep p, ...    p  ◀── w                 the same for phis, selects, casts, arithmetic
 *   w = call f(a)     a  ◀── parameter of f,   and what f returns ◀── w
 *   call unknown(a)   a  ◀── outside, memory
 * ```
 *
 * Memory is one node: every stored pointer may be any loaded one. Offsets are ignored. So the
 * result is an over-approximation: **a block with no purpose is observed in no run**.
 */
import type { CallCommon, Instruction, IrFunction, Module, Value } from '../ir/model.js';
import { forEachOperand } from '../ir/operands.js';

/** What can be observed, as bits of a set. */
export const purpose = { validity: 1, initialisation: 2, block: 4 } as const;

export interface ObservationOptions {
  /** Reports each pointer that the instruction queries, and the purpose. */
  asks(instruction: Instruction, note: (pointer: Value, purposes: number) => void): void;
  /** The purposes for which functions outside the module may query their arguments. */
  readonly outside: number;
}

/** The purposes for which the memory that a value points to is observed. */
export function observedPurposes(module: Module, options: ObservationOptions): (value: Value) => number {
  return new Observation(module, options).purposesOf;
}

/** Represents all memory, and other modules. */
type Place = Value | 'memory' | 'outside' | { readonly returnedBy: IrFunction };

class Observation {
  readonly #purposes = new Map<Place, number>();
  /** For each place, those from which it may have been computed. */
  readonly #origins = new Map<Place, Place[]>();
  readonly #pending: Place[] = [];
  readonly #returned = new Map<IrFunction, Place>();

  constructor(
    module: Module,
    private readonly options: ObservationOptions,
  ) {
    this.#note('outside', options.outside);
    // Other modules may query what they read from memory.
    this.#comesFrom('outside', 'memory');
    for (const { initializer } of module.variables)
      if (initializer !== undefined) this.#mayBe(initializer, 'memory');
    const taken = addressTaken(module);
    for (const target of module.functions) this.#function(target, taken.has(target));
    this.#solve();
  }

  readonly purposesOf = (value: Value): number => this.#purposes.get(value) ?? 0;

  #function(target: IrFunction, isTaken: boolean): void {
    const isVisible = target.linkage !== 'internal' && target.linkage !== 'private';
    if (isVisible) this.#comesFrom('outside', this.#returnOf(target));
    if (isTaken) this.#comesFrom('memory', this.#returnOf(target));
    // An unknown caller may take the arguments from memory.
    if (isVisible || isTaken) for (const argument of target.arguments) this.#comesFrom(argument, 'memory');
    for (const { instructions } of target.blocks)
      for (const instruction of instructions) this.#instruction(instruction, target);
  }

  #instruction(instruction: Instruction, within: IrFunction): void {
    this.options.asks(instruction, (pointer, purposes) => {
      for (const origin of originsIn(pointer)) this.#note(origin, purposes);
    });
    switch (instruction.op) {
      case 'load':
        this.#comesFrom(instruction, 'memory');
        return;
      case 'store':
        this.#mayBe(instruction.value, 'memory');
        return;
      case 'atomicrmw':
        this.#mayBe(instruction.value, 'memory');
        this.#comesFrom(instruction, 'memory');
        return;
      case 'cmpxchg':
        this.#mayBe(instruction.replacement, 'memory');
        this.#comesFrom(instruction, 'memory');
        return;
      case 'ret':
        if (instruction.value !== undefined) this.#mayBe(instruction.value, this.#returnOf(within));
        return;
      case 'icmp':
      case 'fcmp':
      case 'alloca':
        return;
      case 'call':
      case 'callbr':
        this.#call(instruction);
        return;
      default:
        // A result may be any operand: this is the answer that observes the most.
        forEachOperand(instruction, operand => this.#mayBe(operand, instruction));
    }
  }

  #call(call: Instruction & CallCommon): void {
    const { callee } = call;
    const known = callee.kind === 'function' && callee.blocks.length > 0 ? callee : undefined;
    if (known !== undefined) this.#comesFrom(call, this.#returnOf(known));
    else this.#comesFrom(call, 'memory');
    // Intrinsics do not retain their arguments.
    const isIntrinsic = callee.kind === 'function' && callee.name.startsWith('llvm.');
    call.args.forEach((argument, i) => {
      const parameter = known?.arguments[i];
      if (parameter !== undefined) {
        this.#mayBe(argument, parameter);
        return;
      }
      this.#mayBe(argument, call);
      if (isIntrinsic) return;
      // Unknown code may keep its arguments and query them; variadic ones are read from
      // memory.
      this.#mayBe(argument, 'memory');
      this.#mayBe(argument, 'outside');
    });
  }

  // ------------------------------------------------------------------------------------ the graph

  #returnOf(target: IrFunction): Place {
    let place = this.#returned.get(target);
    if (place === undefined) {
      place = { returnedBy: target };
      this.#returned.set(target, place);
    }
    return place;
  }

  /** The value may become what `place` is: what is observed there is observed of the value. */
  #mayBe(value: Value, place: Place): void {
    for (const origin of originsIn(value)) this.#comesFrom(place, origin);
  }

  #comesFrom(place: Place, origin: Place): void {
    const origins = this.#origins.get(place);
    if (origins === undefined) this.#origins.set(place, [origin]);
    else origins.push(origin);
  }

  #note(place: Place, purposes: number): void {
    const before = this.#purposes.get(place) ?? 0;
    if ((before | purposes) === before) return;
    this.#purposes.set(place, before | purposes);
    this.#pending.push(place);
  }

  #solve(): void {
    for (let place = this.#pending.pop(); place !== undefined; place = this.#pending.pop()) {
      const purposes = this.#purposes.get(place)!;
      for (const origin of this.#origins.get(place) ?? []) this.#note(origin, purposes);
    }
  }
}

/** The value itself when a program computes it, the globals in it when it is a constant. */
function* originsIn(value: Value): Generator<Value> {
  switch (value.kind) {
    case 'instruction':
    case 'argument':
    case 'variable':
    case 'function':
      yield value;
      return;
    case 'alias':
      yield* originsIn(value.aliasee);
      return;
    case 'expression':
      for (const operand of value.operands) yield* originsIn(operand);
      return;
    case 'aggregate':
      for (const element of value.elements) yield* originsIn(element);
      return;
    default:
      // Other constants contain no globals.
      return;
  }
}

/** The functions whose address is taken. */
export function addressTaken(module: Module): Set<IrFunction> {
  const taken = new Set<IrFunction>();
  const take = (value: Value): void => {
    for (const origin of originsIn(value)) if (origin.kind === 'function') taken.add(origin);
  };
  for (const { initializer } of module.variables) if (initializer !== undefined) take(initializer);
  for (const { aliasee } of module.aliases) take(aliasee);
  for (const { blocks } of module.functions)
    for (const { instructions } of blocks)
      for (const instruction of instructions)
        if ('callee' in instruction) instruction.args.forEach(take);
        else forEachOperand(instruction, take);
  return taken;
}
