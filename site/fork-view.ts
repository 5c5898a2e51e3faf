/**
 * The tree of forks, drawn while it grows: inner nodes are places where paths forked, leaves the
 * ends of paths. It can be dragged and zoomed; a leaf is a button that chooses its path.
 *
 * A tree with thousands of leaves is drawn as far as a screen can show it, and says so.
 */
import { hierarchy, tree as layOut } from 'd3-hierarchy';
import { select } from 'd3-selection';
import { type ZoomBehavior, zoom, zoomIdentity } from 'd3-zoom';
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
  /** Of an end: the number of its test. */
  readonly path: number | undefined;
}

const mostNodes = 600;
/** Below that nothing can be read. */
const leastScale = 0.45;
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
  readonly #svg = svg('svg', { class: 'forks', role: 'tree', 'aria-label': 'tree of forks', tabindex: 0 });
  readonly #canvas = svg('g', {});
  readonly #note = element('p', { class: 'quiet forks-note' });
  readonly #zoom: ZoomBehavior<SVGSVGElement, unknown>;
  readonly #onChoose: (path: number) => void;
  #tree: SavedTree | undefined;
  #chosen: number | undefined;

  constructor(onChoose: (path: number) => void) {
    this.#onChoose = onChoose;
    this.#svg.append(this.#canvas);
    this.element = element('div', { class: 'forks-box' }, this.#svg, this.#note);
    this.#zoom = zoom<SVGSVGElement, unknown>()
      .scaleExtent([0.05, 4])
      .on('zoom', event => this.#canvas.setAttribute('transform', String(event.transform)));
    select(this.#svg).call(this.#zoom);
  }

  /** The places of the forks that lead to a path, as `file:line`, the first one first. */
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
    this.#draw(false);
  }

  show(tree: SavedTree | undefined, fits: boolean): void {
    this.#tree = tree;
    this.#draw(fits);
  }

  #draw(fits: boolean): void {
    this.#canvas.replaceChildren();
    const tree = this.#tree;
    this.element.hidden = tree === undefined || tree.nodes.length === 0;
    if (tree === undefined || tree.nodes.length === 0) return;
    const { root, left } = nodesOf(tree);
    const laid = layOut<TreeNode>().nodeSize([18, 110])(hierarchy(root));
    const route = new Set<number>();
    laid.each(node => {
      if (this.#chosen !== undefined && node.data.path === this.#chosen)
        for (const above of node.ancestors()) route.add(above.data.id);
    });
    for (const { source, target } of laid.links()) {
      const middle = (source.y + target.y) / 2;
      const isRoute = route.has(source.data.id) && route.has(target.data.id);
      this.#canvas.append(
        svg('path', {
          class: `edge${isRoute ? ' edge-chosen' : ''}${target.data.holds === false ? ' edge-false' : ''}`,
          d: `M${source.y},${source.x}C${middle},${source.x} ${middle},${target.x} ${target.y},${target.x}`,
        }),
      );
    }
    for (const node of laid.descendants())
      this.#canvas.append(this.#drawNode(node.data, node.y, node.x, route));
    this.#note.textContent =
      left > 0
        ? `The tree goes on: ${inThousands(left)} more nodes are not drawn. All paths are in the list below.`
        : '';
    if (fits) this.#fit();
  }

  #drawNode(node: TreeNode, x: number, y: number, route: ReadonlySet<number>): SVGElement {
    const { kind, label, path } = node;
    const group = svg('g', {
      class: `node node-${kind}${route.has(node.id) ? ' node-chosen' : ''}`,
      transform: `translate(${x},${y})`,
    });
    group.append(svg('circle', { r: kind === 'fork' ? 3 : 5 }), svg('title', {}, label));
    const beside = kind === 'fork' ? { y: -7, 'text-anchor': 'middle' } : { x: 9, dy: '0.32em' };
    group.append(svg('text', beside, short(label)));
    if (path === undefined) return group;
    group.setAttribute('role', 'treeitem');
    group.setAttribute('aria-label', label);
    group.addEventListener('click', () => this.#onChoose(path));
    return group;
  }

  /** All of it in the middle, but not larger than text. */
  #fit(): void {
    const box = this.#canvas.getBBox();
    const { clientWidth: width, clientHeight: height } = this.#svg;
    if (width === 0 || box.width === 0) return;
    const fitting = 0.94 * Math.min(width / box.width, height / box.height);
    const scale = Math.min(1, Math.max(leastScale, fitting));
    // Of a tree that does not fit, the root is shown.
    const left = scale > fitting ? 24 : (width - scale * box.width) / 2 - scale * box.x;
    const top = scale > fitting ? height / 2 : (height - scale * box.height) / 2 - scale * box.y;
    const shift = zoomIdentity.translate(left, top).scale(scale);
    this.#zoom.transform(select(this.#svg), shift);
  }
}

/** Of a label such as `000012: exit 0`. */
function pathOf(label: string): number | undefined {
  const found = /^(\d{6,}): /.exec(label);
  return found ? Number(found[1]) : undefined;
}

/** Places in the program by their line, those in the library by their file. */
function short(label: string): string {
  const place = /^(.*?)([^/]+):(\d+)$/.exec(label);
  if (place !== null) return place[1] === '' ? `line ${place[3]}` : `${place[2]}:${place[3]}`;
  const text = label.replace(/^0+(?=\d)/, '');
  return text.length > 34 ? `${text.slice(0, 32)}…` : text;
}

/** The levels next to the root, as many nodes as are drawn. */
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

/** Of a label such as `000012: exit 0`, `000013: use-after-free`. */
function endKind(label: string): TreeNode['kind'] {
  const end = label.replace(/^\d+: /, '');
  if (isFindingCode(end) || end.endsWith('memory-leak')) return 'error';
  return end.startsWith('exit ') ? 'end' : 'open';
}
