/**
 * A useful part of SAL (`sal-syntax.ts` lists it): contexts whose modules are guarded commands, composed asynchronously.
 *
 * Every instance of a module gets its own copies of LOCAL variables; GLOBAL and OUTPUT variables are shared by name. In `([] (i: Index): m[i])` a local
 * `pc` becomes the array `pc[i]`, as in SAL, and a claim about the composition speaks of it so. INPUT variables that nobody writes take any value after each step.
 * Arrays and records go through the builder's cells, so they are scalars before anyone else sees them.
 */
import { closestTo } from '../../support/closest.js';
import { type CellsOf, declare, type Type } from '../cells.js';
import {
  and,
  type BoolExpr,
  chooseBool,
  div,
  type Expr,
  eq,
  FALSE,
  ge,
  gt,
  type IntExpr,
  iff,
  implies,
  int,
  ite,
  le,
  lt,
  mod,
  not,
  or,
  same,
  scale,
  sub,
  sum,
  TRUE,
  type Variable,
} from '../expression.js';
import type { Property } from '../model.js';
import { isBoolean } from '../smt.js';
import { type Command, makeSystem, type System } from '../system.js';
import { Problem, type ReadResult, reading } from './problem.js';
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

export function readSal(file: string, text: string): ReadResult {
  return reading(file, () => new Reader(text).systems());
}

