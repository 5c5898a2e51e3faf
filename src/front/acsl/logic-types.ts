/** The types of terms, and terms as the C that computes them. */
import type { CType } from './c-types.js';
import { declare, showType } from './c-types.js';
import {
  cTypeOf,
  exactly,
  type Interval,
  ofBits,
  type Representation,
  representationOf,
} from './integers.js';
import type { Node } from './syntax.js';

export type LogicType =
  | { readonly kind: 'integer' }
  | { readonly kind: 'real' }
  | { readonly kind: 'boolean' }
  /** Pointers and records, which have no counterpart in logic. */
  | { readonly kind: 'c'; readonly type: CType };

/** A term: a C expression without side effects, which reports undefined parts. */
export interface Term {
  readonly type: LogicType;
  readonly code: string;
  /** The interval of an integer; its representation in C follows from it. */
  readonly interval: Interval;
  /**
   * For a pointer of an earlier state: the variable with the copy of its block, or `nothing` if the
   * block was not kept.
   */
  readonly kept?: string | 'nothing';
}

/** An lvalue. */
export interface Place {
  readonly type: CType;
  /** The lvalue in C. */
  readonly code: string;
  /** Whether it is reached through a pointer, so that it must be checked before it is read. */
  readonly guarded: boolean;
  readonly isBitfield: boolean;
  /** The variable with the copy of the block in an earlier state, if it is read there. */
  readonly kept?: string;
}

const noInterval: Interval = exactly(0n);

export function integerTerm(code: string, interval: Interval): Term {
  return { type: { kind: 'integer' }, code, interval };
}

export function realTerm(code: string): Term {
  return { type: { kind: 'real' }, code, interval: noInterval };
}

export function booleanTerm(code: string): Term {
  return { type: { kind: 'boolean' }, code, interval: noInterval };
}

export function cTerm(code: string, type: CType): Term {
  return { type: { kind: 'c', type }, code, interval: noInterval };
}

export function literal(value: bigint): Term {
  const interval = exactly(value);
  const representation = representationOf(interval);
  const size = value < 0n ? -value : value;
  if (representation === 'i64')
    return integerTerm(value === -(1n << 63n) ? '(-9223372036854775807l - 1)' : `(${value}l)`, interval);
  if (representation === 'i128') {
    const bits = BigInt.asUintN(128, value);
    const half = (part: bigint): string => `0x${BigInt.asUintN(64, part).toString(16)}ul`;
    return integerTerm(
      `((__int128)((unsigned __int128)${half(bits >> 64n)} << 64 | ${half(bits)}))`,
      interval,
    );
  }
  const positive = `__rz_big_of_text("${size}")`;
  return integerTerm(value < 0n ? `__rz_big_subtract(1, ${positive})` : positive, interval);
}

export function representation(term: Term): Representation {
  return representationOf(term.interval);
}

/** A declaration of C for the value of a term. */
export function declared(term: Term, name: string): string {
  switch (term.type.kind) {
    case 'integer':
      return `${cTypeOf[representation(term)]} ${name}`;
    case 'real':
      return `double ${name}`;
    case 'boolean':
      return `int ${name}`;
    case 'c':
      return declare(term.type.type, name);
  }
}

/** The same integer in another representation, which must be able to hold it. */
export function inRepresentation(term: Term, wanted: Representation): string {
  const own = representation(term);
  if (own === wanted) return term.code;
  if (wanted === 'big') return `__rz_big_of(${term.code})`;
  if (own === 'big') return `__rz_big_saturated(${term.code})`;
  return `((${cTypeOf[wanted]})(${term.code}))`;
}

/** The lowest bits of an integer, for conversions that wrap around. */
export function wrapped(term: Term): string {
  return representation(term) === 'big' ? `__rz_big_low(${term.code})` : term.code;
}

/** How C declares a variable that holds the term. */
export function variableType(term: Term): string {
  switch (term.type.kind) {
    case 'integer':
      return cTypeOf[representation(term)];
    case 'real':
      return 'double';
    case 'boolean':
      return 'int';
    case 'c':
      return `__typeof__(${term.code})`;
  }
}

export function intervalOf(type: CType & { kind: 'integer' }): Interval {
  return ofBits(type.bits, type.signed);
}

export function showLogicType(type: LogicType): string {
  return type.kind === 'c' ? `'${showType(type.type)}'` : type.kind;
}

/** The names that a tree uses and does not bind itself. */
export function freeNames(node: Node): Set<string> {
  const names = new Set<string>();
  const visit = (tree: Node, bound: ReadonlySet<string>): void => {
    if (tree.kind === 'name') {
      if (!bound.has(tree.name)) names.add(tree.name);
      return;
    }
    const inner = new Set(bound);
    if (tree.kind === 'quantifier' || tree.kind === 'lambda' || tree.kind === 'comprehension')
      for (const binder of tree.binders) inner.add(binder.name);
    if (tree.kind === 'let') {
      visit(tree.value, bound);
      visit(tree.body, new Set([...bound, tree.name]));
      return;
    }
    for (const child of childNodes(tree)) visit(child, inner);
  };
  visit(node, new Set());
  return names;
}

export function childNodes(node: Node): Node[] {
  switch (node.kind) {
    case 'integer':
    case 'real':
    case 'string':
    case 'name':
      return [];
    case 'unary':
    case 'cast':
    case 'at':
      return [node.operand];
    case 'sizeof':
      return node.operand === undefined ? [] : [node.operand];
    case 'binary':
      return [node.left, node.right];
    case 'relation':
      return [node.first, ...node.rest.map(([, operand]) => operand)];
    case 'conditional':
      return [node.test, node.whenTrue, node.whenFalse];
    case 'index':
      return [node.base, node.index];
    case 'member':
      return [node.base];
    case 'call':
      return [...node.args];
    case 'quantifier':
    case 'lambda':
      return [node.body];
    case 'let':
      return [node.value, node.body];
    case 'range':
      return [node.low, node.high].filter(bound => bound !== undefined);
    case 'set':
      return [...node.elements];
    case 'comprehension':
      return node.condition === undefined ? [node.element] : [node.element, node.condition];
  }
}

/** The tree with `change` applied to each child, wherever it is not left alone. */
export function mapChildren(node: Node, change: (child: Node) => Node): Node {
  switch (node.kind) {
    case 'integer':
    case 'real':
    case 'string':
    case 'name':
      return node;
    case 'unary':
    case 'cast':
    case 'at':
      return { ...node, operand: change(node.operand) };
    case 'sizeof':
      return node.operand === undefined ? node : { ...node, operand: change(node.operand) };
    case 'binary':
      return { ...node, left: change(node.left), right: change(node.right) };
    case 'relation':
      return {
        ...node,
        first: change(node.first),
        rest: node.rest.map(([op, operand]) => [op, change(operand)]),
      };
    case 'conditional':
      return {
        ...node,
        test: change(node.test),
        whenTrue: change(node.whenTrue),
        whenFalse: change(node.whenFalse),
      };
    case 'index':
      return { ...node, base: change(node.base), index: change(node.index) };
    case 'member':
      return { ...node, base: change(node.base) };
    case 'call':
      return { ...node, args: node.args.map(change) };
    case 'quantifier':
    case 'lambda':
      return { ...node, body: change(node.body) };
    case 'let':
      return { ...node, value: change(node.value), body: change(node.body) };
    case 'range':
      return { ...node, low: node.low && change(node.low), high: node.high && change(node.high) };
    case 'set':
      return { ...node, elements: node.elements.map(change) };
    case 'comprehension':
      return { ...node, element: change(node.element), condition: node.condition && change(node.condition) };
  }
}
