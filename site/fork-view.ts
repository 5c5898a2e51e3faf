/**
 * The tree of forks, drawn while it grows: inner nodes are places where paths forked, leaves the
 * ends of paths.
 *
 * The whole tree fits its box at first. Zooming in spreads depth and leaves, each until there is
 * room for labels, which always have the size of text and are shown only where they fit:
 *
 *     screen = shift + scale × layout      for each axis; scale between "all fits" and "labels fit"
 *
 * One scale for both axes would make a tree of 10 levels and 200 leaves a thin line.
 *
 * The keyboard moves through the tree: right and left to a child and back, up and down to the
 * leaves and forks beside, + and - zoom, Enter chooses a path. The wheel zooms only with Ctrl, and
 * touch only with two fingers, so that the page can be scrolled over the tree.
 */
import { type HierarchyPointNode, hierarchy, tree as layOut } from 'd3-hierarchy';
import { pointer, select } from 'd3-selection';
import { type D3ZoomEvent, zoom, zoomIdentity } from 'd3-zoom';
import type { SavedTree } from '../src/explore/output/fork-tree.js';
import { isFindingCode } from '../src/findings/codes.js';
import { element, inThousands } from './dom.js';

interface TreeNode {
  readonly id: number;
  readonly label: string;
  readonly kind: 'fork' | 'end' | 'error' | 'open';
  /** Whether the condition of the fork above holds here. */
  readonly holds: boolean | undefined;
  readonly children: TreeNode[];
  /** For an end: the number of its test. */
  readonly path: number | undefined;
}

/** A node with its elements. `x` and `y` are the layout's: leaves go along x, depth along y. */
interface Drawn {
  readonly at: HierarchyPointNode<TreeNode>;
  readonly group: SVGGElement;
  readonly edge: SVGPathElement | undefined;
}

/** One axis of the screen. */
interface Axis {
  shift: number;
  scale: number;
  /** All of the tree fits. */
  least: number;
}

const mostNodes = 1500;
/** What labels need: pixels from leaf to leaf and from level to level. */
const leafGap = 17;
const levelGap = 118;
/** Around the tree, and for the label of its root. */
const margin = 22;
const forkLabel = 50;
/** Leaves of a smaller scale have no labels. */
const leastForLabels = 0.72;
const characterWidth = 6.7;
const svgNamespace = 'http://www.w3.org/2000/svg';

