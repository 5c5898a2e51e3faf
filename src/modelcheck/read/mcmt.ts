/**
 * Sally's format, MCMT: SMT-LIB terms inside a handful of definitions.
 *
 *     (define-state-type S ((x Int) (b Bool)) ((i Int)))          ; variables, then inputs
 *     (define-states start S (= x 0))
 *     (define-transition step S (= next.x (+ state.x input.i)))
 *     (define-transition-system T S start step)
 *     (query T (>= x 0))
 *
 * The reader supports Bool, Int and bit-vectors (`bit-vector-operators.ts`), constants, named state
 * sets and transitions used inside others, `let`, inputs, several systems and queries, assumptions.
 * A query may have a name and lemmas, as an SMT-LIB annotation: `(query T (! (>= x 0) :named
 * positive :rests-on (other)))`; `(lemma T ...)` is our extension for queries that others use.
 * `(assume-input T ...)` constrains the inputs of every step. In a transition `state.NAME` and
 * `next.NAME` may also name a set of states. An operand that is not read is an error. Two more
 * types are our extensions, `(Range 0 7)` and `(Enum red green)`, so that the explicit engine and
 * the bit-level solver can be used.
 *
 * An input is a variable that takes any value after every step.
 */

import { plural } from '../../support/plural.js';
import {
  and,
  type BoolExpr,
  type Domain,
  type Expr,
  FALSE,
  ge,
  gt,
  type IntExpr,
  iff,
  implies,
  int,
  le,
  lt,
  not,
  or,
  ref,
  scale,
  sub,
  sum,
  TRUE,
  type Variable,
} from '../expression.js';
import type { Property } from '../model-builder.js';
import { primed } from '../rewrite.js';
import { makeSystem, type System } from '../system.js';
import { BIT_OPERATORS, BitVectors, naturalIn } from './bit-vector-operators.js';
import { type Position, Problem, type ReadResult, reading } from './problem.js';
import { commandsOf } from './relation.js';
import { expectItems, list, type Node, readNodes, word } from './s-expressions.js';
import { asFormula, asNumber, choice, didYouMean, equal, product, quotient } from './typed-terms.js';

export function readMcmt(file: string, text: string): ReadResult {
  return reading(file, () => new Reader().read(text));
}

interface StateType {
  readonly variables: readonly Variable[];
  readonly inputs: readonly Variable[];
  readonly values: ReadonlyMap<string, number>;
}

interface Named {
  readonly type: StateType;
  readonly formula: BoolExpr;
}

interface Draft {
  readonly name: string;
  readonly type: StateType;
  readonly init: BoolExpr;
  readonly transition: BoolExpr;
  readonly assumptions: BoolExpr[];
  /** About the inputs of a step, and the state that it begins in. */
  readonly inputAssumptions: BoolExpr[];
  readonly properties: Property[];
}

type Scope = ReadonlyMap<string, Expr>;

class Reader {
  readonly #types = new Map<string, StateType>();
  readonly #states = new Map<string, Named>();
  readonly #transitions = new Map<string, Named>();
  readonly #constants = new Map<string, Expr>();
  readonly #drafts = new Map<string, Draft>();
  readonly #names = new Map<BoolExpr, string>();
  readonly #bits = new BitVectors();

