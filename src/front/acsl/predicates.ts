/**
 * Predicates to C: connectives, quantifiers over finite ranges, memory predicates, sums, calls of logic functions.
 *
 * A quantifier is a loop. Its range is found in the condition before `==>` (before `&&` for `\exists`): each variable needs a bound below
 * and above, which may depend on variables to its left. What cannot be run is an error that names the variable.
 */
import { AcslError } from './acsl-error.js';
import { type CType, declare, showType } from './c-types.js';
import type { Bound } from './captures.js';
import {
  cTypeOf,
  exactly,
  fits,
  greatest,
  type Interval,
  join,
  least,
  meet,
  ofBits,
  type Representation,
  representationOf,
  resultOf,
  unbounded,
} from './integers.js';
import {
  booleanTerm,
  childNodes,
  cTerm,
  freeNames,
  inRepresentation,
  integerTerm,
  literal,
  realTerm,
  representation,
  showLogicType,
  type Term,
  variableType,
} from './logic-types.js';
import { suggestion } from './parse-term.js';
import { boundBeyond, boundIn, conjuncts, split } from './quantifier-bounds.js';
import { type BinderRange, type Binding, Scope } from './scope.js';
import { SetTranslator, type Stretch } from './sets.js';
import type { Binder, LogicDefinition, Node, NodeOf, RelationOperator } from './syntax.js';
import { intervalOfTypeName, logicTypeOf, narrowed } from './terms.js';

/** A loop that begins so near to zero does not live to see a `long` overflow. */
const near: Interval = { low: -(1n << 62n), high: 1n << 62n };

/** One variable of a quantifier with what was found out about it. */
interface Bounded {
  readonly binder: Binder;
  readonly range: BinderRange;
}

export class Translator extends SetTranslator {
  /** A condition: an expression of C that is 0 or 1. */
  predicate(node: Node, scope: Scope): string {
    switch (node.kind) {
      case 'binary':
        return this.#connective(node, scope);
      case 'relation':
        return this.#relation(node, scope);
      case 'unary':
        if (node.op === '!') return `(!${this.predicate(node.operand, scope)})`;
        break;
      case 'conditional':
        return `(${this.predicate(node.test, scope)} ? ${this.predicate(node.whenTrue, scope)} : ${this.predicate(node.whenFalse, scope)})`;
      case 'quantifier':
        return this.#quantifier(node, scope);
      case 'let': {
        const name = this.program.unique(node.name);
        const value = this.term(node.value, scope);
        const inner = scope.with(node.name, { kind: 'term', term: { ...value, code: name } });
        return `({ ${variableType(value)} ${name} = ${value.code}; ${this.predicate(node.body, inner)}; })`;
      }
      case 'at': {
        const label = this.labels.get(node.label) ?? node.label;
        if (label === 'Here') return this.predicate(node.operand, scope);
        break;
      }
      case 'call': {
        const builtin = this.#memoryPredicate(node, scope);
        if (builtin !== undefined) return builtin;
        break;
      }
    }
    return this.truth(this.term(node, scope), node);
  }