function svg<Name extends keyof SVGElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string | number>>,
  text?: string,
): SVGElementTagNameMap[Name] {
  const made = document.createElementNS(svgNamespace, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  if (text !== undefined) made.textContent = text;
  return made;
}

export class ForkView {
  readonly element: HTMLElement;
  readonly #svg = svg('svg', {
    class: 'forks',
    role: 'application',
    'aria-roledescription': 'tree of forks',
    'aria-label': 'Tree of forks. Arrow keys move, Enter chooses a path. The table lists all paths.',
    tabindex: 0,
  });
  readonly #edges = svg('g', {});
  readonly #nodes = svg('g', {});
  readonly #note = element('p', { class: 'quiet forks-note' });
  readonly #spoken = element('span', { class: 'unseen', 'aria-live': 'polite' });
  readonly #onChoose: (path: number) => void;
  readonly #depth: Axis = { shift: 0, scale: 1, least: 1 };
  readonly #leaves: Axis = { shift: 0, scale: 1, least: 1 };
  #tree: SavedTree | undefined;
  #drawn: Drawn[] = [];
  #chosen: number | undefined;
  /** Where the keyboard is: the id of a node. */
  #current = 0;
  /** The user has moved the tree, so it keeps its position while it grows. */
  #isMoved = false;

  constructor(onChoose: (path: number) => void) {
    this.#onChoose = onChoose;
    this.#svg.append(this.#edges, this.#nodes);
    this.element = element(
      'div',
      { class: 'forks-box', hidden: true },
      this.#svg,
      element(
        'div',
        { class: 'forks-buttons' },
        this.#button('+', 'Zoom in', () => this.#zoomBy(1.6)),
        this.#button('−', 'Zoom out', () => this.#zoomBy(1 / 1.6)),
        this.#button('Fit', 'Fit the whole tree', () => this.#fit()),
      ),
      this.#note,
      this.#spoken,
    );
    this.#listen();
    new ResizeObserver(() => {
      if (!this.#isMoved) this.#fit();
    }).observe(this.#svg);
  }

  /** The forks that lead to a path, as `file:line`, in order. */
  route(path: number): { readonly place: string; readonly holds: boolean }[] {
    const nodes = this.#tree?.nodes ?? [];
    const leaf = nodes.findIndex(([, isEnd, label]) => isEnd && pathOf(label) === path);
    const places: { place: string; holds: boolean }[] = [];
    for (let edge = nodes[leaf]?.[0]; edge != null; edge = nodes[edge[0]]?.[0])
      places.unshift({ place: nodes[edge[0]]![2], holds: edge[1] });
    return places;
  }

  choose(path: number | undefined): void {
    this.#chosen = path;
    const leaf = this.#drawn.find(({ at }) => path !== undefined && at.data.path === path);
    const route = new Set(leaf?.at.ancestors());
    for (const { at, group, edge } of this.#drawn) {
      group.classList.toggle('node-chosen', route.has(at));
      edge?.classList.toggle('edge-chosen', route.has(at));
    }
    if (leaf !== undefined) this.#moveTo(leaf, false);
  }

  show(tree: SavedTree | undefined): void {
    if (tree === undefined) {
      this.#isMoved = false;
      this.#current = 0;
      this.#chosen = undefined;
    }
    this.#tree = tree;
    this.#edges.replaceChildren();
    this.#nodes.replaceChildren();
    this.#drawn = [];
    this.element.hidden = tree === undefined || tree.nodes.length === 0;
    if (tree === undefined || tree.nodes.length === 0) return;
    const { root, left } = nodesOf(tree);
    const laid = layOut<TreeNode>().nodeSize([leafGap, levelGap])(hierarchy(root));
    for (const at of laid.descendants()) this.#drawn.push(this.#drawNode(at));
    this.#note.textContent =
      left > 0 ? `${inThousands(left)} more nodes are not drawn. All paths are in the list below.` : '';
    this.choose(this.#chosen);
    if (this.#isMoved) this.#place();
    else this.#fit();
  }

  #drawNode(at: HierarchyPointNode<TreeNode>): Drawn {
    const { kind, label, path, holds } = at.data;
    const group = svg('g', { class: `node node-${kind}` });
    group.append(svg('circle', { r: kind === 'fork' ? 2.5 : 4.5 }), svg('title', {}, label));
    const beside =
      kind === 'fork' ? { x: -5, y: -5, 'text-anchor': 'end' } : { x: 9, dy: '0.32em', class: 'leaf' };
    group.append(svg('text', beside, short(label)));
    if (path !== undefined)
      group.addEventListener('click', () => {
        this.#current = at.data.id;
        this.#onChoose(path);
      });
    const edge =
      at.parent === null ? undefined : svg('path', { class: `edge${holds === false ? ' edge-false' : ''}` });
    if (edge !== undefined) this.#edges.append(edge);
    this.#nodes.append(group);
    return { at, group, edge };
  }

  /** Positions all elements by the axes. */
  #place(): void {
    const x = (at: HierarchyPointNode<TreeNode>): number => this.#depth.shift + this.#depth.scale * at.y;
    const y = (at: HierarchyPointNode<TreeNode>): number => this.#leaves.shift + this.#leaves.scale * at.x;
    for (const { at, group, edge } of this.#drawn) {
      group.setAttribute('transform', `translate(${x(at)},${y(at)})`);
      if (edge === undefined || at.parent === null) continue;
      const middle = (x(at.parent) + x(at)) / 2;
      edge.setAttribute(
        'd',
        `M${x(at.parent)},${y(at.parent)}C${middle},${y(at.parent)} ${middle},${y(at)} ${x(at)},${y(at)}`,
      );
    }
    this.#svg.classList.toggle('no-labels', this.#leaves.scale < leastForLabels);
    this.#svg.classList.toggle('no-fork-labels', this.#depth.scale < 0.6);
  }

  #fit(): void {
    this.#isMoved = false;
    const { clientWidth: width, clientHeight: height } = this.#svg;
    if (width === 0 || this.#drawn.length === 0) return;
    const across = this.#drawn.map(({ at }) => at.x);
    const [top, bottom] = [Math.min(...across), Math.max(...across)];
    const deepest = Math.max(...this.#drawn.map(({ at }) => at.y));
    const fitAxis = (axis: Axis, room: number, from: number, to: number): void => {
      axis.least = Math.min(1, room / Math.max(1, to - from));
      axis.scale = axis.least;
    };
    fitAxis(this.#leaves, height - 2 * margin, top, bottom);
    // Labels of the last level are shown only where leaves are far enough apart.
    const last = this.#drawn
      .filter(({ at }) => at.y === deepest)
      .map(({ at }) => short(at.data.label).length);
    const forLabels = this.#leaves.scale < leastForLabels ? 0 : 12 + characterWidth * Math.max(...last);
    fitAxis(this.#depth, Math.max(width / 3, width - margin - forkLabel - forLabels), 0, deepest);
    this.#leaves.shift = height / 2 - (this.#leaves.scale * (top + bottom)) / 2;
    this.#depth.shift = forkLabel;
    this.#place();
  }

  /** Zooms around a point of the box, its middle unless given. */
  #zoomBy(factor: number, x = this.#svg.clientWidth / 2, y = this.#svg.clientHeight / 2): void {
    this.#isMoved = true;
    for (const [axis, at] of [
      [this.#depth, x],
      [this.#leaves, y],
    ] as const) {
      const scale = Math.min(Math.max(1, axis.least), Math.max(axis.least, axis.scale * factor));
      axis.shift = at - ((at - axis.shift) * scale) / axis.scale;
      axis.scale = scale;
    }
    this.#place();
  }

  #shiftBy(x: number, y: number): void {
    this.#isMoved = true;
    this.#depth.shift += x;
    this.#leaves.shift += y;
    this.#place();
  }

  #listen(): void {
    let before = zoomIdentity;
    const behavior = zoom<SVGSVGElement, unknown>()
      .filter(({ type, ctrlKey, metaKey, touches }: WheelEvent & { touches?: TouchList }) =>
        type === 'wheel' ? ctrlKey || metaKey : touches === undefined || touches.length > 1,
      )
      .on('zoom', ({ transform, sourceEvent }: D3ZoomEvent<SVGSVGElement, unknown>) => {
        const factor = transform.k / before.k;
        if (factor !== 1) this.#zoomBy(factor, ...pointer(sourceEvent, this.#svg));
        else this.#shiftBy(transform.x - before.x, transform.y - before.y);
        before = transform;
      });
    select(this.#svg).call(behavior).on('dblclick.zoom', null);
    this.#svg.addEventListener('keydown', event => {
      if (event.ctrlKey || event.metaKey || event.altKey || !this.#onKey(event.key)) return;
      event.preventDefault();
    });
    this.#svg.addEventListener('focus', () => this.#moveBy('stay'));
  }

  #button(text: string, name: string, onclick: () => void): HTMLElement {
    return element('button', { type: 'button', 'aria-label': name, title: name, onclick }, text);
  }

  /** Returns whether the key has a meaning here. */
  #onKey(key: string): boolean {
    if (key === '+') this.#zoomBy(1.6);
    else if (key === '-') this.#zoomBy(1 / 1.6);
    else if (key === 'Enter' || key === ' ') {
      const path = this.#drawn.find(({ at }) => at.data.id === this.#current)?.at.data.path;
      if (path !== undefined) this.#onChoose(path);
    } else if (key in moves) this.#moveBy(moves[key]!);
    else return false;
    return true;
  }

  #moveBy(move: Move): void {
    const here = this.#drawn.find(({ at }) => at.data.id === this.#current) ?? this.#drawn[0];
    if (here === undefined) return;
    const beside = this.#drawn.filter(({ at }) => at.depth === here.at.depth);
    beside.sort((a, b) => a.at.x - b.at.x);
    const place = beside.indexOf(here);
    const to =
      move === 'in'
        ? this.#drawn.find(({ at }) => at === here.at.children?.[0])
        : move === 'out'
          ? this.#drawn.find(({ at }) => at === here.at.parent)
          : beside[place + { up: -1, down: 1, stay: 0 }[move]];
    this.#moveTo(to ?? here, true);
  }

  /** Moves the keyboard focus, and scrolls it into view. */
  #moveTo({ at, group }: Drawn, isSaid: boolean): void {
    this.#current = at.data.id;
    for (const other of this.#drawn) other.group.classList.toggle('node-current', other.group === group);
    const [x, y] = [
      this.#depth.shift + this.#depth.scale * at.y,
      this.#leaves.shift + this.#leaves.scale * at.x,
    ];
    const { clientWidth: width, clientHeight: height } = this.#svg;
    const inside = (value: number, room: number): number =>
      Math.min(Math.max(value, margin), room - margin) - value;
    const [right, down] = [inside(x, width), inside(y, height)];
    if (width > 0 && (right !== 0 || down !== 0)) this.#shiftBy(right, down);
    if (isSaid) this.#spoken.textContent = inWords(at);
  }
}

