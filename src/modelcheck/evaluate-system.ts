/**
 * Evaluates expressions and commands on one state: traces and certificates are checked with it.
 *
 * It is deliberately not the code that the explicit engine runs (`explicit/compile.ts`):
 * expressions become nested closures over exact numbers here, JavaScript source over 32-bit
 * integers there, and tests compare the two.
 */
import { assert, unreachable } from '../support/assert.js';
import type { BoolExpr, Expr, Variable } from './expression.js';
import type { Command, State, System } from './system.js';

/** A value: a boolean is 0 or 1. `next` is used only if the expression refers to next values. */
export type StateFunction = (state: State, next: State) => number;

export interface StepMeaning {
  readonly command: Command;
  /** The guard holds. */
  isEnabled(state: State): boolean;
  /**
   * The state after the step, free variables unchanged; undefined when a value would leave its
   * domain.
   */
  apply(state: State): State | undefined;
  /** `next` is a state that the command leads to, free variables and constraint included. */
  allows(state: State, next: State): boolean;
}

export class Meaning {
  readonly system: System;
  readonly #indexOf: ReadonlyMap<Variable, number>;
  readonly #seen = new Map<Expr, StateFunction>();
  readonly steps: readonly StepMeaning[];
  readonly #init: StateFunction;

  constructor(system: System) {
    this.system = system;
    this.#indexOf = new Map(system.variables.map((variable, i) => [variable, i]));
    this.#init = this.evaluator(system.init);
    this.steps = system.commands.map(command => this.#step(command));
  }

  isInitial(state: State): boolean {
    return this.inDomains(state) && this.#init(state, state) !== 0;
  }

  holds(formula: BoolExpr, state: State): boolean {
    return this.evaluator(formula)(state, state) !== 0;
  }

  /** The command that leads from one state to another, if one does. */
  stepBetween(state: State, next: State): Command | undefined {
    return this.steps.find(step => step.allows(state, next))?.command;
  }

  inDomains(state: State): boolean {
    return this.system.variables.every(({ domain }, i) => isInside(domain, state[i]!));
  }

  #step(command: Command): StepMeaning {
    const guard = this.evaluator(command.guard);
    const constraint = this.evaluator(command.constraint);
    const updates = [...command.updates].map(
      ([variable, value]) => [this.#position(variable), this.evaluator(value), variable.domain] as const,
    );
    const free = new Set(command.free.map(variable => this.#position(variable)));
    const apply = (state: State): State | undefined => {
      const next = [...state];
      for (const [at, value, domain] of updates) {
        const result = value(state, state);
        if (!isInside(domain, result)) return undefined;
        next[at] = result;
      }
      return next;
    };
    return {
      command,
      isEnabled: state => guard(state, state) !== 0,
      apply,
      allows: (state, next) => {
        if (guard(state, state) === 0 || !this.inDomains(next)) return false;
        const expected = apply(state);
        if (expected === undefined) return false;
        return (
          expected.every((value, i) => free.has(i) || value === next[i]) && constraint(state, next) !== 0
        );
      },
    };
  }

  #position(variable: Variable): number {
    const at = this.#indexOf.get(variable);
    assert(at !== undefined, `${variable.name} is not a variable of ${this.system.name}`);
    return at;
  }

  evaluator(expr: Expr): StateFunction {
    const known = this.#seen.get(expr);
    if (known !== undefined) return known;
    const made = this.#make(expr);
    this.#seen.set(expr, made);
    return made;
  }

  #make(expr: Expr): StateFunction {
    switch (expr.kind) {
      case 'bool': {
        const value = expr.value ? 1 : 0;
        return () => value;
      }
      case 'int': {
        const { value } = expr;
        return () => value;
      }
      case 'var': {
        const at = this.#position(expr.variable);
        return expr.next ? (_, next) => next[at]! : state => state[at]!;
      }
      case 'not': {
        const a = this.evaluator(expr.a);
        return (state, next) => 1 - a(state, next);
      }
      case 'and':
      case 'or': {
        const parts = expr.parts.map(part => this.evaluator(part));
        const decisive = expr.kind === 'or' ? 1 : 0;
        return (state, next) => {
          for (const part of parts) if (part(state, next) === decisive) return decisive;
          return 1 - decisive;
        };
      }
      case 'implies': {
        const [a, b] = [this.evaluator(expr.a), this.evaluator(expr.b)];
        return (state, next) => (a(state, next) === 0 ? 1 : b(state, next));
      }
      case 'iff':
      case 'eq': {
        const [a, b] = [this.evaluator(expr.a), this.evaluator(expr.b)];
        return (state, next) => (a(state, next) === b(state, next) ? 1 : 0);
      }
      case 'le': {
        const [a, b] = [this.evaluator(expr.a), this.evaluator(expr.b)];
        return (state, next) => (a(state, next) <= b(state, next) ? 1 : 0);
      }
      case 'choose':
      case 'ite': {
        const condition = this.evaluator(expr.condition);
        const [yes, no] = [this.evaluator(expr.yes), this.evaluator(expr.no)];
        return (state, next) => (condition(state, next) !== 0 ? yes(state, next) : no(state, next));
      }
      case 'sum': {
        const parts = expr.parts.map(part => this.evaluator(part));
        return (state, next) => {
          let total = 0;
          for (const part of parts) total += part(state, next);
          return exact(total);
        };
      }
      case 'scale': {
        const a = this.evaluator(expr.a);
        const { factor } = expr;
        return (state, next) => exact(factor * a(state, next));
      }
      case 'div': {
        const a = this.evaluator(expr.a);
        const { divisor } = expr;
        return (state, next) => Math.floor(a(state, next) / divisor);
      }
      case 'mod': {
        const a = this.evaluator(expr.a);
        const { divisor } = expr;
        return (state, next) => {
          const value = a(state, next);
          return value - divisor * Math.floor(value / divisor);
        };
      }
      case 'count':
        throw new RangeError('a number of threads is evaluated after composition only');
      default:
        return unreachable(expr);
    }
  }
}

function isInside(domain: Variable['domain'], value: number): boolean {
  if (domain.kind === 'bool') return value === 0 || value === 1;
  return value >= (domain.min ?? value) && value <= (domain.max ?? value);
}

function exact(value: number): number {
  assert(Number.isSafeInteger(value), 'a value is too large to be computed exactly');
  return value;
}
