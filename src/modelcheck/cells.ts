/**
 * Typed state variables for the authors of models: booleans, integers, enumerations, arrays and
 * records.
 *
 * A variable of a composite type is a structure of *cells*. A cell stands for one scalar, or,
 * behind a variable index, for one of several: it lists the scalar variables that it may be, each
 * with its condition.
 *
 *     const ht = model.shared('ht', array(1, 3, record({ entries: integer(), assimilated: bool })));
 *     ht.at(old).entries          places: ht[1].entries if old = 1,  ht[2].entries if old = 2,  else ht[3].entries
 *
 * Reading a cell is a chain of ite, and writing it is a conditional update of each place. So
 * neither the engines nor the checkers of certificates need to support arrays. Large arrays are
 * expensive, but protocols do not have them.
 *
 * **Invariant:** the conditions of a cell's places exclude each other and one of them holds; an
 * index outside the array means its last element.
 */

import { assert } from '../support/assert.js';
import {
  and,
  type BoolExpr,
  chooseBool,
  type Domain,
  type Expr,
  eq,
  type IntExpr,
  type IntLike,
  int,
  ite,
  not,
  ref,
  TRUE,
  type Variable,
} from './expression.js';

export interface BoolType {
  readonly kind: 'bool';
}
export interface IntType {
  readonly kind: 'int';
  readonly min?: number;
  readonly max?: number;
}
export interface EnumType<Name extends string = string> {
  readonly kind: 'enum';
  readonly names: readonly Name[];
}
export interface ArrayType<Element extends Type = Type> {
  readonly kind: 'array';
  readonly first: number;
  readonly last: number;
  readonly of: Element;
}
export type Type =
  | BoolType
  | IntType
  | EnumType
  | { kind: 'array'; first: number; last: number; of: Type }
  | AnyRecord;

interface AnyRecord {
  readonly kind: 'record';
  readonly fields: Readonly<Record<string, Type>>;
}

export const bool: BoolType = { kind: 'bool' };

/** Without bounds, all integers. */
export function integer(min?: number, max?: number): IntType {
  return { kind: 'int', ...(min !== undefined && { min }), ...(max !== undefined && { max }) };
}

export function enumeration<const Name extends string>(...names: readonly Name[]): EnumType<Name> {
  return { kind: 'enum', names };
}

export function array<Element extends Type>(
  first: number,
  last: number,
  of: Element,
): { kind: 'array'; first: number; last: number; of: Element } {
  return { kind: 'array', first, last, of };
}

export function record<Fields extends Readonly<Record<string, Type>>>(
  fields: Fields,
): { kind: 'record'; fields: Fields } {
  return { kind: 'record', fields };
}

export interface Place {
  readonly condition: BoolExpr;
  readonly variable: Variable;
}

export interface Cell {
  readonly places: readonly Place[];
}

export interface BoolCell extends Cell {
  readonly value: BoolExpr;
}

export interface IntCell extends Cell {
  readonly value: IntExpr;
}

export interface EnumCell<Name extends string> extends Cell {
  readonly value: IntExpr;
  is(...names: readonly Name[]): BoolExpr;
  code(name: Name): IntExpr;
}

export interface ArrayCells<Element extends Type> {
  readonly first: number;
  readonly last: number;
  at(index: IntLike): CellsOf<Element>;
}

export type CellsOf<T extends Type> = T extends { kind: 'bool' }
  ? BoolCell
  : T extends { kind: 'enum'; names: readonly (infer Name extends string)[] }
    ? EnumCell<Name>
    : T extends { kind: 'array'; of: infer Element extends Type }
      ? ArrayCells<Element>
      : T extends { kind: 'record'; fields: infer Fields extends Readonly<Record<string, Type>> }
        ? { readonly [Name in keyof Fields]: CellsOf<Fields[Name]> }
        : IntCell;

/** The scalars of a variable, in order, and the cells that lead to them. */
export function declare<T extends Type>(
  name: string,
  type: T,
): { readonly variables: readonly Variable[]; readonly cells: CellsOf<T> } {
  const variables: Variable[] = [];
  const cells = declareAny(name, type, variables);
  // `declareAny` follows the type; TypeScript cannot see that.
  return { variables, cells: cells as CellsOf<T> };
}

