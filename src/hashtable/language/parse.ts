/**
 * Parses programs of atomic steps: text to `Program`, with types checked. An error in a program is
 * an internal error.
 *
 * Signatures are collected first, so that functions may be called before they are defined. Then a
 * recursive descent over the tokens, with a table of precedences for the binary operators.
 */
import { assert } from '../../support/assert.js';
import { type StepName, steps } from '../shared-memory.js';
import {
  type BinaryOperator,
  type Conversion,
  comparisons,
  conversions,
  type Expression,
  type Field,
  type FunctionSource,
  type NamedConstants,
  type Signature,
  type Statement,
  type StepOperation,
  type StepProgram,
  stepOperations,
  type Type,
} from './step-program.js';

const TOKEN =
  /\s*(?:\/\/[^\n]*\s*)*(?:(0x[0-9a-f]+n?|\d+n?)|([A-Za-z]\w*(?:\.[A-Za-z]\w*)?)|'([^']*)'|(>>>|<<|>>|[=!<>]=|&&|\|\||[-+*/&|^<>=!~(){};:,]))/y;

interface Token {
  readonly kind: 'number' | 'name' | 'text' | 'sign' | 'end';
  readonly text: string;
}

const precedences: Readonly<Record<string, number>> = {
  ...{ '||': 1, '&&': 2, '|': 3, '^': 4, '&': 5, '==': 6, '!=': 6, '<': 7, '>': 7, '<=': 7, '>=': 7 },
  ...{ '<<': 8, '>>': 8, '>>>': 8, '+': 9, '-': 9, '*': 10, '/': 10 },
};

const ZERO = { i32: 0, i64: 0n } as const;
const MINUS_ONE = { i32: -1, i64: -1n } as const;

export function parseProgram(texts: readonly string[], constants: NamedConstants): StepProgram {
  const parser = new Parser(tokensOf(texts.join('\n')), constants);
  return parser.program();
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  const pattern = new RegExp(TOKEN);
  let end = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const [, number, name, quoted, sign] = match;
    end = pattern.lastIndex;
    if (number !== undefined) tokens.push({ kind: 'number', text: number });
    else if (name !== undefined) tokens.push({ kind: 'name', text: name });
    else if (quoted !== undefined) tokens.push({ kind: 'text', text: quoted });
    else tokens.push({ kind: 'sign', text: sign! });
  }
  assert(text.slice(end).trim() === '', `what is this: ${text.slice(end, end + 40)}`);
  return tokens;
}

class Parser {
  readonly #tokens: readonly Token[];
  readonly #constants: NamedConstants;
  readonly #signatures = new Map<string, Signature>();
  readonly #fields = new Map<string, Field & { readonly index: number }>();
  #position = 0;
  /** The variables in scope, and the types of all of the function. */
  #scope = new Map<string, number>();
  #locals: Type[] = [];

  constructor(tokens: readonly Token[], constants: NamedConstants) {
    this.#tokens = tokens;
    this.#constants = constants;
  }

