/**
 * One function with its contract and the annotations in its body.
 *
 * ```
 *   int f(int x) { int r; requires; captures; {          int r, when there is something to check at the end
 *     …
 *     if (x) { r = 1; goto leave; }                      return 1;
 *     …
 *   } leave: ensures; return r; }
 * ```
 *
 * Everything that must be undone when the function is left is a variable with a cleanup, so that it
 * also happens on exits that are not woven.
 */

import { AcslError } from './acsl-error.js';
import type { AnnotatedText, PlacedAnnotation } from './annotated-text.js';
import { AssignsWeaver } from './assigns.js';
import { cString } from './c-string.js';
import { type CType, declare } from './c-types.js';
import { FunctionCaptures, LabelPoint } from './captures.js';
import type { Edits, SourceLine } from './edits.js';
import { Explainer } from './explain-failure.js';
import { inRepresentation } from './logic-types.js';
import type { SourceToken } from './mark.js';
import { suggestion } from './parse-term.js';
import { Translator } from './predicates.js';
import { beginOf, childrenOf, endOf, type FunctionInfo, type TreeNode, walk } from './program-tree.js';
import {
  addressTaken,
  assignedVariables,
  colonAfter,
  statementAfter,
  statementEnd,
  waysOut,
} from './statements.js';
import type { Behavior, Clause, Contract, Node, Span } from './syntax.js';
import { type Binding, Scope } from './term-scope.js';
import { int } from './translate-term.js';
import { noCaptures, type WovenProgram } from './woven-program.js';

/** A contract with the names that its own declaration gives to the parameters. */
export interface PlacedContract {
  readonly contract: Contract;
  readonly parameters: readonly string[];
  readonly place: SourceToken;
}

/** Invariants that hold whenever a function begins or ends. */
export interface DataInvariants {
  readonly globals: readonly { readonly clause: Clause; readonly offset: number }[];
  readonly types: readonly {
    readonly clause: Clause;
    readonly type: CType;
    readonly parameter: string;
    readonly offset: number;
  }[];
}

export interface WeaveContext {
  readonly program: WovenProgram;
  readonly edits: Edits;
  readonly text: AnnotatedText;
  readonly invariants: DataInvariants;
  readonly warn: (message: string, place: SourceToken) => void;
}

export class FunctionWeaver {
  readonly #declarations: string[] = [];
  readonly #labels = new Map<string, LabelPoint>();
  readonly #pre: LabelPoint;
  readonly #assigned: ReadonlySet<string>;
  readonly #assignedNames: ReadonlySet<string>;
  readonly #flags = new Map<string, string>();
  readonly #declaredFlags = new Set<string>();
  #terminates: string | undefined;
  /** The states named by annotated loops: LoopEntry, LoopCurrent. */
  readonly loopStates: Map<TreeNode, ReadonlyMap<string, LabelPoint>> = new Map();
  /** Loops of the body with a variant. */
  measuredLoops = 0;
  /** The checks at a return of the body, once its value is known. */
  readonly #atReturns = new Map<TreeNode, string[]>();
  /** Functions of C that precede this one. */
  readonly #helpers: string[] = [];
  #needsArena = false;
  readonly assigns: AssignsWeaver;

