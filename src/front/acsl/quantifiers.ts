/**
 * Translates quantifiers to loops in C.
 *
 * Its range is found in the condition before `==>` (before `&&` for `\exists`): each variable needs
 * a bound below and above, which may depend on variables to its left. A quantifier that cannot be
 * executed is an error that names the variable.
 */
import { AcslError } from './acsl-error.js';
import { type CType, declare } from './c-types.js';
import type { Bound } from './captures.js';
import {
  cTypeOf,
  exactly,
  fits,
  greatest,
  type Interval,
  least,
  meet,
  ofBits,
  type Representation,
  representationOf,
  resultOf,
  unbounded,
} from './integers.js';
import {
  cTerm,
  freeNames,
  inRepresentation,
  integerTerm,
  literal,
  showLogicType,
  type Term,
} from './logic-types.js';
import { boundBeyond, boundIn, conjuncts, split } from './quantifier-bounds.js';
import { SetTranslator } from './sets.js';
import type { Binder, Node, NodeOf } from './syntax.js';
import type { BinderRange, Scope } from './term-scope.js';
import { intervalOfTypeName, logicTypeOf, narrowed } from './translate-term.js';

/** A loop that begins this close to zero cannot reach the limits of a `long`. */
const near: Interval = { low: -(1n << 62n), high: 1n << 62n };

/** A variable of a quantifier with its range. */
interface Bounded {
  readonly binder: Binder;
  readonly range: BinderRange;
}

export abstract class QuantifierTranslator extends SetTranslator {
  protected quantifier(node: NodeOf<'quantifier'>, scope: Scope): string {
    const { guard, body } = split(node);
    const result = this.program.unique('holds');
    const found = node.every ? '0' : '1';
    const loops = this.forEach(
      node.binders,
      guard,
      scope,
      node,
      inner => {
        const condition = body === undefined ? '1' : this.predicate(body, inner);
        return `if (${node.every ? '!' : ''}${condition}) ${result} = ${found};`;
      },
      node.every ? result : `!${result}`,
    );
    return `({ int ${result} = ${node.every ? '1' : '0'}; ${loops} ${result}; })`;
  }

  /** Nested loops; `goOn` is the condition under which all of them continue. */
  forEach(
    binders: readonly Binder[],
    condition: Node | undefined,
    scope: Scope,
    node: Node,
    body: (inner: Scope) => string,
    goOn = '1',
  ): string {
    const guards = condition === undefined ? [] : conjuncts(condition);
    const variables = this.bounded(binders, guards, node).map(({ binder, range }) => ({
      name: binder.name,
      range,
    }));
    return this.#loops(variables, guards, scope, body, goOn);
  }

  /** Loops over ranges that were found before. */
  loops(variables: readonly Bound[], scope: Scope, body: (inner: Scope) => string): string {
    const ranges = variables.map(({ name, binding }) => ({ name, range: binding.range }));
    return this.#loops(ranges, [], scope, body, '1');
  }

