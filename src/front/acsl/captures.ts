/**
 * Values of earlier states: `\old(x)`, `\at(x, L)`.
 *
 * ```
 *   int f(int *p) {  long at1; int lost1;              declared at the top of the function
 *     …              lost1 = …, at1 = *p;              computed at the label, silently if it is undefined
 *     //@ assert *p == \at(*p, Pre) + 1;               used where the annotation stands; if it was undefined, reported here
 * ```
 *
 * Under a quantifier, `\forall integer i; 0 <= i < n ==> a[i] == \old(a[i])`, all values over
 * the range are kept, in a table by the values of the variables (runtime/monitor/acsl-big.c).
 * That needs a range that is known at the label. If it depends on something that changes, as in
 * the invariant `\forall integer k; 0 <= k < i ==> a[k] == \at(a[k], Pre)`, the whole block to
 * which `a` points is kept instead, and read later.
 */
import { AcslError } from './acsl-error.js';
import { declare } from './c-types.js';
import { cTypeOf } from './integers.js';
import {
  booleanTerm,
  childNodes,
  cTerm,
  declared,
  freeNames,
  integerTerm,
  mapChildren,
  realTerm,
  representation,
  type Term,
  wrapped,
} from './logic-types.js';
import type { SourceToken } from './mark.js';
import { readsMemory, Translator } from './predicates.js';
import type { Node, Span } from './syntax.js';
import { type AnnotatedProgram, type BinderRange, type Binding, type Captures, Scope } from './term-scope.js';

/** A label: the meaning of names there, and the values to compute there. */
export class LabelPoint {
  readonly statements: string[] = [];
  readonly known: Map<string, (scope: Scope, span: Span) => Term> = new Map();
  /** The variables with copies of blocks, by the pointers that led to them. */
  readonly keptBlocks: Map<string, string> = new Map();
  now: string | undefined;

  constructor(
    readonly scope: Scope,
    /** Whether the point is passed before everything that may refer to it. */
    readonly isFirst: boolean,
  ) {}
}

/** The labels that an annotation can name, and the function that keeps the values. */
export class FunctionCaptures implements Captures {
  constructor(
    private readonly program: AnnotatedProgram,
    /** Declarations at the top of the function. */
    private readonly declarations: string[],
    private readonly point: (label: string) => LabelPoint | undefined,
    private readonly onTable: () => void,
    /** Whether a variable of the function never changes. */
    private readonly isConstant: (name: string) => boolean,
  ) {}

  capture(node: Node, label: string, scope: Scope, place: SourceToken): Term {
    const point = this.point(label);
    if (point === undefined) throw new AcslError(`the label '${label}' is not known here`, place);
    const tree = withArguments(node, scope);
    const binders = this.#bindersIn(tree, scope);
    if (binders.some(({ binding }) => !this.#isKnownAt(point, binding.range, scope))) {
      const kept = this.#fromKeptBlocks(tree, binders, label, scope, place);
      if (kept !== undefined) return kept;
    }
    const key = keyOf(tree, binders);
    let use = point.known.get(key);
    if (use === undefined) {
      use = binders.length === 0 ? this.#single(tree, point) : this.#table(tree, binders, point, scope);
      point.known.set(key, use);
    }
    return use(scope, node.span);
  }

  captureNow(place: SourceToken): string {
    const point = this.point('Old') ?? this.point('Pre');
    if (point === undefined) throw new AcslError('\\fresh has a meaning only in a postcondition', place);
    if (point.now === undefined) {
      point.now = this.program.unique('now');
      this.declarations.push(`unsigned ${point.now};`);
      point.statements.push(`${point.now} = __rz_acsl_now();`);
    }
    return point.now;
  }

  #translator(): Translator {
    return new Translator(this.program, this);
  }

