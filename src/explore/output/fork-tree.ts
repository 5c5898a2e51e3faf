/**
 * The tree of forks: inner nodes are the places where a path forked, leaves are the ends of paths.
 *
 *     state 0 ──▶ ( sign.c:5 ) ── true ──▶ ( sign.c:7 ) ── true ──▶ [ 000002: exit 11 ]
 *                      └── false ──▶ [ 000001: exit 10 ]    └── false ──▶ ...
 *
 * It is kept in columns (`ForkColumns`): a node is five numbers, so that a tree of 100,000 paths is
 * small. Beyond `mostNodes` no fork is recorded. `forks.dot` has the first `mostDrawn` of them,
 * because Graphviz does not draw more in reasonable time (`dot -Tsvg forks.dot`).
 *
 * Nodes are only added, so a journal has each of them once: `takeNew` packs those that it lacks.
 */
import type { ForkColumns } from '../../findings/exploration.js';
import type { Instruction } from '../../ir/model.js';
import { PackedReader, PackedWriter } from '../../support/packed-bytes.js';
import { stackOfInstruction } from '../memory/call-trace.js';
import { nameOfTest } from './test-files.js';

const mostNodes = 400_000;
const mostDrawn = 20_000;

/** The edge at whose end the next node of a state is added. */
interface Edge {
  readonly from: number;
  readonly holds: boolean;
}

/** The open edges, from which a tree can continue in another process. */
export interface SavedForks {
  /** By the number of the state. */
  readonly open: readonly (readonly [state: number, from: number, holds: 0 | 1])[];
  readonly isCut: boolean;
}

/** The tree node by node, for views that draw it while it grows. */
export interface SavedTree {
  readonly nodes: readonly (readonly [edge: SavedEdge, isEnd: boolean, label: string])[];
  /** By the number of the state. */
  readonly open: readonly (readonly [state: number, edge: SavedEdge])[];
  readonly isCut: boolean;
}

/** A node, and whether the condition holds on this edge. */
type SavedEdge = readonly [from: number, holds: boolean] | null;

const ROOT: Edge = { from: -1, holds: false };

export class ForkTree {
  readonly #parents: number[] = [];
  readonly #holds: (0 | 1)[] = [];
  readonly #ends: (0 | 1)[] = [];
  readonly #tests: number[] = [];
  readonly #labels: number[] = [];
  readonly #texts: string[] = [];
  readonly #indexOf = new Map<string, number>();
  /** The numbers of nodes and texts that `takeNew` has returned. */
  #taken = { nodes: 0, texts: 0 };
  /** By the number of the state. */
  readonly #open: Map<number, Edge>;
  #isCut: boolean;

  /** `parts` are all results of `takeNew` in the earlier process. */
  constructor(saved?: SavedForks, parts: readonly Uint8Array[] = []) {
    for (const part of parts) this.#addPart(new PackedReader(part));
    this.#taken = { nodes: this.#parents.length, texts: this.#texts.length };
    this.#isCut = saved?.isCut ?? false;
    this.#open =
      saved === undefined
        ? new Map([[0, ROOT]])
        : new Map(saved.open.map(([state, from, holds]) => [state, { from, holds: holds === 1 }]));
  }