type Move = 'in' | 'out' | 'up' | 'down' | 'stay';

const moves: Readonly<Record<string, Move>> = {
  ArrowRight: 'in',
  ArrowLeft: 'out',
  ArrowUp: 'up',
  ArrowDown: 'down',
};

function inWords({ data, depth }: HierarchyPointNode<TreeNode>): string {
  const side = data.holds === undefined ? '' : data.holds ? 'condition true: ' : 'condition false: ';
  const what = { fork: 'fork at ', end: 'path ', error: 'path with an error, ', open: 'still open' }[
    data.kind
  ];
  return `${side}${what}${data.kind === 'open' ? '' : short(data.label)}, level ${depth + 1}`;
}

/** The path number of a label such as `000012: exit 0`. */
function pathOf(label: string): number | undefined {
  const found = /^(\d{6,}): /.exec(label);
  return found ? Number(found[1]) : undefined;
}

/** Locations in the program are shown by line, those in the library by file. */
function short(label: string): string {
  const place = /^(.*?)([^/]+):(\d+)$/.exec(label);
  if (place !== null) return place[1] === '' ? `line ${place[3]}` : `${place[2]}:${place[3]}`;
  const text = label.replace(/^0+(?=\d)/, '');
  return text.length > 34 ? `${text.slice(0, 32)}…` : text;
}