type AnyCells =
  | BoolCell
  | IntCell
  | EnumCell<string>
  | ArrayCells<Type>
  | { readonly [name: string]: AnyCells };

function declareAny(name: string, type: Type, variables: Variable[]): AnyCells {
  switch (type.kind) {
    case 'array': {
      const items: AnyCells[] = [];
      for (let i = type.first; i <= type.last; i++)
        items.push(declareAny(`${name}[${i}]`, type.of, variables));
      return {
        first: type.first,
        last: type.last,
        at: index =>
          select(items, type.first, typeof index === 'number' ? int(index) : index) as CellsOf<Type>,
      };
    }
    case 'record': {
      const fields = Object.entries(type.fields).map(
        ([field, of]) => [field, declareAny(`${name}.${field}`, of, variables)] as const,
      );
      return Object.fromEntries(fields);
    }
    case 'bool':
    case 'int':
    case 'enum': {
      const variable: Variable = { name, domain: domainOf(type) };
      variables.push(variable);
      return scalar([{ condition: TRUE, variable }]);
    }
  }
}

function domainOf(type: BoolType | IntType | EnumType): Domain {
  if (type.kind !== 'enum') return type;
  return { kind: 'int', min: 0, max: type.names.length - 1, names: type.names };
}

function scalar(places: readonly Place[]): AnyCells {
  const { domain } = places[0]!.variable;
  let value: Expr = ref(places.at(-1)!.variable);
  for (const { condition, variable } of places.slice(0, -1).reverse()) {
    value =
      domain.kind === 'bool'
        ? chooseBool(condition, ref(variable), value as BoolExpr)
        : ite(condition, ref(variable), value as IntExpr);
  }
  if (domain.kind === 'bool') return { places, value: value as BoolExpr };
  const number = value as IntExpr;
  const { names } = domain;
  if (names === undefined) return { places, value: number };
  const code = (name: string): IntExpr => {
    assert(names.includes(name), `no value ${name}`);
    return int(names.indexOf(name));
  };
  return {
    places,
    value: number,
    code,
    is: (...wanted) => {
      const [first, ...rest] = wanted.map(name => eq(number, code(name)));
      return rest.length === 0 ? first! : { kind: 'or', parts: [first!, ...rest] };
    },
  };
}

/** The element at an index that need not be constant. */
function select(items: readonly AnyCells[], first: number, index: IntExpr): AnyCells {
  if (index.kind === 'int') {
    const item = items[index.value - first];
    assert(item !== undefined, `no element ${index.value}`);
    return item;
  }
  const conditions = items.map((_, i) => eq(index, first + i));
  const last = items.length - 1;
  conditions[last] = and(...conditions.slice(0, last).map(not));
  return merge(items, conditions);
}

/** One structure for several of the same shape, each under its condition. */
function merge(items: readonly AnyCells[], conditions: readonly BoolExpr[]): AnyCells {
  const [sample] = items;
  if (isCell(sample!)) {
    return scalar(
      items.flatMap((item, i) =>
        (item as Cell).places.map(({ condition, variable }) => ({
          condition: and(conditions[i]!, condition),
          variable,
        })),
      ),
    );
  }
  if (isArray(sample!)) {
    const elements: AnyCells[] = [];
    for (let i = sample.first; i <= sample.last; i++)
      elements.push(
        merge(
          items.map(item => (item as ArrayCells<Type>).at(i) as AnyCells),
          conditions,
        ),
      );
    const { first, last } = sample;
    return {
      first,
      last,
      at: index => select(elements, first, typeof index === 'number' ? int(index) : index) as CellsOf<Type>,
    };
  }
  const names = Object.keys(sample!);
  return Object.fromEntries(
    names.map(name => [
      name,
      merge(
        items.map(item => (item as { readonly [name: string]: AnyCells })[name]!),
        conditions,
      ),
    ]),
  );
}

function isCell(cells: AnyCells): cells is BoolCell | IntCell | EnumCell<string> {
  return 'places' in cells && Array.isArray(cells.places);
}

function isArray(cells: AnyCells): cells is ArrayCells<Type> {
  return 'at' in cells && typeof cells.at === 'function';
}
