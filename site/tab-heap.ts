/** Heap: the map of a heap over time, on two mallocs, and attacks against all of them. */
import { workloadNames } from '../src/heap/workload-names.js';
import { isMallocName, type MallocName, mallocInfo, mallocNames } from '../src/malloc/malloc-names.js';
import { element, quiet, show } from './dom.js';
import type { Attacked } from './engine-calls.js';
import { exampleOf } from './examples.js';
import { failureOf, field, type Page, statusOf, type Tab } from './page.js';

const ofEditor = '';
/** The frame around a picture, in pixels. */
const edges = 2;

export function heapTab(page: Page, openExample: (id: string) => void): Tab {
  const what = element('select', { id: 'heap-what' });
  what.append(
    element('option', { value: 'map' }, 'map of the heap'),
    element('option', { value: 'attacks' }, 'all attacks'),
  );
  const trace = element('select', { id: 'heap-trace' });
  trace.append(
    element('option', { value: ofEditor }, 'program in the editor'),
    ...workloadNames.map(name => element('option', { value: name }, `workload ${name}`)),
  );
  const mallocs = [mallocChoice('heap-malloc', 'ptmalloc2'), mallocChoice('heap-other', 'sri')] as const;
  const results = element('div', { class: 'results', id: 'heap-results' });
  const mapFields = [field('Calls of', trace), field('Malloc', mallocs[0]), field('Beside it', mallocs[1])];
  const panel = element(
    'div',
    {},
    element('div', { class: 'fields pairs' }, field('What', what), ...mapFields),
    results,
  );
  what.addEventListener('change', () => {
    for (const one of mapFields) one.hidden = what.value !== 'map';
  });
  const reset = (): void => {
    show(
      results,
      quiet(
        'Replays the allocations of a run on a malloc and draws where blocks lie, or runs attacks on the heap against every malloc.',
      ),
    );
  };
  reset();

  return {
    name: 'heap',
    title: 'Heap',
    verb: 'Run',
    panel,
    reset,
    async run() {
      show(results);
      const status = statusOf(page);
      const chosen = [...new Set(mallocs.map(({ value }) => value))].filter(isMallocName);
      const result =
        what.value === 'map'
          ? await page.engine.call(
              'heapMap',
              {
                source: trace.value === ofEditor ? page.source() : trace.value,
                mallocs: chosen,
                width: results.clientWidth - edges,
              },
              status,
            )
          : await page.engine.call('heapAttack', { mallocs: mallocNames }, status);
      const failure = failureOf(page, result);
      if (result.kind !== 'value') show(results, failure);
      else if (typeof result.value === 'string') {
        page.status('drawn');
        show(results, mapView(chosen, result.value));
      } else {
        page.status(result.value.summary);
        show(results, matrixView(result.value, openExample));
      }
    },
  };
}

function mallocChoice(id: string, chosen: MallocName): HTMLSelectElement {
  const choice = element('select', { id });
  choice.append(
    ...mallocNames.map(name =>
      element(
        'option',
        { value: name, selected: name === chosen, title: mallocInfo[name].summary },
        `${name} (metadata ${mallocInfo[name].metadata})`,
      ),
    ),
  );
  return choice;
}

/** Inline, so that it follows the page's colours; the page's policy does not run its scripts. */
function mapView(mallocs: readonly MallocName[], svg: string): HTMLElement {
  const { documentElement: map } = new DOMParser().parseFromString(svg, 'image/svg+xml');
  return element(
    'figure',
    {},
    element('div', { class: 'scroll', tabindex: 0 }, document.importNode(map, true)),
    element(
      'figcaption',
      {},
      ...mallocs.map(malloc =>
        element('p', { class: 'map-names' }, element('strong', {}, malloc), ` ${mallocInfo[malloc].summary}`),
      ),
    ),
  );
}

function matrixView({ matrix, attacks }: Attacked, openExample: (id: string) => void): HTMLElement {
  const mallocs = mallocNames.filter(name => Object.values(matrix).some(row => row[name] !== undefined));
  return element(
    'div',
    { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'attacks' },
    element(
      'table',
      { class: 'matrix' },
      element('caption', {}, 'The outcome of each attack: exploited, crashed, detected or harmless.'),
      element(
        'thead',
        {},
        element(
          'tr',
          {},
          element('th', { scope: 'col' }, 'attack'),
          ...mallocs.map(name => element('th', { scope: 'col' }, name)),
        ),
      ),
      element(
        'tbody',
        {},
        ...attacks
          .filter(({ name }) => matrix[name] !== undefined)
          .map(({ name, summary }) => {
            const id = `${name}.c`;
            return element(
              'tr',
              {},
              element(
                'th',
                { scope: 'row', title: summary },
                exampleOf(id)
                  ? element(
                      'button',
                      { type: 'button', class: 'place', onclick: () => openExample(id) },
                      name,
                    )
                  : name,
              ),
              ...mallocs.map(malloc => {
                const outcome = matrix[name]![malloc] ?? '';
                return element('td', { class: `outcome-${outcome}` }, outcome);
              }),
            );
          }),
      ),
    ),
  );
}
