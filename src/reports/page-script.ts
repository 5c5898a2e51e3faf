/**
 * The script of a report: the tree of forks and the list of paths, which are too large to be
 * markup.
 *
 *     <script type="application/json">    the columns of the tree, and the paths
 *     counts        of each node how many paths end below it, and how many with an error: one walk from the last node
 *     canvas        a row for each depth, a node as wide as it has paths; a click shows that part alone
 *     tree          a node is made when its parent is opened
 *     table         a page of paths at a time
 *
 * `runReport` is turned into text and put into the page, so it may use nothing outside itself.
 * It makes nodes and sets their text, and never HTML.
 */

/** The data that is embedded in the page. */
export interface EmbeddedExploration {
  readonly parents: readonly number[];
  /** A digit for each node: 1 where the condition holds. */
  readonly holds: string;
  readonly ends: string;
  readonly tests: readonly number[];
  readonly labels: readonly number[];
  readonly texts: readonly string[];
  readonly isCut: boolean;
  /** For each path, the number of its test, the instructions, 1 for an error, and the inputs. */
  readonly numbers: readonly number[];
  readonly instructions: readonly number[];
  readonly errors: string;
  readonly inputs: readonly string[];
  readonly files: readonly string[];
  /** Lists of lines: for each file its number, and the first and the last line of each stretch. */
  readonly lists: readonly (readonly (readonly number[])[])[];
  /** For each path, the number of its list, or -1. */
  readonly lines: readonly number[];
}

