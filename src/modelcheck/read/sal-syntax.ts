/**
 * The syntax of the supported part of SAL: text to a tree, every node with its location.
 *
 *     name: CONTEXT = BEGIN  declarations  END
 *
 *     N: NATURAL = 3;                             constants, functions f(x: T): U = e;
 *     Index: TYPE = [1..N];                       subranges, {enumerations}, ARRAY T OF U, [# field: T #]
 *     m [i: Index]: MODULE = BEGIN LOCAL x: T  GLOBAL y: U  INPUT z: V
 *        DEFINITION w = e; ...
 *        INITIALIZATION x = e; ...
 *        TRANSITION [ label: guard --> x' = e; a'[i] = e  []  ...  [] ELSE --> ... ]  END;
 *     s: MODULE = ([] (i: Index): m[i]);          or  m [] n; with || instead of [] all take their steps at once
 *     claim: THEOREM s |- G(e);                   LEMMA for theorems that others may use
 */
import { type Position, Problem } from './problem.js';
import { endOf, scan } from './scan.js';

export interface Token {
  readonly kind: 'word' | 'number' | 'mark' | 'end';
  readonly text: string;
  readonly at: Position;
}

const TOKEN =
  /(\s+|%[^\n]*)|([A-Za-z][A-Za-z0-9_?]*)|(\d+)|(-->|\|\||\[\[|\[\]|\[#|#\]|\(#|#\)|<=>|=>|\/=|<=|>=|\|-|:=|\.\.|[()[\]{},;:.'=<>+*/|-])/y;

export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  for (const { match, at } of scan(text, TOKEN, character => `unexpected character '${character}'`)) {
    const [, space, word, number, mark] = match;
    if (space === undefined) {
      const kind = word !== undefined ? 'word' : number !== undefined ? 'number' : 'mark';
      tokens.push({ kind, text: word ?? number ?? mark!, at });
    }
  }
  tokens.push({ kind: 'end', text: 'the end of the file', at: endOf(text) });
  return tokens;
}

export type TypeTree =
  | { readonly kind: 'name'; readonly name: string; readonly at: Position }
  | { readonly kind: 'range'; readonly low: ExprTree; readonly high: ExprTree; readonly at: Position }
  | { readonly kind: 'enum'; readonly names: readonly string[]; readonly at: Position }
  | { readonly kind: 'array'; readonly index: TypeTree; readonly of: TypeTree; readonly at: Position }
  | { readonly kind: 'record'; readonly fields: readonly Declared[]; readonly at: Position };

/** A name with its type. */
export interface Declared {
  readonly name: string;
  readonly type: TypeTree;
  readonly at: Position;
}

export type ExprTree =
  | { readonly kind: 'number'; readonly value: number; readonly at: Position }
  | { readonly kind: 'name'; readonly name: string; readonly at: Position }
  | { readonly kind: 'next'; readonly of: ExprTree; readonly at: Position }
  | { readonly kind: 'index'; readonly of: ExprTree; readonly index: ExprTree; readonly at: Position }
  | { readonly kind: 'field'; readonly of: ExprTree; readonly field: string; readonly at: Position }
  | {
      readonly kind: 'call';
      readonly name: string;
      readonly operands: readonly ExprTree[];
      readonly at: Position;
    }
  | { readonly kind: 'unary'; readonly operator: string; readonly operand: ExprTree; readonly at: Position }
  | {
      readonly kind: 'binary';
      readonly operator: string;
      readonly left: ExprTree;
      readonly right: ExprTree;
      readonly at: Position;
    }
  | {
      readonly kind: 'if';
      readonly condition: ExprTree;
      readonly yes: ExprTree;
      readonly no: ExprTree;
      readonly at: Position;
    }
  | {
      readonly kind: 'quantifier';
      readonly operator: 'FORALL' | 'EXISTS';
      readonly bound: readonly Declared[];
      readonly body: ExprTree;
      readonly at: Position;
    }
  /** `[[i: T] e]`: the array whose element i is e. */
  | { readonly kind: 'elements'; readonly bound: Declared; readonly body: ExprTree; readonly at: Position };

export interface AssignmentTree {
  readonly target: ExprTree;
  readonly value: ExprTree;
  readonly at: Position;
}

export interface CommandTree {
  readonly label: string | undefined;
  /** Undefined for ELSE. */
  readonly guard: ExprTree | undefined;
  readonly assignments: readonly AssignmentTree[];
  readonly at: Position;
}

export interface ModuleTree {
  readonly parameters: readonly Declared[];
  readonly variables: readonly (Declared & { readonly role: 'LOCAL' | 'GLOBAL' | 'OUTPUT' | 'INPUT' })[];
  /** Variables that are a function of the others, now and at any time. */
  readonly definitions: readonly AssignmentTree[];
  readonly initial: readonly AssignmentTree[];
  readonly commands: readonly CommandTree[];
}

/** A module put together from others. */
export type ComposedTree =
  | {
      readonly kind: 'instance';
      readonly name: string;
      readonly operands: readonly ExprTree[];
      readonly at: Position;
    }
  | {
      readonly kind: 'each';
      readonly isSynchronous: boolean;
      readonly bound: Declared;
      readonly body: ComposedTree;
      readonly at: Position;
    }
  | {
      readonly kind: 'both';
      readonly isSynchronous: boolean;
      readonly parts: readonly ComposedTree[];
      readonly at: Position;
    };

export type DeclarationTree =
  | { readonly kind: 'type'; readonly name: string; readonly type: TypeTree; readonly at: Position }
  | {
      readonly kind: 'constant';
      readonly name: string;
      readonly parameters: readonly Declared[];
      readonly value: ExprTree;
      readonly at: Position;
    }
  | { readonly kind: 'module'; readonly name: string; readonly module: ModuleTree; readonly at: Position }
  | { readonly kind: 'composed'; readonly name: string; readonly module: ComposedTree; readonly at: Position }
  | {
      readonly kind: 'claim';
      readonly name: string;
      readonly isLemma: boolean;
      readonly module: string;
      readonly formula: ExprTree;
      readonly at: Position;
    };

/**
 * From the loosest to the tightest; all associate to the left but the first two, which we read to
 * the right.
 */
const BINARY: readonly (readonly string[])[] = [
  ['<=>'],
  ['=>'],
  ['OR', 'XOR'],
  ['AND'],
  ['=', '/=', '<', '<=', '>', '>='],
  ['+', '-'],
  ['*', 'div', 'mod'],
];

const MAX_NESTING = 400;

export class SalParser {
  readonly #tokens: readonly Token[];
  #position = 0;
  #nesting = 0;

  constructor(text: string) {
    this.#tokens = tokensOf(text);
  }

  context(): { readonly name: string; readonly declarations: readonly DeclarationTree[] } {
    const name = this.#word('the name of the context');
    this.#expect(':');
    this.#expect('CONTEXT');
    this.#expect('=');
    this.#expect('BEGIN');
    const declarations: DeclarationTree[] = [];
    while (!this.#accept('END')) {
      declarations.push(this.#declaration());
      this.#expect(';');
    }
    return { name, declarations };
  }

  get #token(): Token {
    return this.#tokens[this.#position]!;
  }

  #accept(text: string): boolean {
    if (this.#token.kind === 'end' || this.#token.text !== text) return false;
    this.#position++;
    return true;
  }

  #expect(text: string): void {
    if (!this.#accept(text))
      throw new Problem(`'${text}' is expected here, not '${this.#token.text}'`, this.#token.at);
  }

  #word(what: string): string {
    const { kind, text, at } = this.#token;
    if (kind !== 'word') throw new Problem(`${what} is expected here, not '${text}'`, at);
    this.#position++;
    return text;
  }

  #declaration(): DeclarationTree {
    const { at } = this.#token;
    const name = this.#word('a name');
    const parameters = this.#accept('(') ? this.#declaredList(')') : [];
    const ofModule = this.#accept('[') ? this.#declaredList(']') : [];
    this.#expect(':');
    if (this.#accept('TYPE')) {
      this.#expect('=');
      return { kind: 'type', name, type: this.#type(), at };
    }
    if (this.#accept('MODULE')) {
      this.#expect('=');
      if (this.#accept('BEGIN')) return { kind: 'module', name, module: this.#module(ofModule), at };
      return { kind: 'composed', name, module: this.#composed(), at };
    }
    for (const kind of ['THEOREM', 'LEMMA', 'CLAIM', 'OBLIGATION']) {
      if (!this.#accept(kind)) continue;
      const module = this.#word('the name of a module');
      this.#expect('|-');
      const { text, at: here } = this.#token;
      if (!this.#accept('G')) throw new Problem(`only invariants, G(...), are checked, not '${text}'`, here);
      this.#expect('(');
      const formula = this.#expression();
      this.#expect(')');
      return { kind: 'claim', name, isLemma: kind === 'LEMMA', module, formula, at };
    }
    this.#type();
    this.#expect('=');
    return { kind: 'constant', name, parameters, value: this.#expression(), at };
  }

  /** `x, y: T, z: U` up to the closing mark. */
  #declaredList(close: string): Declared[] {
    const found: Declared[] = [];
    do found.push(...this.#declared());
    while (this.#accept(',') || this.#accept(';'));
    this.#expect(close);
    return found;
  }

  #declared(): Declared[] {
    const names: { name: string; at: Position }[] = [];
    do names.push({ at: this.#token.at, name: this.#word('a name') });
    while (this.#accept(','));
    this.#expect(':');
    const type = this.#type();
    return names.map(({ name, at }) => ({ name, type, at }));
  }

  #type(): TypeTree {
    const { at } = this.#token;
    if (this.#accept('[#')) return { kind: 'record', fields: this.#declaredList('#]'), at };
    if (this.#accept('[')) {
      const low = this.#expression();
      this.#expect('..');
      const high = this.#expression();
      this.#expect(']');
      return { kind: 'range', low, high, at };
    }
    if (this.#accept('{')) {
      const names: string[] = [];
      do names.push(this.#word('a name'));
      while (this.#accept(','));
      this.#expect('}');
      return { kind: 'enum', names, at };
    }
    if (this.#accept('ARRAY')) {
      const index = this.#type();
      this.#expect('OF');
      return { kind: 'array', index, of: this.#type(), at };
    }
    return { kind: 'name', name: this.#word('a type'), at };
  }

  #module(parameters: readonly Declared[]): ModuleTree {
    const variables: ModuleTree['variables'][number][] = [];
    const definitions: AssignmentTree[] = [];
    const initial: AssignmentTree[] = [];
    const commands: CommandTree[] = [];
    for (;;) {
      const { text, at } = this.#token;
      this.#position++;
      switch (text) {
        case 'LOCAL':
        case 'GLOBAL':
        case 'OUTPUT':
        case 'INPUT':
          variables.push(...this.#declared().map(declared => ({ ...declared, role: text }) as const));
          break;
        case 'DEFINITION':
          definitions.push(...this.#assignments());
          break;
        case 'INITIALIZATION':
          initial.push(...this.#assignments());
          break;
        case 'TRANSITION':
          if (this.#accept('[')) commands.push(...this.#commands());
          else
            commands.push({
              label: undefined,
              guard: { kind: 'name', name: 'TRUE', at },
              assignments: this.#assignments(),
              at,
            });
          break;
        case 'END':
          return { parameters, variables, definitions, initial, commands };
        default:
          throw new Problem(
            `LOCAL, GLOBAL, INPUT, DEFINITION, INITIALIZATION, TRANSITION or END is expected here, not '${text}'`,
            at,
          );
      }
    }
  }

  #assignments(): AssignmentTree[] {
    const found: AssignmentTree[] = [];
    while (this.#token.kind === 'word' && !SECTIONS.has(this.#token.text)) {
      const { at } = this.#token;
      const target = this.#postfix();
      this.#expect('=');
      found.push({ target, value: this.#expression(), at });
      if (!this.#accept(';')) break;
    }
    return found;
  }

  #commands(): CommandTree[] {
    const found: CommandTree[] = [];
    do {
      const { at } = this.#token;
      let label: string | undefined;
      if (this.#token.kind === 'word' && this.#tokens[this.#position + 1]?.text === ':') {
        label = this.#word('a label');
        this.#expect(':');
      }
      const guard = this.#accept('ELSE') ? undefined : this.#expression();
      this.#expect('-->');
      found.push({ label, guard, assignments: this.#assignments(), at });
    } while (this.#accept('[]'));
    this.#expect(']');
    return found;
  }

  #composed(): ComposedTree {
    const { at } = this.#token;
    const parts = [this.#composedPart()];
    const operator = this.#token.text === '||' ? '||' : '[]';
    while (this.#accept(operator)) parts.push(this.#composedPart());
    return parts.length === 1 ? parts[0]! : { kind: 'both', isSynchronous: operator === '||', parts, at };
  }

  #composedPart(): ComposedTree {
    const { at } = this.#token;
    if (this.#accept('(')) {
      const isSynchronous = this.#token.text === '||';
      if (this.#accept('[]') || this.#accept('||')) {
        this.#expect('(');
        const [bound] = this.#declared();
        this.#expect(')');
        this.#expect(':');
        const body = this.#composedPart();
        this.#expect(')');
        return { kind: 'each', isSynchronous, bound: bound!, body, at };
      }
      const inner = this.#composed();
      this.#expect(')');
      return inner;
    }
    const name = this.#word('the name of a module');
    const operands: ExprTree[] = [];
    if (this.#accept('[')) {
      do operands.push(this.#expression());
      while (this.#accept(','));
      this.#expect(']');
    }
    return { kind: 'instance', name, operands, at };
  }

  #expression(level = 0): ExprTree {
    if (level === BINARY.length) return this.#unary();
    if (++this.#nesting > MAX_NESTING * BINARY.length)
      throw new Problem('expressions are nested too deeply', this.#token.at);
    try {
      let left = this.#expression(level + 1);
      for (;;) {
        const { text: operator, at } = this.#token;
        if (this.#token.kind === 'end' || !BINARY[level]!.includes(operator)) return left;
        this.#position++;
        const right = level < 2 ? this.#expression(level) : this.#expression(level + 1);
        left = { kind: 'binary', operator, left, right, at };
      }
    } finally {
      this.#nesting--;
    }
  }

  #unary(): ExprTree {
    const { text: operator, at } = this.#token;
    if (this.#accept('NOT') || this.#accept('-'))
      return { kind: 'unary', operator, operand: this.#unaryOperand(operator), at };
    return this.#postfix();
  }

  /** NOT reaches over a comparison, a minus only over what follows it. */
  #unaryOperand(operator: string): ExprTree {
    return operator === 'NOT' ? this.#expression(4) : this.#unary();
  }

  #postfix(): ExprTree {
    let of = this.#primary();
    for (;;) {
      const { at } = this.#token;
      if (this.#accept("'")) of = { kind: 'next', of, at };
      else if (this.#accept('[')) {
        const index = this.#expression();
        this.#expect(']');
        of = { kind: 'index', of, index, at };
      } else if (this.#accept('.')) of = { kind: 'field', of, field: this.#word('a field'), at };
      else return of;
    }
  }

  #primary(): ExprTree {
    const { kind, text, at } = this.#token;
    if (kind === 'number') {
      this.#position++;
      if (!Number.isSafeInteger(Number(text))) throw new Problem(`the number ${text} is too large`, at);
      return { kind: 'number', value: Number(text), at };
    }
    if (this.#accept('(')) {
      const inner = this.#expression();
      this.#expect(')');
      return inner;
    }
    if (this.#accept('[[')) {
      const [bound] = this.#declared();
      this.#expect(']');
      const body = this.#expression();
      this.#expect(']');
      return { kind: 'elements', bound: bound!, body, at };
    }
    if (this.#accept('IF')) return this.#conditional(at);
    if (text === 'FORALL' || text === 'EXISTS') {
      this.#position++;
      this.#expect('(');
      const bound = this.#declaredList(')');
      this.#expect(':');
      return { kind: 'quantifier', operator: text, bound, body: this.#expression(), at };
    }
    const name = this.#word('an expression');
    if (!this.#accept('(')) return { kind: 'name', name, at };
    const operands: ExprTree[] = [];
    do operands.push(this.#expression());
    while (this.#accept(','));
    this.#expect(')');
    return { kind: 'call', name, operands, at };
  }

  #conditional(at: Position): ExprTree {
    const condition = this.#expression();
    this.#expect('THEN');
    const yes = this.#expression();
    const { at: here } = this.#token;
    if (this.#accept('ELSIF')) return { kind: 'if', condition, yes, no: this.#conditional(here), at };
    this.#expect('ELSE');
    const no = this.#expression();
    this.#expect('ENDIF');
    return { kind: 'if', condition, yes, no, at };
  }
}

const SECTIONS: ReadonlySet<string> = new Set([
  'LOCAL',
  'GLOBAL',
  'OUTPUT',
  'INPUT',
  'DEFINITION',
  'INITIALIZATION',
  'TRANSITION',
  'END',
]);