  #loops(
    variables: readonly { name: string; range: BinderRange }[],
    guards: readonly Node[],
    scope: Scope,
    body: (inner: Scope) => string,
    goOn: string,
  ): string {
    const open: string[] = [];
    let inner = scope;
    for (const { name: variable, range } of variables) {
      const name = this.program.unique(variable);
      if (range.pointer !== undefined) {
        open.push(this.#pointerLoop(name, range, range.pointer, inner, goOn));
        inner = inner.with(variable, { kind: 'term', term: cTerm(name, range.pointer) });
        continue;
      }
      const { open: loop, term } = this.integerLoop(name, range, inner, goOn);
      open.push(loop);
      inner = inner.with(variable, { kind: 'binder', term, range });
    }
    const rest = guards.map(guard => this.predicate(guard, inner));
    const filter = rest.length === 0 ? '' : `if (${rest.join(' && ')}) `;
    return `${open.join(' ')} ${filter}{ ${body(inner)} } ${'}'.repeat(open.length)}`;
  }

  /**
   * A loop over the elements from one pointer to another; each has the referent number of the first
   * one.
   */
  #pointerLoop(
    name: string,
    range: BinderRange,
    type: CType & { readonly kind: 'pointer' },
    scope: Scope,
    goOn: string,
  ): string {
    const [low, high] = [this.pointer(range.low, scope), this.pointer(range.high, scope)];
    for (const [term, node] of [
      [low, range.low],
      [high, range.high],
    ] as const)
      this.unifiedTerms(cTerm(name, type), node, term, node);
    const [at, end] = [this.program.unique('at'), this.program.unique('end')];
    const note = this.program.note({ first: range.low.span.first, last: range.high.span.last });
    const bytes = `__rz_raw_distance(${low.code}, ${high.code}, ${note})${range.highIncluded ? ' + 1' : ''}`;
    const size = `(long)sizeof(*${low.code})`;
    const last = `(${bytes} + ${size} - 1) / ${size}`;
    return `for (long ${at} = ${range.lowIncluded ? 0 : 1}, ${end} = ${last}; ${goOn} && ${at} < ${end}; ${at}++) { ${declare(type, name)} = ${low.code} + ${at};`;
  }

  /** The same loops for others: `goOn` is tested before each iteration. */
  visit(
    binders: readonly Binder[],
    condition: Node | undefined,
    scope: Scope,
    node: Node,
    goOn: string,
    body: (inner: Scope) => string,
  ): string {
    return this.forEach(binders, condition, scope, node, body, goOn);
  }

  /**
   * The head of a loop over a range of integers, and its variable as a term. A loop that begins
   * near zero counts in a `long`, and never reaches an end that does not fit. Others count in a
   * type that holds both ends, and stop at the last value.
   */
  integerLoop(name: string, range: BinderRange, scope: Scope, goOn: string): { open: string; term: Term } {
    const { ofType = unbounded } = range;
    const [low, high] = [this.integer(range.low, scope), this.integer(range.high, scope)];
    const [first, last] = [
      this.#within(range.lowIncluded ? low : this.#stepped(low, 1n), ofType, 'low'),
      this.#within(range.highIncluded ? high : this.#stepped(high, -1n), ofType, 'high'),
    ];
    const end = this.program.unique('end');
    const more = goOn === '1' ? '' : `${goOn} && `;
    const bounds = { low: first.interval.low, high: last.interval.high };
    const termOf = (type: Representation, within: Interval): Term => {
      const met = meet(within, bounds);
      const isEmpty = met.low !== undefined && met.high !== undefined && met.low > met.high;
      const interval = isEmpty ? within : met;
      return integerTerm(narrowed(name, type, representationOf(interval)), interval);
    };
    if (fits(first.interval, near)) {
      const until = fits(last.interval, near)
        ? last.code
        : `__rz_raw_bound(${inRepresentation(last, 'i128')})`;
      const open = `for (long ${name} = ${first.code}, ${end} = ${until}; ${more}${name} <= ${end}; ${name}++) {`;
      return { open, term: termOf('i64', ofBits(64, true)) };
    }
    const isWithin = ofType === unbounded || (fits(low.interval, ofType) && fits(high.interval, ofType));
    const go = this.program.unique('go');
    if (representationOf(low.interval, high.interval) === 'i64' && isWithin) {
      const skipped = range.lowIncluded ? '' : `${name} < ${end} && (++${name}, 1) && `;
      const isLeft = `${name} ${range.highIncluded ? '<=' : '<'} ${end}`;
      const next = range.highIncluded ? `${name} < ${end} && (${name}++, 1)` : `++${name} < ${end}`;
      const open = `for (long ${name} = ${low.code}, ${end} = ${high.code}, ${go} = ${skipped}${isLeft}; ${more}${go}; ${go} = ${next}) {`;
      return { open, term: termOf('i64', ofBits(64, true)) };
    }
    if (representationOf(first.interval, last.interval) !== 'big') {
      const open = `for (__int128 ${name} = ${inRepresentation(first, 'i128')}, ${end} = ${inRepresentation(last, 'i128')}, ${go} = ${name} <= ${end}; ${more}${go}; ${go} = ${name} < ${end} && (${name}++, 1)) {`;
      return { open, term: termOf('i128', ofBits(128, true)) };
    }
    const open = `for (__rz_big ${name} = ${inRepresentation(first, 'big')}, ${end} = ${inRepresentation(last, 'big')}; ${more}__rz_big_compare(${name}, ${end}) <= 0; ${name} = __rz_big_add(${name}, 3)) {`;
    return { open, term: termOf('big', unbounded) };
  }

  /** One end of a range, clamped to the values of the variable's type. */
  #within(term: Term, type: Interval, side: 'low' | 'high'): Term {
    const bound = type[side];
    if (bound === undefined) return term;
    const own = term.interval[side];
    if (own !== undefined && (side === 'low' ? own >= bound : own <= bound)) return term;
    const interval =
      side === 'low'
        ? {
            low: bound,
            high: term.interval.high === undefined ? undefined : greatest([bound, term.interval.high]),
          }
        : {
            low: term.interval.low === undefined ? undefined : least([bound, term.interval.low]),
            high: bound,
          };
    const common = representationOf(term.interval, interval);
    const limit = inRepresentation(literal(bound), common);
    const [x, y] = [this.program.unique('a'), this.program.unique('b')];
    const op = side === 'low' ? '<' : '>';
    const test = common === 'big' ? `__rz_big_compare(${x}, ${y}) ${op} 0` : `${x} ${op} ${y}`;
    const code = `({ ${cTypeOf[common]} ${x} = ${inRepresentation(term, common)}, ${y} = ${limit}; ${test} ? ${y} : ${x}; })`;
    return integerTerm(narrowed(code, common, representationOf(interval)), interval);
  }

  #stepped(term: Term, step: bigint): Term {
    const interval = resultOf('+', term.interval, exactly(step));
    const common = representationOf(term.interval, interval);
    const code =
      common === 'big'
        ? `__rz_big_add(${inRepresentation(term, common)}, ${step * 2n + 1n})`
        : `(${inRepresentation(term, common)} + ${step})`;
    return integerTerm(narrowed(code, common, representationOf(interval)), interval);
  }

  /**
   * Finds a range for each variable. Conditions that the range implies are removed from `guards`.
   */
  bounded(binders: readonly Binder[], guards: Node[], node: Node): Bounded[] {
    const unresolved = new Set(binders.map(binder => binder.name));
    return binders.map(binder => {
      const low = this.#findBound(binder, 'low', guards, unresolved);
      const high = this.#findBound(binder, 'high', guards, unresolved);
      unresolved.delete(binder.name);
      const type = logicTypeOf(binder.type, name => this.cTypeOf(name));
      if (type.kind === 'c' && type.type.kind === 'pointer' && low !== undefined && high !== undefined) {
        const range = {
          low: low.node,
          lowIncluded: low.included,
          high: high.node,
          highIncluded: high.included,
          pointer: type.type,
        };
        return { binder, range };
      }
      if (type.kind !== 'integer')
        throw new AcslError(
          `a quantifier over values of type ${showLogicType(type)} cannot be executed`,
          binder.place,
          type.kind === 'c' && type.type.kind === 'pointer'
            ? `bound it on both sides, as in '\\forall ${declare(type.type, binder.name)}; a <= ${binder.name} < a + n ==> …'`
            : undefined,
        );
      const own = intervalOfTypeName(binder.type, name => this.cTypeOf(name));
      const isSmall = own.low !== undefined && own.high !== undefined && own.high - own.low < 1n << 17n;
      const ofType = (bound: bigint | undefined, side: string): { node: Node; included: boolean } => {
        if (bound !== undefined && (isSmall || bound === 0n))
          return { node: { kind: 'integer', value: bound, span: node.span }, included: true };
        throw new AcslError(
          `the quantifier over '${binder.name}' cannot be executed: nothing bounds '${binder.name}' from ${side}`,
          binder.place,
          `write the range first, as in '\\forall integer i; 0 <= i < n ==> …'`,
        );
      };
      const lower = low ?? ofType(own.low, 'below');
      const upper = high ?? ofType(own.high, 'above');
      const range = {
        low: lower.node,
        lowIncluded: lower.included,
        high: upper.node,
        highIncluded: upper.included,
        ...(own.low !== undefined && { ofType: own }),
      };
      return { binder, range };
    });
  }

  /** A bound from the conditions; variables on which it depends are bound before. */
  #findBound(
    binder: Binder,
    side: 'low' | 'high',
    guards: Node[],
    unresolved: ReadonlySet<string>,
  ): { node: Node; included: boolean } | undefined {
    const usable = (node: Node): boolean => [...freeNames(node)].every(name => !unresolved.has(name));
    for (const [at, guard] of guards.entries()) {
      const bound = boundIn(guard, binder.name, side);
      if (bound === undefined) continue;
      if (usable(bound.node)) {
        guards.splice(at, 1, ...bound.rest);
        return bound;
      }
      // i < j where j comes later: the bound of j is one of i too, and the condition stays.
      const further =
        bound.node.kind === 'name' ? boundBeyond(bound.node.name, side, guards, usable) : undefined;
      if (further !== undefined) return further;
    }
    return undefined;
  }
}
