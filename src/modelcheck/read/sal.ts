/**
 * Reads a subset of SAL (`sal-syntax.ts` lists it): contexts whose modules are guarded commands,
 * composed.
 *
 * In `m [] n` one of the two takes a step, in `m || n` both do at once: every command of one
 * together with every command of the other. A variable with a DEFINITION is not part of the state,
 * but another name for its definition.
 *
 * Every instance of a module gets its own copies of LOCAL variables; GLOBAL and OUTPUT variables
 * are shared by name. In `([] (i: Index): m[i])` a local `pc` becomes the array `pc[i]`, as in SAL,
 * and a claim about the composition uses that name. INPUT variables that no module writes take any
 * value after each step. Arrays and records are decomposed by the builder's cells, so they are
 * scalars in the result.
 */
import { type CellsOf, declare, type Type } from '../cells.js';
import {
  and,
  type BoolExpr,
  type Expr,
  FALSE,
  ge,
  gt,
  type IntExpr,
  iff,
  implies,
  int,
  le,
  lt,
  not,
  or,
  scale,
  sub,
  sum,
  TRUE,
  type Variable,
} from '../expression.js';
import type { Property } from '../model-builder.js';
import { type Command, makeSystem, type System } from '../system.js';
import { type Position, Problem, type ReadResult, reading } from './problem.js';
import {
  type AssignmentTree,
  type ComposedTree,
  type DeclarationTree,
  type Declared,
  type ExprTree,
  type ModuleTree,
  SalParser,
  type TypeTree,
} from './sal-syntax.js';
import {
  asFormula,
  asNumber,
  choice,
  didYouMean,
  equal,
  product,
  quotient,
  requireSameType,
} from './typed-terms.js';

export function readSal(file: string, text: string): ReadResult {
  return reading(file, () => new Reader(text).systems());
}

/** The meaning of a name: a number or formula, or the cells of a variable. */
type Meaning =
  | { readonly kind: 'value'; readonly value: Expr }
  | { readonly kind: 'cells'; readonly cells: AnyCells }
  | { readonly kind: 'function'; readonly parameters: readonly Declared[]; readonly body: ExprTree };

type AnyCells = CellsOf<Type>;
type Scope = ReadonlyMap<string, Meaning>;

interface Draft {
  readonly variables: Variable[];
  readonly inputs: Variable[];
  readonly init: BoolExpr[];
  /** The names that claims about the module may use. */
  readonly scope: Map<string, Meaning>;
}

class Reader {
  readonly #declarations: readonly DeclarationTree[];
  readonly #types = new Map<string, Type>();
  readonly #globals = new Map<string, Meaning>();
  readonly #modules = new Map<string, ModuleTree>();
  readonly #composed = new Map<string, ComposedTree>();

  constructor(text: string) {
    this.#declarations = new SalParser(text).context().declarations;
  }

  systems(): System[] {
    const claims = new Map<string, Extract<DeclarationTree, { kind: 'claim' }>[]>();
    for (const declaration of this.#declarations) {
      switch (declaration.kind) {
        case 'type':
          this.#types.set(declaration.name, this.#type(declaration.type));
          break;
        case 'constant':
          this.#constant(declaration);
          break;
        case 'module':
          this.#modules.set(declaration.name, declaration.module);
          break;
        case 'composed':
          this.#composed.set(declaration.name, declaration.module);
          break;
        case 'claim':
          claims.set(declaration.module, [...(claims.get(declaration.module) ?? []), declaration]);
          break;
      }
    }
    const first = this.#declarations[0];
    if (claims.size === 0)
      throw new Problem(
        'nothing is claimed',
        first?.at ?? { line: 1, column: 1 },
        'NAME: THEOREM MODULE |- G(FORMULA);',
      );
    return [...claims].map(([module, all]) => this.#system(module, all));
  }

  #constant({ name, parameters, value }: Extract<DeclarationTree, { kind: 'constant' }>): void {
    if (parameters.length > 0) this.#globals.set(name, { kind: 'function', parameters, body: value });
    else this.#globals.set(name, { kind: 'value', value: this.#expr(value, this.#globals) });
  }

