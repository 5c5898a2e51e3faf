/**
 * A finding as a card: the error, its location with an excerpt of the source, its causes, how to
 * reproduce it.
 */
import { codes, isFindingCode } from '../findings/codes.js';
import { formatLocation } from '../findings/diagnostic.js';
import { type Finding, isInLibrary, type Stack } from '../findings/finding.js';
import { sitesOf } from '../findings/object-sites.js';
import type { SourceFiles } from '../findings/source-text.js';
import { type Markup, markup, nothing, words } from './markup.js';
import { excerptView, type SourceMark } from './source-view.js';

/** `number` starts at 1; the card can be linked to. */
export function findingView(finding: Finding, number: number, sources: SourceFiles): Markup {
  const { code, severity, message, location, cwe, stack, help, notes = [], test, input } = finding;
  const title = isFindingCode(code) ? codes[code].title : undefined;
  const where = location.function === undefined ? nothing : markup` in <code>${location.function}</code>`;
  return markup`<article class="finding ${severity}" id="finding-${number}" aria-labelledby="title-${number}">
<h3 id="title-${number}"><span class="code"${title === undefined ? nothing : markup` title="${title}"`}>${severity}[${code}]</span> ${words(message)}</h3>
<p class="where"><code>${formatLocation(location)}</code>${where}${cwe === undefined ? nothing : markup` · CWE-${cwe}`}${confirmedText(finding)}</p>
${excerptsOf(finding, sources)}
${stackView('stack', stack, finding.omittedFrames)}
${sitesOf(finding).map(({ title, stack, omittedFrames }) => stackView(title, stack, omittedFrames))}
${(finding.accesses ?? []).map(({ kind, thread, stack }) => stackView(`${kind} by thread ${thread}`, stack))}
${finding.clause === undefined ? nothing : markup`<p>annotation: <code>${finding.clause}</code></p>`}
${valuesView(finding)}
${notes.map(note => markup`<p class="note"><b>note</b>: ${words(note.message)}${note.location === undefined ? nothing : markup` (<code>${formatLocation(note.location)}</code>)`}</p>`)}
${help === undefined ? nothing : markup`<p class="help"><b>help</b>: ${words(help)}</p>`}
${test === undefined ? nothing : markup`<p>test: <code>${test}</code></p>`}${input === undefined ? nothing : markup`<p>input: <code>${input}</code></p>`}
</article>`;
}

function confirmedText({ confirmed }: Finding): string {
  if (confirmed === undefined) return '';
  return confirmed ? ' · confirmed by a run under the monitor' : ' · not seen again under the monitor';
}

/** The excerpt of the error with the sites in the same file; other sites are shown separately. */
function excerptsOf(finding: Finding, sources: SourceFiles): Markup[] {
  const { location, label = '', access, notes = [] } = finding;
  const primary: SourceMark = {
    location,
    role: 'primary',
    label,
    ...(access !== undefined && { access: access.kind }),
  };
  const others: SourceMark[] = [
    ...sitesOf(finding).map(({ title, location, label }) => ({ location, label, role: title })),
    ...notes.flatMap(({ location, message }) =>
      location === undefined ? [] : [{ location, label: message, role: 'note' as const }],
    ),
  ];
  // A leak is reported at its allocation, so one mark covers both.
  const same = others.find(
    mark =>
      formatLocation(mark.location) === formatLocation(location) && (label === '' || mark.label === label),
  );
  const all = [
    same === undefined ? primary : { ...primary, label: same.label },
    ...others.filter(mark => mark !== same),
  ];
  const files = new Set(all.map(mark => mark.location.file));
  return [...files].map(file => {
    const marks = all.filter(mark => mark.location.file === file);
    const name = files.size === 1 ? nothing : markup`<p class="where"><code>${file}</code></p>`;
    const excerpt = excerptView(marks, sources);
    if (excerpt !== nothing) return markup`${name}${excerpt}`;
    return markup`<ul>${marks.filter(({ label }) => label !== '').map(mark => markup`<li><code>${formatLocation(mark.location)}</code>: ${mark.label}</li>`)}</ul>`;
  });
}

/** Longer stacks are shortened in the middle. */
const mostFrames = 100;

function stackView(title: string, stack: Stack, omitted = 0): Markup {
  if (stack.length < 2) return nothing;
  const isLong = stack.length > mostFrames;
  const hidden = (isLong ? stack.length - mostFrames : 0) + omitted;
  const top = isLong ? stack.slice(0, mostFrames - 10) : stack;
  const bottom = isLong ? stack.slice(-10) : [];
  const row = (frame: Stack[number]): Markup =>
    markup`<li><code>${frame.function ?? '?'}</code> ${isInLibrary(frame) ? 'in the C library' : formatLocation(frame)}</li>`;
  const gap =
    hidden === 0
      ? nothing
      : markup`<li class="gap">… ${Number.isFinite(hidden) ? `${hidden} ` : ''}more frames …</li>`;
  return markup`<details><summary>${title} (${stack.length} frames)</summary><ol class="stack">${top.map(row)}${gap}${bottom.map(row)}</ol></details>`;
}

function valuesView({ values = [] }: Finding): Markup {
  if (values.length === 0) return nothing;
  return markup`<table><thead><tr><th>term</th><th>value</th></tr></thead><tbody>${values.map(({ term, value }) => markup`<tr><td><code>${term}</code></td><td><code>${value}</code></td></tr>`)}</tbody></table>`;
}
