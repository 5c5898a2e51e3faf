/**
 * Executes the tasks of an exploration through a queue.
 *
 * Results stay in the database until a checkpoint of this process has them, so that a leader that
 * is killed finds them again.
 */
import type { Rounds } from '../explore/search/rounds.js';
import type { SubtreeResult, SubtreeTask } from '../explore/search/subtree.js';
import type { TaskBound } from '../explore/search/task-bound.js';
import { contentHash } from '../platform/files.js';
import { bytesOf, dataOf } from '../platform/plain-bytes.js';
import type { TaskForce } from './explore-rounds.js';
import type { Counted, QueueOrders } from './queue-orders.js';

export class QueueForce implements TaskForce {
  readonly #orders: QueueOrders;
  readonly #findings: () => number;
  readonly #keys = new WeakMap<SubtreeResult, string>();
  #taken: string[] = [];
  /** The most paths and instructions of a task. */
  #largest = { paths: 0, instructions: 0 };

  constructor(orders: QueueOrders, findings: () => number) {
    this.#orders = orders;
    this.#findings = findings;
  }

  async do(task: SubtreeTask, bound?: TaskBound): Promise<SubtreeResult | undefined> {
    const key = this.#keyOf(task);
    const bytes = await this.#orders.do(key, () => bytesOf(task), bound);
    if (bytes === undefined) return undefined;
    const result = dataOf(bytes) as SubtreeResult;
    const { finished, instructions, isCut } = result;
    this.#largest = {
      paths: Math.max(this.#largest.paths, finished),
      instructions: Math.max(this.#largest.instructions, instructions),
    };
    // It would be too short for a run that is resumed with a higher limit.
    if (isCut) this.#orders.forget([key]);
    else this.#keys.set(result, key);
    return result;
  }

  /** Whether a task like those before could reach the bound. */
  #isNear({ paths, instructions }: TaskBound): boolean {
    return paths < 2 * this.#largest.paths || instructions < 2 * this.#largest.instructions;
  }

  /** The same for equal tasks, also in a process that resumes this exploration. */
  #keyOf({ states, known, limits, markWork }: SubtreeTask): string {
    const { work, instructions, paths, states: most } = limits;
    const parts = [
      states.map(state => [state.history, state.instructions, state.news]),
      [known.functions, known.covered, known.told],
      [work, instructions, paths, most, markWork],
    ];
    return contentHash([this.#orders.program, JSON.stringify(parts)]);
  }

  taken(result: SubtreeResult): void {
    const key = this.#keys.get(result);
    if (key !== undefined) this.#taken.push(key);
  }

  saved(): void {
    this.#orders.forget(this.#taken);
    this.#taken = [];
  }

  look(rounds: Rounds): string | undefined {
    this.#orders.lowerBounds(bound => this.#isNear(bound));
    return this.#orders.look(() => this.#counted(rounds));
  }

  #counted(rounds: Rounds): Counted {
    const { paths, states } = rounds.progress();
    const finished = paths.completed + paths.error + paths.partial;
    return { paths: finished, states, findings: this.#findings() };
  }

  stop(): void {
    this.#orders.stop();
  }

  async close(rounds: Rounds): Promise<void> {
    const state = rounds.outcome().stopped === undefined ? 'done' : 'stopped';
    await this.#orders.close(state, this.#counted(rounds));
  }
}
