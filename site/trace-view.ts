/**
 * A run that violates a property, step by step, with the changes. Where the same commands are
 * repeated, the iterations are folded into one row that can be opened.
 */
import type { ProofStep } from '../src/findings/report.js';
import { element } from './dom.js';

/** Steps, or iterations of the same commands. */
type Row =
  | { readonly kind: 'step'; readonly at: number }
  | { readonly kind: 'rounds'; readonly at: number; readonly length: number; readonly rounds: number };

const longestRound = 12;
const leastRounds = 3;

/** Folds at each position the loop that covers the most steps. */
export function folded(commands: readonly (string | undefined)[]): Row[] {
  const rows: Row[] = [];
  for (let at = 0; at < commands.length; ) {
    let best = { length: 1, rounds: 1 };
    for (let length = 1; length <= longestRound; length++) {
      let rounds = 1;
      while (isSame(commands, at, at + rounds * length, length)) rounds++;
      if (rounds >= leastRounds && rounds * length > best.rounds * best.length) best = { length, rounds };
    }
    if (best.rounds === 1) rows.push({ kind: 'step', at });
    else rows.push({ kind: 'rounds', at, ...best });
    at += best.length * best.rounds;
  }
  return rows;
}

function isSame(commands: readonly (string | undefined)[], a: number, b: number, length: number): boolean {
  if (b + length > commands.length) return false;
  for (let i = 0; i < length; i++) if (commands[a + i] !== commands[b + i]) return false;
  return true;
}

export function traceView(trace: readonly ProofStep[]): HTMLElement {
  const state = element('div', { class: 'trace-state', 'aria-live': 'polite' });
  const body = element('tbody');
  const rowOf = (at: number): HTMLTableRowElement => {
    const { command = 'start' } = trace[at]!;
    const row = element(
      'tr',
      { 'data-step': at },
      element(
        'td',
        { class: 'number' },
        element('button', { type: 'button', class: 'place', onclick: () => choose(at) }, `${at}`),
      ),
      element('td', {}, command),
      element('td', { class: 'inputs' }, changesIn(trace, at)),
    );
    return row;
  };
  for (const row of folded(trace.map(({ command }) => command))) {
    if (row.kind === 'step') {
      body.append(rowOf(row.at));
      continue;
    }
    const { at, length, rounds } = row;
    const steps = length * rounds;
    const names = Array.from({ length }, (_, i) => trace[at + i]!.command ?? 'start').join(', ');
    const opener = element(
      'button',
      { type: 'button', class: 'place', 'aria-expanded': 'false' },
      `${rounds} × (${names})`,
    );
    const inside: HTMLTableRowElement[] = [];
    const summary = element(
      'tr',
      { class: 'rounds', 'data-step': at, 'data-last': at + steps - 1 },
      element('td', { class: 'number' }, `${at}–${at + steps - 1}`),
      element('td', {}, opener),
      element('td', { class: 'inputs' }, changesBetween(trace, at - 1, at + steps - 1)),
    );
    opener.addEventListener('click', () => {
      const isOpen = inside.length > 0;
      opener.setAttribute('aria-expanded', String(!isOpen));
      if (isOpen) for (const step of inside.splice(0)) step.remove();
      else inside.push(...Array.from({ length: steps }, (_, i) => rowOf(at + i)));
      summary.after(...inside);
      choose(current);
    });
    body.append(summary);
  }
  let current = trace.length - 1;
  const choose = (at: number): void => {
    current = Math.max(0, Math.min(trace.length - 1, at));
    for (const row of body.querySelectorAll('tr')) {
      const first = Number(row.dataset.step);
      row.classList.toggle('row-chosen', first <= current && current <= Number(row.dataset.last ?? first));
    }
    const changed = new Set(changedNames(trace, current));
    state.replaceChildren(
      element('h4', {}, `After step ${current} of ${trace.length - 1}`),
      element(
        'dl',
        { class: 'state' },
        ...Object.entries(trace[current]!.state).map(([name, value]) =>
          element(
            'div',
            { class: changed.has(name) ? 'changed' : '' },
            element('dt', {}, name),
            element('dd', {}, value),
          ),
        ),
      ),
    );
  };
  const view = element(
    'div',
    { class: 'trace' },
    element(
      'p',
      { class: 'actions' },
      element('button', { type: 'button', onclick: () => choose(0) }, 'First'),
      element('button', { type: 'button', onclick: () => choose(current - 1) }, 'Back'),
      element('button', { type: 'button', onclick: () => choose(current + 1) }, 'Step'),
      element('button', { type: 'button', onclick: () => choose(trace.length - 1) }, 'Last'),
    ),
    state,
    element(
      'table',
      { 'aria-label': 'steps' },
      element(
        'thead',
        {},
        element(
          'tr',
          {},
          ...['step', 'command', 'changes'].map(name => element('th', { scope: 'col' }, name)),
        ),
      ),
      body,
    ),
  );
  choose(trace.length - 1);
  return view;
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
