/**
 * The tree of forks, for Graphviz (`dot -Tsvg forks.dot`): inner nodes are the places where a path
 * forked, leaves are the ends of paths.
 *
 *     state 0 ──▶ ( sign.c:5 ) ── true ──▶ ( sign.c:7 ) ── true ──▶ [ 000002: exit 11 ]
 *                      └── false ──▶ [ 000001: exit 10 ]    └── false ──▶ ...
 *
 * A fork is two numbers and a place, so recording is cheap; text is made at the end. Beyond
 * `mostNodes` nothing more is recorded, and the file says so.
 */
import type { Instruction } from '../../ir/model.js';
import { stackOfInstruction } from '../memory/call-trace.js';

/** Graphviz does not draw more in reasonable time. */
const mostNodes = 20_000;

/** The edge at whose end the next node of a state will stand. */
interface Edge {
  readonly from: number;
  readonly holds: boolean;
}

interface Node {
  readonly edge: Edge | undefined;
  readonly isEnd: boolean;
  /** Where a path forked, or how it ended. */
  readonly what: Instruction | string;
}

/** A tree that may grow on in another process. */
export interface SavedTree {
  readonly nodes: readonly (readonly [edge: SavedEdge, isEnd: boolean, label: string])[];
  /** By the number of the state. */
  readonly open: readonly (readonly [state: number, edge: SavedEdge])[];
  readonly isCut: boolean;
}

/** A node, and whether the condition holds there. */
type SavedEdge = readonly [from: number, holds: boolean] | null;

export class ForkTree {
  readonly #nodes: Node[];
  /** By the number of the state. */
  readonly #open: Map<number, Edge | undefined>;
  #isCut: boolean;

  constructor({ nodes, open, isCut }: SavedTree = { nodes: [], open: [[0, null]], isCut: false }) {
    this.#nodes = nodes.map(([edge, isEnd, label]) => ({ edge: edgeFrom(edge), isEnd, what: label }));
    this.#open = new Map(open.map(([state, edge]) => [state, edgeFrom(edge)]));
    this.#isCut = isCut;
  }

  save(): SavedTree {
    return {
      nodes: this.#nodes.map(node => [savedEdge(node.edge), node.isEnd, labelOf(node)]),
      open: [...this.#open].map(([state, edge]) => [state, savedEdge(edge)]),
      isCut: this.#isCut,
    };
  }

  /** The condition holds on `state` and not on `other`. */
  fork(state: number, other: number, at: Instruction): void {
    if (this.#nodes.length >= mostNodes) this.#isCut = true;
    if (this.#isCut) return;
    const from = this.#add(state, at, false);
    if (from === undefined) return;
    this.#open.set(state, { from, holds: true });
    this.#open.set(other, { from, holds: false });
  }

  /** `label` is called if the end is part of the tree. */
  end(state: number, label: () => string): void {
    if (!this.#open.has(state)) return;
    this.#add(state, label(), true);
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

  #add(state: number, what: Instruction | string, isEnd: boolean): number | undefined {
    if (!this.#open.has(state)) return undefined;
    return this.#nodes.push({ edge: this.#open.get(state), isEnd, what }) - 1;
  }
}

function linesOf(node: Node, number: number): string[] {
  const { edge, isEnd } = node;
  const text = `  n${number} [shape=${isEnd ? 'box' : 'ellipse'}, label=${JSON.stringify(labelOf(node))}];`;
  return edge === undefined ? [text] : [text, `  n${edge.from} -> n${number} [label="${edge.holds}"];`];
}

function savedEdge(edge: Edge | undefined): SavedEdge {
  return edge === undefined ? null : [edge.from, edge.holds];
}

function edgeFrom(saved: SavedEdge): Edge | undefined {
  return saved === null ? undefined : { from: saved[0], holds: saved[1] };
}

function labelOf({ what }: Node): string {
  return typeof what === 'string' ? what : placeOf(what);
}

/** Thousands of forks have few places. */
const places = new WeakMap<Instruction, string>();

function placeOf(at: Instruction): string {
  let text = places.get(at);
  if (text === undefined) {
    const [place] = stackOfInstruction(at);
    text = place === undefined ? '?' : `${place.file}:${place.line}`;
    places.set(at, text);
  }
  return text;
}
