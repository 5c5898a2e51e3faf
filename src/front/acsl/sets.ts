/**
 * Sets of locations: `t + (0 .. n-1)`, `&a[0 .. 3].x`, `{p, q}`, `\union(…)`, `{ f(i) | integer i;
 * 0 <= i < n }`. A set is never materialized: its elements are visited, adjacent ones as one
 * stretch.
 *
 * ```
 *   t + (0 .. n-1)         one stretch: from t, n elements
 *   &a[0 .. n-1].x         a loop over the index, each time one element
 * ```
 */
import type { CType } from './c-types.js';
import { ofBits, resultOf } from './integers.js';
import {
  inRepresentation,
  integerTerm,
  literal,
  mapChildren,
  representation,
  type Term,
} from './logic-types.js';
import type { Binder, Node, NodeOf } from './syntax.js';
import type { Scope } from './term-scope.js';
import { TermTranslator } from './translate-term.js';

/** `count` elements of `type`, the first of them at `pointer`: C of types `T *` and `long`. */
export interface Stretch {
  readonly pointer: string;
  readonly type: CType;
  readonly count: string;
}

export type Visit = (stretch: Stretch) => string;

export abstract class SetTranslator extends TermTranslator {
  /**
   * The statements that run a body for the values of the variables for which the condition holds.
   */
  abstract forEach(
    binders: readonly Binder[],
    condition: Node | undefined,
    scope: Scope,
    node: Node,
    body: (inner: Scope) => string,
  ): string;

  /** Statements of C that visit the pointers of a set. */
  pointers(node: Node, scope: Scope, visit: Visit, mayBeIncomplete = false): string {
    const each = (element: Node, inner: Scope): string =>
      this.pointers(element, inner, visit, mayBeIncomplete);
    const set = this.#commonSet(node, scope, element => each(element, scope));
    if (set !== undefined) return set;
    if (node.kind === 'unary' && node.op === '&') return this.places(node.operand, scope, visit);
    if (node.kind === 'binary' && node.op === '+' && node.right.kind === 'range' && !hasSet(node.left))
      return this.#range(node.left, node.right, scope, visit);
    if (node.kind === 'binary' && node.op === '+' && node.left.kind === 'range' && !hasSet(node.right))
      return this.#range(node.right, node.left, scope, visit);
    if (node.kind === 'comprehension')
      return this.forEach(node.binders, node.condition, scope, node, inner => each(node.element, inner));
    const expanded = this.#expanded(node, scope, each);
    if (expanded !== undefined) return expanded;
    const pointer = this.pointer(node, scope);
    const type = this.target(pointer, node, mayBeIncomplete);
    return visit({ pointer: pointer.code, type, count: '1l' });
  }

  /** The same for a set of lvalues. */
  places(node: Node, scope: Scope, visit: Visit): string {
    const set = this.#commonSet(node, scope, element => this.places(element, scope, visit));
    if (set !== undefined) return set;
    if (node.kind === 'unary' && node.op === '*') return this.pointers(node.operand, scope, visit);
    if (node.kind === 'index' && node.index.kind === 'range' && !hasSet(node.base))
      return this.#range(node.base, node.index, scope, visit);
    if (node.kind === 'comprehension')
      return this.forEach(node.binders, node.condition, scope, node, inner =>
        this.places(node.element, inner, visit),
      );
    const expanded = this.#expanded(node, scope, (one, inner) => this.places(one, inner, visit));
    if (expanded !== undefined) return expanded;
    const place = this.place(node, scope);
    if (place === undefined) throw this.error(node, 'expected an lvalue: something that has an address');
    if (place.isBitfield) throw this.error(node, 'a bit-field has no address');
    return visit({ pointer: `(&${place.code})`, type: place.type, count: '1l' });
  }