  program(): StepProgram {
    this.#collect();
    const functions = new Map<string, FunctionSource>();
    this.#position = 0;
    while (this.#next.kind !== 'end') {
      if (this.#accept('field')) this.#skipField();
      else {
        const found = this.#function();
        functions.set(found.name, found);
      }
    }
    return { fields: [...this.#fields.values()], functions };
  }

  /** Finds the fields and the signatures. */
  #collect(): void {
    let offset = 0;
    while (this.#next.kind !== 'end') {
      if (this.#accept('field')) {
        const name = this.#name();
        const type = this.#optionalType('i32');
        const byteCount = type === 'i64' ? 8 : 4;
        offset = (offset + byteCount - 1) & -byteCount;
        this.#fields.set(name, { name, type, offset, index: this.#fields.size });
        offset += byteCount;
      } else if (/^(export|inline|fn)$/.test(this.#next.text)) {
        const signature = this.#signature();
        this.#signatures.set(signature.name, signature);
      } else this.#position++;
    }
  }

  #skipField(): void {
    this.#name();
    this.#optionalType('i32');
    this.#expect(';');
  }

  #signature(): Signature {
    const access = this.#accept('export') ? 'export' : this.#accept('inline') ? 'inline' : 'internal';
    this.#expect('fn');
    const name = this.#name();
    const parameters: { name: string; type: Type }[] = [];
    this.#expect('(');
    while (!this.#accept(')')) {
      parameters.push({ name: this.#name(), type: this.#optionalType('i32') });
      this.#accept(',');
    }
    return { name, access, parameters, result: this.#optionalType('void') };
  }

  #function(): FunctionSource {
    const signature = this.#signature();
    this.#scope = new Map(signature.parameters.map(({ name }, i) => [name, i]));
    this.#locals = signature.parameters.map(({ type }) => type);
    const body = this.#block();
    return { ...signature, locals: this.#locals, body };
  }

  #block(): Statement[] {
    const outer = this.#scope;
    this.#scope = new Map(outer);
    const body: Statement[] = [];
    this.#expect('{');
    while (!this.#accept('}')) body.push(this.#statement());
    this.#scope = outer;
    return body;
  }

  /** The body of an `if` or a `while`: a block or one statement. */
  #branch(): Statement[] {
    return this.#next.text === '{' ? this.#block() : [this.#statement()];
  }

  #statement(): Statement {
    if (this.#accept('if')) {
      const condition = this.#condition();
      const then = this.#branch();
      return { kind: 'if', condition, then, otherwise: this.#accept('else') ? this.#branch() : [] };
    }
    if (this.#accept('while')) {
      const condition = this.#condition();
      return { kind: 'while', condition, body: this.#branch() };
    }
    const statement = this.#simpleStatement();
    this.#expect(';');
    return statement;
  }

  #simpleStatement(): Statement {
    if (this.#accept('break')) return { kind: 'break' };
    if (this.#accept('continue')) return { kind: 'continue' };
    if (this.#accept('return'))
      return this.#next.text === ';' ? { kind: 'return' } : { kind: 'return', value: this.#expression() };
    if (this.#accept('assert')) {
      this.#expect('(');
      const condition = this.#expression();
      this.#expect(',');
      const message = this.#take('text');
      this.#expect(')');
      return { kind: 'assert', condition, message };
    }
    if (this.#accept('let')) {
      const name = this.#name();
      this.#expect('=');
      const value = this.#expression();
      const index = this.#locals.push(value.type) - 1;
      this.#scope.set(name, index);
      return { kind: 'set-local', index, value };
    }
    const target = this.#expression();
    if (!this.#accept('=')) return { kind: 'evaluate', value: target };
    const value = this.#expression();
    this.#must(value.type === target.type, `a ${target.type} is set to a ${value.type}`);
    if (target.kind === 'local') return { kind: 'set-local', index: target.index, value };
    this.#must(target.kind === 'field', 'only variables and fields can be set');
    return { kind: 'set-field', index: (target as { index: number }).index, value };
  }

  #condition(): Expression {
    this.#expect('(');
    const condition = this.#expression();
    this.#expect(')');
    this.#must(condition.type === 'i32', 'a condition is an i32');
    return condition;
  }

  #expression(least = 1): Expression {
    let left = this.#operand();
    for (;;) {
      const operator = this.#next.text;
      const precedence = this.#next.kind === 'sign' ? precedences[operator] : undefined;
      if (precedence === undefined || precedence < least) return left;
      this.#position++;
      const right = this.#expression(precedence + 1);
      this.#must(left.type === right.type, `${left.type} ${operator} ${right.type}`);
      if (operator === '&&' || operator === '||')
        left = { kind: 'logical', type: 'i32', operator, left, right };
      else {
        const type = comparisons.has(operator) ? 'i32' : left.type;
        left = { kind: 'binary', type, operator: operator as BinaryOperator, left, right };
      }
    }
  }

  #operand(): Expression {
    if (this.#accept('-')) return this.#withConstant(ZERO, '-', this.#operand());
    if (this.#accept('~')) return this.#withConstant(MINUS_ONE, '^', this.#operand());
    if (this.#accept('!')) return { ...this.#withConstant(ZERO, '==', this.#operand()), type: 'i32' };
    if (this.#accept('(')) {
      const inner = this.#expression();
      this.#expect(')');
      return inner;
    }
    if (this.#next.kind === 'number') {
      const text = this.#take('number');
      if (text.endsWith('n')) return { kind: 'constant', type: 'i64', value: BigInt(text.slice(0, -1)) };
      return { kind: 'constant', type: 'i32', value: Number(text) | 0 };
    }
    const name = this.#take('name');
    if (this.#accept('(')) return this.#call(name);
    const local = this.#scope.get(name);
    if (local !== undefined) return { kind: 'local', type: this.#locals[local]!, index: local };
    const field = name.startsWith('my.') ? this.#fields.get(name.slice(3)) : undefined;
    if (field !== undefined) return { kind: 'field', type: field.type, index: field.index };
    const constant = this.#constants[name];
    this.#must(constant !== undefined, `nothing is called ${name}`);
    return { kind: 'constant', type: typeof constant === 'bigint' ? 'i64' : 'i32', value: constant! };
  }

  #withConstant(
    values: { readonly i32: number; readonly i64: bigint },
    operator: BinaryOperator,
    right: Expression,
  ): Expression {
    this.#must(right.type === 'i32' || right.type === 'i64', `an operand is a ${right.type}`);
    const type = right.type as 'i32' | 'i64';
    if (right.kind === 'constant' && operator === '-')
      return { kind: 'constant', type, value: -right.value as number };
    const left: Expression = { kind: 'constant', type, value: values[type] };
    return { kind: 'binary', type, operator, left, right };
  }

  #call(name: string): Expression {
    const isStep = Object.hasOwn(stepOperations, name);
    const step = isStep ? (this.#take('text') as StepName) : undefined;
    this.#must(step === undefined || Object.hasOwn(steps, step), `there is no step ${step}`);
    const operands: Expression[] = [];
    this.#accept(',');
    while (!this.#accept(')')) {
      operands.push(this.#expression());
      this.#accept(',');
    }
    const types = operands.map(({ type }) => type).join();
    if (step !== undefined) {
      const { operands: wanted, result } = stepOperations[name as StepOperation];
      this.#must(types === wanted.join(), `${name} of ${types}`);
      return { kind: 'step', type: result, step, operation: name as StepOperation, operands };
    }
    if (Object.hasOwn(conversions, name)) {
      const { operands: wanted, result } = conversions[name as Conversion];
      this.#must(types === wanted.join(), `${name} of ${types}`);
      return { kind: 'convert', type: result, conversion: name as Conversion, operands };
    }
    const callee = this.#signatures.get(name);
    this.#must(callee?.parameters.map(({ type }) => type).join() === types, `${name} of ${types}`);
    return { kind: 'call', type: callee!.result, callee: name, operands };
  }

  #optionalType(otherwise: Type): Type {
    return this.#accept(':') ? (this.#name() as Type) : otherwise;
  }

  get #next(): Token {
    return this.#tokens[this.#position] ?? { kind: 'end', text: '' };
  }

  #take(kind: Token['kind']): string {
    const { text } = this.#next;
    this.#must(this.#next.kind === kind, `a ${kind} is missing before '${text}'`);
    this.#position++;
    return text;
  }

  #name(): string {
    return this.#take('name');
  }

  #accept(text: string): boolean {
    if (this.#next.text !== text || this.#next.kind === 'text') return false;
    this.#position++;
    return true;
  }

  #expect(text: string): void {
    this.#must(this.#accept(text), `${text} is missing before '${this.#next.text}'`);
  }

  #must(condition: boolean, message: string): void {
    if (condition) return;
    const near = this.#tokens.slice(Math.max(0, this.#position - 12), this.#position + 1);
    assert(false, `${message}, in: ${near.map(({ text }) => text).join(' ')}`);
  }
}
