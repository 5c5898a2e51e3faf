/**
 * A run that violates a property, step by step, with the changes. Where the same commands are
 * repeated, the iterations are folded into one row that can be opened.
 */
import type { ProofStep } from '../src/findings/report.js';
import { foldedSteps, type Stretch } from '../src/reports/folded-steps.js';
import { element } from './dom.js';

export function traceView(trace: readonly ProofStep[]): HTMLElement {
  return new TraceView(trace).element;
}

class TraceView {
  readonly element: HTMLElement;
  readonly #state = element('div', { class: 'trace-state', 'aria-live': 'polite' });
  readonly #rows = element('tbody');
  #current: number;

  constructor(private readonly trace: readonly ProofStep[]) {
    this.#current = trace.length - 1;
    for (const stretch of foldedSteps(trace))
      this.#rows.append(stretch.repeats === 1 ? this.#stepRow(stretch.from) : this.#foldedRow(stretch));
    const titles = ['step', 'command', 'changes'].map(name => element('th', { scope: 'col' }, name));
    this.element = element(
      'div',
      { class: 'trace' },
      element(
        'p',
        { class: 'actions' },
        button('First', () => this.#choose(0)),
        button('Back', () => this.#choose(this.#current - 1)),
        button('Step', () => this.#choose(this.#current + 1)),
        button('Last', () => this.#choose(trace.length - 1)),
      ),
      this.#state,
      element(
        'table',
        { 'aria-label': 'steps' },
        element('thead', {}, element('tr', {}, ...titles)),
        this.#rows,
      ),
    );
    this.#choose(this.#current);
  }

  #stepRow(at: number): HTMLTableRowElement {
    const { command = 'start' } = this.trace[at]!;
    return element(
      'tr',
      { 'data-step': at },
      element(
        'td',
        { class: 'number' },
        element('button', { type: 'button', class: 'place', onclick: () => this.#choose(at) }, `${at}`),
      ),
      element('td', {}, command),
      element('td', { class: 'inputs' }, changesIn(this.trace, at)),
    );
  }

  /** A row for all iterations, which shows their steps below it when it is opened. */
  #foldedRow({ from, to, repeats }: Stretch): HTMLTableRowElement {
    const steps = (to - from) * repeats;
    const last = from + steps - 1;
    const names = this.trace.slice(from, to).map(({ command = 'start' }) => command);
    const opener = element(
      'button',
      { type: 'button', class: 'place', 'aria-expanded': 'false' },
      `${repeats} × (${names.join(', ')})`,
    );
    const row = element(
      'tr',
      { class: 'rounds', 'data-step': from, 'data-last': last },
      element('td', { class: 'number' }, `${from}–${last}`),
      element('td', {}, opener),
      element('td', { class: 'inputs' }, changesBetween(this.trace, from - 1, last)),
    );
    const inside: HTMLTableRowElement[] = [];
    opener.addEventListener('click', () => {
      const isOpen = inside.length > 0;
      opener.setAttribute('aria-expanded', String(!isOpen));
      if (isOpen) for (const step of inside.splice(0)) step.remove();
      else inside.push(...Array.from({ length: steps }, (_, i) => this.#stepRow(from + i)));
      row.after(...inside);
      this.#choose(this.#current);
    });
    return row;
  }

  /** Marks a step and shows the state after it. */
  #choose(at: number): void {
    const current = Math.max(0, Math.min(this.trace.length - 1, at));
    this.#current = current;
    for (const row of this.#rows.querySelectorAll('tr')) {
      const first = Number(row.dataset.step);
      row.classList.toggle('row-chosen', first <= current && current <= Number(row.dataset.last ?? first));
    }
    const changed = new Set(changedNames(this.trace, current));
    const values = Object.entries(this.trace[current]!.state).map(([name, value]) =>
      element(
        'div',
        { class: changed.has(name) ? 'changed' : '' },
        element('dt', {}, name),
        element('dd', {}, value),
      ),
    );
    this.#state.replaceChildren(
      element('h4', {}, `After step ${current} of ${this.trace.length - 1}`),
      element('dl', { class: 'state' }, ...values),
    );
  }
}

function button(text: string, onclick: () => void): HTMLButtonElement {
  return element('button', { type: 'button', onclick }, text);
}

function changedNames(trace: readonly ProofStep[], at: number): string[] {
  const { state } = trace[at]!;
  const before = trace[at - 1]?.state;
  return Object.keys(state).filter(name => before === undefined || before[name] !== state[name]);
}

function changesIn(trace: readonly ProofStep[], at: number): string {
  const { state } = trace[at]!;
  if (at === 0) return '';
  return changedNames(trace, at)
    .map(name => `${name} = ${state[name]}`)
    .join(', ');
}

function changesBetween(trace: readonly ProofStep[], from: number, to: number): string {
  const before = trace[Math.max(0, from)]!.state;
  const { state } = trace[to]!;
  return Object.keys(state)
    .filter(name => before[name] !== state[name])
    .map(name => `${name} = ${before[name]} → ${state[name]}`)
    .join(', ');
}