  save(): SavedForks {
    return {
      open: [...this.#open].map(([state, { from, holds }]) => [state, from, holds ? 1 : 0]),
      isCut: this.#isCut,
    };
  }

  /** The nodes and texts that were added since the last call. */
  takeNew(): Uint8Array {
    const out = new PackedWriter();
    const { nodes, texts } = this.#taken;
    out.number(this.#texts.length - texts);
    for (let i = texts; i < this.#texts.length; i++) out.text(this.#texts[i]!);
    for (let node = nodes; node < this.#parents.length; node++) {
      out.number(node - this.#parents[node]!);
      out.byte(this.#holds[node]! | (this.#ends[node]! << 1));
      out.number(this.#tests[node]!);
      out.number(this.#labels[node]!);
    }
    this.#taken = { nodes: this.#parents.length, texts: this.#texts.length };
    return out.take();
  }

  #addPart(input: PackedReader): void {
    for (let count = input.number(); count > 0; count--) this.#indexOfText(input.text());
    while (!input.isAtEnd) {
      this.#parents.push(this.#parents.length - input.number());
      const flags = input.byte();
      this.#holds.push(flags & 1 ? 1 : 0);
      this.#ends.push(flags & 2 ? 1 : 0);
      this.#tests.push(input.number());
      this.#labels.push(input.number());
    }
  }

  columns(): ForkColumns {
    return {
      parents: this.#parents,
      holds: this.#holds,
      ends: this.#ends,
      tests: this.#tests,
      labels: this.#labels,
      texts: this.#texts,
      isCut: this.#isCut,
    };
  }

  /** The condition holds on `state` and not on `other`. */
  fork(state: number, other: number, at: Instruction | string): void {
    if (this.#parents.length >= mostNodes) this.#isCut = true;
    if (this.#isCut) return;
    const from = this.#add(state, typeof at === 'string' ? at : placeOf(at), false, 0);
    if (from === undefined) return;
    this.#open.set(state, { from, holds: true });
    this.#open.set(other, { from, holds: false });
  }

  /** `label` is called if the end is added to the tree; `test` is 0 if there is none. */
  end(state: number, test: number, label: () => string): void {
    if (!this.#open.has(state)) return;
    this.#add(state, label(), true, test);
    this.#open.delete(state);
  }

  /** The first part of the tree, as much as can be drawn. */
  nodes(): SavedTree {
    const count = Math.min(mostDrawn, this.#parents.length);
    const edgeTo = (from: number, holds: boolean): SavedEdge => (from === -1 ? null : [from, holds]);
    return {
      nodes: Array.from({ length: count }, (_, node) => [
        edgeTo(this.#parents[node]!, this.#holds[node] === 1),
        this.#ends[node] === 1,
        this.#labelOf(node),
      ]),
      open: [...this.#open]
        .filter(([, { from }]) => from < count)
        .map(([state, { from, holds }]) => [state, edgeTo(from, holds)]),
      isCut: this.#isCut || count < this.#parents.length,
    };
  }

  /** Marks running states as not finished. */
  close(): void {
    for (const state of [...this.#open.keys()]) this.end(state, 0, () => 'not finished');
  }

  asGraphviz(): string {
    const count = Math.min(mostDrawn, this.#parents.length);
    const isCut = this.#isCut || count < this.#parents.length;
    return [
      'digraph forks {',
      ...(isCut ? [`  // only the first ${count} nodes`] : []),
      '  node [fontname="monospace"];',
      ...Array.from({ length: count }, (_, node) => this.#linesOf(node)).flat(),
      '}\n',
    ].join('\n');
  }

  #linesOf(node: number): string[] {
    const shape = this.#ends[node] === 1 ? 'box' : 'ellipse';
    const line = `  n${node} [shape=${shape}, label=${JSON.stringify(this.#labelOf(node))}];`;
    const parent = this.#parents[node]!;
    if (parent === -1) return [line];
    return [line, `  n${parent} -> n${node} [label="${this.#holds[node] === 1}"];`];
  }

  #labelOf(node: number): string {
    const label = this.#texts[this.#labels[node]!]!;
    const test = this.#tests[node]!;
    return test === 0 ? label : `${nameOfTest(test)}: ${label}`;
  }

  #add(state: number, label: string, isEnd: boolean, test: number): number | undefined {
    const edge = this.#open.get(state);
    if (edge === undefined) return undefined;
    this.#holds.push(edge.holds ? 1 : 0);
    this.#ends.push(isEnd ? 1 : 0);
    this.#tests.push(test);
    this.#labels.push(this.#indexOfText(label));
    return this.#parents.push(edge.from) - 1;
  }

  #indexOfText(text: string): number {
    const known = this.#indexOf.get(text);
    if (known !== undefined) return known;
    this.#indexOf.set(text, this.#texts.length);
    return this.#texts.push(text) - 1;
  }
}

/** Thousands of forks share few locations. */
const places = new WeakMap<Instruction, string>();

/** File and line of an instruction, for a node of the tree. */
export function placeOf(at: Instruction): string {
  let text = places.get(at);
  if (text === undefined) {
    const [place] = stackOfInstruction(at);
    text = place === undefined ? '?' : `${place.file}:${place.line}`;
    places.set(at, text);
  }
  return text;
}
