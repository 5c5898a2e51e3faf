/**
 * Sends queries as SMT-LIB text to Z3, in a worker that is terminated when it is late.
 *
 * It decides what bit-blasting is bad at (wide products, very large tables), it confirms answers in
 * the test suite, and `Z3.run` gives other rooms all of Z3: quantifiers, integers, floats.
 */
import { printSmtLib } from '../expr/print-smtlib.js';
import { readSExpressions, type SExpression } from '../expr/s-expression.js';
import { baseOf, Op, type SymbolicArray, type Term } from '../expr/term.js';
import type { Terms } from '../expr/terms.js';
import { type BitVectorValue, toValue } from '../expr/value.js';
import { forEachTerm } from '../expr/walk.js';
import {
  START_MILLISECONDS,
  type SyncReply,
  type SyncService,
  startSyncService,
} from '../platform/sync-service.js';
import { assert } from '../support/assert.js';
import { isStopRaised } from '../support/stop-flag.js';
import type { Layer, Query } from './layer.js';
import type { Deadline } from './limits.js';
import { Model, type Outcome, unknown } from './query-outcome.js';

/** How long after the limit Z3 may take to stop by itself, which is cheaper than a new worker. */
const GRACE_MILLISECONDS = 50;

/** Z3's value for "no limit". */
const NO_TIMEOUT = 2 ** 32 - 1;
const NO_WORK_LIMIT = 0;

export class Z3 {
  readonly #service: SyncService<string, string> = startSyncService('solver/z3-worker');

  /**
   * The output of Z3 for a script; `late` if it did not finish, in which case the next call uses a
   * fresh Z3. `work` is in Z3's own units, the same on every machine.
   */
  run(script: string, milliseconds: number, work: number = NO_WORK_LIMIT): SyncReply<string> {
    // Z3 keeps these two options between scripts.
    const timeout = Math.max(1, Math.floor(Math.min(milliseconds, NO_TIMEOUT)));
    const options = `(set-option :timeout ${timeout})\n(set-option :rlimit ${work})\n`;
    const reply = this.#service.call(options + script, milliseconds + GRACE_MILLISECONDS);
    // The next one is loaded in the background.
    if (reply.kind === 'late') this.#service.launch();
    return reply;
  }

  /** Whether Z3 is loaded within this time. */
  isReadyWithin(milliseconds: number): boolean {
    return this.#service.isReadyWithin(milliseconds);
  }

  close(): void {
    this.#service.close();
  }
}

interface BaseRead {
  readonly base: SymbolicArray;
  readonly index: Term;
}

export class Z3Layer implements Layer {
  /** The deadline of the query that ended the last Z3, which has been loaded again since. */
  #endedFor: Deadline | undefined;

  constructor(
    readonly t: Terms,
    readonly z3: Z3,
    readonly onAnswer: () => void,
  ) {}

  check(query: Query): Outcome {
    const { constraints, deadline } = query;
    if (deadline.passed() || !this.#isReadyFor(deadline)) return unknown('time limit');
    const reads = baseReads(constraints);
    const { preamble, roots, variables, arrays } = printSmtLib(
      this.t,
      [...constraints, ...reads.map(read => read.index)],
      'ites',
    );
    const assertions = roots.slice(0, constraints.length).map(root => `(assert ${root})\n`);
    const wanted = [...variables.values()];
    for (const [i, { base }] of reads.entries()) {
      const index = roots[constraints.length + i]!;
      wanted.push(index, `(select ${arrays.get(base)} ${index})`);
    }
    const values = wanted.length > 0 ? `(get-value (${wanted.join(' ')}))\n` : '';
    const script = `(set-logic QF_ABV)\n${preamble}${assertions.join('')}(check-sat)\n${values}`;
    if (deadline.passed()) return unknown('time limit');
    const reply = this.z3.run(script, deadline.remaining(), query.work);
    if (reply.kind === 'late') {
      this.#endedFor = deadline.whole;
      return unknown('time limit');
    }
    if (reply.reply.startsWith('unsat')) {
      this.onAnswer();
      return { kind: 'unsat', core: constraints };
    }
    if (!reply.reply.startsWith('sat'))
      return unknown(
        deadline.remaining() < GRACE_MILLISECONDS ? 'time limit' : `Z3: ${firstLine(reply.reply)}`,
      );
    const model = modelOf(reply.reply.slice('sat'.length), [...variables.keys()], reads);
    assert(model.satisfiesAll(constraints), 'a model of Z3 does not satisfy the constraints');
    this.onAnswer();
    return { kind: 'sat', model };
  }

  /**
   * Loading Z3 does not count as time of a query and moves its deadline, unless the same query made
   * it necessary.
   */
  #isReadyFor(deadline: Deadline): boolean {
    if (this.#endedFor === deadline.whole)
      return this.z3.isReadyWithin(Math.min(deadline.remaining(), START_MILLISECONDS));
    const begin = performance.now();
    const isReady = this.z3.isReadyWithin(START_MILLISECONDS);
    assert(isReady || isStopRaised(), 'Z3 did not start');
    deadline.extend(performance.now() - begin);
    return isReady;
  }
}

/** The symbolic bytes that the constraints read, by base and index. */
function baseReads(constraints: readonly Term[]): BaseRead[] {
  const reads = new Map<string, BaseRead>();
  forEachTerm(constraints, term => {
    if (term.op !== Op.Read) return;
    const base = baseOf(term.array!);
    if (base.kind === 'symbolic') reads.set(`${base.id}[${term.a.id}]`, { base, index: term.a });
  });
  return [...reads.values()];
}

/**
 * `((x #x05) (i #x00000001) ((select a i) #x41))`, in the order of the request.
 */
function modelOf(text: string, variables: readonly Term[], reads: readonly BaseRead[]): Model {
  const list = readSExpressions(text, 'smtlib')[0];
  const values =
    list?.kind === 'list'
      ? list.items.map(pair => literalValue(pair.kind === 'list' ? pair.items[1] : undefined))
      : [];
  const assigned = new Map<string, BitVectorValue>(
    variables.map((variable, i) => [variable.name, toValue(variable.width, values[i]!)]),
  );
  const arrays = new Map<string, Uint8Array>();
  for (const [i, { base }] of reads.entries()) {
    const index = Number(values[variables.length + 2 * i]!);
    if (index >= base.byteLength) continue;
    let bytes = arrays.get(base.name) ?? new Uint8Array(0);
    if (index >= bytes.length) {
      const longer = new Uint8Array(index + 1);
      longer.set(bytes);
      bytes = longer;
      arrays.set(base.name, bytes);
    }
    bytes[index] = Number(values[variables.length + 2 * i + 1]!);
  }
  return new Model({ variables: assigned, arrays });
}

function literalValue(node: SExpression | undefined): bigint {
  assert(node?.kind === 'word', 'Z3 gave a value that is not a literal');
  if (node.text === 'true' || node.text === 'false') return node.text === 'true' ? 1n : 0n;
  return BigInt(node.text.replace('#', '0'));
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0]!.trim();
}
