/**
 * Translates terms to C. Integers are mathematical (see `integers.ts`), a read through a pointer is
 * checked by the monitor first, and an undefined operation is reported instead of executed.
 */
import { closestTo } from '../../support/closest.js';
import { AcslError } from './acsl-error.js';
import { type CType, decayed, declare, sameType, showType } from './c-types.js';
import {
  type ArithmeticOperator,
  exactly,
  join,
  magnitude,
  negated,
  ofBits,
  representationOf,
  resultOf,
  unbounded,
} from './integers.js';
import {
  booleanTerm,
  cTerm,
  inRepresentation,
  integerTerm,
  intervalOf,
  type LogicType,
  literal,
  type Place,
  realTerm,
  representation,
  showLogicType,
  type Term,
  variableType,
  wrapped,
} from './logic-types.js';
import type { Node, NodeOf, TypeName } from './syntax.js';
import type { AnnotatedProgram, Binding, Captures, Scope } from './term-scope.js';

const arithmetic: ReadonlySet<string> = new Set(['+', '-', '*', '/', '%', '<<', '>>', '&', '|', '^']);
const bigFunctions: Readonly<Record<ArithmeticOperator, string>> = {
  '+': '__rz_big_add',
  '-': '__rz_big_subtract',
  '*': '__rz_big_multiply',
  '/': '__rz_big_divide',
  '%': '__rz_big_remainder',
  '<<': '__rz_big_shift_left',
  '>>': '__rz_big_shift_right',
  '&': '__rz_big_and',
  '|': '__rz_big_or',
  '^': '__rz_big_xor',
};

export abstract class TermTranslator {
  constructor(
    readonly program: AnnotatedProgram,
    readonly captures: Captures,
    /** The meaning of labels in a predicate that is being expanded. */
    readonly labels: ReadonlyMap<string, string> = new Map(),
  ) {}

  abstract predicate(node: Node, scope: Scope): string;
  /** Terms that begin with a backslash and have arguments, or that name a logic function. */
  protected abstract callTerm(node: NodeOf<'call'>, scope: Scope): Term;

  term(node: Node, scope: Scope): Term {
    switch (node.kind) {
      case 'integer':
        return literal(node.value);
      case 'real':
        return realTerm(/[.eE]/.test(node.text) ? node.text : `${node.text}.0`);
      case 'string':
        return cTerm(node.text, { kind: 'pointer', to: char });
      case 'name':
        return this.#name(node, scope);
      case 'unary':
        return this.#unary(node, scope);
      case 'binary':
        if (arithmetic.has(node.op)) return this.#arithmetic(node, node.op as ArithmeticOperator, scope);
        if (node.op === '-->' || node.op === '<-->') return this.#bitImplication(node, scope);
        return booleanTerm(this.predicate(node, scope));
      case 'relation':
      case 'quantifier':
        return booleanTerm(this.predicate(node, scope));
      case 'conditional':
        return this.#conditional(node, scope);
      case 'index':
      case 'member':
        return this.read(this.place(node, scope)!, node);
      case 'call':
        return this.callTerm(node, scope);
      case 'cast':
        return this.#cast(node, scope);
      case 'sizeof':
        return integerTerm(`((long)sizeof(${this.#sizeofOperand(node, scope)}))`, {
          low: 0n,
          high: 1n << 62n,
        });
      case 'let':
        return this.#let(node, scope);
      case 'at':
        return this.at(node, scope);
      case 'lambda':
        throw this.error(node, '\\lambda stands only in \\sum, \\product, \\numof, \\min and \\max');
      case 'range':
      case 'set':
      case 'comprehension':
        throw this.error(node, 'a set cannot be used as a value here');
    }
  }

  error(node: Node, message: string, help?: string): AcslError {
    return new AcslError(message, node.span.first, help);
  }

  // ----------------------------------------------------------------------------------------- names

