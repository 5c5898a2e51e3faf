/** The interface of the page for its tabs. */

import type { FindingCode } from '../src/findings/codes.js';
import type { Diagnostic } from '../src/findings/diagnostic.js';
import type { SourceLocation } from '../src/findings/finding.js';
import { type Child, element, quiet } from './dom.js';
import type { Editor, Mark } from './editor.js';
import type { Source } from './engine-calls.js';
import type { EngineClient, Result } from './engine-client.js';
import type { CallEvent } from './engine-protocol.js';
import { withCode } from './markdown.js';

export interface Page {
  readonly editor: Editor;
  readonly engine: EngineClient;
  /** The contents of the editor. */
  source(): Source;
  /** The line at the foot of the page; screen readers announce its text when a run ends. */
  status(text: string): void;
  explain(code: FindingCode): Promise<HTMLElement>;
}

/** One of the views on the right. */
export interface Tab {
  readonly name: string;
  readonly title: string;
  /** The label of the button that runs it. */
  readonly verb: string;
  readonly panel: HTMLElement;
  run(): Promise<void>;
  /** Called when another program is opened. */
  reset(): void;
}

/** The values of a tab's fields, by their ids: part of a link. */
export type Settings = Readonly<Record<string, string>>;

const fieldsOf = (
  panel: HTMLElement,
): NodeListOf<HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement> =>
  panel.querySelectorAll('.fields :is(input, select, textarea)');

/** Without values that are the defaults. */
export function settingsIn(panel: HTMLElement): Settings {
  const chosen: Record<string, string> = {};
  for (const one of fieldsOf(panel)) {
    one.dataset.first ??= one.value;
    if (one.value !== one.dataset.first) chosen[one.id] = one.value;
  }
  return chosen;
}

/** Fields that are not named get their defaults. */
export function takeSettings(panel: HTMLElement, settings: Settings): void {
  for (const one of fieldsOf(panel)) {
    one.dataset.first ??= one.value;
    one.value = settings[one.id] ?? one.dataset.first;
    // A link may name a choice that a select does not have.
    if (one.value === '' && one.tagName === 'SELECT') one.value = one.dataset.first;
    one.dispatchEvent(new Event('change'));
  }
}

/** Phases and progress of a call in the status line. */
export function statusOf(page: Page): (event: CallEvent) => void {
  return event => {
    if (event.kind === 'phase' || event.kind === 'progress') page.status(event.text);
  };
}

export const goTo =
  (page: Page) =>
  ({ line, column }: SourceLocation): void =>
    page.editor.goTo(line, column);

/** The message for a call without a value; undefined if it has one. */
export function failureOf(page: Page, result: Result<unknown>): HTMLElement | undefined {
  if (result.kind === 'value') return undefined;
  if (result.kind === 'stopped') {
    page.status('stopped');
    return quiet('Stopped.');
  }
  if (result.kind === 'defect') {
    page.status('failed');
    return element(
      'div',
      { class: 'card card-error', role: 'alert' },
      element('h3', {}, 'The run failed'),
      element('p', {}, ...withCode(firstLine(result.message))),
      !result.message.includes('download') &&
        element(
          'details',
          {},
          element('summary', {}, 'Details for a bug report'),
          element('pre', {}, result.message),
        ),
    );
  }
  const { diagnostics } = result;
  page.status(`the input has ${diagnostics.length === 1 ? 'an error' : `${diagnostics.length} errors`}`);
  page.editor.mark(diagnostics.flatMap(markOf));
  return diagnosticsCard(page, diagnostics);
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0]!.replace(/^((Internal)?Error: |the worker [\w/-]+ failed: )+/, '');
}

function markOf({ location, message, severity }: Diagnostic): Mark[] {
  if (location === undefined) return [];
  const kind = severity === 'error' ? 'error' : 'warning';
  return [{ line: location.line, column: location.column, kind, text: message, extent: 'token' }];
}

export function diagnosticsCard(page: Page, diagnostics: readonly Diagnostic[]): HTMLElement {
  const place = ({ location }: Diagnostic): Child =>
    location &&
    [
      element(
        'button',
        {
          class: 'place',
          type: 'button',
          onclick: () => goTo(page)({ ...location, column: location.column }),
        },
        `${location.file}:${location.line}:${location.column}`,
      ),
    ][0];
  return element(
    'div',
    { class: 'card card-error' },
    ...diagnostics.map(diagnostic =>
      element(
        'div',
        { class: 'diagnostic' },
        element(
          'p',
          {},
          element('span', { class: `badge badge-${diagnostic.severity}` }, diagnostic.severity),
          ' ',
          diagnostic.message,
        ),
        place(diagnostic),
        diagnostic.help !== undefined && element('p', { class: 'help' }, diagnostic.help),
      ),
    ),
  );
}

/** A text field with its name above it. */
export function field(label: string, input: HTMLElement, hint?: string): HTMLElement {
  return element(
    'label',
    { class: 'field' },
    element('span', {}, label),
    input,
    hint !== undefined && element('small', {}, hint),
  );
}