  #single(node: Node, point: LabelPoint): (scope: Scope, span: Span) => Term {
    const term = this.#translator().term(node, point.scope);
    const [name, lost] = [this.program.unique('at'), this.program.unique('lost')];
    const mayBeLost = !point.isFirst || term.code.includes('__rz_notes');
    this.declarations.push(
      `${declaration(term, name, node)}${mayBeLost ? ` = { 0 }; int ${lost} = 1` : ''};`,
    );
    point.statements.push(
      mayBeLost
        ? `__rz_acsl_quiet_begin(); ${name} = ${term.code}; ${lost} = __rz_acsl_quiet_end();`
        : `${name} = ${term.code};`,
    );
    return (_scope, span) => {
      const complaint = `${lost} ? __rz_acsl_undefined(${this.program.note(span)}, RZ_UNDEFINED_CAPTURE) : (void)0`;
      return { ...term, code: mayBeLost ? `(${complaint}, ${name})` : name };
    };
  }

  #table(
    node: Node,
    given: readonly Bound[],
    point: LabelPoint,
    within: Scope,
  ): (scope: Scope, span: Span) => Term {
    const binders = given.map(({ name, binding }) => {
      const { low, high, ...range } = binding.range;
      const bounds = { low: withArguments(low, within), high: withArguments(high, within) };
      return { name, binding: { ...binding, range: { ...range, ...bounds } } };
    });
    if (binders.length > 3)
      throw new AcslError('a captured value may depend on at most three variables', node.span.first);
    this.onTable();
    const name = this.program.unique('table');
    const translator = this.#translator();
    let captured: Term | undefined;
    const loops = translator.loops(binders, point.scope, inner => {
      captured = translator.term(node, inner);
      const keys = keysOf(binders, inner);
      const [value, lost] = [this.program.unique('value'), this.program.unique('lost')];
      return (
        `__rz_acsl_quiet_begin(); __int128 ${value} = ${bitsOf(captured, node)}; int ${lost} = __rz_acsl_quiet_end(); ` +
        `__rz_capture_add(&${name}, ${keys}, ${value}, ${lost});`
      );
    });
    this.declarations.push(`struct __rz_capture ${name}; __rz_capture_start(&${name});`);
    point.statements.push(`__rz_capture_start(&${name}); ${loops}`);
    const term = captured!;
    return (scope, span) => {
      const found = `__rz_capture_find(&${name}, ${keysOf(binders, scope)}, ${this.program.note(span)})`;
      return fromBits(term, found);
    };
  }

  /** Whether a range has the same values at the label and at its use. */
  #isKnownAt(point: LabelPoint, range: BinderRange, scope: Scope): boolean {
    const isKnown = (tree: Node, within: Scope): boolean => {
      if (tree.kind !== 'name')
        return !readsMemory(tree) && childNodes(tree).every(child => isKnown(child, within));
      const binding = within.find(tree.name);
      if (binding === undefined) return this.program.tree.enumConstants.has(tree.name);
      if (binding.kind === 'tree') return isKnown(binding.node, binding.scope);
      if (binding.kind !== 'variable') return true;
      return this.isConstant(tree.name) && point.scope.find(tree.name)?.kind === 'variable';
    };
    return isKnown(range.low, scope) && isKnown(range.high, scope);
  }

  /**
   * The tree in the current state, with every part that does not depend on the variables taken from
   * the label, and with reads from copies of the blocks to which pointers pointed there. Undefined
   * if it is too complex.
   */
  #fromKeptBlocks(
    node: Node,
    binders: readonly Bound[],
    label: string,
    scope: Scope,
    place: SourceToken,
  ): Term | undefined {
    const bound = new Set(binders.map(({ name }) => name));
    let inner = scope;
    const rewrite = (tree: Node): Node => {
      const names = [...freeNames(tree)];
      if (tree.kind === 'name' && bound.has(tree.name)) return tree;
      if (names.some(name => bound.has(name))) {
        if (!isPlain(tree)) throw new AcslError('too much for copies of blocks', place);
        return mapChildren(tree, rewrite);
      }
      if (names.length === 0) return tree;
      const name = this.program.unique('kept');
      const term = this.capture(tree, label, empty, place);
      const isPointer = term.type.kind === 'c' && term.type.type.kind === 'pointer';
      const kept = isPointer ? { kept: this.#keptBlock(tree, label) } : {};
      inner = inner.with(name, { kind: 'term', term: { ...term, ...kept } });
      return { kind: 'name', name, span: tree.span };
    };
    try {
      const tree = rewrite(this.#expanded(node));
      return this.#translator().term(tree, inner);
    } catch (error) {
      if (error instanceof AcslError) return undefined;
      throw error;
    }
  }

  /** The variable with the copy of the block to which a pointer pointed at the label. */
  #keptBlock(pointer: Node, label: string): string {
    const point = this.point(label)!;
    const key = keyOf(pointer, []);
    let name = point.keptBlocks.get(key);
    if (name === undefined) {
      name = this.program.unique('block');
      point.keptBlocks.set(key, name);
      this.onTable();
      this.declarations.push(`struct __rz_kept ${name} = { 0 };`);
      const { code } = this.#translator().term(pointer, point.scope);
      point.statements.push(
        `__rz_acsl_quiet_begin(); __rz_acsl_keep(&${name}, ${code}); __rz_acsl_quiet_end();`,
      );
    }
    return name;
  }

  /** Replaces calls of simple logic functions by their bodies. */
  #expanded(node: Node): Node {
    const tree = mapChildren(node, child => this.#expanded(child));
    if (tree.kind !== 'call') return tree;
    const definition = this.program.logic.get(tree.name);
    if (definition?.body === undefined || tree.labels.length > 0 || !isPlainThroughout(definition.body))
      return tree;
    const bindings = definition.parameters.map(({ name }, i): [string, Binding] => [
      name,
      { kind: 'tree', node: tree.args[i] ?? tree, scope: empty },
    ]);
    return withArguments(definition.body, new Scope(new Map(bindings)));
  }

  /**
   * The variables of quantifiers that the tree uses, and those that their ranges use, outermost
   * first.
   */
  #bindersIn(node: Node, scope: Scope): Bound[] {
    const found = new Map<string, Bound>();
    const visit = (tree: Node): void => {
      for (const name of freeNames(tree)) {
        const binding = scope.find(name);
        if (binding?.kind === 'term' && !found.has(name))
          throw new AcslError(
            `'${name}' belongs to the current state, and cannot be used inside \\at or \\old`,
            tree.span.first,
          );
        if (binding?.kind !== 'binder' || found.has(name)) continue;
        visit(binding.range.low);
        visit(binding.range.high);
        found.set(name, { name, binding });
      }
    };
    visit(node);
    return [...found.values()];
  }
}

