/** The explore tab: runs all paths of the program on symbolic inputs. */
import { type Child, download, element, inThousands, plural, quiet, seconds, show } from './dom.js';
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
      quiet(
        'Runs the program on symbolic inputs, forks where a branch depends on them, and writes a test for every path.',
      ),
    );
  };
  reset();

  /** Shows a path: its inputs and forks, and its lines in the editor. */
  const choose = (number: number): void => {
    const path = explored?.paths.find(other => other.number === number);
    if (path === undefined || explored === undefined) return;
    forks.choose(number);
    page.editor.follow(path.lines);
    const finding = explored.report.findings.find(({ test }) => numberOf(test) === number);
    page.editor.reveal(finding?.location.line ?? path.lines[0] ?? 0);
    show(chosen, pathCard(path, forks.route(number), explored.files[number] ?? []));
    chosen.scrollIntoView({ block: 'nearest' });
  };

  return {
    name: 'explore',
    title: 'Explore',
    verb: 'Explore',
    panel,
    reset,
    async run() {
      page.editor.clear();
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
      page.editor.mark(explored.report.findings.flatMap(marksOf));
      page.editor.cover(new Map(explored.coverage));
      page.editor.reveal(explored.report.findings[0]?.location.line ?? 0);
      show(results, summary(explored), ...cards(page, explored, choose), pathTable(explored.paths, choose));
      page.status(explored.report.summary ?? '');
    },
  };
}

/** The number of a test, from the name of its file. */
function numberOf(test: string | undefined): number {
  return Number(/(\d{6,})\.ktest$/.exec(test ?? '')?.[1] ?? Number.NaN);
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
    const number = numberOf(finding.test);
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

/** The number of forks of a path that are listed. */
const mostForks = 60;

/** The forks of a path in order; repeated ones are counted: "at line 5 true, 7 false (2 times)". */
function forksInWords(route: ReturnType<ForkView['route']>): string {
  const steps: { readonly text: string; times: number }[] = [];
  for (const { place, holds } of route) {
    const text = `${place.slice(place.lastIndexOf(':') + 1)} ${holds}`;
    const last = steps.at(-1);
    if (last?.text === text) last.times++;
    else steps.push({ text, times: 1 });
  }
  const shown = steps
    .slice(0, mostForks)
    .map(({ text, times }) => (times === 1 ? text : `${text} (${times} times)`));
  const left = steps.length - shown.length;
  if (shown.length === 0) return '';
  return `at line ${shown.join(', ')}${left > 0 ? ` and ${left} more` : ''}`;
}

/** "3–5, 9" */
function inRanges(lines: readonly number[]): string {
  const ranges: [first: number, last: number][] = [];
  for (const line of lines) {
    const open = ranges.at(-1);
    if (open?.[1] === line - 1) open[1] = line;
    else ranges.push([line, line]);
  }
  return ranges.map(([first, last]) => (first === last ? `${first}` : `${first}–${last}`)).join(', ');
}

function pathCard(
  path: ExploredPath,
  route: ReturnType<ForkView['route']>,
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
      row('lines', inRanges(path.lines)),
      row('forks', forksInWords(route)),
      row('output', path.stdout),
      row('length', `${inThousands(path.instructions)} instructions, ${plural(path.forks, 'fork')}`),
    ),
    element('p', { class: 'actions' }, ...downloads(files)),
  );
}

function pathTable(paths: readonly ExploredPath[], choose: (path: number) => void): HTMLElement | undefined {
  if (paths.length === 0) return undefined;
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
      { 'aria-label': 'paths' },
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
