/**
 * Builds models from shared variables, variables of which every thread has a copy, guarded
 * commands and lemmas.
 *
 *     const m = new ModelBuilder('counter');
 *     const total = m.shared('total', integer());
 *     const pc = m.local('pc', enumeration('idle', 'busy'));
 *     m.initially(eq(total.value, 0), pc.is('idle'));
 *     m.command('start', pc.is('idle'), set(pc, pc.code('busy')), set(total, sum(total.value, 1)));
 *     m.property('positive', ge(total.value, 0));
 *     const model = m.build();
 *
 * A model is plain data and independent of the number of threads: `compose.ts` makes a system of
 * it. A command that mentions a thread's variable belongs to every thread; a formula refers to
 * threads by `count`. A model is one function, however long: its cells are variables that all its
 * commands and lemmas name.
 *
 * **Invariant:** the assignments of a command happen at once; their right sides refer to the state
 * before the step.
 */
import { assert } from '../support/assert.js';
import { type Cell, type CellsOf, declare, type Type } from './cells.js';
import {
  and,
  type BoolExpr,
  chooseBool,
  type Expr,
  type IntExpr,
  type IntLike,
  int,
  ite,
  ref,
  type Variable,
} from './expression.js';
import { variablesIn } from './rewrite.js';

export interface ModelCommand {
  readonly name: string;
  readonly guard: BoolExpr;
  /** Variables that are not listed are unchanged. */
  readonly updates: ReadonlyMap<Variable, Expr>;
}

export interface Property {
  readonly name: string;
  readonly formula: BoolExpr;
  /** Lemmas are proved on the way to the goals. */
  readonly role: 'goal' | 'lemma';
  /** The lemmas that its proof may use, by name; each is proved separately. */
  readonly restsOn: readonly string[];
  /** An informal description. */
  readonly text?: string;
  /** The steps over which it is known to be inductive, if one is not enough. */
  readonly inductionSteps?: number;
}

/** What a property may have besides its name and formula. */
type PropertyDetails = Partial<Pick<Property, 'restsOn' | 'text' | 'inductionSteps'>>;

export interface Model {
  readonly name: string;
  readonly shared: readonly Variable[];
  readonly locals: readonly Variable[];
  /** Over the shared variables. */
  readonly init: BoolExpr;
  /** Over one thread's variables, and the shared ones. */
  readonly threadInit: BoolExpr;
  readonly commands: readonly ModelCommand[];
  readonly properties: readonly Property[];
  /**
   * Runs that are executed before any search, because they are suspected to violate a property.
   */
  readonly runs: readonly { readonly commands: readonly string[]; readonly threads: number }[];
}

export interface CellAssignment {
  readonly cell: Cell;
  readonly value: Expr;
}

export function set(cell: Cell, value: BoolExpr | IntLike): CellAssignment {
  return { cell, value: typeof value === 'number' ? int(value) : value };
}

export class ModelBuilder {
  readonly #name: string;
  readonly #shared: Variable[] = [];
  readonly #locals: Variable[] = [];
  readonly #init: BoolExpr[] = [];
  readonly #commands: ModelCommand[] = [];
  readonly #properties: Property[] = [];

  constructor(name: string) {
    this.#name = name;
  }

  shared<T extends Type>(name: string, type: T): CellsOf<T> {
    const { variables, cells } = declare(name, type);
    this.#shared.push(...variables);
    return cells;
  }

  /** A variable of which every thread has one. */
  local<T extends Type>(name: string, type: T): CellsOf<T> {
    const { variables, cells } = declare(name, type);
    this.#locals.push(...variables);
    return cells;
  }

  initially(...formulas: readonly BoolExpr[]): void {
    this.#init.push(...formulas);
  }

  command(name: string, guard: BoolExpr, ...assignments: readonly CellAssignment[]): void {
    const updates = new Map<Variable, Expr>();
    for (const { cell, value } of assignments) {
      for (const { condition, variable } of cell.places) {
        const otherwise = updates.get(variable) ?? ref(variable);
        updates.set(
          variable,
          variable.domain.kind === 'bool'
            ? chooseBool(condition, value as BoolExpr, otherwise as BoolExpr)
            : ite(condition, value as IntExpr, otherwise as IntExpr),
        );
      }
    }
    this.#commands.push({ name, guard, updates });
  }

  property(name: string, formula: BoolExpr, details: PropertyDetails = {}): void {
    this.#properties.push({ name, formula, role: 'goal', restsOn: [], ...details });
  }

  lemma(name: string, formula: BoolExpr, details: PropertyDetails = {}): void {
    this.#properties.push({ name, formula, role: 'lemma', restsOn: [], ...details });
  }

  build(): Model {
    const names = new Set(this.#properties.map(property => property.name));
    for (const { name, restsOn } of this.#properties)
      for (const other of restsOn)
        assert(names.has(other), `${name} rests on ${other}, which does not exist`);
    const locals = new Set(this.#locals);
    const isLocal = (formula: BoolExpr): boolean =>
      [...variablesIn([formula], false)].some(variable => locals.has(variable));
    return {
      name: this.#name,
      shared: this.#shared,
      locals: this.#locals,
      init: and(...this.#init.filter(formula => !isLocal(formula))),
      threadInit: and(...this.#init.filter(isLocal)),
      commands: this.#commands,
      properties: this.#properties,
      runs: [],
    };
  }
}
