/**
 * Answers queries from the models and the contradictions of earlier ones.
 *
 *   - A set that contains a known contradiction is unsatisfiable. Contradictions are the small
 *     cores that the SAT solver names, so they are contained in many later queries. Each is filed
 *     under its youngest constraint.
 *   - A known model that satisfies every constraint, by evaluation, is an answer. Models are tried
 *     that are known to satisfy the youngest constraint of the query (so a query that is a subset
 *     of an earlier satisfiable one is always answered), then the most recent ones (which often
 *     survive one constraint more).
 */
import type { Term } from '../expr/term.js';
import type { Layer, Query } from './layer.js';
import type { Deadline } from './limits.js';
import type { Model, Outcome } from './query-outcome.js';

const RECENT_MODELS = 12;
const MODELS_PER_CONSTRAINT = 4;
const MAX_FILED = 100_000;

export class CounterexampleCache implements Layer {
  readonly #cores = new Map<Term, (readonly Term[])[]>();
  readonly #modelsOf = new Map<Term, Model[]>();
  #recent: Model[] = [];
  #filed = 0;

  constructor(
    readonly below: Layer,
    readonly onAnswer: () => void,
  ) {}

  check(query: Query): Outcome {
    // Youngest first: no earlier query had it.
    const constraints = [...query.constraints].sort((a, b) => b.id - a.id);
    const found = this.#knownContradiction(constraints) ?? this.#knownModel(constraints, query.deadline);
    if (found !== undefined) {
      this.onAnswer();
      return found;
    }
    const outcome = this.below.check(query);
    if (outcome.kind === 'sat') this.#fileModel(constraints, outcome.model);
    else if (outcome.kind === 'unsat') this.#fileCore(outcome.core);
    return outcome;
  }

  #knownContradiction(constraints: readonly Term[]): Outcome | undefined {
    if (this.#cores.size === 0) return undefined;
    const present = new Set(constraints);
    for (const constraint of constraints) {
      const core = this.#cores.get(constraint)?.find(candidate => candidate.every(term => present.has(term)));
      if (core !== undefined) return { kind: 'unsat', core };
    }
    return undefined;
  }

  #knownModel(constraints: readonly Term[], deadline: Deadline): Outcome | undefined {
    const filed = this.#modelsOf.get(constraints[0]!) ?? [];
    const isOne = (candidate: Model): boolean => !deadline.passed() && candidate.satisfiesAll(constraints);
    const model = filed.find(isOne) ?? this.#recent.find(isOne);
    return model === undefined ? undefined : { kind: 'sat', model };
  }

  #fileModel(constraints: readonly Term[], model: Model): void {
    this.#recent = [model, ...this.#recent.slice(0, RECENT_MODELS - 1)];
    this.#makeRoom(constraints.length);
    for (const constraint of constraints) {
      const models = this.#modelsOf.get(constraint) ?? [];
      this.#modelsOf.set(constraint, [model, ...models.slice(0, MODELS_PER_CONSTRAINT - 1)]);
    }
  }

  #fileCore(core: readonly Term[]): void {
    if (core.length === 0) return;
    const youngest = core.reduce((a, b) => (a.id > b.id ? a : b));
    this.#makeRoom(1);
    const cores = this.#cores.get(youngest);
    if (cores === undefined) this.#cores.set(youngest, [core]);
    else cores.push(core);
  }

  /** When the cache is full, it is cleared: old models and cores belong to finished paths. */
  #makeRoom(entries: number): void {
    this.#filed += entries;
    if (this.#filed <= MAX_FILED) return;
    this.#cores.clear();
    this.#modelsOf.clear();
    this.#filed = entries;
  }
}
