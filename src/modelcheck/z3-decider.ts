/**
 * Z3 as a decider: one context that lives as long as the question, fed with SMT-LIB text.
 *
 * Z3 runs in this very thread (`Z3_eval_smtlib2_string` blocks), which is why `redzone prove` itself runs in a worker that can be ended.
 * A call costs about a millisecond, ten times less than sending a script to a fresh context.
 */
import { init } from 'z3-solver';
import { readSExpressions, type SExpression } from '../expr/s-expression.js';
import { assert } from '../support/assert.js';
import { type Answer, type Decider, type Literal, variableAt } from './decider.js';
import type { BoolExpr } from './expression.js';
import { declareState, SmtPrinter } from './smt.js';
import type { State, System } from './system.js';

type Library = Awaited<ReturnType<typeof init>>;

/** Emscripten's threads, as far as we use them. */
interface ThreadPool {
  readonly unusedWorkers: readonly { onmessage: unknown }[];
  readonly runningWorkers: readonly { onmessage: unknown }[];
  terminateAllThreads(): void;
}

/** Z3, loaded; contexts are made from it. */
export class Z3Library {
  readonly #library: Library;
  readonly #encoder = new TextEncoder();

  private constructor(library: Library) {
    this.#library = library;
  }

  static async load(): Promise<Z3Library> {
    const library = await init();
    // The older procedure for integers: on long unrollings it takes a third of the time.
    library.Z3.global_param_set('smt.arith.solver', '2');
    return new Z3Library(library);
  }

  /** What Z3 prints for a script in a context. */
  run(context: Z3Context, script: string): string {
    const { em } = this.#library;
    const bytes = this.#encoder.encode(script);
    const text = em._malloc(bytes.length + 1);
    em.HEAPU8.set(bytes, text);
    em.HEAPU8[text + bytes.length] = 0;
    try {
      return em.UTF8ToString(em._Z3_eval_smtlib2_string(context, text));
    } finally {
      em._free(text);
    }
  }

  newContext(): Z3Context {
    const { Z3 } = this.#library;
    const config = Z3.mk_config();
    const context = Z3.mk_context(config);
    Z3.del_config(config);
    return context;
  }

  deleteContext(context: Z3Context): void {
    this.#library.Z3.del_context(context);
  }

  /** Z3's threads keep the process alive until they are ended. */
  close(): void {
    const threads: ThreadPool = this.#library.em.PThread;
    const workers = [...threads.unusedWorkers, ...threads.runningWorkers];
    threads.terminateAllThreads();
    // A thread that is still loading would be complained about on stderr.
    for (const worker of workers) worker.onmessage = () => {};
  }
}

export type Z3Context = ReturnType<Library['Z3']['mk_context']>;

export class Z3Decider implements Decider {
  readonly name = 'Z3';
  readonly #z3: Z3Library;
  readonly #system: System;
  readonly #context: Z3Context;
  readonly #printer = new SmtPrinter();
  readonly #literals = new Map<string, Literal>();
  readonly #declared = new Set<number>();
  /** Statements that the context has not seen yet. */
  #waiting = '(set-option :produce-unsat-cores true)\n';
  queries = 0;

  constructor(z3: Z3Library, system: System) {
    this.#z3 = z3;
    this.#system = system;
    this.#context = z3.newContext();
  }

  literal(formula: BoolExpr, step: number): Literal {
    const text = this.#printer.formula(formula, step);
    const known = this.#literals.get(text);
    if (known !== undefined) return known;
    this.#declare(step);
    this.#declare(step + 1);
    const literal = this.#literals.size + 1;
    this.#literals.set(text, literal);
    this.#waiting += `${this.#printer.takeDefinitions()}(define-fun l${literal} () Bool ${text})\n`;
    // A proxy in both directions: assumptions have to be constants or their negations.
    this.#waiting += `(declare-const p${literal} Bool)\n(assert (= p${literal} l${literal}))\n`;
    return literal;
  }

  negate(literal: Literal): Literal {
    return -literal;
  }

  check(literals: readonly Literal[], milliseconds: number): Answer {
    this.queries++;
    const limit = Number.isFinite(milliseconds) ? Math.max(1, Math.floor(milliseconds)) : 4_294_967_295;
    const script = `${this.#waiting}(set-option :timeout ${limit})
(check-sat-assuming (${literals.map(nameOf).join(' ')}))\n`;
    this.#waiting = '';
    const reply = this.#z3.run(this.#context, script).trim();
    if (reply === 'sat') return { kind: 'sat' };
    if (reply === 'unsat') return { kind: 'unsat', core: this.#core(literals) };
    assert(reply === 'unknown', `Z3: ${reply}`);
    return { kind: 'unknown', reason: 'Z3 gave up' };
  }

  state(step: number): State | undefined {
    const names = this.#system.variables.map(variable => variableAt(variable, step));
    if (names.length === 0) return [];
    const [list] = readSExpressions(
      this.#z3.run(this.#context, `(get-value (${names.join(' ')}))`),
      'smtlib',
    );
    assert(list?.kind === 'list', 'Z3 gave no values');
    const state = list.items.map(pair => numberIn(pair.kind === 'list' ? pair.items[1] : undefined));
    return state.every(Number.isSafeInteger) ? state : undefined;
  }

  close(): void {
    this.#z3.deleteContext(this.#context);
  }

  #declare(step: number): void {
    if (this.#declared.has(step)) return;
    this.#declared.add(step);
    this.#waiting += declareState(this.#system.variables, step);
  }

  #core(literals: readonly Literal[]): Literal[] {
    const text = this.#z3.run(this.#context, '(get-unsat-core)');
    const names = new Set(text.match(/(?<![\w])p\d+/g) ?? []);
    return literals.filter(literal => names.has(`p${Math.abs(literal)}`));
  }
}

function nameOf(literal: Literal): string {
  return literal < 0 ? `(not p${-literal})` : `p${literal}`;
}

/** `5`, `(- 5)`, `true`. */
function numberIn(node: SExpression | undefined): number {
  if (node?.kind === 'list') return -numberIn(node.items[1]);
  assert(node?.kind === 'word', 'Z3 gave a value that is none');
  if (node.text === 'true' || node.text === 'false') return node.text === 'true' ? 1 : 0;
  return Number(node.text);
}