  read(text: string): System[] {
    const nodes = readNodes(text);
    for (const node of nodes) this.#command(node);
    const end: Position = { line: text.split('\n').length, column: 1 };
    if (this.#drafts.size === 0)
      throw new Problem(
        'there is no transition system',
        end,
        '(define-transition-system NAME TYPE START STEP)',
      );
    for (const { name, properties } of this.#drafts.values())
      if (properties.length === 0)
        throw new Problem(`there is no query about ${name}`, end, `(query ${name} FORMULA)`);
    return [...this.#drafts.values()].map(draft => this.#system(draft));
  }

  #system({ name, type, init, transition, assumptions, inputAssumptions, properties }: Draft): System {
    const variables = [...type.variables, ...type.inputs];
    const assumed = and(...assumptions);
    const relation = and(transition, assumed, primed(assumed), ...inputAssumptions);
    return makeSystem({
      name,
      variables,
      init: and(init, assumed),
      commands: commandsOf(relation, variables, part => this.#names.get(part)),
      properties,
    });
  }

  #command(node: Node): void {
    const items = list(node, 'a definition in parentheses', node);
    const keyword = word(items[0], 'a keyword', node);
    switch (keyword) {
      case 'define-state-type':
        this.#defineType(node, items);
        return;
      case 'define-states':
        this.#defineStates(node, items);
        return;
      case 'define-transition':
        this.#defineTransition(node, items);
        return;
      case 'define-transition-system':
        this.#defineSystem(node, items);
        return;
      case 'define-constant':
        expectItems(node, items, 3);
        this.#constants.set(this.#newName(items, this.#constants), this.#expr(items[2]!, new Map()));
        return;
      case 'query':
      case 'lemma':
        this.#query(node, items, keyword === 'query' ? 'goal' : 'lemma');
        return;
      case 'assume': {
        expectItems(node, items, 3);
        const draft = this.#draft(items[1], node);
        const scope = this.#withSets(scopeOf(draft.type, 'states'), draft.type);
        draft.assumptions.push(this.#bool(items[2]!, scope));
        return;
      }
      case 'assume-input': {
        expectItems(node, items, 3);
        const draft = this.#draft(items[1], node);
        draft.inputAssumptions.push(this.#bool(items[2]!, scopeOf(draft.type, 'input')));
        return;
      }
      case 'set-option':
      case 'set-info':
        return;
      default:
        throw new Problem(`'${keyword}' is not a definition`, items[0]!.at, didYouMean(keyword, KEYWORDS));
    }
  }

  /** The name that a definition gives; one that is taken would hide the earlier definition. */
  #newName(items: readonly Node[], known: ReadonlyMap<string, unknown>): string {
    const name = word(items[1], 'a name', items[0]!);
    if (known.has(name)) throw new Problem(`'${name}' is defined twice`, items[1]!.at);
    return name;
  }

  #defineType(node: Node, items: readonly Node[]): void {
    expectItems(node, items, 3, 4);
    const values = new Map<string, number>();
    const variables = (fields: Node | undefined, prefix: string): Variable[] =>
      list(fields, 'a list of variables', node).map(field => {
        const [name, type, ...more] = list(field, 'a variable and its type', node);
        if (more[0] !== undefined) throw new Problem('a variable has one type', more[0].at);
        const text = `${prefix}${word(name, 'a name', field)}`;
        const bits = this.#bits.domainOf(type ?? field);
        const variable = { name: text, domain: bits?.domain ?? this.#domain(type ?? field, values) };
        if (bits !== undefined) this.#bits.declare(variable, bits.width);
        return variable;
      });
    const own = variables(items[2], '');
    const inputs = items[3] === undefined ? [] : variables(items[3], 'input.');
    const name = this.#newName(items, this.#types);
    for (const [all, at] of [
      [own, items[2]!.at],
      [inputs, items[3]?.at ?? node.at],
    ] as const) {
      const repeated = all.find((variable, i) => all.findIndex(other => other.name === variable.name) < i);
      if (repeated !== undefined) throw new Problem(`${repeated.name} is declared twice`, at);
    }
    this.#types.set(name, { variables: own, inputs, values });
  }

  #domain(node: Node, values: Map<string, number>): Domain {
    if (node.kind === 'word') {
      if (node.text === 'Bool') return { kind: 'bool' };
      if (node.text === 'Int') return { kind: 'int' };
      throw new Problem(`the type ${node.text} is not supported`, node.at, TYPES);
    }
    const [head, ...rest] = node.items;
    const kind = word(head, 'a type', node);
    if (kind === 'Range') {
      expectItems(node, node.items, 3);
      const [min, max] = [integerIn(rest[0] ?? node), integerIn(rest[1] ?? node)];
      if (min > max) throw new Problem('the range is empty', node.at);
      return { kind: 'int', min, max };
    }
    if (kind === 'Enum') {
      const names = rest.map(item => word(item, 'a name', node));
      if (names.length === 0) throw new Problem('an enumeration needs names', node.at);
      for (const [i, name] of names.entries()) values.set(name, i);
      return { kind: 'int', min: 0, max: names.length - 1, names };
    }
    throw new Problem(`the type ${kind} is not supported`, node.at, TYPES);
  }

  #type(node: Node | undefined, parent: Node): StateType {
    const name = word(node, 'the name of a state type', parent);
    const type = this.#types.get(name);
    if (type === undefined)
      throw new Problem(`there is no state type ${name}`, node!.at, didYouMean(name, this.#types.keys()));
    return type;
  }

  #defineStates(node: Node, items: readonly Node[]): void {
    expectItems(node, items, 4);
    const type = this.#type(items[2], node);
    const formula = this.#bool(items[3]!, this.#withSets(scopeOf(type, 'states'), type));
    this.#states.set(this.#newName(items, this.#states), { type, formula });
  }

  #defineTransition(node: Node, items: readonly Node[]): void {
    expectItems(node, items, 4);
    const type = this.#type(items[2], node);
    const name = this.#newName(items, this.#transitions);
    const formula = this.#bool(items[3]!, this.#withTransitions(scopeOf(type, 'transition'), type));
    this.#transitions.set(name, { type, formula });
    if (formula.kind !== 'bool') this.#names.set(formula, name);
  }

  #withSets(scope: Scope, type: StateType): Scope {
    const sets = [...this.#states].filter(([, set]) => set.type === type);
    return new Map([...sets.map(([name, set]): [string, Expr] => [name, set.formula]), ...scope]);
  }

  /** Transitions by their names, and sets of states as `state.NAME` and `next.NAME`. */
  #withTransitions(scope: Scope, type: StateType): Scope {
    const sets = [...this.#states]
      .filter(([, set]) => set.type === type)
      .flatMap(([name, { formula }]): [string, Expr][] => [
        [`state.${name}`, formula],
        [`next.${name}`, primed(formula)],
      ]);
    const named = [...this.#transitions].filter(([, transition]) => transition.type === type);
    const transitions = named.map(([name, { formula }]): [string, Expr] => [name, formula]);
    return new Map([...transitions, ...sets, ...scope]);
  }

  #defineSystem(node: Node, items: readonly Node[]): void {
    expectItems(node, items, 5);
    const name = this.#newName(items, this.#drafts);
    const type = this.#type(items[2], node);
    const init = this.#bool(items[3]!, this.#withSets(scopeOf(type, 'states'), type));
    const transition = this.#bool(items[4]!, this.#withTransitions(scopeOf(type, 'transition'), type));
    const open = { assumptions: [], inputAssumptions: [], properties: [] };
    this.#drafts.set(name, { name, type, init, transition, ...open });
  }

  #draft(node: Node | undefined, parent: Node): Draft {
    const name = word(node, 'the name of a transition system', parent);
    const draft = this.#drafts.get(name);
    if (draft === undefined)
      throw new Problem(
        `there is no transition system ${name}`,
        node!.at,
        didYouMean(name, this.#drafts.keys()),
      );
    return draft;
  }

  #query(node: Node, items: readonly Node[], role: Property['role']): void {
    const draft = this.#draft(items[1], node);
    if (items.length < 3)
      throw new Problem('the formula of the query is missing', node.at, `(query ${draft.name} FORMULA)`);
    for (const formula of items.slice(2)) this.#ask(draft, formula, role);
  }