  constructor(
    readonly context: WeaveContext,
    readonly target: FunctionInfo,
    private readonly contracts: readonly PlacedContract[],
    /** The text that calls the function itself, for a function whose body is elsewhere. */
    private readonly wraps?: string,
  ) {
    this.#pre = new LabelPoint(this.#parameterScope(), true);
    this.#assigned = new Set(
      target.body === undefined
        ? []
        : [...[...assignedVariables(target.body)].map(({ id }) => id), ...addressTaken(target.body)],
    );
    const locals = target.body === undefined ? [] : [...walk(target.body)];
    this.#assignedNames = new Set(
      [...target.parameters, ...locals].flatMap(({ id, name }) =>
        this.#assigned.has(id ?? '') && name !== undefined ? [name] : [],
      ),
    );
    this.assigns = new AssignsWeaver(this);
  }

  get program(): WovenProgram {
    return this.context.program;
  }

  /** Whether the function must terminate. Its measures are checked only then. */
  get mustTerminate(): string {
    return this.#terminates ?? '1';
  }

  needArena(): void {
    this.#needsArena = true;
  }

  // ---------------------------------------------------------------------------------------- scopes

  #parameterScope(): Scope {
    const bindings = new Map<string, Binding>();
    for (const { name, type } of this.target.parameters)
      bindings.set(name, { kind: 'variable', type, code: name });
    return new Scope(bindings);
  }

  /** The meaning of names at a position of the body. */
  scopeAt(offset: number): Scope {
    const { body } = this.target;
    if (body === undefined) return this.#pre.scope;
    const bindings = new Map<string, Binding>();
    for (const { name, type } of this.program.tree.localsAt(body, offset))
      bindings.set(name, { kind: 'variable', type, code: name });
    return new Scope(bindings, this.#pre.scope);
  }

  /**
   * For a contract: its own names for the parameters; after the body they refer to the values that
   * were passed.
   */
  #contractScope(names: readonly string[], isAfter: boolean): Scope {
    const bindings = new Map<string, Binding>();
    for (const [i, { name, type, id }] of this.target.parameters.entries()) {
      const isChanged = isAfter && this.#assigned.has(id);
      const own: Binding = isChanged
        ? { kind: 'tree', node: { kind: 'name', name, span: nowhere }, scope: formals(name) }
        : { kind: 'variable', type, code: name };
      bindings.set(name, own);
      const given = names[i];
      if (given !== undefined && given !== '') bindings.set(given, own);
    }
    if (isAfter && this.target.result.kind !== 'void')
      bindings.set('\\result', { kind: 'variable', type: this.target.result, code: '__rz_result' });
    return new Scope(bindings);
  }

  /** `same` are the states that equal the one at the position of the code. */
  translator(
    labels: ReadonlyMap<string, LabelPoint> = new Map(),
    same: readonly string[] = labels.has('Post') ? ['Post'] : [],
  ): Translator {
    const find = (label: string): LabelPoint | undefined => labels.get(label) ?? this.#point(label);
    const captures = new FunctionCaptures(
      this.program,
      this.#declarations,
      find,
      () => this.needArena(),
      name => !this.#assignedNames.has(name),
    );
    return new Translator(this.program, captures, new Map(['Here', ...same].map(label => [label, 'Here'])));
  }

  /** The states of the innermost loop around a place. */
  #loopStatesAt(offset: number): ReadonlyMap<string, LabelPoint> {
    const around = [...walk(this.target.body!)].filter(
      node => isLoop(node) && beginOf(node) < offset && offset < endOf(node),
    );
    return this.loopStates.get(around.at(-1)!) ?? new Map();
  }

  /** A state that can be named anywhere in the body: its start, and the labels of C. */
  #point(label: string): LabelPoint | undefined {
    if (label === 'Pre' || label === 'Old') return this.#pre;
    const known = this.#labels.get(label);
    if (known !== undefined || this.target.body === undefined) return known;
    const statement = [...walk(this.target.body)].find(
      node => node.kind === 'LabelStmt' && node.name === label,
    );
    if (statement === undefined) return undefined;
    const point = new LabelPoint(this.scopeAt(beginOf(statement)), false);
    this.#labels.set(label, point);
    return point;
  }

  // ---------------------------------------------------------------------------------------- checks

  /** Statements that check one clause. */
  check(clause: Clause, scope: Scope, translator: Translator, more = ''): string {
    if (clause.mode === 'admit') {
      translator.predicate(clause.condition, scope);
      return '';
    }
    const [condition, usesReals] = this.program.watchReals(() =>
      translator.predicate(clause.condition, scope),
    );
    const explanation = new Explainer(translator, this.program).explain(clause.condition, scope);
    const note = this.program.note(clause.condition.span, clause.keyword);
    const rounded = usesReals ? '__rz_raw_value_rounded();' : '';
    return this.inArena(
      `if (__builtin_expect(!${condition}, 0)) { ${explanation} ${rounded} ${more} __rz_acsl_fail(${note}); }`,
    );
  }

  /** Releases the big integers that the code makes. */
  inArena(code: string): string {
    if (!code.includes('__rz_big') && !code.includes('__rz_logic_')) return `{ ${code} }`;
    return `{ unsigned RZ_TOP = __rz_raw_arena(); ${code} __rz_raw_arena_cut(&RZ_TOP); }`.replaceAll(
      'RZ_TOP',
      this.program.unique('top'),
    );
  }

  /** The flag that says whether a behavior of the contract applies. */
  behaviorFlag(name: string, place: SourceToken): string {
    const flag = this.#flags.get(name);
    if (flag !== undefined) return flag;
    throw new AcslError(
      `the contract has no behavior '${name}'`,
      place,
      suggestion(name, [...this.#flags.keys()]),
    );
  }

  // -------------------------------------------------------------------------------------- contract

  /** Prepares the flags of behaviors, which annotations of the body may name. */
  prepare(): void {
    for (const { contract } of this.contracts)
      for (const { name } of contract.behaviors)
        if (name !== undefined && !this.#flags.has(name))
          this.#flags.set(name, this.program.unique(`behavior_${name}`));
    if (this.contracts.some(({ contract }) => contract.terminates !== undefined))
      this.#terminates = this.program.unique('terminates');
  }

  /**
   * Weaves the contract around the body. Annotations of the body come first, because they may
   * request captures.
   */
  finish(): string | undefined {
    const entry: string[] = [];
    const exit: string[] = [];
    entry.push(this.#termination());
    for (const contract of this.contracts) this.#contract(contract, entry, exit);
    this.#dataInvariants(entry, exit);
    this.#emitLabels();
    const captured = this.#pre.statements;
    const isPlain = this.wraps === undefined && this.#atReturns.size === 0;
    if (isPlain && entry.length + exit.length + captured.length + this.#declarations.length === 0)
      return undefined;
    const arena = this.#needsArena
      ? [`unsigned __rz_arena ${cleanup('__rz_raw_arena_cut')} = __rz_raw_arena();`]
      : [];
    const before = [...arena, ...this.#declarations, ...entry, ...captured].join(' ');
    const helpers = this.#helpers.join(' ');
    if (this.wraps !== undefined) return `${helpers} ${this.#wrapper(before, exit.join(' '))}`;
    if (helpers !== '') this.context.edits.insert(this.target.begin, helpers);
    this.#weaveBody(before, exit.join(' '));
    return undefined;
  }

  #contract({ contract, parameters, place }: PlacedContract, entry: string[], exit: string[]): void {
    const abrupt = contract.behaviors.flatMap(behavior => behavior.abrupt)[0];
    if (abrupt !== undefined)
      throw new AcslError(`'${abrupt.keyword}' belongs into the contract of a statement`, place);
    const before = this.#contractScope(parameters, false);
    const after = this.#contractScope(parameters, true);
    const translator = this.translator(new Map(), ['Pre', 'Old']);
    const post = this.translator(new Map([['Post', this.#pre]]));
    const named = contract.behaviors.filter(behavior => behavior.name !== undefined);
    // Behaviors of the declaration and the definition may have the same name and different
    // conditions.
    const flags = new Map<Behavior, string>();
    for (const behavior of named) {
      const shared = this.#flags.get(behavior.name!)!;
      const isTaken = this.#declaredFlags.has(shared);
      const flag = isTaken ? this.program.unique(`behavior_${behavior.name}`) : shared;
      this.#declaredFlags.add(flag);
      flags.set(behavior, flag);
      const conditions = behavior.assumes.map(clause => translator.predicate(clause.condition, before));
      entry.push(`int ${flag} = ${conditions.length === 0 ? '1' : conditions.join(' && ')};`);
    }
    for (const behavior of contract.behaviors) {
      const condition = behavior.name === undefined ? '' : `if (${flags.get(behavior)}) `;
      for (const clause of behavior.requires)
        entry.push(`${condition}${this.check(clause, before, translator)}`);
      for (const clause of behavior.ensures)
        exit.push(`${condition}${this.check(clause, after, post, this.#returnedHere())}`);
      for (const clause of behavior.exits) entry.push(this.#exits(clause, flags.get(behavior)));
    }
    for (const set of contract.sets) entry.push(this.#behaviorSet(set, named));
    if (contract.decreases !== undefined) entry.push(this.#decreases(contract.decreases, before, translator));
    for (const behavior of contract.behaviors) {
      if (behavior.assigns === undefined) continue;
      const condition = flags.get(behavior);
      entry.push(this.assigns.functionFrame(behavior.assigns, before, translator, condition));
    }
  }

  /**
   * Registers a condition for the end of the program, where no variable of the function is visible.
   */
  #exits(clause: Clause, applies: string | undefined): string {
    const [watch, check] = [this.program.unique('watch'), this.program.unique(`exits_${this.target.name}`)];
    const status: Binding = { kind: 'variable', type: int, code: '__rz_status' };
    try {
      const scope = new Scope(new Map([['\\exit_status', status]]));
      const code = this.check(clause, scope, new Translator(this.program, noCaptures));
      this.#helpers.push(`static void ${check}(int __rz_status) ${code}`);
    } catch (error) {
      if (!(error instanceof AcslError)) throw error;
      throw new AcslError(
        error.message,
        error.place,
        "'exits' is evaluated when the program ends: it knows global variables and \\exit_status",
      );
    }
    return `char ${watch} ${cleanup('__rz_exit_unwatch')} = 0; if (${applies ?? '1'}) __rz_exit_watch(&${watch}, ${check});`;
  }

  /** Records which return it was. */
  #returnedHere(): string {
    if (this.wraps !== undefined) return '';
    const { file } = this.context.text.locate(this.target.end);
    return `__rz_acsl_place("the function returns here", ${cString(file)}, __rz_line, 0);`;
  }

  /** `complete`: one of them applies. `disjoint`: no two do. */
  #behaviorSet(set: Contract['sets'][number], named: readonly Behavior[]): string {
    const chosen = set.names.length === 0 ? named.map(({ name }) => name!) : set.names;
    const flags = chosen.map(name => this.behaviorFlag(name, set.span.first));
    const sum = flags.join(' + ') || '0';
    const fails = set.keyword === 'complete behaviors' ? `(${sum}) == 0` : `(${sum}) > 1`;
    const values = chosen
      .map((name, i) => `__rz_raw_value_boolean(${cString(name)}, ${flags[i]});`)
      .join(' ');
    return `if (${fails}) { ${values} __rz_acsl_fail(${this.program.note(set.span, set.keyword)}); }`;
  }

  /**
   * `terminates P`: if P holds at first, measures must decrease. Without a measure, termination is
   * not checked, and a warning says so.
   */
  #termination(): string {
    const conditions = this.contracts.flatMap(({ contract: { terminates }, parameters }) => {
      if (terminates === undefined) return [];
      const place = terminates.condition.span.first;
      const missing = this.#missingMeasure();
      if (missing !== undefined && !isFalse(terminates.condition))
        this.context.warn(`nothing checks that '${this.target.name}' terminates: ${missing}`, place);
      const translator = this.translator(new Map(), ['Pre', 'Old']);
      return translator.predicate(terminates.condition, this.#contractScope(parameters, false));
    });
    return conditions.length === 0 ? '' : `int ${this.#terminates} = ${conditions.join(' || ')};`;
  }

  #missingMeasure(): string | undefined {
    const { body, name } = this.target;
    if (body === undefined) return undefined;
    const nodes = [...walk(body)];
    if (nodes.filter(isLoop).length > this.measuredLoops) return "a loop has no 'loop variant'";
    const callsItself = nodes.some(node => node.referencedDecl?.name === name);
    const isMeasured = this.contracts.some(({ contract }) => contract.decreases !== undefined);
    return callsItself && !isMeasured ? "it calls itself, and has no 'decreases'" : undefined;
  }

  /** A recursive call must have a smaller measure than the active call, which is not negative. */
  #decreases(decreases: NonNullable<Contract['decreases']>, scope: Scope, translator: Translator): string {
    const measure = translator.integer(decreases.measure, scope);
    const note = this.program.note(decreases.measure.span, 'decreases');
    const [id, value, mark] = [
      this.program.unique('id'),
      this.program.unique('value'),
      this.program.unique('mark'),
    ];
    this.needArena();
    const outer = '__rz_measure_outer()';
    const isSmaller =
      decreases.relation === undefined
        ? `__rz_big_compare(${value}, ${outer}) < 0 && __rz_big_compare(${outer}, 1) >= 0`
        : this.relation(decreases.relation, outer, value, decreases.measure.span, translator);
    const text = cString(this.program.text(decreases.measure.span));
    const told = `__rz_raw_value_big(${text}, ${value}); __rz_raw_value_big("the same in the call before", ${outer});`;
    return (
      `static const char ${id} = 0; unsigned ${mark} ${cleanup('__rz_measure_leave')} = __rz_measure_mark(); __rz_big ${value} = ${inRepresentation(measure, 'big')}; ` +
      `if (__rz_measure_enter(&${id}, ${value}) && ${this.mustTerminate} && !(${isSmaller})) { ${told} __rz_acsl_fail(${note}); }`
    );
  }

  /** `for R`: the relation between the value before and the value now, both as big numbers. */
  relation(name: string, before: string, now: string, span: Span, translator: Translator): string {
    const definition = this.program.logic.get(name);
    if (definition === undefined || definition.parameters.length !== 2 || definition.result !== undefined)
      throw new AcslError(`'${name}' is not a predicate of two parameters`, span.last);
    const [x, y] = [`${name}#1`, `${name}#2`];
    const big = (code: string): Binding => ({
      kind: 'term',
      term: { type: { kind: 'integer' }, code, interval: { low: undefined, high: undefined } },
    });
    const scope = new Scope(
      new Map([
        [x, big(before)],
        [y, big(now)],
      ]),
    );
    const args = [x, y].map(one => ({ kind: 'name' as const, name: one, span }));
    return translator.predicate({ kind: 'call', name, labels: [], args, span }, scope);
  }

  #dataInvariants(entry: string[], exit: string[]): void {
    const { globals, types } = this.context.invariants;
    const { target, program } = this;
    const translator = this.translator();
    const start = target.begin;
    const both = (code: string): void => {
      entry.push(code);
      exit.push(code);
    };
    for (const { clause, offset } of globals)
      if (offset < start) both(this.check(clause, new Scope(new Map()), translator));
    for (const { clause, type, parameter, offset } of types) {
      if (offset > start) continue;
      const holds = (code: string): string =>
        this.check(clause, new Scope(new Map([[parameter, { kind: 'variable', type, code }]])), translator);
      for (const global of program.tree.globals)
        if (global.offset < start && sameDeclaration(global.type, type)) both(holds(global.name));
      for (const { name, type: own } of target.parameters) {
        if (name === '') continue;
        if (sameDeclaration(own, type)) both(holds(name));
        if (own.kind === 'pointer' && sameDeclaration(own.to, type))
          both(`if (__rz_acsl_initialized(${name}, sizeof(*${name}))) ${holds(`(*${name})`)}`);
      }
      if (sameDeclaration(target.result, type)) exit.push(holds('__rz_result'));
    }
  }

  // ------------------------------------------------------------------------------------------ text

  #emitLabels(): void {
    const { body } = this.target;
    if (body === undefined) return;
    for (const [label, point] of this.#labels) {
      const statement = [...walk(body)].find(node => node.kind === 'LabelStmt' && node.name === label)!;
      const code = point.statements.join(' ');
      const { edits, text } = this.context;
      const begin = colonAfter(beginOf(statement), text.text);
      if (
        [...walk(body)].some(node => node.kind === 'CompoundStmt' && childrenOf(node).includes(statement))
      ) {
        edits.insert(begin, `{ ${code} }`);
        continue;
      }
      edits.insert(begin, `{ ${code}`);
      edits.close(statementEnd(statement, text.text), begin, '}');
    }
  }

  #weaveBody(before: string, after: string): void {
    const { target, context } = this;
    const body = target.body!;
    const { edits, text } = context;
    const open = beginOf(body) + 1;
    const close = endOf(body) - 1;
    // At one offset closing code comes first, but `{}` opens and closes at one offset.
    const isEmpty = open === close;
    if (after === '' && this.#atReturns.size === 0) {
      edits.insert(open, isEmpty ? before : `${before} {`);
      if (!isEmpty) edits.close(close, beginOf(body), '}');
      return;
    }
    const hasResult = target.result.kind !== 'void';
    const zero = target.name === 'main' ? ' = 0' : '';
    const result = hasResult ? `${declare(target.result, '__rz_result')}${zero};` : '';
    const start = `${result} unsigned __rz_line = ${text.locate(close).line}; ${before} {`;
    const end = `} __rz_leave: ; ${after} ${hasResult ? 'return __rz_result;' : ''}`;
    if (isEmpty) {
      edits.insert(open, `${start} ${end}`);
      return;
    }
    edits.insert(open, start);
    for (const node of returnsIn(body)) {
      const at = text.locate(beginOf(node));
      const value = node.inner !== undefined && hasResult ? ' __rz_result =' : '';
      edits.replace(beginOf(node), beginOf(node) + 'return'.length, `{ __rz_line = ${at.line};${value}`, at);
      const checks = this.#atReturns.get(node)?.join(' ') ?? '';
      edits.close(statementEnd(node, text.text), beginOf(node), `${checks} goto __rz_leave; }`, at);
    }
    edits.close(close, beginOf(body), end, text.locate(close));
  }

  /** A function that checks the contract around a call of the real one. */
  #wrapper(before: string, after: string): string {
    const { target } = this;
    const hasResult = target.result.kind !== 'void';
    const parameters = target.parameters
      .map(({ type, name }, i) => declare(type, name || `__rz_p${i}`))
      .join(', ');
    const args = target.parameters.map(({ name }, i) => name || `__rz_p${i}`).join(', ');
    const head = declare(target.result, `${this.wraps}(${parameters || 'void'})`);
    const call = `${hasResult ? '__rz_result = ' : ''}${target.name}(${args});`;
    const result = hasResult ? `${declare(target.result, '__rz_result')};` : '';
    return `static ${head} { ${result} ${before} ${call} ${after} ${hasResult ? 'return __rz_result;' : ''} }`;
  }

  // ------------------------------------------------------------------------------------ statements

  /** Inserts code before a statement of the body, and optionally after it. */
  around(placed: PlacedAnnotation, before: string, after: string | undefined): void {
    const { edits, text } = this.context;
    const found = this.statementFor(placed);
    const at: SourceLine = placed.place;
    if (found.statement === undefined || (found.inBlock && after === undefined)) {
      edits.insert(placed.offset, before, at);
      return;
    }
    const begin = beginOf(found.statement);
    edits.insert(begin, `{ ${before}`, at);
    edits.close(statementEnd(found.statement, text.text), begin, `${after ?? ''} }`);
  }

  statementFor(placed: PlacedAnnotation): { statement: TreeNode | undefined; inBlock: boolean } {
    const found = statementAfter(this.target.body!, placed.offset);
    if (found === undefined) throw new AcslError('an annotation cannot stand here', placed.place);
    return found;
  }

  assertion(placed: PlacedAnnotation, clause: Clause, onlyFor: readonly string[]): void {
    const translator = this.translator(this.#loopStatesAt(placed.offset));
    const code = this.check(clause, this.scopeAt(placed.offset), translator, this.#usedHere(placed));
    const condition = this.onlyFor(onlyFor, placed.place);
    this.around(placed, `${condition}${code}`, undefined);
  }

  /** An annotation from a macro is reported where the macro is used. */
  #usedHere({ offset, place }: PlacedAnnotation): string {
    const { file, line } = this.context.text.locate(offset);
    if (file === place.file && line >= place.line && line <= place.line + 1) return '';
    return `__rz_acsl_place("the macro with the annotation is used here", ${cString(file)}, ${line}, 0);`;
  }

  onlyFor(names: readonly string[], place: SourceToken): string {
    return names.length === 0
      ? ''
      : `if (${names.map(name => this.behaviorFlag(name, place)).join(' || ')}) `;
  }

  /** A contract on a statement: its requires before it, its ensures when it has ended normally. */
  statementContract(placed: PlacedAnnotation, contract: Contract): void {
    const { statement } = this.statementFor(placed);
    if (statement === undefined)
      throw new AcslError('a contract needs a statement that follows', placed.place);
    const scope = this.scopeAt(placed.offset);
    const old = new LabelPoint(scope, false);
    const states = this.#loopStatesAt(placed.offset);
    const translator = this.translator(states, ['Old']);
    const post = this.translator(new Map([...states, ['Old', old], ['Post', old]]));
    const condition = this.onlyFor(contract.onlyFor, placed.place);
    const before: string[] = [];
    const after: string[] = [];
    const flags = new Map<Behavior, string>();
    for (const behavior of contract.behaviors) {
      if (behavior.name === undefined) continue;
      const flag = this.program.unique(`behavior_${behavior.name}`);
      flags.set(behavior, flag);
      this.#flags.set(behavior.name, flag);
      const conditions = behavior.assumes.map(clause => translator.predicate(clause.condition, scope));
      before.push(`int ${flag} = ${conditions.length === 0 ? '1' : conditions.join(' && ')};`);
    }
    for (const behavior of contract.behaviors) {
      const flag = flags.get(behavior);
      const applies = `${condition}${flag === undefined ? '' : `if (${flag}) `}`;
      for (const clause of behavior.requires)
        before.push(`${applies}${this.check(clause, scope, translator)}`);
      for (const clause of behavior.ensures) after.push(`${applies}${this.check(clause, scope, post)}`);
      for (const clause of behavior.exits) before.push(this.#exits(clause, flag));
      for (const clause of behavior.abrupt) this.#abrupt(clause, statement, scope, post, applies);
    }
    for (const set of contract.sets)
      before.push(
        this.#behaviorSet(
          set,
          contract.behaviors.filter(one => one.name !== undefined),
        ),
      );
    for (const behavior of contract.behaviors)
      if (behavior.assigns !== undefined)
        before.push(
          this.assigns.statementFrame(behavior.assigns, statement, scope, translator, flags.get(behavior)),
        );
    this.around(placed, [...before, ...old.statements].join(' '), after.join(' '));
  }

  /** Checks a clause wherever the statement is left in its way. */
  #abrupt(
    clause: Behavior['abrupt'][number],
    statement: TreeNode,
    scope: Scope,
    translator: Translator,
    applies: string,
  ): void {
    const { edits, text } = this.context;
    const { result } = this.target;
    const isReturn = clause.keyword === 'returns';
    const inner =
      isReturn && result.kind !== 'void'
        ? scope.with('\\result', { kind: 'variable', type: result, code: '__rz_result' })
        : scope;
    for (const { way, node } of waysOut(statement)) {
      if (way !== clause.keyword) continue;
      const begin = beginOf(node);
      const at = text.locate(begin);
      const here = `__rz_acsl_place("the statement is left here", ${cString(at.file)}, ${at.line}, ${at.column});`;
      const code = `${applies}${this.check(clause, inner, translator, here)}`;
      if (isReturn) this.#atReturns.set(node, [...(this.#atReturns.get(node) ?? []), code]);
      else {
        edits.insert(begin, `{ ${code}`, at);
        edits.close(statementEnd(node, text.text), begin, '}');
      }
    }
  }
}

export function cleanup(name: string): string {
  return `__attribute__((cleanup(${name})))`;
}

const nowhereToken: SourceToken = { file: '', line: 0, column: 0, offset: 0, end: 0 };
const nowhere: Span = { first: nowhereToken, last: nowhereToken };

/** A parameter that the body changes refers to its initial value. */
function formals(name: string): Scope {
  return new Scope(new Map([[name, { kind: 'formal', label: 'Pre' }]]));
}

function isFalse(node: Node): boolean {
  return node.kind === 'name' && node.name === '\\false';
}

function isLoop({ kind }: TreeNode): boolean {
  return kind === 'ForStmt' || kind === 'WhileStmt' || kind === 'DoStmt';
}

function sameDeclaration(left: CType, right: CType): boolean {
  return declare(left, 'x') === declare(right, 'x');
}

function* returnsIn(node: TreeNode): Iterable<TreeNode> {
  for (const one of walk(node)) if (one.kind === 'ReturnStmt') yield one;
}
