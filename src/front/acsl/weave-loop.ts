/**
 * Loops: invariants hold before the first iteration and after each; the variant decreases with
 * every iteration and is not negative when one begins.
 *
 * ```
 *   { declarations; while (({ invariants; variant; 1; }) && (c)) … }
 * ```
 *
 * The checks are in the condition, which `while` and `for` evaluate after every iteration,
 * `continue` or not. A `do` loop checks before it is entered, and after a condition that was true.
 *
 * An invariant `\forall i; low <= i < high ==> p(i)` over memory that the loop does not write costs
 * one pass in total and not one per iteration: elements that were checked stay true, so only new
 * ones are checked.
 */

import { AcslError } from './acsl-error.js';
import type { PlacedAnnotation } from './annotated-text.js';
import { cString } from './c-string.js';
import { LabelPoint } from './captures.js';
import { cTypeOf, fits, ofBits } from './integers.js';
import { freeNames, inRepresentation, representation } from './logic-types.js';
import type { Translator } from './predicates.js';
import { beginOf, childrenOf, endOf, type TreeNode } from './program-tree.js';
import {
  addressTaken,
  assignedVariables,
  mayWriteMemory,
  semicolonAfter,
  statementEnd,
} from './statements.js';
import type { Clause, LoopAnnotation, Node } from './syntax.js';
import type { Scope } from './term-scope.js';
import type { FunctionWeaver } from './weave-function.js';

export function weaveLoop(
  weaver: FunctionWeaver,
  placed: PlacedAnnotation,
  annotation: LoopAnnotation,
): void {
  new LoopWeaver(weaver, placed, annotation).weave();
}

class LoopWeaver {
  readonly #loop: TreeNode;
  readonly #scope: Scope;
  readonly #declarations: string[] = [];

  constructor(
    private readonly weaver: FunctionWeaver,
    private readonly placed: PlacedAnnotation,
    private readonly annotation: LoopAnnotation,
  ) {
    let loop = weaver.statementFor(placed).statement;
    while (loop?.kind === 'LabelStmt' || loop?.kind === 'AttributedStmt') loop = childrenOf(loop).at(-1);
    if (loop === undefined || !/^(ForStmt|WhileStmt|DoStmt)$/.test(loop.kind ?? ''))
      throw new AcslError('a loop annotation must stand before a loop', placed.place);
    this.#loop = loop;
    this.#scope = weaver.scopeAt(this.#placeOfCondition());
  }