  #ask(draft: Draft, asked: Node, role: Property['role']): void {
    const scope = this.#withSets(scopeOf(draft.type, 'states'), draft.type);
    let formula = asked;
    let name: string | undefined;
    let restsOn: string[] = [];
    if (formula.kind === 'list' && formula.items[0]?.kind === 'word' && formula.items[0].text === '!') {
      const annotation = formula;
      const [, inner, ...attributes] = formula.items;
      for (let i = 0; i < attributes.length; i += 2) {
        const key = word(attributes[i], 'an attribute', annotation);
        const value = attributes[i + 1];
        if (key === ':named') name = word(value, 'a name', annotation);
        else if (key === ':rests-on')
          restsOn = list(value, 'a list of names', annotation).map(item => {
            const other = word(item, 'a name', annotation);
            const known = draft.properties.map(property => property.name);
            if (!known.includes(other))
              throw new Problem(
                `there is no property ${other} before this one`,
                item.at,
                didYouMean(other, known),
              );
            return other;
          });
        else throw new Problem(`the attribute ${key} is not known`, attributes[i]!.at);
      }
      if (inner === undefined) throw new Problem('a formula is expected here', annotation.at);
      formula = inner;
    }
    const usual = `query ${draft.properties.length + 1}`;
    if (draft.properties.some(property => property.name === (name ?? usual)))
      throw new Problem(`there are two queries '${name ?? usual}'`, asked.at);
    draft.properties.push({ name: name ?? usual, formula: this.#bool(formula, scope), role, restsOn });
  }

  #bool(node: Node, scope: Scope): BoolExpr {
    return asFormula(this.#expr(node, scope), node.at);
  }

  /** A number that is not a bit-vector, for the operators on integers. */
  #int(node: Node, scope: Scope): IntExpr {
    const expr = asNumber(this.#expr(node, scope), node.at);
    if (this.#bits.widthOf(expr) !== undefined)
      throw new Problem('an integer is expected here, not a bit-vector', node.at);
    return expr;
  }

  /** `(_ extract 7 4)`, `(_ bv5 8)`: an operator or a constant with indices. */
  #indexed(node: Node): { readonly name: string; readonly indices: readonly number[] } | undefined {
    if (node.kind !== 'list' || node.items[0]?.kind !== 'word' || node.items[0].text !== '_')
      return undefined;
    const [, name, ...indices] = node.items;
    return { name: word(name, 'a name', node), indices: indices.map(index => naturalIn(index, node)) };
  }

  #expr(node: Node, scope: Scope): Expr {
    if (node.kind === 'word') return this.#leaf(node, scope);
    const constant = this.#indexed(node);
    if (constant !== undefined) return this.#bits.constant(constant.name, constant.indices, node.at);
    const [head, ...operands] = node.items;
    const indexed = head === undefined ? undefined : this.#indexed(head);
    const operator = indexed?.name ?? word(head, 'an operator', node);
    const bools = (): BoolExpr[] => operands.map(operand => this.#bool(operand, scope));
    const ints = (): IntExpr[] => operands.map(operand => this.#int(operand, scope));
    const need = (count: number): void => {
      if (operands.length !== count)
        throw new Problem(`'${operator}' needs ${plural(count, 'operand')}, not ${operands.length}`, node.at);
    };
    const chain = (compare: (a: IntExpr, b: IntExpr) => BoolExpr): BoolExpr => {
      const values = ints();
      if (values.length < 2) throw new Problem(`'${operator}' needs two operands`, node.at);
      return and(...values.slice(1).map((value, i) => compare(values[i]!, value)));
    };
    switch (operator) {
      case 'and':
        return and(...bools());
      case 'or':
        return or(...bools());
      case 'not':
        need(1);
        return not(bools()[0]!);
      case 'xor': {
        need(2);
        const [a, b] = bools();
        return not(iff(a!, b!));
      }
      case '=>': {
        need(2);
        const [a, b] = bools();
        return implies(a!, b!);
      }
      case '=':
        return this.#equal(operands, operator, node, scope);
      case 'distinct':
        return not(this.#equal(operands, operator, node, scope));
      case '<=':
        return chain(le);
      case '<':
        return chain(lt);
      case '>=':
        return chain(ge);
      case '>':
        return chain(gt);
      case '+':
        return sum(...ints());
      case '-': {
        const [first, ...rest] = ints();
        if (first === undefined) throw new Problem("'-' needs operands", node.at);
        return rest.length === 0 ? scale(-1, first) : rest.reduce((a, b) => sub(a, b), first);
      }
      case '*': {
        need(2);
        const [a, b] = ints();
        return product(a!, b!, node.at);
      }
      case 'div':
      case 'mod': {
        need(2);
        const [a, b] = ints();
        return quotient(operator, a!, b!, operands[1]!.at);
      }
      case 'ite': {
        need(3);
        const condition = this.#bool(operands[0]!, scope);
        const [yes, no] = operands.slice(1).map(operand => this.#expr(operand, scope));
        const width = this.#bits.sameWidth(yes!, no!, node.at);
        return this.#bits.withWidth(choice(condition, yes!, no!, node.at), width);
      }
      case 'let': {
        need(2);
        const inner = new Map(scope);
        for (const binding of list(operands[0], 'a list of bindings', node)) {
          const [name, value, ...more] = list(binding, 'a name and its value', node);
          if (more[0] !== undefined) throw new Problem('a name has one value', more[0].at);
          inner.set(word(name, 'a name', binding), this.#expr(value ?? binding, scope));
        }
        return this.#expr(operands[1] ?? node, inner);
      }
      default: {
        if (!BIT_OPERATORS.includes(operator))
          throw new Problem(
            `the operator '${operator}' is not known`,
            head!.at,
            didYouMean(operator, [...OPERATORS, ...BIT_OPERATORS]),
          );
        const values = operands.map(operand => asNumber(this.#expr(operand, scope), operand.at));
        return this.#bits.apply(operator, indexed?.indices ?? [], values, node.at);
      }
    }
  }

  #equal(operands: readonly Node[], operator: string, node: Node, scope: Scope): BoolExpr {
    if (operands.length !== 2)
      throw new Problem(`'${operator}' needs 2 operands, not ${operands.length}`, node.at);
    const [a, b] = operands.map(operand => this.#expr(operand, scope));
    const equation = equal(a!, b!, node.at);
    this.#bits.sameWidth(a!, b!, node.at);
    return equation;
  }

  #leaf({ text, at, isQuoted }: Extract<Node, { kind: 'word' }>, scope: Scope): Expr {
    if (text === 'true' && !isQuoted) return TRUE;
    if (text === 'false' && !isQuoted) return FALSE;
    if (/^\d+$/.test(text) && !isQuoted) {
      const value = Number(text);
      if (!Number.isSafeInteger(value)) throw new Problem(`the number ${text} is too large`, at);
      return int(value);
    }
    const known = scope.get(text) ?? this.#constants.get(text) ?? this.#bits.literal(text, at);
    if (known !== undefined) return known;
    const names = [...scope.keys(), ...this.#constants.keys()];
    throw new Problem(`there is no '${text}' here`, at, didYouMean(text, names));
  }
}

const TYPES = 'types are Bool, Int, (_ BitVec N), (Range LOW HIGH) and (Enum NAME...)';

const KEYWORDS = [
  'define-state-type',
  'define-states',
  'define-transition',
  'define-transition-system',
  'define-constant',
  'query',
  'lemma',
  'assume',
  'assume-input',
];
const OPERATORS = [
  'and',
  'or',
  'not',
  'xor',
  '=>',
  '=',
  'distinct',
  '<=',
  '<',
  '>=',
  '>',
  '+',
  '-',
  '*',
  'div',
  'mod',
  'ite',
  'let',
];

/**
 * The names that a formula may use: of states, plain ones; of a transition or of its inputs, with
 * the state they belong to.
 */
function scopeOf({ variables, inputs, values }: StateType, kind: 'states' | 'transition' | 'input'): Scope {
  const scope = new Map<string, Expr>();
  for (const [name, value] of values) scope.set(name, int(value));
  for (const variable of variables) {
    if (kind === 'states') scope.set(variable.name, ref(variable));
    else {
      scope.set(`state.${variable.name}`, ref(variable));
      if (kind === 'transition') scope.set(`next.${variable.name}`, ref(variable, true));
    }
  }
  if (kind !== 'states') for (const input of inputs) scope.set(input.name, ref(input));
  return scope;
}

function integerIn(node: Node): number {
  if (
    node.kind === 'list' &&
    node.items[0]?.kind === 'word' &&
    node.items[0].text === '-' &&
    node.items.length === 2
  )
    return -integerIn(node.items[1]!);
  if (node.kind !== 'word' || !/^-?\d+$/.test(node.text))
    throw new Problem('a number is expected here', node.at);
  const value = Number(node.text);
  if (!Number.isSafeInteger(value)) throw new Problem(`the number ${node.text} is too large`, node.at);
  return value;
}
