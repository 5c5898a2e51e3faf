/** A finding as a card, and as marks in the editor. */
import type { FindingCode } from '../src/findings/codes.js';
import { type Finding, isInLibrary, type SourceLocation } from '../src/findings/finding.js';
import { sitesOf } from '../src/findings/object-sites.js';
import { type Child, element } from './dom.js';
import type { Mark } from './editor.js';
import { withCode } from './markdown.js';

export interface CardActions {
  readonly goTo: (place: SourceLocation) => void;
  readonly explain: (code: FindingCode) => Promise<HTMLElement>;
  /** Further content at the end of the card. */
  readonly extra?: readonly Child[];
}

export function marksOf(finding: Finding): Mark[] {
  const { severity, code, message, location, access } = finding;
  const kind = severity === 'error' ? 'error' : 'warning';
  return [
    { ...at(location), kind, text: `${code}: ${message}`, access: access?.kind },
    ...sitesOf(finding).map(site => ({ ...at(site.location), kind: site.title, text: site.label })),
  ];
}

const at = ({ line, column }: SourceLocation): Pick<Mark, 'line' | 'column'> => ({ line, column });

export function findingCard(
  finding: Finding,
  text: string,
  { goTo, explain, extra = [] }: CardActions,
): HTMLElement {
  const { code, severity, message, location, label, notes = [], help, stack } = finding;
  const place = (where: SourceLocation): HTMLElement => placeOf(where, goTo);
  const line = (name: string, where: SourceLocation): Child =>
    element('li', {}, ...withCode(name), ' ', place(where), where.function ? ` in ${where.function}` : '');
  const id = `card-${Math.random().toString(36).slice(2)}`;
  const frames = stack.filter(frame => !isInLibrary(frame));
  return element(
    'article',
    { class: `card card-${severity}`, 'aria-labelledby': id },
    element(
      'h3',
      { id },
      element('span', { class: `badge badge-${severity}` }, code),
      element('span', { class: 'message' }, ...withCode(message)),
    ),
    element(
      'ul',
      { class: 'sites' },
      line('at', location),
      label !== undefined && element('li', { class: 'label' }, label),
      ...sitesOf(finding).map(site => line(inOneLine(site.label), site.location)),
      ...notes.map(({ message, location }) =>
        element(
          'li',
          { class: 'note' },
          ...withCode(message),
          location ? ' ' : '',
          location && place(location),
        ),
      ),
    ),
    help !== undefined && element('p', { class: 'help' }, ...withCode(help)),
    frames.length > 1 &&
      element(
        'details',
        {},
        element('summary', {}, `Stack of ${frames.length} frames`),
        element(
          'ol',
          { class: 'stack' },
          ...frames.map(frame => element('li', {}, `${frame.function ?? '?'} `, place(frame))),
        ),
      ),
    explanation(code as FindingCode, explain),
    element(
      'details',
      {},
      element('summary', {}, 'As the command line prints it'),
      element('pre', { class: 'as-text', tabindex: 0 }, text),
    ),
    ...extra,
  );
}

/** A place in the program is a button that goes there. */
function placeOf(where: SourceLocation, goTo: CardActions['goTo']): HTMLElement {
  const { file, line, column } = where;
  if (isInLibrary(where) || line === 0) return element('span', { class: 'place' }, `${file}:${line}`);
  return element(
    'button',
    { class: 'place', type: 'button', onclick: () => goTo(where) },
    `${file}:${line}:${column}`,
  );
}

/** The page of the code, which is loaded when it is opened. */
function explanation(code: FindingCode, explain: CardActions['explain']): HTMLElement {
  const page = element('div', { class: 'explanation' });
  const details = element(
    'details',
    {
      ontoggle: () => {
        if (details.open && page.childElementCount === 0)
          void explain(code).then(shown => page.replaceChildren(shown));
      },
    },
    element('summary', {}, `What is ${code}?`),
    page,
  );
  return details;
}

/** "the 16-byte block is allocated here" of an excerpt, before the place. */
const inOneLine = (label: string): string => label.replace(/ here( first)?$/, '$1 at');