/** What a name stands for: a number or formula, or the cells of a variable. */
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
  readonly commands: Command[];
  /** What claims about the module may name. */
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
    const draft: Draft = { variables: [], inputs: [], init: [], commands: [], scope: new Map(this.#globals) };
    if (this.#composed.has(name)) this.#compose(this.#composed.get(name)!, draft, this.#globals, []);
    else this.#instantiate(name, [], draft, [], at);
    const earlier: string[] = [];
    const properties = claims.map((claim): Property => {
      const restsOn = [...earlier];
      if (claim.isLemma) earlier.push(claim.name);
      const formula = this.#bool(claim.formula, draft.scope);
      return { name: claim.name, formula, role: claim.isLemma ? 'lemma' : 'goal', restsOn };
    });
    const { variables, inputs, init, commands } = draft;
    const free = inputs.filter(input => !commands.some(({ updates }) => updates.has(input)));
    return makeSystem({
      name,
      variables: [...variables, ...inputs.filter(input => !variables.includes(input))],
      init: and(...init),
      commands: commands.map(command => ({ ...command, free })),
      properties,
    });
  }

  #compose(tree: ComposedTree, draft: Draft, scope: Scope, path: readonly number[]): void {
    switch (tree.kind) {
      case 'both':
        for (const part of tree.parts) this.#compose(part, draft, scope, path);
        return;
      case 'each': {
        const { first, last } = this.#indexRange(tree.bound.type);
        for (let i = first; i <= last; i++) {
          const inner = new Map(scope).set(tree.bound.name, { kind: 'value', value: int(i) });
          this.#compose(tree.body, draft, inner, [...path, i]);
        }
        return;
      }
      default: {
        const operands = tree.operands.map(operand => this.#expr(operand, scope));
        this.#instantiate(tree.name, operands, draft, path, tree.at);
      }
    }
  }

  #instantiate(
    name: string,
    operands: readonly Expr[],
    draft: Draft,
    path: readonly number[],
    at: ExprTree['at'],
  ): void {
    const module = this.#modules.get(name);
    if (module === undefined)
      throw new Problem(`there is no module ${name}`, at, didYouMean(name, this.#modules.keys()));
    if (module.parameters.length !== operands.length)
      throw new Problem(`${name} needs ${module.parameters.length} parameters, not ${operands.length}`, at);
    const scope = new Map(this.#globals);
    for (const [i, { name: parameter }] of module.parameters.entries())
      scope.set(parameter, { kind: 'value', value: operands[i]! });
    for (const { name: variable, type, role } of module.variables) {
      const known = role === 'LOCAL' ? undefined : draft.scope.get(variable);
      if (known?.kind === 'cells') {
        scope.set(variable, known);
        continue;
      }
      const suffix = role === 'LOCAL' ? path.map(i => `[${i}]`).join('') : '';
      const { variables, cells } = declare(variable + suffix, this.#type(type));
      (role === 'INPUT' ? draft.inputs : draft.variables).push(...variables);
      scope.set(variable, { kind: 'cells', cells });
      this.#export(draft, variable, path, role === 'LOCAL', cells);
    }
    for (const assignment of module.initial) draft.init.push(...this.#initial(assignment, scope));
    const guards = module.commands.map(({ guard }) =>
      guard === undefined ? undefined : this.#bool(guard, scope),
    );
    const otherwise = not(or(...guards.filter(guard => guard !== undefined)));
    for (const [i, { label, assignments }] of module.commands.entries()) {
      draft.commands.push({
        name: label ?? `${name} ${i + 1}`,
        ...(path.length === 1 && { thread: path[0]! - 1 }),
        guard: guards[i] ?? otherwise,
        updates: this.#updates(assignments, scope),
        free: [],
        constraint: TRUE,
      });
    }
  }

  /** What claims see: a local of several instances is an array over them. */
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
    const left = this.#expr(target, scope);
    const right = this.#expr(value, scope);
    this.#sameType(left, right, at);
    return [isBoolean(left) ? iff(left, right as BoolExpr) : eq(left as IntExpr, right as IntExpr)];
  }

  #updates(assignments: readonly AssignmentTree[], scope: Scope): Map<Variable, Expr> {
    const updates = new Map<Variable, Expr>();
    for (const { target, value, at } of assignments) {
      const cells = this.#cells(withoutNext(target), scope);
      if (!('places' in cells))
        throw new Problem('a whole array or record cannot be assigned', at, 'assign its elements');
      const result = this.#expr(value, scope);
      for (const { condition, variable } of (cells as CellsOf<{ kind: 'bool' }>).places) {
        const otherwise = updates.get(variable) ?? { kind: 'var' as const, variable, next: false };
        this.#sameType(otherwise, result, at);
        updates.set(
          variable,
          variable.domain.kind === 'bool'
            ? chooseBool(condition, result as BoolExpr, otherwise as BoolExpr)
            : ite(condition, result as IntExpr, otherwise as IntExpr),
        );
      }
    }
    return updates;
  }

  #sameType(a: Expr, b: Expr, at: ExprTree['at']): void {
    if (isBoolean(a) !== isBoolean(b)) throw new Problem('the two sides are of different types', at);
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
      default: {
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
    const expr = this.#expr(tree, scope);
    if (!isBoolean(expr)) throw new Problem('a formula is expected here, not a number', tree.at);
    return expr;
  }

  #int(tree: ExprTree, scope: Scope): IntExpr {
    const expr = this.#expr(tree, scope);
    if (isBoolean(expr)) throw new Problem('a number is expected here, not a formula', tree.at);
    return expr as IntExpr;
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
        if (!('at' in of)) throw new Problem('this is no array', tree.of.at);
        const cells = of as unknown as CellsOf<{ kind: 'array'; first: number; last: number; of: Type }>;
        if (index.kind === 'int' && (index.value < cells.first || index.value > cells.last))
          throw new Problem(`the index is outside of ${cells.first}..${cells.last}`, tree.index.at);
        return cells.at(index);
      }
      case 'field': {
        const of = this.#cells(tree.of, scope) as unknown as Readonly<Record<string, AnyCells>>;
        const field = 'places' in of ? undefined : of[tree.field];
        if (field === undefined) throw new Problem(`there is no field ${tree.field}`, tree.at);
        return field;
      }
      default:
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
        this.#sameType(yes, no, tree.at);
        return isBoolean(yes)
          ? chooseBool(condition, yes, no as BoolExpr)
          : ite(condition, yes as IntExpr, no as IntExpr);
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
        const [a, b] = [this.#expr(left, scope), this.#expr(right, scope)];
        this.#sameType(a, b, at);
        const equal = same(isBoolean(a) ? { kind: 'bool' } : { kind: 'int' }, a, b);
        return operator === '=' ? equal : not(equal);
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
        if (a.kind === 'int') return scale(a.value, b);
        if (b.kind === 'int') return scale(b.value, a);
        throw new Problem('one factor of a product has to be a constant', at);
      }
      default: {
        const [a, b] = ints();
        if (b.kind !== 'int' || b.value <= 0)
          throw new Problem('the divisor has to be a positive constant', right.at);
        return operator === 'div' ? div(a, b.value) : mod(a, b.value);
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
      throw new Problem("the left of an assignment is a next value, x' = ...", target.at);
  }
}

function didYouMean(text: string, known: Iterable<string>): string | undefined {
  const guess = closestTo(text, known);
  return guess === undefined ? undefined : `did you mean ${guess}?`;
}