  #commonSet(node: Node, scope: Scope, each: (element: Node) => string): string | undefined {
    if (node.kind === 'name' && (node.name === '\\empty' || node.name === '\\nothing')) return '';
    if (node.kind === 'set') return node.elements.map(each).join(' ');
    if (node.kind === 'call' && node.name === '\\union') return node.args.map(each).join(' ');
    if (node.kind === 'at' && (this.labels.get(node.label) ?? node.label) === 'Here')
      return each(node.operand);
    if (node.kind === 'conditional' && (hasSet(node.whenTrue) || hasSet(node.whenFalse)))
      return `if (${this.predicate(node.test, scope)}) { ${each(node.whenTrue)} } else { ${each(node.whenFalse)} }`;
    return undefined;
  }

  #range(base: Node, range: NodeOf<'range'>, scope: Scope, visit: Visit): string {
    const pointer = this.pointer(base, scope);
    const type = this.target(pointer, base);
    const { low, high } = this.#bounds(base, range, scope);
    const [first, last] = [this.program.unique('low'), this.program.unique('high')];
    const count = `(${last} < ${first} ? 0 : ${last} - ${first} + 1)`;
    const body = visit({ pointer: `(${pointer.code} + ${first})`, type, count });
    return `{ long ${first} = ${clamped(low)}, ${last} = ${clamped(high)}; ${body} }`;
  }

  /** An open end is the end of the array, if the array is known. */
  #bounds(base: Node, range: NodeOf<'range'>, scope: Scope): { low: Term; high: Term } {
    const low = range.low === undefined ? literal(0n) : this.integer(range.low, scope);
    if (range.high !== undefined) return { low, high: this.integer(range.high, scope) };
    const place = this.place(base, scope);
    if (place?.type.kind !== 'array' || place.type.count === undefined)
      throw this.error(range, 'a range without an end needs an array of known length');
    return { low, high: literal(BigInt(place.type.count - 1)) };
  }

  /** A loop for the first range inside the tree; undefined when there is none. */
  #expanded(node: Node, scope: Scope, body: (one: Node, inner: Scope) => string): string | undefined {
    const target = findRange(node);
    if (target === undefined) return undefined;
    const { range, base } = target;
    const name = this.program.unique('k');
    const { low, high } = this.#bounds(base ?? range, range, scope);
    const index: Node = { kind: 'name', name, span: range.span };
    const bound = integerTerm(name, ofBits(64, true));
    const inner = scope.with(name, { kind: 'term', term: bound });
    const end = this.program.unique('high');
    return `for (long ${name} = ${clamped(low)}, ${end} = ${clamped(high)}; ${name} <= ${end}; ${name}++) { ${body(replaced(node, range, index), inner)} }`;
  }

  /** A condition in C: whether the value is in the set. */
  member(value: Term, node: Node, set: Node, scope: Scope): string {
    switch (set.kind) {
      case 'set':
        return set.elements.length === 0
          ? '0'
          : `(${set.elements.map(element => this.member(value, node, element, scope)).join(' || ')})`;
      case 'range': {
        const parts: string[] = [];
        if (set.low !== undefined)
          parts.push(this.compare('<=', this.term(set.low, scope), set.low, value, node));
        if (set.high !== undefined)
          parts.push(this.compare('<=', value, node, this.term(set.high, scope), set.high));
        return parts.length === 0 ? '1' : `(${parts.join(' && ')})`;
      }
      case 'call':
        if (set.name === '\\union')
          return `(${set.args.map(one => this.member(value, node, one, scope)).join(' || ')})`;
        if (set.name === '\\inter')
          return `(${set.args.map(one => this.member(value, node, one, scope)).join(' && ')})`;
        break;
      case 'name':
        if (set.name === '\\empty') return '0';
        break;
      case 'comprehension': {
        const found = this.program.unique('found');
        const body = this.forEach(set.binders, set.condition, scope, set, inner => {
          const element = this.term(set.element, inner);
          return `if (${this.compare('==', value, node, element, set.element)}) ${found} = 1;`;
        });
        return `({ int ${found} = 0; ${body} ${found}; })`;
      }
    }
    return this.compare('==', value, node, this.term(set, scope), set);
  }

  /** A comparison of two terms, as a condition in C. */
  compare(
    op: '<' | '<=' | '>' | '>=' | '==' | '!=',
    left: Term,
    leftNode: Node,
    right: Term,
    rightNode: Node,
  ): string {
    const [a, b] = this.unifiedTerms(left, leftNode, right, rightNode);
    if (a.type.kind === 'c' && a.type.type.kind === 'record')
      return this.#sameRecords(op, a, b, a.type.type.spelling, leftNode);
    if (a.type.kind === 'boolean') {
      if (op !== '==' && op !== '!=') throw this.error(leftNode, `'${op}' is not defined on booleans`);
      return `(!(${a.code}) ${op} !(${b.code}))`;
    }
    if (a.type.kind === 'c')
      return `((const volatile void *)${a.code} ${op} (const volatile void *)${b.code})`;
    if (a.type.kind === 'integer' && representation(a) === 'big')
      return `(__rz_big_compare(${a.code}, ${b.code}) ${op} 0)`;
    return `(${a.code} ${op} ${b.code})`;
  }

  /** Structs are equal if their members are; padding is ignored. */
  #sameRecords(op: string, a: Term, b: Term, spelling: string, node: Node): string {
    if (op !== '==' && op !== '!=') throw this.error(node, `'${op}' is not defined on structs`);
    const [x, y] = [this.program.unique('s'), this.program.unique('s')];
    const fields = this.program.tree.fields(spelling) ?? [];
    const parts = fields.map(field => {
      if (field.name === undefined || field.type.kind === 'array' || field.type.kind === 'other')
        throw this.error(
          node,
          `structs of type '${spelling}' cannot be compared as a whole; compare their members`,
        );
      const read = (owner: string): Term =>
        this.read(
          { type: field.type, code: `${owner}.${field.name}`, guarded: false, isBitfield: false },
          node,
        );
      return this.compare('==', read(x), node, read(y), node);
    });
    const same = `({ __typeof__(${a.code}) ${x} = ${a.code}, ${y} = ${b.code}; ${parts.join(' && ') || '1'}; })`;
    return op === '==' ? same : `(!${same})`;
  }
}

