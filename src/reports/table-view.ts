/** Tables with a header and rows of text; columns of numbers are aligned to the right. */
import { type Markup, type MarkupPart, markup, nothing } from './markup.js';

export interface Table {
  readonly caption?: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly MarkupPart[])[];
}

const numeric = /^[-+]?[\d.,]+( ?(%|ms|s|B|KiB|MiB|ns))?$/;

export function tableView({ caption, head, rows }: Table): Markup {
  if (rows.length === 0) return nothing;
  const isNumeric = head.map((_, i) =>
    rows.every(row => typeof row[i] === 'number' || row[i] === '' || numeric.test(String(row[i]))),
  );
  const cell = (part: MarkupPart, i: number): Markup =>
    isNumeric[i] ? markup`<td class="n">${part}</td>` : markup`<td>${part}</td>`;
  return markup`<div class="scrolls" tabindex="0"><table>${caption === undefined ? nothing : markup`<caption>${caption}</caption>`}
<thead><tr>${head.map((name, i) => markup`<th scope="col"${isNumeric[i] ? markup` class="n"` : nothing}>${name}</th>`)}</tr></thead>
<tbody>${rows.map(row => markup`<tr>${row.map(cell)}</tr>\n`)}</tbody></table></div>`;
}