  weave(): void {
    const { weaver, placed, annotation } = this;
    const { edits, text } = weaver.context;
    const outer = weaver.scopeAt(beginOf(this.#loop));
    const entry = new LabelPoint(outer, false);
    const current = new LabelPoint(this.#scope, false);
    const states = new Map([
      ['LoopEntry', entry],
      ['LoopCurrent', current],
    ]);
    weaver.loopStates.set(this.#loop, states);
    const translator = weaver.translator(states);
    const turns = weaver.program.unique('turns');
    this.#declarations.push(`long ${turns} = -1;`);
    const told = `__rz_raw_value_integer("iterations of the loop", ${turns});`;
    const checks: string[] = [];
    for (const clause of annotation.invariants) {
      const condition = weaver.onlyFor(clause.onlyFor, placed.place);
      checks.push(`${condition}${this.#invariant(clause, translator, told)}`);
    }
    if (annotation.variant !== undefined) {
      checks.push(this.#variant(annotation.variant, translator, told));
      weaver.measuredLoops++;
    }
    if (annotation.assigns !== undefined) {
      const frame = weaver.assigns.loopFrame(annotation.assigns, this.#loop, outer, this.#scope, translator);
      this.#declarations.push(frame.open);
      checks.push(frame.turn);
    }
    // Annotations of the body may still request values of either state.
    const code = (): string => {
      const keep = current.statements.join(' ');
      const first = keep === '' ? '' : `if (${turns} == 0) { ${keep} }`;
      return `${turns}++; ${first} ${checks.join(' ')} ${keep}`;
    };
    const before = (): string => [...this.#declarations, ...entry.statements].join(' ');
    const begin = beginOf(this.#loop);
    const isDo = this.#loop.kind === 'DoStmt';
    edits.insert(begin, () => `{ ${before()} ${isDo ? code() : ''}`, placed.place);
    this.#intoCondition(code);
    edits.close(statementEnd(this.#loop, text.text), begin, '}');
  }

  #invariant(clause: Clause, translator: Translator, told: string): string {
    const parts = conjunctsOf(clause.condition);
    if (parts.length > 1)
      return parts.map(condition => this.#invariant({ ...clause, condition }, translator, told)).join(' ');
    return (
      this.#growing(clause, translator, told) ?? this.weaver.check(clause, this.#scope, translator, told)
    );
  }

  /**
   * A quantifier over memory that the loop does not change: each element is checked once. The
   * checked part of the range is recorded by its last element, `seen`; a range that starts anew
   * resets it.
   */
  #growing(clause: Clause, translator: Translator, told: string): string | undefined {
    const { weaver } = this;
    const node = clause.condition;
    if (clause.mode === 'admit' || node.kind !== 'quantifier' || !node.every || node.binders.length !== 1)
      return undefined;
    if (mayWriteMemory(this.#loop) || [...namesOfStates(node)].length > 0) return undefined;
    const { body } = node;
    if (
      body.kind !== 'binary' ||
      body.op !== '==>' ||
      body.left.kind !== 'relation' ||
      body.left.rest.length !== 2
    )
      return undefined;
    const { first, rest } = body.left;
    const [[opLow, variable], [opHigh, high]] = rest as readonly [
      (typeof rest)[number],
      (typeof rest)[number],
    ];
    const binder = node.binders[0]!;
    if (variable.kind !== 'name' || variable.name !== binder.name || opLow !== '<=' || opHigh !== '<')
      return undefined;
    const changed = new Set([...assignedVariables(this.#loop)].map(({ name }) => name));
    const inner = new Set([...assignedVariables(this.#loop)].map(({ id }) => id));
    if ([...addressTaken(weaver.target.body!)].some(id => inner.has(id))) return undefined;
    if ([...freeNames(first), ...freeNames(body.right)].some(name => changed.has(name))) return undefined;
    const seen = weaver.program.unique('seen');
    const from = `${seen}#`;
    const end = translator.integer(high, this.#scope);
    const isNear = fits(end.interval, near);
    const scope = this.#scope.with(from, {
      kind: 'term',
      term: { type: { kind: 'integer' }, code: seen, interval: isNear ? near : ofBits(64, true) },
    });
    const span = first.span;
    const low: Node = {
      kind: 'call',
      name: '\\max',
      labels: [],
      args: [first, { kind: 'name', name: from, span }],
      span,
    };
    const shorter: Node = {
      ...node,
      body: { ...body, left: { ...body.left, first: low, rest } },
    };
    this.#declarations.push(`long ${seen} = ${isNear ? near.low : '-0x7fffffffffffffff'}l;`);
    const check = weaver.check({ ...clause, condition: shorter }, scope, translator, told);
    const reached = isNear ? end.code : `__rz_raw_bound(${inRepresentation(end, 'i128')})`;
    return `${check} { long __rz_reached = ${reached}; if (__rz_reached > ${seen}) ${seen} = __rz_reached; }`;
  }

  #variant(
    { measure, relation }: NonNullable<LoopAnnotation['variant']>,
    translator: Translator,
    told: string,
  ): string {
    const { weaver } = this;
    const { program } = weaver;
    const note = program.note(measure.span, 'loop variant');
    const term = translator.integer(measure, this.#scope);
    const wanted = relation !== undefined ? 'big' : representation(term) === 'i64' ? 'i64' : 'i128';
    const type = cTypeOf[wanted];
    const [before, now] = [program.unique('before'), program.unique('now')];
    const value = inRepresentation(term, wanted);
    const turns = /", (\w+)\)/.exec(told)![1];
    this.#declarations.push(`${type} ${before} = 0;`);
    const holds =
      relation === undefined
        ? `${now} < ${before} && ${before} >= 0`
        : weaver.relation(relation, before, now, measure.span, translator);
    const kind = relation === undefined ? 'integer' : 'big';
    const text = cString(program.text(measure.span));
    const values = `__rz_raw_value_${kind}(${text}, ${now}); __rz_raw_value_${kind}("the same a turn before", ${before});`;
    return `{ ${type} ${now} = ${value}; if (${turns} > 0 && ${weaver.mustTerminate} && !(${holds})) { ${values} ${told} __rz_acsl_fail(${note}); } ${before} = ${now}; }`;
  }

  // ------------------------------------------------------------------------------- where code goes

  /** The condition of the loop; undefined for `for (;;)`. */
  #condition(): TreeNode | undefined {
    const inner = this.#loop.inner ?? [];
    const node =
      this.#loop.kind === 'ForStmt' ? inner[2] : this.#loop.kind === 'DoStmt' ? inner[1] : inner[0];
    return node?.kind === undefined ? undefined : node;
  }

  #placeOfCondition(): number {
    const condition = this.#condition();
    if (condition !== undefined) return beginOf(condition);
    const { text } = this.weaver.context.text;
    const init = this.#loop.inner?.[0];
    if (init?.kind === 'DeclStmt') return endOf(init);
    if (init?.kind !== undefined) return semicolonAfter(endOf(init), text);
    return text.indexOf(';', beginOf(this.#loop)) + 1;
  }

  #intoCondition(code: () => string): void {
    const { edits } = this.weaver.context;
    const condition = this.#condition();
    const at = this.placed.place;
    if (condition === undefined) {
      edits.insert(this.#placeOfCondition(), () => `({ ${code()} 1; })`, at);
      return;
    }
    const begin = beginOf(condition);
    if (this.#loop.kind === 'DoStmt') {
      edits.insert(begin, '(', at);
      edits.close(endOf(condition), begin, () => `) && ({ ${code()} 1; })`, at);
    } else {
      edits.insert(begin, () => `({ ${code()} 1; }) && (`, at);
      edits.close(endOf(condition), begin, ')', at);
    }
  }
}

/** Numbers for which adding or subtracting one stays in a `long`. */
const near = { low: -(1n << 62n), high: 1n << 62n };

function conjunctsOf(node: Node): Node[] {
  return node.kind === 'binary' && node.op === '&&'
    ? [...conjunctsOf(node.left), ...conjunctsOf(node.right)]
    : [node];
}

/** States that a tree refers to, other than the current one. */
function* namesOfStates(node: Node): Iterable<string> {
  if (node.kind === 'at' && node.label !== 'Here') yield node.label;
  if (node.kind === 'call') yield* node.labels;
  if (node.kind === 'binary') {
    yield* namesOfStates(node.left);
    yield* namesOfStates(node.right);
  } else if (node.kind === 'quantifier') yield* namesOfStates(node.body);
}
