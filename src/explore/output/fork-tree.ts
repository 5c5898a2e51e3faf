/**
 * The tree of forks, for Graphviz (`dot -Tsvg forks.dot`): inner nodes are the places where a path forked, leaves are the ends of paths.
 *
 *     state 0 ──▶ ( sign.c:5 ) ── true ──▶ ( sign.c:7 ) ── true ──▶ [ 000002: exit 11 ]
 *                      └── false ──▶ [ 000001: exit 10 ]    └── false ──▶ ...
 *
 * A fork is two numbers and a place, so recording is cheap; text is made at the end. Beyond `mostNodes` nothing more is recorded, and the
 * file says so.
 */
import { stackOf } from '../../ir/debug.js';
import type { Instruction } from '../../ir/model.js';

/** Graphviz does not draw more in reasonable time. */
const mostNodes = 20_000;

/** The edge at whose end the next node of a state will stand. */
interface Edge {
  readonly from: number;
  readonly holds: boolean;
}

export class ForkTree {
  readonly #lines: string[] = [];
  /** By the number of the state. */
  readonly #open = new Map<number, Edge | undefined>([[0, undefined]]);
  #nodes = 0;
  #isCut = false;

  /** The condition holds on `state` and not on `other`. */
  fork(state: number, other: number, at: Instruction): void {
    if (this.#nodes >= mostNodes) this.#isCut = true;
    if (this.#isCut) return;
    const [place] = stackOf(at);
    const node = this.#add(state, place === undefined ? '?' : `${place.file}:${place.line}`, 'ellipse');
    if (node === undefined) return;
    this.#open.set(state, { from: node, holds: true });
    this.#open.set(other, { from: node, holds: false });
  }

  end(state: number, label: string): void {
    if (this.#add(state, label, 'box') !== undefined) this.#open.delete(state);
  }

  asGraphviz(): string {
    for (const state of [...this.#open.keys()]) this.end(state, 'not finished');
    return [
      'digraph forks {',
      ...(this.#isCut ? [`  // only the first ${mostNodes} forks`] : []),
      '  node [fontname="monospace"];',
      ...this.#lines,
      '}\n',
    ].join('\n');
  }

  #add(state: number, label: string, shape: 'ellipse' | 'box'): number | undefined {
    if (!this.#open.has(state)) return undefined;
    const edge = this.#open.get(state);
    const node = this.#nodes++;
    this.#lines.push(`  n${node} [shape=${shape}, label=${JSON.stringify(label)}];`);
    if (edge !== undefined)
      this.#lines.push(`  n${edge.from} -> n${node} [label="${edge.holds ? 'true' : 'false'}"];`);
    return node;
  }
}
