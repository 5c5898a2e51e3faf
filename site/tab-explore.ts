/** Explore: the program runs on symbolic inputs, all paths. */
import { type Child, download, element, inThousands, plural, seconds, show } from './dom.js';
import type { Mark } from './editor.js';
import type { Explored, ExploredPath } from './engine-calls.js';
import { findingCard, marksOf } from './finding-card.js';
import { ForkView } from './fork-view.js';
import { withCode } from './markdown.js';
import { failureOf, field, goTo, type Page, statusOf, type Tab } from './page.js';

/** Rows of the table of paths; more are shown on demand. */
const firstRows = 100;

export function exploreTab(page: Page): Tab {
  const bytes = element('input', { type: 'number', min: 0, max: 256, value: 0, id: 'explore-stdin' });
  const args = element('input', { type: 'number', min: 0, max: 8, value: 0, id: 'explore-args' });
  const limit = element('input', { type: 'number', min: 1, max: 600, value: 30, id: 'explore-limit' });
  const results = element('div', { class: 'results', id: 'explore-results' });
  let explored: Explored | undefined;
  let marks: Mark[] = [];
  const forks = new ForkView(number => choose(number));
  const chosen = element('div', { class: 'chosen', 'aria-live': 'polite' });
  const panel = element(
    'div',
    {},
    element(
      'div',
      { class: 'fields' },
      field('Symbolic stdin', bytes, 'bytes, besides klee_make_symbolic'),
      field('Symbolic arguments', args, 'at most, of 8 bytes each'),
      field('Time limit', limit, 'seconds'),
    ),
    forks.element,
    chosen,
    results,
  );

  const reset = (): void => {
    explored = undefined;
    forks.show(undefined);
    show(chosen);
    show(
      results,
      element(
        'p',
        { class: 'quiet' },
        'Runs the program on inputs that stand for all values, forks where they decide, and gives a test for every path.',
      ),
    );
  };
  reset();

  /** Shows a path: what leads to it, and its lines in the editor. */
  const choose = (number: number): void => {
    const path = explored?.paths.find(other => other.number === number);
    if (path === undefined || explored === undefined) return;
    forks.choose(number);
    const route = forks.route(number);
    const lines = [...route.flatMap(({ place }) => lineIn(place, page.source().name)), ...path.newLines];
    const own = [...new Set(lines)].sort((a, b) => a - b);
    page.editor.mark([
      ...marks,
      ...own.map((line): Mark => ({ line, column: 0, kind: 'chosen', text: `on path ${number}` })),
    ]);
    if (own[0] !== undefined) page.editor.goTo(own[0], 1);
    show(chosen, pathCard(path, own, explored.files[number] ?? []));
  };

  return {
    name: 'explore',
    title: 'Explore',
    verb: 'Explore',
    panel,
    reset,
    async run() {
      page.editor.mark([]);
      page.editor.cover(new Map());
      show(results);
      show(chosen);
      forks.show(undefined);
      const status = statusOf(page);
      const symStdin = Number(bytes.value) || undefined;
      const most = Number(args.value);
      const result = await page.engine.call(
        'explore',
        {
          source: page.source(),
          symStdin,
          symArgs: most > 0 ? { min: 0, max: most, bytes: 8 } : undefined,
          maxTimeMs: 1000 * Math.max(1, Number(limit.value) || 30),
        },
        event => {
          status(event);
          if (event.kind === 'forks') forks.show(event.tree);
        },
      );
      const failure = failureOf(page, result);
      if (result.kind !== 'value') {
        show(results, failure);
        return;
      }
      explored = result.value;
      marks = explored.report.findings.flatMap(marksOf);
      page.editor.mark(marks);
      page.editor.cover(new Map(explored.coverage));
      page.editor.reveal(explored.report.findings[0]?.location.line ?? 0);
      show(results, summary(explored), ...cards(page, explored, choose), pathTable(explored.paths, choose));
      page.status(explored.report.summary ?? '');
    },
  };
}

function lineIn(place: string, name: string): number[] {
  const at = place.lastIndexOf(':');
  return place.slice(0, at) === name ? [Number(place.slice(at + 1))] : [];
}

