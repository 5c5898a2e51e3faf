/**
 * The tree of forks: inner nodes are the places where a path forked, leaves are the ends of paths.
 *
 *     state 0 ──▶ ( sign.c:5 ) ── true ──▶ ( sign.c:7 ) ── true ──▶ [ 000002: exit 11 ]
 *                      └── false ──▶ [ 000001: exit 10 ]    └── false ──▶ ...
 *
 * It is kept in columns (`ForkColumns`): a node is five numbers, so that a tree of 100,000 paths is
 * small. Beyond `MOST_NODES` no fork is recorded. `forks.dot` has the first `mostDrawn` of them,
 * because Graphviz does not draw more in reasonable time (`dot -Tsvg forks.dot`).
 *
 * Nodes are only added, so a journal has each of them once: `takeNew` packs those that it lacks.
 *
 * A task of a search in rounds has a tree for its part, in which the states that it starts with are
 * numbered from 0, and so are its tests from 1 (`ofTask`). `addTask` adds such a part:
 *
 *     tree      ... ──▶ ( ) ── open edge of state 7        part     state 1 ──▶ ( ) ──▶ [ test 3 ]
 *     together  ... ──▶ ( ) ──▶ ( ) ──▶ [ test 3 + tests before the task ]
 */
import type { ForkColumns } from '../../findings/exploration.js';
import type { Instruction } from '../../ir/model.js';
import { PackedReader, PackedWriter } from '../../support/packed-bytes.js';
import { stackOfInstruction } from '../memory/call-trace.js';
import type { OpenEdge, StartEnd, TaskStates } from '../search/subtree.js';
import { nameOfTest } from './test-files.js';

const MOST_NODES = 400_000;
const mostDrawn = 20_000;

/** The edge at whose end the next node of a state is added. */
interface Edge {
  readonly from: number;
  readonly holds: boolean;
}

/** The open edges, from which a tree can continue in another process. */
export interface SavedForks {
  /** Indexed by the number of the state. */
  readonly open: readonly (readonly [state: number, from: number, holds: 0 | 1])[];
  readonly isCut: boolean;
}

/** The tree node by node, for views that draw it while it grows. */
export interface SavedTree {
  readonly nodes: readonly (readonly [edge: SavedEdge, isEnd: boolean, label: string])[];
  /** Indexed by the number of the state. */
  readonly open: readonly (readonly [state: number, edge: SavedEdge])[];
  readonly isCut: boolean;
}

/** A node, and whether the condition holds on this edge. */
type SavedEdge = readonly [from: number, holds: boolean] | null;

const ROOT: Edge = { from: -1, holds: false };

/** The tree of a task. In it the parent of the first node of the task's state N is -1 - N. */
export interface TaskForks {
  /** The results of `takeNew`. */
  readonly parts: readonly Uint8Array[];
  /** The edges of the states that are live at its end. */
  readonly edges: readonly OpenEdge[];
  readonly ends: readonly StartEnd[];
}

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
  /** Indexed by the number of the state. */
  readonly #open: Map<number, Edge>;
  #isCut: boolean;

  readonly #mostNodes: number;

  /** `parts` are all results of `takeNew` in the earlier process. */
  constructor(saved?: SavedForks, parts: readonly Uint8Array[] = [], mostNodes: number = MOST_NODES) {
    this.#mostNodes = mostNodes;
    for (const part of parts) this.#addPart(new PackedReader(part));
    this.#taken = { nodes: this.#parents.length, texts: this.#texts.length };
    this.#isCut = saved?.isCut ?? false;
    this.#open =
      saved === undefined
        ? new Map([[0, ROOT]])
        : new Map(saved.open.map(([state, from, holds]) => [state, { from, holds: holds === 1 }]));
  }

  /** The tree of a task that starts with this many states. */
  static ofTask(states: number): ForkTree {
    return new ForkTree({
      open: Array.from({ length: states }, (_, state) => [state, -1 - state, 0]),
      isCut: false,
    });
  }

  edgesOf(states: readonly number[]): OpenEdge[] {
    return states.map(state => {
      const edge = this.#open.get(state);
      return edge && [edge.from, edge.holds ? 1 : 0];
    });
  }

  /** Adds the tree of a task, as if its forks and ends had been added one by one. */
  addTask(task: TaskForks, states: TaskStates, testsBefore: number): void {
    if (this.#isCut) this.#addEndsOfTask(task, states, testsBefore);
    else this.#addNodesOfTask(task, states, testsBefore);
  }

  /** Adds nothing but the ends of open states, which have not forked since the tree was cut. */
  #addEndsOfTask({ ends }: TaskForks, { before }: TaskStates, testsBefore: number): void {
    for (const [place, test, label] of ends)
      this.end(before[place]!, test === 0 ? 0 : testsBefore + test, () => label);
  }

  #addNodesOfTask({ parts, edges }: TaskForks, { before, after }: TaskStates, testsBefore: number): void {
    const starts = before.map(state => this.#open.get(state));
    const texts: string[] = [];
    const labels: number[] = [];
    /** The places of the task's nodes here; -1 for those that are left out. */
    const places: number[] = [];
    /** A fork that is left out does not move its state, which continues on the side `true`. */
    const behind: (Edge | undefined)[] = [];
    const edgeAt = (from: number, holds: boolean): Edge | undefined => {
      if (from < 0) return starts[-1 - from];
      const place = places[from]!;
      if (place >= 0) return { from: place, holds };
      return holds ? behind[from] : undefined;
    };
    for (const part of parts) {
      const input = new PackedReader(part);
      for (let count = input.number(); count > 0; count--) texts.push(input.text());
      while (!input.isAtEnd) {
        const node = places.length;
        const from = node - input.number();
        const flags = input.byte();
        const test = input.number();
        const label = input.number();
        const edge = edgeAt(from, (flags & 1) === 1);
        const isEnd = (flags & 2) === 2;
        if (!isEnd && this.#parents.length >= this.#mostNodes) this.#isCut = true;
        if (edge === undefined || (!isEnd && this.#isCut)) {
          places.push(-1);
          behind[node] = edge;
        } else {
          labels[label] ??= this.#indexOfText(texts[label]!);
          places.push(this.#push(edge, labels[label], isEnd, test === 0 ? 0 : testsBefore + test));
        }
      }
    }
    for (const state of before) this.#open.delete(state);
    for (const [i, state] of after.entries()) {
      const open = edges[i];
      const edge = open && edgeAt(open[0], open[1] === 1);
      if (edge !== undefined) this.#open.set(state, edge);
    }
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
    if (this.#parents.length >= this.#mostNodes) this.#isCut = true;
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
    return edge && this.#push(edge, this.#indexOfText(label), isEnd, test);
  }

  /** Returns the number of the node. */
  #push({ from, holds }: Edge, label: number, isEnd: boolean, test: number): number {
    this.#holds.push(holds ? 1 : 0);
    this.#ends.push(isEnd ? 1 : 0);
    this.#tests.push(test);
    this.#labels.push(label);
    return this.#parents.push(from) - 1;
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