/** The levels next to the root, up to the number of nodes that are drawn. */
function nodesOf({ nodes, open }: SavedTree): { root: TreeNode; left: number } {
  const all: TreeNode[] = nodes.map(([edge, isEnd, label], id) => ({
    id,
    label,
    kind: isEnd ? endKind(label) : 'fork',
    holds: edge?.[1],
    children: [],
    path: isEnd ? pathOf(label) : undefined,
  }));
  for (const [id, node] of all.entries()) {
    const edge = nodes[id]![0];
    if (edge !== null) all[edge[0]]!.children.push(node);
  }
  let next = nodes.length;
  for (const [, edge] of open)
    if (edge !== null)
      all[edge[0]]!.children.push({
        id: next++,
        label: '…',
        kind: 'open',
        holds: edge[1],
        children: [],
        path: undefined,
      });
  const shown: TreeNode[] = [all[0]!];
  for (const node of shown) {
    if (shown.length + node.children.length > mostNodes) node.children.splice(0);
    shown.push(...node.children);
  }
  return { root: all[0]!, left: next - shown.length };
}

/** The kind of an end with a label such as `000012: exit 0`, `000013: use-after-free`. */
function endKind(label: string): TreeNode['kind'] {
  const end = label.replace(/^\d+: /, '');
  if (isFindingCode(end) || end.endsWith('memory-leak')) return 'error';
  return end.startsWith('exit ') ? 'end' : 'open';
}