  #name(node: NodeOf<'name'>, scope: Scope): Term {
    switch (node.name) {
      case '\\true':
        return booleanTerm('1');
      case '\\false':
        return booleanTerm('0');
      case '\\null':
        return cTerm('((void *)0)', { kind: 'pointer', to: { kind: 'void' } });
      case '\\pi':
        return realTerm('3.14159265358979323846');
      case '\\nothing':
      case '\\everything':
      case '\\empty':
        throw this.error(node, `${node.name} is a set, and no value`);
    }
    const binding = this.#lookUp(node, scope);
    switch (binding.kind) {
      case 'variable':
        return this.read(variablePlace(binding), node);
      case 'term':
      case 'binder':
        return binding.term;
      case 'formal':
        return this.captures.capture(node, binding.label, scope, node.span.first);
      case 'tree':
        return this.term(binding.node, binding.scope);
    }
  }

  #lookUp(node: NodeOf<'name'>, scope: Scope): Binding {
    const { name } = node;
    const known = scope.find(name);
    if (known !== undefined) return known;
    const { tree, logic } = this.program;
    if (tree.enumConstants.has(name)) return { kind: 'variable', type: int, code: name };
    const global = tree.globals.find(variable => variable.name === name);
    if (global !== undefined) return { kind: 'variable', type: global.type, code: name };
    const target = tree.functions.find(one => one.name === name);
    if (target !== undefined) return { kind: 'variable', type: target.type, code: name };
    const definition = logic.get(name);
    if (definition !== undefined) {
      const call: NodeOf<'call'> = { kind: 'call', name, labels: [], args: [], span: node.span };
      return { kind: 'term', term: this.callTerm(call, scope) };
    }
    if (name === '\\exit_status') throw this.error(node, '\\exit_status has a meaning only in exits');
    if (name === '\\result')
      throw this.error(node, '\\result has a meaning only in the ensures of a function that returns a value');
    const names = [
      ...scope.names(),
      ...tree.globals.map(one => one.name),
      ...tree.enumConstants,
      ...logic.keys(),
    ];
    const similar = closestTo(name, names);
    throw this.error(
      node,
      `'${name}' is not declared here`,
      similar === undefined ? undefined : `did you mean '${similar}'?`,
    );
  }

  // ---------------------------------------------------------------------------------------- places

  /** The lvalue of a tree, or undefined if it is none. */
  place(node: Node, scope: Scope): Place | undefined {
    switch (node.kind) {
      case 'name': {
        const binding = /^\\(?!result$|exit_status$)/.test(node.name) ? undefined : this.#lookUp(node, scope);
        if (binding?.kind === 'tree') return this.place(binding.node, binding.scope);
        return binding?.kind === 'variable' ? variablePlace(binding) : undefined;
      }
      case 'unary':
        return node.op === '*' ? this.#dereferenced(node, scope) : undefined;
      case 'index':
        return this.#element(node, scope);
      case 'member':
        return this.#member(node, scope);
      case 'at':
        return node.label === 'Here' ? this.place(node.operand, scope) : undefined;
      default:
        // Other terms are values.
        return undefined;
    }
  }

  #dereferenced(node: NodeOf<'unary'>, scope: Scope): Place {
    const pointer = this.pointer(node.operand, scope);
    return {
      type: this.target(pointer, node),
      code: `(*${pointer.code})`,
      guarded: true,
      isBitfield: false,
      ...this.#keptFor(pointer, node),
    };
  }

  #element(node: NodeOf<'index'>, scope: Scope): Place {
    const base = this.pointer(node.base, scope);
    const index = this.index(node.index, scope);
    return {
      type: this.target(base, node),
      code: `${base.code}[${index}]`,
      guarded: true,
      isBitfield: false,
      ...this.#keptFor(base, node),
    };
  }

  #keptFor({ kept }: Term, node: Node): Pick<Place, 'kept'> {
    if (kept === 'nothing')
      throw this.error(node, 'what the pointer led to in the earlier state is not kept');
    return kept === undefined ? {} : { kept };
  }

  #member(node: NodeOf<'member'>, scope: Scope): Place {
    if (node.arrow) {
      const base = this.pointer(node.base, scope);
      const field = this.#field(this.target(base, node), node);
      return {
        type: field.type,
        code: `${base.code}->${node.field}`,
        guarded: true,
        isBitfield: field.isBitfield,
        ...this.#keptFor(base, node),
      };
    }
    const place = this.place(node.base, scope);
    const { code, type, guarded } = place ?? { ...this.#record(node, scope), guarded: false };
    const field = this.#field(type, node);
    return {
      type: field.type,
      code: `${code}.${node.field}`,
      guarded,
      isBitfield: field.isBitfield,
      ...(place?.kept !== undefined && { kept: place.kept }),
    };
  }

  #record(node: NodeOf<'member'>, scope: Scope): { code: string; type: CType } {
    const { code, type } = this.term(node.base, scope);
    if (type.kind !== 'c') throw this.error(node, `a value of type ${showLogicType(type)} has no members`);
    return { code, type: type.type };
  }

  #field(type: CType, node: NodeOf<'member'>): { type: CType; isBitfield: boolean } {
    const { tree } = this.program;
    if (type.kind !== 'record') {
      const help = type.kind === 'pointer' ? "use '->' to reach through a pointer" : undefined;
      throw this.error(
        node,
        `'${showType(type)}' is not a struct or a union, so it has no member '${node.field}'`,
        help,
      );
    }
    const field = tree.field(type.spelling, node.field);
    if (field !== undefined) return field;
    const names = (tree.fields(type.spelling) ?? []).flatMap(one => one.name ?? []);
    const similar = closestTo(node.field, names);
    throw this.error(
      node,
      `'${type.spelling}' has no member '${node.field}'`,
      similar === undefined ? undefined : `did you mean '${similar}'?`,
    );
  }

  /** A pointer, or an array as one. */
  pointer(node: Node, scope: Scope): Term {
    const term = this.term(node, scope);
    if (term.type.kind !== 'c' || term.type.type.kind !== 'pointer')
      throw this.error(node, `expected a pointer, not a value of type ${showLogicType(term.type)}`);
    return term;
  }

  target(pointer: Term, node: Node, mayBeIncomplete = false): CType {
    const type =
      pointer.type.kind === 'c' && pointer.type.type.kind === 'pointer' ? pointer.type.type.to : undefined;
    if (type === undefined || type.kind === 'void')
      throw this.error(node, "a pointer to void leads to no value; cast it first, as in '(char *)p'");
    if (type.kind === 'record' && !mayBeIncomplete && !this.program.tree.isRecord(type.spelling))
      throw this.error(node, `the type '${type.spelling}' is incomplete here`);
    return type;
  }

  /** An integer for C to index with. */
  index(node: Node, scope: Scope): string {
    const term = this.integer(node, scope);
    return representation(term) === 'i64' ? term.code : `__rz_raw_index(${inRepresentation(term, 'i128')})`;
  }

  /** The value in an lvalue. */
  read(place: Place, node: Node): Term {
    const { type, code, kept } = place;
    const isGuarded = place.guarded && !place.isBitfield;
    const guard = (reader: string): string => {
      const from = kept === undefined ? `read_${reader}(` : `kept_${reader}(&${kept}, `;
      return `__rz_raw_${from}&(${code}), ${this.program.note(node.span)})`;
    };
    const isWhole = type.kind === 'record' || (type.kind === 'float' && type.spelling === 'long double');
    if (kept !== undefined && (isWhole || !isGuarded))
      throw this.error(node, `a value of type '${showType(type)}' is not kept of an earlier state`);
    switch (type.kind) {
      case 'integer': {
        const interval = intervalOf(type);
        if (type.bits === 128) return wideTerm(isGuarded ? guard('i128') : code, type);
        const isEnum = type.bits === 33;
        if (isGuarded && isEnum)
          return integerTerm(`((long)(__typeof__(${code}))(int)${guard('i32')})`, interval);
        if (isGuarded)
          return integerTerm(
            guard(type.bits === 1 ? 'bool' : `${type.signed ? 'i' : 'u'}${type.bits}`),
            interval,
          );
        return integerTerm(
          `((${representationOf(interval) === 'i64' ? 'long' : '__int128'})(${code}))`,
          interval,
        );
      }
      case 'float':
        if (isGuarded && type.spelling !== 'long double') return realTerm(guard(type.spelling));
        return realTerm(`((double)(${code}))`);
      case 'pointer':
        return {
          ...cTerm(isGuarded ? `((__typeof__(${code}))${guard('pointer')})` : `(${code})`, type),
          ...(kept !== undefined && { kept: 'nothing' }),
        };
      case 'array':
        return { ...cTerm(`(${code})`, decayed(type)), ...(kept !== undefined && { kept }) };
      case 'function':
        return cTerm(`(&${code})`, decayed(type));
      case 'record':
        if (!isGuarded) return cTerm(`(${code})`, type);
        return cTerm(
          `(*(__typeof__(&(${code})))__rz_acsl_readable(&(${code}), sizeof(${code}), ${this.program.note(node.span)}))`,
          type,
        );
      case 'void':
      case 'other':
        throw this.error(node, `a value of type '${showType(type)}' cannot be used in an annotation`);
    }
  }

  // ------------------------------------------------------------------------------------ arithmetic

  integer(node: Node, scope: Scope): Term {
    return this.asInteger(this.term(node, scope), node);
  }

  asInteger(term: Term, node: Node): Term {
    if (term.type.kind === 'integer') return term;
    if (term.type.kind === 'boolean') return integerTerm(`((long)(${term.code}))`, { low: 0n, high: 1n });
    throw this.error(node, `expected an integer, not a value of type ${showLogicType(term.type)}`);
  }

  asReal(term: Term, node: Node): string {
    this.program.sawReal();
    if (term.type.kind === 'real') return term.code;
    const integer = this.asInteger(term, node);
    return representation(integer) === 'big'
      ? `__rz_big_real(${integer.code})`
      : `((double)(${integer.code}))`;
  }

  #unary(node: NodeOf<'unary'>, scope: Scope): Term {
    switch (node.op) {
      case '*':
        return this.read(this.place(node, scope)!, node);
      case '&':
        return this.#addressOf(node, scope);
      case '!':
        return booleanTerm(this.predicate(node, scope));
    }
    const term = this.term(node.operand, scope);
    if (term.type.kind === 'real' && node.op !== '~') return realTerm(`(${node.op}${term.code})`);
    const operand = this.asInteger(term, node.operand);
    if (node.op === '+') return operand;
    if (node.op === '-') {
      if (node.operand.kind === 'integer') return literal(-node.operand.value);
      return this.#compute('-', literal(0n), operand, negated(operand.interval), node);
    }
    // ~x = -1 - x
    return this.#compute('-', literal(-1n), operand, resultOf('-', exactly(-1n), operand.interval), node);
  }

  #addressOf(node: NodeOf<'unary'>, scope: Scope): Term {
    const place = this.place(node.operand, scope);
    if (place === undefined) throw this.error(node, 'the address of something that is not an lvalue');
    if (place.isBitfield) throw this.error(node, 'a bit-field has no address');
    return cTerm(`(&${place.code})`, { kind: 'pointer', to: place.type });
  }

  #arithmetic(node: NodeOf<'binary'>, op: ArithmeticOperator, scope: Scope): Term {
    const left = this.term(node.left, scope);
    const right = this.term(node.right, scope);
    const isPointer = (term: Term): boolean => term.type.kind === 'c' && term.type.type.kind === 'pointer';
    if (isPointer(left) || isPointer(right)) return this.#pointerArithmetic(node, op, left, right, scope);
    if (left.type.kind === 'real' || right.type.kind === 'real') {
      const [a, b] = [this.asReal(left, node.left), this.asReal(right, node.right)];
      if (op === '/') return realTerm(`__rz_raw_divide_real(${a}, ${b}, ${this.program.note(node.span)})`);
      if (op === '+' || op === '-' || op === '*') return realTerm(`(${a} ${op} ${b})`);
      throw this.error(node, `'${op}' is not defined on reals`);
    }
    const [a, b] = [this.asInteger(left, node.left), this.asInteger(right, node.right)];
    return this.#compute(op, a, b, resultOf(op, a.interval, b.interval), node);
  }

  #compute(op: ArithmeticOperator, left: Term, right: Term, interval: Term['interval'], node: Node): Term {
    const common = representationOf(left.interval, right.interval, interval);
    const wanted = representationOf(interval);
    const [a, b] = [inRepresentation(left, common), inRepresentation(right, common)];
    const made = (code: string): Term =>
      integerTerm(common === wanted ? code : narrowed(code, common, wanted), interval);
    if (common === 'big') {
      const isPartial = op === '/' || op === '%' || op === '<<' || op === '>>';
      return made(`${bigFunctions[op]}(${a}, ${b}${isPartial ? `, ${this.program.note(node.span)}` : ''})`);
    }
    switch (op) {
      case '/':
      case '%':
        return made(
          `__rz_raw_${op === '/' ? 'divide' : 'remainder'}_${common}(${a}, ${b}, ${this.program.note(node.span)})`,
        );
      case '<<':
      case '>>':
        return made(
          `((${common === 'i64' ? 'long' : '__int128'})__rz_raw_shift_${op === '<<' ? 'left' : 'right'}(${a}, ${b}, ${this.program.note(node.span)}))`,
        );
      case '+':
      case '-':
      case '*':
      case '&':
      case '|':
      case '^':
        return made(`(${a} ${op} ${b})`);
    }
  }

  #pointerArithmetic(
    node: NodeOf<'binary'>,
    op: ArithmeticOperator,
    left: Term,
    right: Term,
    scope: Scope,
  ): Term {
    if (op === '+' || op === '-') {
      const isLeft = left.type.kind === 'c' && left.type.type.kind === 'pointer';
      const isRight = right.type.kind === 'c' && right.type.type.kind === 'pointer';
      if (isLeft && isRight && op === '-') {
        if (!sameType(this.target(left, node.left), this.target(right, node.right)))
          throw this.error(node, 'the difference of pointers of different types');
        return integerTerm(`((long)(${left.code} - ${right.code}))`, ofBits(64, true));
      }
      if (isLeft && !isRight) {
        this.target(left, node.left);
        return { ...left, code: `(${left.code} ${op} ${this.index(node.right, scope)})` };
      }
      if (isRight && !isLeft && op === '+') {
        this.target(right, node.right);
        return { ...right, code: `(${right.code} + ${this.index(node.left, scope)})` };
      }
    }
    throw this.error(
      node,
      `'${op}' is not defined on values of type ${showLogicType(left.type)} and ${showLogicType(right.type)}`,
    );
  }

  /** `a --> b` is `~a | b`, bit by bit; `a <--> b` is `~(a ^ b)`. */
  #bitImplication(node: NodeOf<'binary'>, scope: Scope): Term {
    const complement = (operand: Node): Node => ({ kind: 'unary', op: '~', operand, span: node.span });
    const { left, right, span } = node;
    if (node.op === '-->')
      return this.term({ kind: 'binary', op: '|', left: complement(left), right, span }, scope);
    return this.term(complement({ kind: 'binary', op: '^', left, right, span }), scope);
  }

  #conditional(node: NodeOf<'conditional'>, scope: Scope): Term {
    const test = this.predicate(node.test, scope);
    const [then, otherwise] = this.unified(node.whenTrue, node.whenFalse, scope);
    return { ...then, code: `(${test} ? ${then.code} : ${otherwise.code})` };
  }

  /** Two terms brought to one type and one representation. */
  unified(left: Node, right: Node, scope: Scope): [Term, Term] {
    const [a, b] = [this.term(left, scope), this.term(right, scope)];
    return this.unifiedTerms(a, left, b, right);
  }

  unifiedTerms(a: Term, left: Node, b: Term, right: Node): [Term, Term] {
    if (a.type.kind === 'boolean' && b.type.kind === 'boolean') return [a, b];
    if (a.type.kind === 'c' || b.type.kind === 'c') {
      const [x, y] = [nullAsPointer(a, left, b), nullAsPointer(b, right, a)];
      if (x.type.kind === 'c' && y.type.kind === 'c' && this.#areCompatible(x.type.type, y.type.type))
        return [x, y];
      throw this.error(
        right,
        `values of type ${showLogicType(a.type)} and ${showLogicType(b.type)} do not go together`,
      );
    }
    if (a.type.kind === 'real' || b.type.kind === 'real')
      return [realTerm(this.asReal(a, left)), realTerm(this.asReal(b, right))];
    const [x, y] = [this.asInteger(a, left), this.asInteger(b, right)];
    const interval = join(x.interval, y.interval);
    const common = representationOf(interval);
    return [
      integerTerm(inRepresentation(x, common), interval),
      integerTerm(inRepresentation(y, common), interval),
    ];
  }

  #areCompatible(left: CType, right: CType): boolean {
    if (left.kind === 'pointer' && right.kind === 'pointer')
      return left.to.kind === 'void' || right.to.kind === 'void' || sameType(left.to, right.to);
    return sameType(left, right);
  }

  #let(node: NodeOf<'let'>, scope: Scope): Term {
    const name = this.program.unique(node.name);
    const value = this.term(node.value, scope);
    const bound: Term = { ...value, code: name };
    const body = this.term(node.body, scope.with(node.name, { kind: 'term', term: bound }));
    return { ...body, code: `({ ${variableType(value)} ${name} = ${value.code}; ${body.code}; })` };
  }

  at(node: NodeOf<'at'>, scope: Scope): Term {
    const label = this.labels.get(node.label) ?? node.label;
    if (label === 'Here') return this.term(node.operand, scope);
    return this.captures.capture(node.operand, label, scope, node.labelPlace ?? node.span.first);
  }

  // ----------------------------------------------------------------------------------------- types

  #sizeofOperand(node: NodeOf<'sizeof'>, scope: Scope): string {
    if (node.type !== undefined) return declare(this.cTypeOf(node.type), '');
    return this.#likeInC(node.operand!, scope);
  }

  /** A C expression with the type that the term would have there; it is never evaluated. */
  #likeInC(node: Node, scope: Scope): string {
    const place = this.place(node, scope);
    if (place !== undefined) return place.code;
    switch (node.kind) {
      case 'integer':
        return `${node.value}${node.value > 0x7fffffffn ? 'l' : ''}`;
      case 'cast':
        if (/^(integer|real|boolean)$/.test(node.type.specifiers) && node.type.derivations.length === 0)
          break;
        return `(*(${declare({ kind: 'pointer', to: this.cTypeOf(node.type) }, '')})0)`;
      case 'sizeof':
        return '(sizeof(int))';
      case 'unary':
        if (/^[-+~!]$/.test(node.op)) return `(${node.op}${this.#likeInC(node.operand, scope)})`;
        break;
      case 'binary':
        if (arithmetic.has(node.op))
          return `(${this.#likeInC(node.left, scope)} ${node.op} ${this.#likeInC(node.right, scope)})`;
        break;
      case 'conditional':
        return `(1 ? ${this.#likeInC(node.whenTrue, scope)} : ${this.#likeInC(node.whenFalse, scope)})`;
    }
    const term = this.term(node, scope);
    if (term.type.kind === 'c') return term.code;
    throw this.error(node, 'sizeof of a value that is not a C object');
  }

  /** The type that a name of C means. */
  cTypeOf(name: TypeName): CType {
    const { tree } = this.program;
    let type = tree.type(name.specifiers);
    if (type.kind === 'other') throw new AcslError(`'${name.specifiers}' is not a type of C`, name.place);
    if (type.kind === 'record' && !tree.isRecord(type.spelling) && name.derivations.length === 0)
      throw new AcslError(`the type '${type.spelling}' is incomplete`, name.place);
    for (const derivation of name.derivations) {
      if (derivation === '*') type = { kind: 'pointer', to: type };
      else if ('parameters' in derivation)
        type = { kind: 'function', result: type, parameters: derivation.parameters };
      else {
        const count = derivation.count?.kind === 'integer' ? Number(derivation.count.value) : undefined;
        type = { kind: 'array', of: type, count };
      }
    }
    return type;
  }

  #cast(node: NodeOf<'cast'>, scope: Scope): Term {
    const term = this.term(node.operand, scope);
    const { specifiers, derivations } = node.type;
    if (derivations.length === 0) {
      if (specifiers === 'integer')
        return term.type.kind === 'real' ? this.truncated(term) : this.asInteger(term, node.operand);
      if (specifiers === 'real') return realTerm(this.asReal(term, node.operand));
      if (specifiers === 'boolean') return booleanTerm(`(${this.truth(term, node.operand)})`);
    }
    const type = this.cTypeOf(node.type);
    if (type.kind === 'integer') return this.#castToInteger(node, term, type);
    if (type.kind === 'float')
      return realTerm(`((double)(${type.spelling})${this.asReal(term, node.operand)})`);
    if (type.kind === 'pointer') {
      if (term.type.kind === 'c' && term.type.type.kind === 'pointer')
        return cTerm(`((${declare(type, '')})${term.code})`, type);
      return cTerm(
        `((${declare(type, '')})(unsigned long)${wrapped(this.asInteger(term, node.operand))})`,
        type,
      );
    }
    if (term.type.kind === 'c' && sameType(term.type.type, type)) return term;
    throw this.error(
      node,
      `a value of type ${showLogicType(term.type)} cannot be cast to '${showType(type)}'`,
    );
  }

  #castToInteger(node: NodeOf<'cast'>, term: Term, type: CType & { kind: 'integer' }): Term {
    const interval = intervalOf(type);
    const wide = representationOf(interval) === 'i64' ? 'long' : '__int128';
    const cast = (code: string): Term =>
      type.bits === 128
        ? wideTerm(code, type)
        : integerTerm(`((${wide})(${type.spelling})(${code}))`, interval);
    if (term.type.kind === 'c' && term.type.type.kind === 'pointer')
      return cast(`(unsigned long)${term.code}`);
    if (term.type.kind === 'real') return cast(wrapped(this.truncated(term)));
    return cast(wrapped(this.asInteger(term, node.operand)));
  }

  /** A real truncated towards zero. Beyond 128 bits there is no difference left. */
  truncated(term: Term): Term {
    this.program.sawReal();
    return integerTerm(`((__int128)__builtin_trunc(${term.code}))`, ofBits(128, true));
  }

  /** A term as a condition. */
  truth(term: Term, node: Node): string {
    switch (term.type.kind) {
      case 'boolean':
        return term.code;
      case 'integer':
        return representation(term) === 'big' ? `(${term.code} != 1)` : `(${term.code} != 0)`;
      case 'real':
        this.program.sawReal();
        return `(${term.code} != 0.0)`;
      case 'c':
        if (term.type.type.kind === 'pointer') return `(${term.code} != (void *)0)`;
        throw this.error(node, `a value of type ${showLogicType(term.type)} is neither true nor false`);
    }
  }

  absolute(term: Term, node: Node): Term {
    if (term.type.kind === 'real') return realTerm(`__builtin_fabs(${term.code})`);
    const integer = this.asInteger(term, node);
    const interval = magnitude(integer.interval);
    const common = representationOf(integer.interval, interval, negated(integer.interval));
    const name = this.program.unique('n');
    const type = { i64: 'long', i128: '__int128', big: '__rz_big' }[common];
    const isNegative = common === 'big' ? `__rz_big_compare(${name}, 1) < 0` : `${name} < 0`;
    const opposite = common === 'big' ? `__rz_big_subtract(1, ${name})` : `-${name}`;
    const code = `({ ${type} ${name} = ${inRepresentation(integer, common)}; ${isNegative} ? ${opposite} : ${name}; })`;
    return integerTerm(narrowed(code, common, representationOf(interval)), interval);
  }
}