const empty = new Scope(new Map());

function keyOf(tree: Node, binders: readonly Bound[]): string {
  const ranges = binders.map(({ name, binding }) => [name, binding.range]);
  return JSON.stringify([tree, ranges], (name, value) =>
    name === 'span' || name === 'place' || name === 'labelPlace'
      ? undefined
      : typeof value === 'bigint'
        ? `${value}`
        : value,
  );
}

/** Whether the value depends only on the values of its parts and the memory to which they point. */
function isPlain(node: Node): boolean {
  switch (node.kind) {
    case 'quantifier':
    case 'lambda':
    case 'comprehension':
    case 'let':
    case 'at':
    case 'range':
    case 'set':
      return false;
    case 'unary':
      return node.op !== '&';
    case 'call':
      return /^\\(min|max|abs)$/.test(node.name);
    case 'name':
    case 'integer':
    case 'real':
    case 'string':
    case 'sizeof':
    case 'cast':
    case 'index':
    case 'member':
    case 'binary':
    case 'relation':
    case 'conditional':
      return true;
  }
}

function isPlainThroughout(node: Node): boolean {
  return isPlain(node) && childNodes(node).every(isPlainThroughout);
}

export interface Bound {
  readonly name: string;
  readonly binding: Binding & { kind: 'binder' };
}

/** The tree with the parameters of an expanded predicate replaced by their arguments. */
function withArguments(node: Node, scope: Scope): Node {
  if (node.kind === 'name') {
    const binding = scope.find(node.name);
    if (binding?.kind !== 'tree') return node;
    for (const name of freeNames(binding.node))
      if (scope.find(name)?.kind === 'binder' && binding.scope.find(name) !== scope.find(name))
        throw new AcslError(
          `the argument uses the name '${name}' for something else than the predicate; rename one of them`,
          binding.node.span.first,
        );
    return withArguments(binding.node, binding.scope);
  }
  return mapChildren(node, child => withArguments(child, scope));
}

function keysOf(binders: readonly Bound[], scope: Scope): string {
  const keys = binders.map(({ name }) => {
    const binding = scope.find(name);
    if (binding?.kind !== 'binder') return '0';
    if (representation(binding.term) !== 'i64')
      throw new AcslError(
        `a captured value may not depend on '${name}', which does not fit into 64 bits`,
        binding.range.low.span.first,
      );
    return binding.term.code;
  });
  return [...keys, '0', '0'].slice(0, 3).join(', ');
}

function declaration(term: Term, name: string, node: Node): string {
  const { type } = term;
  if (type.kind === 'c' && type.type.kind === 'record' && /\(/.test(type.type.spelling))
    throw new AcslError('a struct without a name cannot be kept for later; use its members', node.span.first);
  return declared(term, name);
}

/** Values of all kinds are kept as 128 bits. */
function bitsOf(term: Term, node: Node): string {
  switch (term.type.kind) {
    case 'integer':
      return representation(term) === 'big' ? `((__int128)${term.code})` : wrapped(term);
    case 'real':
      return `__rz_raw_bits_of_real(${term.code})`;
    case 'boolean':
      return term.code;
    case 'c':
      if (term.type.type.kind === 'pointer') return `((__int128)(unsigned long)${term.code})`;
      throw new AcslError(
        'a struct cannot be captured under a quantifier; capture its members',
        node.span.first,
      );
  }
}

function fromBits(term: Term, code: string): Term {
  switch (term.type.kind) {
    case 'integer':
      return integerTerm(`((${cTypeOf[representation(term)]})${code})`, term.interval);
    case 'real':
      return realTerm(`__rz_raw_real_of_bits(${code})`);
    case 'boolean':
      return booleanTerm(`((int)${code})`);
    case 'c':
      return cTerm(`((${declare(term.type.type, '')})(unsigned long)${code})`, term.type.type);
  }
}