function summary({ report, coverage }: Explored): HTMLElement {
  const { stats, findings, verdict } = report;
  const run = coverage.filter(([, isRun]) => isRun).length;
  const text =
    findings.length > 0
      ? plural(findings.length, 'finding')
      : verdict === 'clean'
        ? 'No errors on any path'
        : 'No answer for all paths';
  return element(
    'div',
    { class: `verdict verdict-${verdict}` },
    element('h2', {}, text),
    element(
      'span',
      {},
      [
        report.summary,
        coverage.length > 0 ? `${run} of ${coverage.length} lines` : '',
        plural(stats.queries, 'query').replace(/querys$/, 'queries'),
        `${seconds(stats.wallMs)} in all`,
      ]
        .filter(Boolean)
        .join(' · '),
    ),
  );
}

function cards(
  page: Page,
  { report, texts, files }: Explored,
  choose: (path: number) => void,
): HTMLElement[] {
  return report.findings.map((finding, i) => {
    const number = Number(/(\d{6,})\.ktest$/.exec(finding.test ?? '')?.[1] ?? Number.NaN);
    const extra: Child[] = Number.isNaN(number)
      ? []
      : [
          element(
            'p',
            { class: 'actions' },
            element('button', { type: 'button', onclick: () => choose(number) }, `Show path ${number}`),
            ...downloads(files[number] ?? []),
          ),
        ];
    return findingCard(finding, texts[i]!, { goTo: goTo(page), explain: page.explain, extra });
  });
}

function downloads(files: readonly { readonly name: string; readonly bytes: Uint8Array }[]): HTMLElement[] {
  return files.map(({ name, bytes }) =>
    element(
      'button',
      { type: 'button', class: 'download', onclick: () => download(name, bytes) },
      `Download ${name}`,
    ),
  );
}

function pathCard(
  path: ExploredPath,
  lines: readonly number[],
  files: Explored['files'][number],
): HTMLElement {
  const row = (name: string, value: string, ...shown: Child[]): Child =>
    value !== '' &&
    element('div', {}, element('dt', {}, name), element('dd', {}, ...(shown.length > 0 ? shown : [value])));
  return element(
    'article',
    { class: `card${path.isError ? ' card-error' : ''}` },
    element('h3', {}, `Path ${path.number}: ${path.end}`),
    element(
      'dl',
      {},
      row('inputs', path.inputs, ...withCode(path.inputs)),
      row('key lines', lines.join(', ')),
      row('output', path.stdout),
      row('length', `${inThousands(path.instructions)} instructions, ${plural(path.forks, 'fork')}`),
    ),
    element('p', { class: 'actions' }, ...downloads(files)),
  );
}

function pathTable(paths: readonly ExploredPath[], choose: (path: number) => void): HTMLElement {
  const body = element('tbody');
  const more = element('button', { type: 'button' });
  const addRows = (end: number): void => {
    for (const path of paths.slice(body.childElementCount, end))
      body.append(
        element(
          'tr',
          { class: path.isError ? 'row-error' : '' },
          element(
            'td',
            {},
            element(
              'button',
              { type: 'button', class: 'place', onclick: () => choose(path.number) },
              `${path.number}`,
            ),
          ),
          element('td', {}, path.end),
          element('td', { class: 'inputs' }, ...withCode(path.inputs)),
          element('td', { class: 'number' }, `${path.forks}`),
        ),
      );
    more.hidden = body.childElementCount >= paths.length;
    more.textContent = `Show all ${inThousands(paths.length)} paths`;
  };
  more.addEventListener('click', () => addRows(paths.length));
  addRows(firstRows);
  return element(
    'section',
    { class: 'paths' },
    element('h2', {}, 'Paths'),
    element(
      'table',
      {},
      element(
        'thead',
        {},
        element(
          'tr',
          {},
          ...['path', 'end', 'inputs', 'forks'].map(name => element('th', { scope: 'col' }, name)),
        ),
      ),
      body,
    ),
    more,
  );
}
