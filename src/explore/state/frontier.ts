/**
 * Serializes the histories of many states as one text.
 *
 * Histories with common prefixes form a tree. It is written from its root on; if both sides of a
 * fork have live states, the side on which the condition does not hold comes first, in parentheses:
 *
 *     true ── 17 ─┬─ true                        T17,(Fa)T          T F  sides of a fork        a n  always, never
 *                 └─ false ── always                                y o  yes, no    ?  unknown      17,  a value
 *                                                                     r  again
 *
 * The states are numbered in the order of the ends in the text.
 *
 * **Invariant.** No live state's history is a prefix of another's, because both sides of a fork
 * record theirs. So states are the leaves.
 */
import { assert } from '../../support/assert.js';
import { type Answer, History } from './history.js';

const letters: ReadonlyMap<Answer, string> = new Map([
  ['true', 'T'],
  ['false', 'F'],
  ['always', 'a'],
  ['never', 'n'],
  ['yes', 'y'],
  ['no', 'o'],
  ['unknown', '?'],
  ['again', 'r'],
] as const);
const answers: ReadonlyMap<string, Answer> = new Map(
  [...letters].map(([answer, letter]) => [letter, answer]),
);

/** No node; the root has no parent. */
const NONE = 0;
const NO_STATE = -1;

/** A tree of histories. */
export class Frontier {
  readonly #nodes: History[] = [];
  /** By the number of a node, the child on the side `false`, and the only other one. */
  readonly #whenFalse: number[] = [];
  readonly #next: number[] = [];
  /** By the number of a node, the state whose history ends there. */
  readonly #states: number[] = [];
  #count = 0;

  constructor(root: History) {
    this.#add(root);
  }

  /**
   * The next answer of a path: at a fork, the side `true` if it has a state. Undefined at the end.
   */
  after({ number }: History): History | undefined {
    return this.#node(this.#next[number]! || this.#whenFalse[number]!);
  }

  /** The other side of a fork, if it has a state. */
  whenFalse({ number }: History): History | undefined {
    return this.#node(this.#whenFalse[number]!);
  }

  /** The number of the state whose history ends here. */
  stateAt({ number }: History): number | undefined {
    const state = this.#states[number]!;
    return state === NO_STATE ? undefined : state;
  }

  #node(number: number): History | undefined {
    return number === NONE ? undefined : this.#nodes[number];
  }

  get states(): number {
    return this.#count;
  }

  #add(node: History): number {
    node.number = this.#nodes.length;
    this.#nodes.push(node);
    this.#next.push(NONE);
    this.#whenFalse.push(NONE);
    this.#states.push(NO_STATE);
    return node.number;
  }

  #addBelow(parent: number, node: History): number {
    const number = this.#add(node);
    const side = node.answer === 'false' ? this.#whenFalse : this.#next;
    assert(side[parent] === NONE, 'a question has one answer on a path');
    side[parent] = number;
    return number;
  }

  /** The tree of these histories, which all begin at the root. */
  static of(root: History, histories: readonly History[]): Frontier {
    const frontier = new Frontier(root);
    const nodes = frontier.#nodes;
    for (const [state, history] of histories.entries()) {
      const missing: History[] = [];
      let node = history;
      while (nodes[node.number] !== node) {
        missing.push(node);
        assert(node.earlier !== undefined, 'all paths have the same start');
        node = node.earlier;
      }
      let { number } = node;
      for (const below of missing.reverse()) number = frontier.#addBelow(number, below);
      frontier.#states[number] = state;
    }
    frontier.#count = histories.length;
    return frontier;
  }

  /** The text, and the states in the order of their ends in it. */
  write(): { readonly text: string; readonly order: readonly number[] } {
    const out: string[] = [];
    const order: number[] = [];
    const waiting: number[] = [];
    for (let at = 0; ; ) {
      const next = this.#next[at]!;
      const whenFalse = this.#whenFalse[at]!;
      if (next !== NONE && whenFalse !== NONE) {
        out.push('(');
        waiting.push(next);
        at = whenFalse;
      } else if (next !== NONE || whenFalse !== NONE) at = next || whenFalse;
      else {
        order.push(this.#states[at]!);
        if (waiting.length === 0) return { text: out.join(''), order };
        out.push(')');
        at = waiting.pop()!;
      }
      const { answer } = this.#nodes[at]!;
      out.push(letters.get(answer) ?? `${answer},`);
    }
  }

  /** Parses a text into a tree with new nodes. Undefined if the text is invalid. */
  static read(root: History, text: string): Frontier | undefined {
    const frontier = new Frontier(root);
    const waiting: number[] = [];
    let at = root.number;
    for (const [token] of text.matchAll(/\d+,|./gs)) {
      if (token === '(') waiting.push(at);
      else if (token === ')') {
        const fork = waiting.pop();
        if (fork === undefined) return undefined;
        frontier.#states[at] = frontier.#count++;
        at = fork;
      } else {
        const answer = answers.get(token) ?? knownValue(token);
        if (answer === undefined) return undefined;
        at = frontier.#addBelow(at, new History(answer, frontier.#nodes[at]));
      }
    }
    frontier.#states[at] = frontier.#count++;
    return waiting.length === 0 ? frontier : undefined;
  }
}

/** The answers of one history, in the format of the text. */
export function historyText(history: History): string {
  const out: string[] = [];
  for (let at = history; at.earlier !== undefined; at = at.earlier)
    out.push(letters.get(at.answer) ?? `${at.answer},`);
  return out.reverse().join('');
}

/**
 * The text of all these histories, which are in the order of the text: a side `false` comes before
 * its other side.
 */
export function joinHistories(histories: readonly string[]): string {
  const paths = histories.map(history => Array.from(history.matchAll(/\d+,|./gs), ([token]) => token));
  const out: string[] = [];
  const write = (first: number, end: number, depth: number): void => {
    let begin = first;
    for (let at = depth; at < paths[begin]!.length; at++) {
      const token = paths[begin]![at]!;
      let same = begin;
      while (same < end && paths[same]![at] === token) same++;
      if (same < end) {
        assert(token === 'F' && paths[same]![at] === 'T', 'paths part where they fork, `false` first');
        out.push('(');
        write(begin, same, at);
        out.push(')');
        begin = same;
      }
      out.push(paths[begin]![at]!);
    }
    assert(end - begin === 1, 'no live state has the history of another one');
  };
  if (paths.length > 0) write(0, paths.length, 0);
  return out.join('');
}

/** Below 2^53 a number, as everywhere. */
function knownValue(token: string): Answer | undefined {
  if (!/^\d+,$/.test(token)) return undefined;
  const value = BigInt(token.slice(0, -1));
  return value <= Number.MAX_SAFE_INTEGER ? Number(value) : value;
}