function runReport(): void {
  const element = document.getElementById('exploration');
  if (element === null) return;
  const data = JSON.parse(element.textContent ?? '') as EmbeddedExploration;
  const count = data.parents.length;
  const isEnd = (node: number): boolean => data.ends[node] === '1';
  const pathOfTest = new Map<number, number>();
  data.numbers.forEach((number, path) => void pathOfTest.set(number, path));
  const isErrorAt = (node: number): boolean => {
    const path = pathOfTest.get(data.tests[node] ?? 0);
    return isEnd(node) && path !== undefined && data.errors[path] === '1';
  };
  const below = new Int32Array(count);
  const bad = new Int32Array(count);
  const firstChild = new Int32Array(count).fill(-1);
  const nextChild = new Int32Array(count).fill(-1);
  const nodeOfTest = new Map<number, number>();
  for (let node = count - 1; node >= 0; node--) {
    if (isEnd(node)) {
      below[node] = 1;
      if (isErrorAt(node)) bad[node] = 1;
      if ((data.tests[node] ?? 0) > 0) nodeOfTest.set(data.tests[node] ?? 0, node);
    }
    const parent = data.parents[node] ?? -1;
    if (parent < 0) continue;
    below[parent] = (below[parent] ?? 0) + (below[node] ?? 0);
    bad[parent] = (bad[parent] ?? 0) + (bad[node] ?? 0);
    nextChild[node] = firstChild[parent] ?? -1;
    firstChild[parent] = node;
  }
  const childrenOf = (node: number): number[] => {
    const children: number[] = [];
    for (let child = firstChild[node] ?? -1; child >= 0; child = nextChild[child] ?? -1) children.push(child);
    // The child in which the condition holds comes first.
    return children.sort((a, b) => Number(data.holds[b]) - Number(data.holds[a]));
  };
  const labelOf = (node: number): string => {
    const label = data.texts[data.labels[node] ?? 0] ?? '';
    const test = data.tests[node] ?? 0;
    return test === 0 ? label : `${String(test).padStart(6, '0')}: ${label}`;
  };
  const counted = (value: number, one: string): string =>
    `${value.toLocaleString('en')} ${one}${value === 1 ? '' : 's'}`;
  const get = <Kind extends HTMLElement>(id: string): Kind => document.getElementById(id) as Kind;
  const make = <Name extends keyof HTMLElementTagNameMap>(
    name: Name,
    className: string,
    text: string,
  ): HTMLElementTagNameMap[Name] => {
    const made = document.createElement(name);
    made.className = className;
    // Parts in backticks are code, as in messages.
    made.append(
      ...text.split(/`([^`]+)`/).map((part, i) => {
        if (i % 2 === 0) return part;
        const code = document.createElement('code');
        code.textContent = part;
        return code;
      }),
    );
    return made;
  };

  // ------------------------------------------------------------------ the list of paths
  const pageLength = 50;
  let shown: number[] = [];
  let page = 0;
  const body = get<HTMLTableSectionElement>('path-rows');
  const filter = get<HTMLInputElement>('path-filter');
  const onlyErrors = get<HTMLInputElement>('path-errors');
  const showPage = (): void => {
    const last = Math.max(0, Math.ceil(shown.length / pageLength) - 1);
    page = Math.min(Math.max(page, 0), last);
    const rows = shown.slice(page * pageLength, (page + 1) * pageLength).map(path => {
      const row = document.createElement('tr');
      const number = data.numbers[path] ?? 0;
      const node = nodeOfTest.get(number);
      const button = make('button', '', String(number).padStart(6, '0'));
      button.addEventListener('click', () => showPath(path));
      const first = document.createElement('td');
      first.append(button);
      const end = node === undefined ? '' : (data.texts[data.labels[node] ?? 0] ?? '');
      row.append(
        first,
        make('td', data.errors[path] === '1' ? 'bad' : '', end),
        make('td', '', data.inputs[path] ?? ''),
        make('td', 'n', (data.instructions[path] ?? 0).toLocaleString('en')),
      );
      return row;
    });
    body.replaceChildren(...rows);
    const from = shown.length === 0 ? 0 : page * pageLength + 1;
    get('path-count').textContent =
      `${from.toLocaleString('en')} to ${Math.min(shown.length, (page + 1) * pageLength).toLocaleString('en')} of ${counted(shown.length, 'path')}`;
    get<HTMLButtonElement>('path-before').disabled = page === 0;
    get<HTMLButtonElement>('path-next').disabled = page === last;
  };
  const applyFilter = (): void => {
    const wanted = filter.value.toLowerCase();
    shown = [];
    for (let path = 0; path < data.numbers.length; path++) {
      if (onlyErrors.checked && data.errors[path] !== '1') continue;
      if (wanted !== '') {
        const node = nodeOfTest.get(data.numbers[path] ?? 0);
        const end = node === undefined ? '' : labelOf(node);
        if (!`${end} ${data.inputs[path] ?? ''}`.toLowerCase().includes(wanted)) continue;
      }
      shown.push(path);
    }
    page = 0;
    showPage();
  };
  filter.addEventListener('input', applyFilter);
  onlyErrors.addEventListener('change', applyFilter);
  const turn = (by: number): void => {
    page += by;
    showPage();
  };
  get('path-before').addEventListener('click', () => turn(-1));
  get('path-next').addEventListener('click', () => turn(1));

  /** The lines of a path in words; those in the section on coverage are marked. */
  const showLines = (list: readonly (readonly number[])[]): HTMLElement[] => {
    for (const old of document.querySelectorAll('.on-path')) old.classList.remove('on-path');
    return list.map(([file = 0, ...ranges]) => {
      const name = data.files[file] ?? '';
      const shown = [...document.querySelectorAll<HTMLElement>('[data-file]')].find(
        part => part.dataset.file === name,
      );
      const lines = shown?.querySelectorAll('.line') ?? [];
      const words: string[] = [];
      for (let i = 0; i < ranges.length; i += 2) {
        const first = ranges[i] ?? 0;
        const last = ranges[i + 1] ?? 0;
        words.push(first === last ? `${first}` : `${first}–${last}`);
        for (let line = first; line <= last; line++) lines[line - 1]?.classList.add('on-path');
      }
      const text = `lines of ${name}: ${words.join(', ')}`;
      return make(
        'p',
        '',
        shown === undefined ? text : `${text}; they have a blue edge under “Coverage by line”`,
      );
    });
  };

  /** The forks of a path; repeated ones are counted. */
  const showPath = (path: number): void => {
    const number = data.numbers[path] ?? 0;
    const node = nodeOfTest.get(number);
    const steps: { text: string; times: number }[] = [];
    for (let at = node ?? -1; at >= 0 && (data.parents[at] ?? -1) >= 0; at = data.parents[at] ?? -1) {
      const fork = data.texts[data.labels[data.parents[at] ?? 0] ?? 0] ?? '';
      const text = `${fork} is ${data.holds[at] === '1' ? 'true' : 'false'}`;
      const last = steps.at(-1);
      if (last?.text === text) last.times++;
      else steps.push({ text, times: 1 });
    }
    const list = document.createElement('ol');
    list.append(
      ...steps
        .reverse()
        .map(({ text, times }) => make('li', '', times === 1 ? text : `${text}, ${times} times`)),
    );
    const inputs = data.inputs[path] ?? '';
    get('path').replaceChildren(
      make('h3', '', node === undefined ? `path ${number}` : labelOf(node)),
      make('p', '', inputs === '' ? 'It has no input.' : `inputs: ${inputs}`),
      ...showLines(data.lists[data.lines[path] ?? -1] ?? []),
      make('p', 'where', steps.length === 0 ? 'It does not fork.' : 'its forks, in order:'),
      list,
    );
    get('path').hidden = false;
    get('path').focus();
  };

  // --------------------------------------------------------------- the tree, node by node
  const tree = get<HTMLUListElement>('forks-tree');
  const itemOf = (node: number): HTMLLIElement => {
    const item = document.createElement('li');
    item.setAttribute('role', 'treeitem');
    item.setAttribute('aria-selected', 'false');
    item.tabIndex = -1;
    item.dataset.node = String(node);
    const hasChildren = (firstChild[node] ?? -1) >= 0;
    if (hasChildren) item.setAttribute('aria-expanded', 'false');
    const line = make('span', '', '');
    const edge = (data.parents[node] ?? -1) < 0 ? '' : data.holds[node] === '1' ? 'true: ' : 'false: ';
    line.append(
      make('span', 'twig', hasChildren ? '▸' : '·'),
      make('span', 'edge', edge),
      make('span', isErrorAt(node) ? 'bad' : '', labelOf(node)),
    );
    if (hasChildren) {
      line.append(make('span', 'edge', ` (${counted(below[node] ?? 0, 'path')}`));
      if ((bad[node] ?? 0) > 0) line.append(make('span', 'bad', `, ${counted(bad[node] ?? 0, 'error')}`));
      line.append(make('span', 'edge', ')'));
    }
    item.append(line);
    return item;
  };
  const setOpen = (item: HTMLElement, isOpen: boolean): void => {
    if (!item.hasAttribute('aria-expanded')) return;
    item.setAttribute('aria-expanded', String(isOpen));
    item.querySelector('.twig')!.textContent = isOpen ? '▾' : '▸';
    const group = item.querySelector('ul');
    if (group !== null) group.hidden = !isOpen;
    else if (isOpen) {
      const made = document.createElement('ul');
      made.setAttribute('role', 'group');
      made.append(...childrenOf(Number(item.dataset.node)).map(itemOf));
      item.append(made);
    }
  };
  const select = (item: HTMLElement): void => {
    for (const other of tree.querySelectorAll('[aria-selected="true"]')) {
      other.setAttribute('aria-selected', 'false');
      (other as HTMLElement).tabIndex = -1;
    }
    item.setAttribute('aria-selected', 'true');
    item.tabIndex = 0;
    item.focus();
    const path = pathOfTest.get(data.tests[Number(item.dataset.node)] ?? 0);
    if (path !== undefined) showPathQuietly(path);
  };
  /** The same without moving the focus away from the tree. */
  const showPathQuietly = (path: number): void => {
    const before = document.activeElement as HTMLElement | null;
    showPath(path);
    before?.focus();
  };
  const visible = (): HTMLElement[] =>
    [...tree.querySelectorAll<HTMLElement>('li')].filter(item => item.offsetParent !== null);
  tree.addEventListener('click', event => {
    const item = (event.target as HTMLElement).closest<HTMLElement>('li');
    if (item === null) return;
    setOpen(item, item.getAttribute('aria-expanded') === 'false');
    select(item);
  });
  tree.addEventListener('keydown', event => {
    const item = (event.target as HTMLElement).closest<HTMLElement>('li');
    if (item === null) return;
    const all = visible();
    const at = all.indexOf(item);
    const isOpen = item.getAttribute('aria-expanded') === 'true';
    let next: HTMLElement | null | undefined;
    if (event.key === 'ArrowDown') next = all[at + 1];
    else if (event.key === 'ArrowUp') next = all[at - 1];
    else if (event.key === 'Home') next = all[0];
    else if (event.key === 'End') next = all.at(-1);
    else if (event.key === 'ArrowRight') {
      if (isOpen) next = item.querySelector<HTMLElement>('li');
      else setOpen(item, true);
    } else if (event.key === 'ArrowLeft') {
      if (isOpen) setOpen(item, false);
      else next = item.parentElement?.closest<HTMLElement>('li');
    } else if (event.key === 'Enter' || event.key === ' ') setOpen(item, !isOpen);
    else return;
    event.preventDefault();
    if (next) select(next);
  });
  /** Opens the tree down to a node. */
  const reveal = (node: number): void => {
    const chain: number[] = [];
    for (let at = node; at >= 0; at = data.parents[at] ?? -1) chain.unshift(at);
    let last: HTMLElement | null = null;
    for (const at of chain) {
      last = tree.querySelector<HTMLElement>(`li[data-node="${at}"]`);
      if (last !== null && at !== node) setOpen(last, true);
    }
    if (last === null) return;
    select(last);
    last.scrollIntoView({ block: 'nearest' });
  };

  // --------------------------------------------------------------- the tree as a whole
  const canvas = get<HTMLCanvasElement>('forks-map');
  const rowHeight = 11;
  let root = 0;
  let drawn: { node: number; x: number; y: number; width: number }[] = [];
  const depth = new Int32Array(count);
  for (let node = count - 1; node > 0; node--) {
    const parent = data.parents[node] ?? 0;
    depth[parent] = Math.max(depth[parent] ?? 0, (depth[node] ?? 0) + 1);
  }
  const draw = (): void => {
    const context = canvas.getContext('2d');
    if (context === null || count === 0) return;
    const scale = window.devicePixelRatio || 1;
    canvas.style.height = `${((depth[root] ?? 0) + 1) * rowHeight + 2}px`;
    const width = canvas.clientWidth;
    const height = canvas.clientHeight;
    canvas.width = width * scale;
    canvas.height = height * scale;
    context.scale(scale, scale);
    const style = getComputedStyle(document.documentElement);
    const colors = {
      fork: style.getPropertyValue('--blue'),
      end: style.getPropertyValue('--green'),
      bad: style.getPropertyValue('--red'),
    };
    drawn = [];
    const waiting = [{ node: root, x: 0, y: 0, width }];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const { node, x, y, width: own } = next;
      drawn.push(next);
      const isGap = own > 3 ? 1 : 0;
      context.globalAlpha = isEnd(node) ? 1 : 0.45 + 0.4 * (((y / rowHeight) | 0) % 2);
      context.fillStyle = isErrorAt(node) ? colors.bad : isEnd(node) ? colors.end : colors.fork;
      context.fillRect(x, y, Math.max(own - isGap, 0.5), rowHeight - 1);
      if (y + rowHeight >= height) continue;
      let left = x;
      for (const child of childrenOf(node)) {
        const part = (own * (below[child] ?? 0)) / Math.max(1, below[node] ?? 1);
        // Nodes narrower than half a pixel are invisible and skipped, unless they contain an error.
        if (part >= 0.5 || (bad[child] ?? 0) > 0)
          waiting.push({ node: child, x: left, y: y + rowHeight, width: part });
        left += part;
      }
    }
    get('forks-part').textContent =
      root === 0
        ? `the whole tree: ${counted(below[0] ?? 0, 'path')}`
        : `below ${labelOf(root)}: ${counted(below[root] ?? 0, 'path')}`;
    get<HTMLButtonElement>('forks-whole').disabled = root === 0;
  };
  const show = (node: number): void => {
    root = node;
    draw();
  };
  canvas.addEventListener('click', event => {
    const { offsetX: x, offsetY: y } = event;
    const hit = drawn.findLast(
      part => x >= part.x && x < part.x + Math.max(part.width, 1) && y >= part.y && y < part.y + rowHeight,
    );
    if (hit === undefined) return;
    if (!isEnd(hit.node)) show(hit.node);
    reveal(hit.node);
  });
  get('forks-whole').addEventListener('click', () => show(0));
  let nextError = 0;
  get('forks-error').addEventListener('click', () => {
    for (let i = 0; i < count; i++) {
      const node = (nextError + i) % count;
      if (!isErrorAt(node)) continue;
      nextError = node + 1;
      reveal(node);
      return;
    }
  });
  get<HTMLButtonElement>('forks-error').disabled = (bad[0] ?? 0) === 0;
  window.addEventListener('resize', draw);
  window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);

  for (const part of document.querySelectorAll<HTMLElement>('.needs-script')) part.hidden = false;
  if (count > 0) {
    const first = itemOf(0);
    first.tabIndex = 0;
    tree.append(first);
    // Opens the first forks, as many as fit on a screen.
    let open = [first as HTMLElement];
    for (let opened = 0; opened < 12 && open.length > 0; ) {
      const next: HTMLElement[] = [];
      for (const item of open) {
        if (opened++ >= 12) break;
        setOpen(item, true);
        next.push(...item.querySelectorAll<HTMLElement>(':scope > ul > li[aria-expanded]'));
      }
      open = next;
    }
  }
  applyFilter();
  draw();
  document.documentElement.dataset.ready = 'yes';
}

/** The text of the page's script. */
export const pageScript: string = `(${runReport})();`;