function clamped(bound: Term): string {
  return representation(bound) === 'i64' &&
    resultOf('+', bound.interval, { low: 1n, high: 1n }).high! < 1n << 63n
    ? bound.code
    : `__rz_raw_bound(${inRepresentation(bound, 'i128')})`;
}

/** Whether the tree stands for more than one value. */
function hasSet(node: Node): boolean {
  if (node.kind === 'range' || node.kind === 'set' || node.kind === 'comprehension') return true;
  if (node.kind === 'call') return node.name === '\\union' || node.name === '\\inter';
  if (node.kind === 'quantifier' || node.kind === 'let') return false;
  return childrenWithSets(node).some(hasSet);
}

function childrenWithSets(node: Node): Node[] {
  switch (node.kind) {
    case 'unary':
    case 'cast':
    case 'at':
      return [node.operand];
    case 'binary':
      return [node.left, node.right];
    case 'index':
      return [node.base, node.index];
    case 'member':
      return [node.base];
    default:
      // Sets occur only in lvalues and in arithmetic on them.
      return [];
  }
}

/** The first range in the tree, and the array that it indexes. */
function findRange(node: Node): { range: NodeOf<'range'>; base: Node | undefined } | undefined {
  if (node.kind === 'range') return { range: node, base: undefined };
  for (const child of childrenWithSets(node)) {
    const found = findRange(child);
    if (found !== undefined) {
      const isOwn = node.kind === 'index' && child === node.index && child === found.range;
      return isOwn ? { ...found, base: node.base } : found;
    }
  }
  return undefined;
}

function replaced(node: Node, target: Node, by: Node): Node {
  return node === target ? by : mapChildren(node, child => replaced(child, target, by));
}
