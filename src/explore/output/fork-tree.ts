/**
 * The tree of forks, for Graphviz (`dot -Tsvg forks.dot`): inner nodes are the places where a path forked, leaves are the ends of paths.
 *
 *     state 0 ──▶ ( sign.c:5 ) ── true ──▶ ( sign.c:7 ) ── true ──▶ [ 000002: exit 11 ]
 *                      └── false ──▶ [ 000001: exit 10 ]    └── false ──▶ ...
 *
 * A fork is two numbers and a place, so recording is cheap; text is made at the end. Beyond `mostNodes` nothing more is recorded, and the
 * file says so.
 */
import type { Instruction } from '../../ir/model.js';
import { stackOfInstruction } from '../trace.js';

/** Graphviz does not draw more in reasonable time. */
const mostNodes = 20_000;

/** The edge at whose end the next node of a state will stand. */
interface Edge {
  readonly from: number;
  readonly holds: boolean;
}

interface Node {
  readonly edge: Edge | undefined;
  /** Where a path forked, or how it ended. */
  readonly what: Instruction | string;
}

export class ForkTree {
  readonly #nodes: Node[] = [];
  /** By the number of the state. */
  readonly #open = new Map<number, Edge | undefined>([[0, undefined]]);
  #isCut = false;

  /** The condition holds on `state` and not on `other`. */
  fork(state: number, other: number, at: Instruction): void {
    if (this.#nodes.length >= mostNodes) this.#isCut = true;
    if (this.#isCut) return;
    const from = this.#add(state, at);
    if (from === undefined) return;
    this.#open.set(state, { from, holds: true });
    this.#open.set(other, { from, holds: false });
  }

  /** `label` is called if the end is part of the tree. */
  end(state: number, label: () => string): void {
    if (!this.#open.has(state)) return;
    this.#add(state, label());
    this.#open.delete(state);
  }

  asGraphviz(): string {
    for (const state of [...this.#open.keys()]) this.end(state, () => 'not finished');
    return [
      'digraph forks {',
      ...(this.#isCut ? [`  // only the first ${mostNodes} forks`] : []),
      '  node [fontname="monospace"];',
      ...this.#nodes.flatMap(linesOf),
      '}\n',
    ].join('\n');
  }

  #add(state: number, what: Instruction | string): number | undefined {
    if (!this.#open.has(state)) return undefined;
    return this.#nodes.push({ edge: this.#open.get(state), what }) - 1;
  }
}

function linesOf({ edge, what }: Node, number: number): string[] {
  const [shape, label] = typeof what === 'string' ? ['box', what] : ['ellipse', placeOf(what)];
  const node = `  n${number} [shape=${shape}, label=${JSON.stringify(label)}];`;
  return edge === undefined ? [node] : [node, `  n${edge.from} -> n${number} [label="${edge.holds}"];`];
}

function placeOf(at: Instruction): string {
  const [place] = stackOfInstruction(at);
  return place === undefined ? '?' : `${place.file}:${place.line}`;
}