  #system(name: string, claims: readonly Extract<DeclarationTree, { kind: 'claim' }>[]): System {
    const at = claims[0]!.at;
    const draft: Draft = { variables: [], inputs: [], init: [], scope: new Map(this.#globals) };
    const commands = this.#compose({ kind: 'instance', name, operands: [], at }, draft, this.#globals, []);
    const earlier: string[] = [];
    const properties = claims.map((claim): Property => {
      const restsOn = [...earlier];
      if (claim.isLemma) earlier.push(claim.name);
      const formula = this.#bool(claim.formula, draft.scope);
      return { name: claim.name, formula, role: claim.isLemma ? 'lemma' : 'goal', restsOn };
    });
    const { variables, inputs, init } = draft;
    const free = inputs.filter(input => !commands.some(({ updates }) => updates.has(input)));
    return makeSystem({
      name,
      variables: [...variables, ...inputs.filter(input => !variables.includes(input))],
      init: and(...init),
      commands: commands.map(command => ({ ...command, free })),
      properties,
    });
  }

  #compose(tree: ComposedTree, draft: Draft, scope: Scope, path: readonly number[]): Command[] {
    switch (tree.kind) {
      case 'both': {
        const parts = tree.parts.map(part => this.#compose(part, draft, scope, path));
        return tree.isSynchronous ? together(parts, tree.at) : parts.flat();
      }
      case 'each': {
        const { first, last } = this.#indexRange(tree.bound.type);
        const parts = Array.from({ length: last - first + 1 }, (_, i) => {
          const value: Meaning = { kind: 'value', value: int(first + i) };
          const inner = new Map(scope).set(tree.bound.name, value);
          return this.#compose(tree.body, draft, inner, [...path, first + i]);
        });
        return tree.isSynchronous ? together(parts, tree.at) : parts.flat();
      }
      case 'instance': {
        const composed = this.#composed.get(tree.name);
        if (composed !== undefined && tree.operands.length === 0)
          return this.#compose(composed, draft, scope, path);
        const operands = tree.operands.map(operand => this.#expr(operand, scope));
        return this.#instantiate(tree.name, operands, draft, path, tree.at);
      }
    }
  }

  #instantiate(
    name: string,
    operands: readonly Expr[],
    draft: Draft,
    path: readonly number[],
    at: ExprTree['at'],
  ): Command[] {
    const module = this.#modules.get(name);
    if (module === undefined)
      throw new Problem(`there is no module ${name}`, at, didYouMean(name, this.#modules.keys()));
    if (module.parameters.length !== operands.length)
      throw new Problem(`${name} needs ${module.parameters.length} parameters, not ${operands.length}`, at);
    for (const { target } of module.definitions)
      if (!module.variables.some(variable => variable.name === nameIn(target)))
        throw new Problem(`${nameIn(target)} is defined but not declared`, target.at);
    const scope = new Map(this.#globals);
    for (const [i, { name: parameter }] of module.parameters.entries())
      scope.set(parameter, { kind: 'value', value: operands[i]! });
    this.#declareVariables(module, draft, scope, path);
    this.#define(module, draft, scope, path);
    for (const assignment of module.initial) draft.init.push(...this.#initial(assignment, scope));
    const guards = module.commands.map(({ guard }) =>
      guard === undefined ? undefined : this.#bool(guard, scope),
    );
    const otherwise = not(or(...guards.filter(guard => guard !== undefined)));
    return module.commands.map(({ label, assignments }, i) => ({
      name: label ?? `${name} ${i + 1}`,
      ...(path.length === 1 && { thread: path[0]! - 1 }),
      guard: guards[i] ?? otherwise,
      updates: this.#updates(assignments, scope),
      free: [],
      constraint: TRUE,
    }));
  }

  /** Declares the variables of an instance that have no definition; only locals are its own. */
  #declareVariables(
    { variables: declarations, definitions }: ModuleTree,
    draft: Draft,
    scope: Map<string, Meaning>,
    path: readonly number[],
  ): void {
    const defined = new Set(definitions.map(({ target }) => nameIn(target)));
    for (const { name, type, role } of declarations) {
      if (defined.has(name)) continue;
      const known = role === 'LOCAL' ? undefined : draft.scope.get(name);
      if (known?.kind === 'cells') {
        scope.set(name, known);
        continue;
      }
      const suffix = role === 'LOCAL' ? path.map(i => `[${i}]`).join('') : '';
      const { variables, cells } = declare(name + suffix, this.#type(type));
      (role === 'INPUT' ? draft.inputs : draft.variables).push(...variables);
      scope.set(name, { kind: 'cells', cells });
      this.#export(draft, name, path, role === 'LOCAL', cells);
    }
  }

  #define(
    { variables, definitions }: ModuleTree,
    draft: Draft,
    scope: Map<string, Meaning>,
    path: readonly number[],
  ): void {
    for (const { target, value, at } of definitions) {
      const name = nameIn(target);
      const declaration = variables.find(variable => variable.name === name)!;
      // No places: it can be read, and nothing can be written to it.
      const cells = { places: [], value: this.#expr(value, scope) } as unknown as AnyCells;
      if (this.#globals.has(name)) throw new Problem(`${name} is a constant`, at);
      if (draft.scope.has(name) && path.length === 0)
        throw new Problem(
          `${name} is a variable of a module before this one`,
          at,
          'compose the module that defines it first',
        );
      scope.set(name, { kind: 'cells', cells });
      this.#export(draft, name, path, declaration.role === 'LOCAL', cells);
    }
  }

  /** The view of claims: a local of several instances is an array over them. */
  #export(draft: Draft, name: string, path: readonly number[], isLocal: boolean, cells: AnyCells): void {
    const [index] = path;
    if (!isLocal || index === undefined) {
      draft.scope.set(name, { kind: 'cells', cells });
      return;
    }
    const known = draft.scope.get(name);
    const instances =
      known?.kind === 'cells' && INSTANCES in known.cells
        ? known.cells[INSTANCES]
        : new Map<number, AnyCells>();
    (instances as Map<number, AnyCells>).set(index, cells);
    draft.scope.set(name, { kind: 'cells', cells: { [INSTANCES]: instances } as unknown as AnyCells });
  }

  #initial({ target, value, at }: AssignmentTree, scope: Scope): BoolExpr[] {
    if (value.kind === 'elements') {
      const { first, last } = this.#indexRange(value.bound.type);
      return Array.from({ length: last - first + 1 }, (_, i) => first + i).flatMap(i => {
        const inner = new Map(scope).set(value.bound.name, { kind: 'value', value: int(i) });
        const element: ExprTree = { kind: 'index', of: target, index: { kind: 'number', value: i, at }, at };
        return this.#initial({ target: element, value: value.body, at }, inner);
      });
    }
    const cells = this.#cells(target, scope);
    if ('places' in cells && (cells.places as readonly unknown[]).length === 0)
      throw new Problem('this variable has a DEFINITION', at);
    return [equal(this.#expr(target, scope), this.#expr(value, scope), at)];
  }

  #updates(assignments: readonly AssignmentTree[], scope: Scope): Map<Variable, Expr> {
    const updates = new Map<Variable, Expr>();
    for (const { target, value, at } of assignments) {
      const cells = this.#cells(withoutNext(target), scope);
      if (!('places' in cells))
        throw new Problem('a whole array or record cannot be assigned', at, 'assign its elements');
      const result = this.#expr(value, scope);
      const { places } = cells as CellsOf<{ kind: 'bool' }>;
      if (places.length === 0) throw new Problem('this variable has a DEFINITION', at);
      for (const { condition, variable } of places) {
        const otherwise = updates.get(variable) ?? { kind: 'var' as const, variable, next: false };
        requireSameType(otherwise, result, at);
        updates.set(variable, choice(condition, result, otherwise, at));
      }
    }
    return updates;
  }

  #type(tree: TypeTree): Type {
    switch (tree.kind) {
      case 'range': {
        const [min, max] = [this.#number(tree.low), this.#number(tree.high)];
        if (min > max) throw new Problem('the range is empty', tree.at);
        return { kind: 'int', min, max };
      }
      case 'enum':
        for (const [i, name] of tree.names.entries())
          this.#globals.set(name, { kind: 'value', value: int(i) });
        return { kind: 'enum', names: tree.names };
      case 'array': {
        const { first, last } = this.#indexRange(tree.index);
        return { kind: 'array', first, last, of: this.#type(tree.of) };
      }
      case 'record':
        return {
          kind: 'record',
          fields: Object.fromEntries(tree.fields.map(({ name, type }) => [name, this.#type(type)])),
        };
      case 'name': {
        if (tree.name === 'BOOLEAN') return { kind: 'bool' };
        if (tree.name === 'INTEGER') return { kind: 'int' };
        if (tree.name === 'NATURAL') return { kind: 'int', min: 0 };
        const known = this.#types.get(tree.name);
        if (known === undefined)
          throw new Problem(
            `there is no type ${tree.name}`,
            tree.at,
            didYouMean(tree.name, [...this.#types.keys(), 'BOOLEAN', 'INTEGER', 'NATURAL']),
          );
        return known;
      }
    }
  }

  #indexRange(tree: TypeTree): { readonly first: number; readonly last: number } {
    const type = this.#type(tree);
    if (type.kind === 'enum') return { first: 0, last: type.names.length - 1 };
    if (type.kind === 'int' && type.min !== undefined && type.max !== undefined)
      return { first: type.min, last: type.max };
    throw new Problem('a range or an enumeration is expected here', tree.at);
  }

  #number(tree: ExprTree): number {
    const value = this.#expr(tree, this.#globals);
    if (value.kind !== 'int') throw new Problem('a constant number is expected here', tree.at);
    return value.value;
  }

  #bool(tree: ExprTree, scope: Scope): BoolExpr {
    return asFormula(this.#expr(tree, scope), tree.at);
  }

  #int(tree: ExprTree, scope: Scope): IntExpr {
    return asNumber(this.#expr(tree, scope), tree.at);
  }

  #cells(tree: ExprTree, scope: Scope): AnyCells {
    switch (tree.kind) {
      case 'name': {
        const known = scope.get(tree.name);
        if (known?.kind === 'cells') return known.cells;
        throw new Problem(
          `there is no variable ${tree.name} here`,
          tree.at,
          didYouMean(tree.name, scope.keys()),
        );
      }
      case 'index': {
        const of = this.#cells(tree.of, scope);
        const index = this.#int(tree.index, scope);
        if (INSTANCES in of) {
          const instances = of[INSTANCES] as Map<number, AnyCells>;
          const instance = index.kind === 'int' ? instances.get(index.value) : undefined;
          if (instance === undefined)
            throw new Problem('the instance of a module has to be a constant in range', tree.index.at);
          return instance;
        }
        if (!('at' in of)) throw new Problem('this is not an array', tree.of.at);
        const cells = of as unknown as CellsOf<{ kind: 'array'; first: number; last: number; of: Type }>;
        if (index.kind === 'int' && (index.value < cells.first || index.value > cells.last))
          throw new Problem(`the index is outside ${cells.first}..${cells.last}`, tree.index.at);
        return cells.at(index);
      }
      case 'field': {
        const of = this.#cells(tree.of, scope) as unknown as Readonly<Record<string, AnyCells>>;
        const field = 'places' in of ? undefined : of[tree.field];
        if (field === undefined) throw new Problem(`there is no field ${tree.field}`, tree.at);
        return field;
      }
      default:
        // Other expressions are values and have no cells.
        throw new Problem('a variable is expected here', tree.at);
    }
  }

  #expr(tree: ExprTree, scope: Scope): Expr {
    switch (tree.kind) {
      case 'number':
        return int(tree.value);
      case 'name': {
        if (tree.name === 'TRUE' || tree.name === 'FALSE') return tree.name === 'TRUE' ? TRUE : FALSE;
        const known = scope.get(tree.name);
        if (known?.kind === 'value') return known.value;
        return this.#scalar(tree, scope);
      }
      case 'index':
      case 'field':
        return this.#scalar(tree, scope);
      case 'next':
        throw new Problem('a next value stands only on the left of an assignment', tree.at);
      case 'call':
        return this.#call(tree, scope);
      case 'unary':
        return tree.operator === 'NOT'
          ? not(this.#bool(tree.operand, scope))
          : scale(-1, this.#int(tree.operand, scope));
      case 'binary':
        return this.#binary(tree, scope);
      case 'if': {
        const condition = this.#bool(tree.condition, scope);
        const [yes, no] = [this.#expr(tree.yes, scope), this.#expr(tree.no, scope)];
        return choice(condition, yes, no, tree.at);
      }
      case 'quantifier': {
        const instances = tree.bound.reduce<Scope[]>(
          (scopes, { name, type }) => {
            const { first, last } = this.#indexRange(type);
            const values = Array.from({ length: last - first + 1 }, (_, i) => first + i);
            return scopes.flatMap(inner =>
              values.map(value => new Map(inner).set(name, { kind: 'value', value: int(value) })),
            );
          },
          [scope],
        );
        const parts = instances.map(instance => this.#bool(tree.body, instance));
        return tree.operator === 'FORALL' ? and(...parts) : or(...parts);
      }
      case 'elements':
        throw new Problem('an array is expected only on the right of an initialization', tree.at);
    }
  }

  #scalar(tree: ExprTree, scope: Scope): Expr {
    const cells = this.#cells(tree, scope);
    if (!('value' in cells))
      throw new Problem('an element is expected here, not a whole array or record', tree.at);
    return cells.value as Expr;
  }

  #call({ name, operands, at }: Extract<ExprTree, { kind: 'call' }>, scope: Scope): Expr {
    const known = this.#globals.get(name);
    if (known?.kind !== 'function')
      throw new Problem(`there is no function ${name}`, at, didYouMean(name, this.#globals.keys()));
    if (known.parameters.length !== operands.length)
      throw new Problem(`${name} needs ${known.parameters.length} operands, not ${operands.length}`, at);
    const inner = new Map(this.#globals);
    for (const [i, parameter] of known.parameters.entries())
      inner.set(parameter.name, { kind: 'value', value: this.#expr(operands[i]!, scope) });
    return this.#expr(known.body, inner);
  }

  #binary({ operator, left, right, at }: Extract<ExprTree, { kind: 'binary' }>, scope: Scope): Expr {
    const bools = (): [BoolExpr, BoolExpr] => [this.#bool(left, scope), this.#bool(right, scope)];
    const ints = (): [IntExpr, IntExpr] => [this.#int(left, scope), this.#int(right, scope)];
    switch (operator) {
      case 'AND':
        return and(...bools());
      case 'OR':
        return or(...bools());
      case 'XOR':
        return not(iff(...bools()));
      case '=>':
        return implies(...bools());
      case '<=>':
        return iff(...bools());
      case '=':
      case '/=': {
        const equation = equal(this.#expr(left, scope), this.#expr(right, scope), at);
        return operator === '=' ? equation : not(equation);
      }
      case '<':
        return lt(...ints());
      case '<=':
        return le(...ints());
      case '>':
        return gt(...ints());
      case '>=':
        return ge(...ints());
      case '+':
        return sum(...ints());
      case '-':
        return sub(...ints());
      case '*': {
        const [a, b] = ints();
        return product(a, b, at);
      }
      default: {
        // The type of `operator` is text: the parser makes no other operators.
        const [a, b] = ints();
        return quotient(operator as 'div' | 'mod', a, b, right.at);
      }
    }
  }
}

/** Marks a local variable of several instances, which claims index by instance. */
const INSTANCES: unique symbol = Symbol('instances');

/** `a'[i].f` names the same cells as `a[i].f`. */
function withoutNext(target: ExprTree): ExprTree {
  switch (target.kind) {
    case 'next':
      return target.of;
    case 'index':
      return { ...target, of: withoutNext(target.of) };
    case 'field':
      return { ...target, of: withoutNext(target.of) };
    default:
      // Other expressions cannot be assigned to.
      throw new Problem("the left of an assignment is a next value, x' = ...", target.at);
  }
}

/** The name that a definition defines. */
function nameIn(target: ExprTree): string {
  if (target.kind !== 'name')
    throw new Problem('a DEFINITION is of a whole variable here, not of an element', target.at);
  return target.name;
}

/** Models with more commands than this are rejected. */
const MOST_COMMANDS = 4096;

/** All modules make a step at once: one command of each. */
function together(parts: readonly (readonly Command[])[], at: Position): Command[] {
  return parts.reduce<Command[]>(
    (all, part) => {
      if (all.length * part.length > MOST_COMMANDS)
        throw new Problem(`more than ${MOST_COMMANDS} commands at once`, at);
      return all.flatMap(a => part.map(b => both(a, b, at)));
    },
    [{ name: '', guard: TRUE, updates: new Map(), free: [], constraint: TRUE }],
  );
}

function both(a: Command, b: Command, at: Position): Command {
  const shared = [...a.updates.keys()].find(variable => b.updates.has(variable));
  if (shared !== undefined) throw new Problem(`two modules write ${shared.name} in the same step`, at);
  return {
    name: a.name === '' ? b.name : `${a.name}, ${b.name}`,
    guard: and(a.guard, b.guard),
    updates: new Map([...a.updates, ...b.updates]),
    free: [],
    constraint: TRUE,
  };
}