  #connective(node: NodeOf<'binary'>, scope: Scope): string {
    const condition = (child: Node): string => this.predicate(child, scope);
    switch (node.op) {
      case '&&':
      case '||':
        return `(${condition(node.left)} ${node.op} ${condition(node.right)})`;
      case '^^':
        return `(!${condition(node.left)} != !${condition(node.right)})`;
      case '==>':
        return `(!${condition(node.left)} || ${condition(node.right)})`;
      case '<==>':
        return `(!${condition(node.left)} == !${condition(node.right)})`;
      case '\\in':
        return this.member(this.term(node.left, scope), node.left, node.right, scope);
      default:
        return this.truth(this.term(node, scope), node);
    }
  }

  #relation(node: NodeOf<'relation'>, scope: Scope): string {
    const parts: string[] = [];
    let left = node.first;
    for (const [op, right] of node.rest) {
      parts.push(this.#comparison(op, left, right, scope));
      left = right;
    }
    return parts.length === 1 ? parts[0]! : `(${parts.join(' && ')})`;
  }

  #comparison(op: RelationOperator, left: Node, right: Node, scope: Scope): string {
    return this.compare(op, this.term(left, scope), left, this.term(right, scope), right);
  }

  // ------------------------------------------------------------------------------------- quantifiers

  #quantifier(node: NodeOf<'quantifier'>, scope: Scope): string {
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

  /** Nested loops; `goOn` is a condition that stops all of them. */
  protected forEach(
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
      const { open: loop, term } = this.#integerLoop(name, range, inner, goOn);
      open.push(loop);
      inner = inner.with(variable, { kind: 'binder', term, range });
    }
    const rest = guards.map(guard => this.predicate(guard, inner));
    const filter = rest.length === 0 ? '' : `if (${rest.join(' && ')}) `;
    return `${open.join(' ')} ${filter}{ ${body(inner)} } ${'}'.repeat(open.length)}`;
  }

  /** `for` over the elements from one pointer to another; each keeps the number of the first one's block. */
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

  /** The same loops for others: `goOn` is asked before each turn. */
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
   * The head of a loop over a range of integers, and its variable as a term. A loop that begins near zero counts in a `long`: it never gets
   * as far as an end that does not fit. Others count in what holds both ends, and stop at the last value rather than behind it.
   */
  #integerLoop(name: string, range: BinderRange, scope: Scope, goOn: string): { open: string; term: Term } {
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

  /** One end of a range, moved to the values that the type of the variable has. */
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

  /** Finds a range for each variable. Conditions that say nothing more than the range are taken out of `guards`. */
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

  /** A bound from the conditions; what it depends on is bound before. */
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

  // ------------------------------------------------------------------------------- memory predicates

  #memoryPredicate(node: NodeOf<'call'>, scope: Scope): string | undefined {
    const label = node.labels[0];
    if (
      label !== undefined &&
      node.name.startsWith('\\') &&
      (this.labels.get(label) ?? label) !== 'Here' &&
      node.name !== '\\fresh'
    ) {
      const { labels: _, ...rest } = node;
      const plain: Node = { ...rest, labels: [] };
      return this.truth(this.at({ kind: 'at', operand: plain, label, span: node.span }, scope), node);
    }
    switch (node.name) {
      case '\\valid':
      case '\\valid_read':
      case '\\initialized':
      case '\\dangling':
        return this.#forAllStretches(
          node,
          scope,
          `__rz_acsl_${node.name.slice(1)}`,
          node.name === '\\dangling',
        );
      case '\\separated':
        return this.#separated(node, scope);
      case '\\freeable':
      case '\\allocable':
        return `__rz_acsl_${node.name.slice(1)}(${this.pointer(this.#only(node), scope).code})`;
      case '\\valid_function':
        return this.#validFunction(node, scope);
      case '\\fresh':
        return this.#fresh(node, scope);
      case '\\subset':
        return this.#subset(node, scope);
      case '\\is_finite':
        return `__builtin_isfinite(${this.asReal(this.term(this.#only(node), scope), node)})`;
      case '\\is_NaN':
        return `__builtin_isnan(${this.asReal(this.term(this.#only(node), scope), node)})`;
      case '\\is_infinite':
        return `__builtin_isinf(${this.asReal(this.term(this.#only(node), scope), node)})`;
      default: {
        const definition = this.program.logic.get(node.name);
        return definition !== undefined && definition.result === undefined
          ? this.#applyPredicate(definition, node, scope)
          : undefined;
      }
    }
  }

  #only(node: NodeOf<'call'>): Node {
    const [argument, ...more] = node.args;
    if (argument === undefined || more.length > 0) throw this.error(node, `${node.name} takes one argument`);
    return argument;
  }

  #forAllStretches(node: NodeOf<'call'>, scope: Scope, test: string, isAny: boolean): string {
    const result = this.program.unique('ok');
    if (node.args.length === 0) throw this.error(node, `${node.name} takes a pointer`);
    const visit = ({ pointer, type, count }: Stretch): string => {
      if (type.kind === 'function')
        throw this.error(node, `${node.name} is about data; use \\valid_function`);
      // Of a type that is defined elsewhere, as FILE is in the C library, at least the first byte is there.
      const isIncomplete = type.kind === 'record' && !this.program.tree.isRecord(type.spelling);
      const bytes = isIncomplete ? '1l' : `(long)sizeof(*${pointer})`;
      const call = `${test}(${pointer}, ${count} * ${bytes})`;
      return isAny ? `${result} = ${result} || ${call};` : `${result} = ${result} && ${call};`;
    };
    const body = node.args.map(argument => this.pointers(argument, scope, visit, true)).join(' ');
    const single = /^(\w+) = \1 (?:&&|\|\|) ([^;]*);$/.exec(body)?.[2];
    return single ?? `({ int ${result} = ${isAny ? '0' : '1'}; ${body} ${result}; })`;
  }

  /** All pairs of different arguments. */
  #separated(node: NodeOf<'call'>, scope: Scope): string {
    if (node.args.length < 2) throw this.error(node, '\\separated takes at least two sets of places');
    const result = this.program.unique('ok');
    const bytes = ({ pointer, count }: Stretch): string => `${pointer}, ${count} * (long)sizeof(*${pointer})`;
    const pairs = node.args.flatMap((first, i) =>
      node.args.slice(i + 1).map(second => [first, second] as const),
    );
    const body = pairs.map(([first, second]) =>
      this.pointers(first, scope, one =>
        this.pointers(
          second,
          scope,
          two => `${result} = ${result} && __rz_acsl_separated(${bytes(one)}, ${bytes(two)});`,
        ),
      ),
    );
    return `({ int ${result} = 1; ${body.join(' ')} ${result}; })`;
  }

  #validFunction(node: NodeOf<'call'>, scope: Scope): string {
    const pointer = this.pointer(this.#only(node), scope);
    const type = this.target(pointer, node);
    if (type.kind !== 'function')
      throw this.error(node, `expected a pointer to a function, not to '${showType(type)}'`);
    const value = this.program.unique('function');
    const ofType = this.program.unique('type');
    // The types of functions that are defined elsewhere, and called here, are for clang to say; those of others are compared later.
    const { tree } = this.program;
    const others = tree
      .functionsAsValues()
      .filter(name => tree.functions.every(one => one.name !== name || one.body === undefined))
      .map(
        name =>
          ` && (__builtin_types_compatible_p(__typeof__(&${name}), __typeof__(${value})) || ${value} != (void *)&${name})`,
      );
    return `({ __typeof__(${pointer.code}) ${value} = ${pointer.code}; static __typeof__(${value}) ${ofType}; __rz_acsl_valid_function((void *)${value}, &${ofType})${others.join('')}; })`;
  }

  #fresh(node: NodeOf<'call'>, scope: Scope): string {
    const [pointer, bytes] = node.args;
    if (pointer === undefined || bytes === undefined)
      throw this.error(node, '\\fresh takes a pointer and a number of bytes');
    if (this.labels.get('Old') === 'Here')
      throw this.error(node, '\\fresh has a meaning only in a postcondition');
    const since = this.captures.captureNow(node.span.first);
    const size = inRepresentation(this.integer(bytes, scope), 'i128');
    return `__rz_acsl_fresh(${this.pointer(pointer, scope).code}, ${size}, ${since})`;
  }

  /** Of sets of values that can be listed: each element of the first is in the second. */
  #subset(node: NodeOf<'call'>, scope: Scope): string {
    const [small, large] = node.args;
    if (small === undefined || large === undefined || node.args.length > 2)
      throw this.error(node, '\\subset takes two sets');
    if (small.kind === 'range' && small.low !== undefined && small.high !== undefined) {
      const name = `__subset`;
      const place = node.span.first;
      const binder: Binder = { name, place, type: { specifiers: 'integer', derivations: [], place } };
      const variable: Node = { kind: 'name', name, span: small.span };
      const inside: Node = {
        kind: 'relation',
        first: small.low,
        rest: [
          ['<=', variable],
          ['<=', small.high],
        ],
        span: small.span,
      };
      const result = this.program.unique('ok');
      const body = this.forEach([binder], inside, scope, node, inner => {
        const value = this.term(variable, inner);
        return `if (!${this.member(value, variable, large, inner)}) ${result} = 0;`;
      });
      return `({ int ${result} = 1; ${body} ${result}; })`;
    }
    const elements = small.kind === 'set' ? small.elements : [small];
    const parts = elements.map(element => this.member(this.term(element, scope), element, large, scope));
    return parts.length === 0 ? '1' : `(${parts.join(' && ')})`;
  }

  // ------------------------------------------------------------------------------------------ calls

  protected callTerm(node: NodeOf<'call'>, scope: Scope): Term {
    switch (node.name) {
      case '\\base_addr':
        return cTerm(`__rz_acsl_base_addr(${this.pointer(this.#only(node), scope).code})`, charPointer);
      case '\\block_length':
      case '\\offset':
        return integerTerm(
          `__rz_acsl_${node.name.slice(1)}(${this.pointer(this.#only(node), scope).code})`,
          ofBits(40, true),
        );
      case '\\abs':
        return this.absolute(this.term(this.#only(node), scope), node);
      case '\\sqrt':
      case '\\floor':
      case '\\ceil':
        return realTerm(
          `__builtin_${node.name.slice(1)}(${this.asReal(this.term(this.#only(node), scope), node)})`,
        );
      case '\\truncate':
        return this.truncated(realTerm(this.asReal(this.term(this.#only(node), scope), node)));
      case '\\min':
      case '\\max':
        return node.args.length === 2 ? this.#extreme(node, scope) : this.#fold(node, scope);
      case '\\sum':
      case '\\product':
      case '\\numof':
        return this.#fold(node, scope);
    }
    const predicate = this.#memoryPredicate(node, scope);
    if (predicate !== undefined) return booleanTerm(predicate);
    const definition = this.program.logic.get(node.name);
    if (definition !== undefined) return this.#applyFunction(definition, node, scope);
    if (node.name.startsWith('\\')) throw this.error(node, `${node.name} is not a function`);
    const isC = this.program.tree.functions.some(target => target.name === node.name);
    if (isC)
      throw this.error(
        node,
        `'${node.name}' is a function of C, which annotations cannot call; define it with 'logic' or 'predicate'`,
      );
    throw this.error(
      node,
      `'${node.name}' is not a logic function or predicate`,
      suggestion(node.name, [...this.program.logic.keys()]),
    );
  }

  #extreme(node: NodeOf<'call'>, scope: Scope): Term {
    const [left, right] = node.args as [Node, Node];
    const [a, b] = this.unified(left, right, scope);
    const [x, y] = [this.program.unique('a'), this.program.unique('b')];
    const op = node.name === '\\min' ? '<' : '>';
    const test = this.compare(op, { ...a, code: x }, left, { ...b, code: y }, right);
    const type = variableType(a);
    return { ...a, code: `({ ${type} ${x} = ${a.code}, ${y} = ${b.code}; ${test} ? ${x} : ${y}; })` };
  }

  /** `\sum(low, high, \lambda integer k; t)` and its relatives. */
  #fold(node: NodeOf<'call'>, scope: Scope): Term {
    const [low, high, step] = node.args;
    if (low === undefined || high === undefined || step?.kind !== 'lambda' || step.binders.length !== 1)
      throw this.error(
        node,
        `${node.name} takes two bounds and a function, as in '${node.name}(0, n-1, \\lambda integer k; t[k])'`,
      );
    const [first, last] = [this.integer(low, scope), this.integer(high, scope)];
    const binder = step.binders[0]!;
    const own = intervalOfTypeName(binder.type, name => this.cTypeOf(name));
    const ofType = own.low === undefined ? {} : { ofType: own };
    const range = { low, lowIncluded: true, high, highIncluded: true, ...ofType };
    const { open, term } = this.#integerLoop(this.program.unique(binder.name), range, scope, '1');
    const inner = scope.with(binder.name, { kind: 'binder', term, range });
    const loop = (body: string): string => `${open} ${body} }`;
    const total = this.program.unique('total');
    if (node.name === '\\numof') {
      const count = `({ long ${total} = 0; ${loop(`if (${this.predicate(step.body, inner)}) ${total}++;`)} ${total}; })`;
      return integerTerm(count, { low: 0n, high: 1n << 62n });
    }
    const value = this.term(step.body, inner);
    if (value.type.kind === 'real') return this.#foldReals(node, value, total, loop);
    const element = this.asInteger(value, step.body);
    if (node.name === '\\min' || node.name === '\\max') return this.#foldExtreme(node, element, loop, total);
    const isSum = node.name === '\\sum';
    const steps = resultOf('+', resultOf('-', last.interval, first.interval), exactly(1n));
    const count = { low: 0n, high: steps.high === undefined ? undefined : steps.high < 0n ? 0n : steps.high };
    const all = isSum ? join(exactly(0n), resultOf('*', count, element.interval)) : unbounded;
    const common = representationOf(all, element.interval);
    const added = inRepresentation(element, common);
    const type = { i64: 'long', i128: '__int128', big: '__rz_big' }[common];
    const one = isSum ? (common === 'big' ? '1' : '0') : '3';
    const next =
      common === 'big' ? `__rz_big_${isSum ? 'add' : 'multiply'}(${total}, ${added})` : `${total} + ${added}`;
    const code = `({ ${type} ${total} = ${one}; ${loop(`${total} = ${next};`)} ${total}; })`;
    return integerTerm(narrowed(code, common, representationOf(all)), all);
  }

  #foldReals(node: NodeOf<'call'>, value: Term, total: string, loop: (body: string) => string): Term {
    if (node.name === '\\min' || node.name === '\\max')
      throw this.error(node, `${node.name} over a range of reals is not supported`);
    const isSum = node.name === '\\sum';
    const body = loop(`${total} ${isSum ? '+' : '*'}= ${value.code};`);
    return realTerm(`({ double ${total} = ${isSum ? '0' : '1'}; ${body} ${total}; })`);
  }

  /** The extreme of nothing is undefined. */
  #foldExtreme(node: NodeOf<'call'>, element: Term, loop: (body: string) => string, total: string): Term {
    const [seen, value] = [this.program.unique('seen'), this.program.unique('value')];
    const type = variableType(element);
    const op = node.name === '\\min' ? '<' : '>';
    const test = this.compare(op, { ...element, code: value }, node, { ...element, code: total }, node);
    const body = loop(
      `${type} ${value} = ${element.code}; if (!${seen} || ${test}) ${total} = ${value}, ${seen} = 1;`,
    );
    const check = `if (!${seen}) __rz_acsl_undefined(${this.program.note(node.span)}, RZ_UNDEFINED_CAPTURE);`;
    const zero = representation(element) === 'big' ? '1' : '0';
    return {
      ...element,
      code: `({ ${type} ${total} = ${zero}; int ${seen} = 0; ${body} ${check} ${total}; })`,
    };
  }

  // --------------------------------------------------------------------------------- logic functions

  /** The arguments under the names of the parameters: declarations in C, and the scope that knows them. */
  #parameters(
    definition: LogicDefinition,
    node: NodeOf<'call'>,
    scope: Scope,
  ): { declarations: string; inner: Scope } {
    const { parameters } = definition;
    if (parameters.length !== node.args.length)
      throw this.error(
        node,
        `'${definition.name}' takes ${parameters.length} arguments, not ${node.args.length}`,
      );
    const bindings = new Map<string, Binding>();
    const declarations = parameters.map((parameter, i) => {
      const argument = this.argument(parameter, node.args[i]!, scope);
      const name = this.program.unique(parameter.name);
      bindings.set(parameter.name, { kind: 'term', term: { ...argument, code: name } });
      return `${variableType(argument)} ${name} = ${argument.code};`;
    });
    return { declarations: declarations.join(' '), inner: new Scope(bindings) };
  }

  /** The argument as the parameter wants it. */
  argument(parameter: Binder, node: Node, scope: Scope): Term {
    const wanted = logicTypeOf(parameter.type, name => this.cTypeOf(name));
    const given = this.term(node, scope);
    if (wanted.kind === 'integer') {
      const integer = this.asInteger(given, node);
      const interval = intervalOfTypeName(parameter.type, name => this.cTypeOf(name));
      const isNarrow = interval.low !== undefined && !fits(integer.interval, interval);
      return isNarrow
        ? this.term({ kind: 'cast', type: parameter.type, operand: node, span: node.span }, scope)
        : integer;
    }
    if (wanted.kind === 'real') return realTerm(this.asReal(given, node));
    if (wanted.kind === 'boolean') return booleanTerm(this.truth(given, node));
    if (wanted.type.kind !== 'pointer') return given;
    const pointer = node.kind === 'integer' ? undefined : this.pointer(node, scope);
    return cTerm(`((${declare(wanted.type, '')})${pointer?.code ?? '0'})`, wanted.type);
  }

  #applyPredicate(definition: LogicDefinition, node: NodeOf<'call'>, scope: Scope): string {
    return this.#expand(definition, node, scope, (translator, body, inner) => ({
      ...booleanTerm(translator.predicate(body, inner)),
    })).code;
  }

  #applyFunction(definition: LogicDefinition, node: NodeOf<'call'>, scope: Scope): Term {
    return this.#expand(definition, node, scope, (translator, body, inner) =>
      translator.asDeclared(definition, translator.term(body, inner), body),
    );
  }

  /** The result as the definition says it is. */
  asDeclared(definition: LogicDefinition, term: Term, node: Node): Term {
    if (definition.result === undefined) return booleanTerm(this.truth(term, node));
    const wanted = logicTypeOf(definition.result, name => this.cTypeOf(name));
    if (wanted.kind === 'integer') return this.asInteger(term, node);
    if (wanted.kind === 'real') return realTerm(this.asReal(term, node));
    if (wanted.kind === 'boolean') return booleanTerm(this.truth(term, node));
    if (term.type.kind === 'c') return term;
    throw this.error(
      node,
      `'${definition.name}' should be of type ${showLogicType(wanted)}, not ${showLogicType(term.type)}`,
    );
  }

  #expand(
    definition: LogicDefinition,
    node: NodeOf<'call'>,
    scope: Scope,
    translate: (translator: Translator, body: Node, inner: Scope) => Term,
  ): Term {
    const { body } = definition;
    if (body === undefined)
      throw this.error(node, `'${definition.name}' has no definition that can be executed`);
    const labels = this.#labelsOf(definition, node);
    const states = new Set([...labels.values()].filter(label => label !== 'Here'));
    if (definition.labels.length <= 1 && states.size === 1) {
      const { labels: _, ...rest } = node;
      return this.at(
        { kind: 'at', operand: { ...rest, labels: [] }, label: [...states][0]!, span: node.span },
        scope,
      );
    }
    const recursive = this.program.recursive(definition);
    if (recursive !== undefined) return this.#callRecursive(recursive, definition, node, scope);
    const translator = new Translator(this.program, this.captures, labels);
    if (states.size > 0) return translate(translator, body, this.#substituted(definition, node, scope));
    const { declarations, inner } = this.#parameters(definition, node, scope);
    const term = translate(translator, body, inner);
    return declarations === '' ? term : { ...term, code: `({ ${declarations} ${term.code}; })` };
  }

  #labelsOf(definition: LogicDefinition, node: NodeOf<'call'>): Map<string, string> {
    const given = node.labels.map(label => this.labels.get(label) ?? label);
    if (given.length > definition.labels.length && given.length > 1)
      throw this.error(
        node,
        `'${definition.name}' takes ${definition.labels.length} labels, not ${given.length}`,
      );
    if (definition.labels.length > 1 && given.length !== definition.labels.length)
      throw this.error(
        node,
        `'${definition.name}' needs its ${definition.labels.length} labels, as in '${definition.name}{Pre, Here}(…)'`,
      );
    const labels = new Map(definition.labels.map((label, i) => [label, given[i] ?? 'Here']));
    if (definition.labels.length === 0 && given[0] !== undefined) labels.set('', given[0]);
    return labels;
  }

  /** For a predicate about several states its arguments stand for the parameters as they are: they must mean the same in all of them. */
  #substituted(definition: LogicDefinition, node: NodeOf<'call'>, scope: Scope): Scope {
    const bindings = new Map<string, Binding>();
    for (const [i, parameter] of definition.parameters.entries()) {
      const argument = node.args[i];
      if (argument === undefined || node.args.length !== definition.parameters.length)
        throw this.error(
          node,
          `'${definition.name}' takes ${definition.parameters.length} arguments, not ${node.args.length}`,
        );
      if (readsMemory(argument))
        throw this.error(
          argument,
          `the argument of '${definition.name}', which is about several states, must not read memory`,
        );
      bindings.set(parameter.name, { kind: 'tree', node: argument, scope });
    }
    return new Scope(bindings);
  }

  #callRecursive(
    target: NonNullable<ReturnType<Translator['program']['recursive']>>,
    definition: LogicDefinition,
    node: NodeOf<'call'>,
    scope: Scope,
  ): Term {
    if (definition.parameters.length !== node.args.length)
      throw this.error(
        node,
        `'${definition.name}' takes ${definition.parameters.length} arguments, not ${node.args.length}`,
      );
    const args = definition.parameters.map((parameter, i) => {
      const given = this.argument(parameter, node.args[i]!, scope);
      const wanted = target.parameters[i]!;
      return given.type.kind === 'integer' ? inRepresentation(given, representation(wanted)) : given.code;
    });
    return { ...target.result, code: `${target.code}(${args.join(', ')})` };
  }
}

const charPointer = {
  kind: 'pointer',
  to: { kind: 'integer', bits: 8, signed: true, spelling: 'char' },
} as const;

export function readsMemory(node: Node): boolean {
  if (node.kind === 'index' || (node.kind === 'member' && node.arrow)) return true;
  if (node.kind === 'unary' && node.op === '*') return true;
  if (node.kind === 'unary' && node.op === '&') return false;
  return childNodes(node).some(readsMemory);
}
