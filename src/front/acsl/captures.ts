/**
 * Values of earlier states: `\old(x)`, `\at(x, L)`.
 *
 * ```
 *   int f(int *p) {  long at1; int lost1;              declared at the top of the function
 *     …              lost1 = …, at1 = *p;              computed at the label, without a word if it is undefined
 *     //@ assert *p == \at(*p, Pre) + 1;               used where the annotation stands; if it was undefined, reported here
 * ```
 *
 * Under a quantifier, `\forall integer i; 0 <= i < n ==> a[i] == \old(a[i])`, all values over the range are kept, in a table by the values of
 * the variables (runtime/monitor/acsl-big.c).
 */
import { AcslError } from './acsl-error.js';
import { declare } from './c-types.js';
import { cTypeOf } from './integers.js';
import {
  booleanTerm,
  cTerm,
  freeNames,
  integerTerm,
  mapChildren,
  realTerm,
  representation,
  type Term,
  wrapped,
} from './logic-types.js';
import type { SourceToken } from './mark.js';
import { Translator } from './predicates.js';
import type { Binding, Captures, Program, Scope } from './scope.js';
import type { Node, Span } from './syntax.js';

/** A label: what names mean there, and what is to be computed there. */
export class LabelPoint {
  readonly statements: string[] = [];
  readonly known: Map<string, (scope: Scope, span: Span) => Term> = new Map();
  now: string | undefined;

  constructor(
    readonly scope: Scope,
    /** Is the point passed before everything that may refer to it? */
    readonly isFirst: boolean,
  ) {}
}

/** The labels that an annotation can name, and the function that keeps the values. */
export class FunctionCaptures implements Captures {
  constructor(
    private readonly program: Program,
    /** Declarations at the top of the function. */
    private readonly declarations: string[],
    private readonly point: (label: string) => LabelPoint | undefined,
    private readonly onTable: () => void,
  ) {}

  capture(node: Node, label: string, scope: Scope, place: SourceToken): Term {
    const point = this.point(label);
    if (point === undefined) throw new AcslError(`the label '${label}' is not known here`, place);
    const tree = withArguments(node, scope);
    const binders = this.#bindersIn(tree, scope);
    const key = JSON.stringify([tree, binders.map(({ name }) => name)], (name, value) =>
      name === 'span' || name === 'place' || name === 'labelPlace'
        ? undefined
        : typeof value === 'bigint'
          ? `${value}`
          : value,
    );
    let use = point.known.get(key);
    if (use === undefined) {
      use = binders.length === 0 ? this.#single(tree, point) : this.#table(tree, binders, point);
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
    this.declarations.push(`${declaration(term, name, node)};${mayBeLost ? ` int ${lost} = 1;` : ''}`);
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

  #table(node: Node, binders: readonly Bound[], point: LabelPoint): (scope: Scope, span: Span) => Term {
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

  /** The variables of quantifiers that the tree uses, and those that their ranges use, outermost first. */
  #bindersIn(node: Node, scope: Scope): Bound[] {
    const found = new Map<string, Bound>();
    const visit = (tree: Node): void => {
      for (const name of freeNames(tree)) {
        const binding = scope.find(name);
        if (binding?.kind === 'term' && !found.has(name))
          throw new AcslError(
            `'${name}' belongs to the current state, and cannot be used inside of \\at or \\old`,
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

export interface Bound {
  readonly name: string;
  readonly binding: Binding & { kind: 'binder' };
}

/** The tree with the parameters of an expanded predicate replaced by their arguments. */
function withArguments(node: Node, scope: Scope): Node {
  if (node.kind === 'name') {
    const binding = scope.find(node.name);
    return binding?.kind === 'tree' ? withArguments(binding.node, binding.scope) : node;
  }
  return mapChildren(node, child => withArguments(child, scope));
}

function keysOf(binders: readonly Bound[], scope: Scope): string {
  const keys = binders.map(({ name }) => {
    const binding = scope.find(name);
    return binding?.kind === 'binder' ? binding.term.code : '0';
  });
  return [...keys, '0', '0'].slice(0, 3).join(', ');
}

function declaration(term: Term, name: string, node: Node): string {
  switch (term.type.kind) {
    case 'integer':
      return `${cTypeOf[representation(term)]} ${name}`;
    case 'real':
      return `double ${name}`;
    case 'boolean':
      return `int ${name}`;
    case 'c':
      if (term.type.type.kind === 'record' && /\(/.test(term.type.type.spelling))
        throw new AcslError(
          'a struct without a name cannot be kept for later; use its members',
          node.span.first,
        );
      return declare(term.type.type, name);
  }
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