export const int: CType & { kind: 'integer' } = { kind: 'integer', bits: 32, signed: true, spelling: 'int' };
const char: CType = { kind: 'integer', bits: 8, signed: true, spelling: 'char' };

function variablePlace({ type, code }: { readonly type: CType; readonly code: string }): Place {
  return { type, code, guarded: false, isBitfield: false };
}

/** A 128-bit value; unsigned ones may exceed `__int128`. */
function wideTerm(code: string, type: CType & { kind: 'integer' }): Term {
  const interval = intervalOf(type);
  return type.signed
    ? integerTerm(`((__int128)(${code}))`, interval)
    : integerTerm(`__rz_big_of_unsigned((unsigned __int128)(${code}))`, interval);
}

/** 0 next to a pointer is a null pointer. */
function nullAsPointer(term: Term, node: Node, other: Term): Term {
  if (
    node.kind === 'integer' &&
    node.value === 0n &&
    other.type.kind === 'c' &&
    other.type.type.kind === 'pointer'
  )
    return cTerm('((void *)0)', { kind: 'pointer', to: { kind: 'void' } });
  return term;
}

/** A value that fits by its interval, computed in a wider representation. */
export function narrowed(code: string, from: 'i64' | 'i128' | 'big', to: 'i64' | 'i128' | 'big'): string {
  if (from === to) return code;
  if (from === 'big') return `((${to === 'i64' ? 'long' : '__int128'})__rz_big_low(${code}))`;
  return to === 'i64' ? `((long)${code})` : code;
}

/** How a logic type is written in a declaration of ours. */
export function logicTypeOf(name: TypeName, cType: (name: TypeName) => CType): LogicType {
  if (name.derivations.length === 0) {
    if (name.specifiers === 'integer') return { kind: 'integer' };
    if (name.specifiers === 'real') return { kind: 'real' };
    if (name.specifiers === 'boolean') return { kind: 'boolean' };
  }
  const type = cType(name);
  if (type.kind === 'integer') return { kind: 'integer' };
  if (type.kind === 'float') return { kind: 'real' };
  return { kind: 'c', type: decayed(type) };
}

/** All that is known about a value of the type. */
export function intervalOfTypeName(name: TypeName, cType: (name: TypeName) => CType): Term['interval'] {
  if (name.specifiers === 'integer' || name.specifiers === 'real' || name.specifiers === 'boolean')
    return unbounded;
  const type = cType(name);
  return type.kind === 'integer' ? intervalOf(type) : unbounded;
}
