/**
 * Text that is HTML or SVG, and the template function that makes it.
 *
 *     markup`<b>${name}</b>`       the name is escaped, whatever it holds
 *     markup`<ul>${rows}</ul>`     Markup, and lists of it, go in as they are
 *
 * Invariant: only the literal parts of a template become markup. So a file name, a message or the
 * output of a program is text wherever it is inserted, in an element or in a quoted attribute.
 * Characters that move the cursor or turn the direction of writing are shown as escapes, since they
 * could make code read as something else.
 */
import { printable } from '../support/printable.js';

export class Markup {
  readonly text: string;

  /** Only for `markup` and for constants of this room. */
  constructor(text: string) {
    this.text = text;
  }
}

export type MarkupPart = Markup | string | number | undefined | readonly MarkupPart[];

/** Attributes stand in double quotes. */
export function markup(literals: TemplateStringsArray, ...parts: readonly MarkupPart[]): Markup {
  let text = literals[0]!;
  parts.forEach((part, i) => {
    text += textOf(part) + literals[i + 1]!;
  });
  return new Markup(text);
}

/** A text whose parts in backticks are code, as in messages. */
export function words(text: string): Markup {
  return markup`${text.split(/`([^`]+)`/).map((part, i) => (i % 2 === 1 ? markup`<code>${part}</code>` : part))}`;
}

export const nothing: Markup = new Markup('');

function textOf(part: MarkupPart): string {
  if (part === undefined) return '';
  if (part instanceof Markup) return part.text;
  if (typeof part === 'object') return part.map(textOf).join('');
  return escaped(String(part));
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function escaped(text: string): string {
  return printable(text).replace(/[&<>"']/g, character => entities[character]!);
}

/**
 * Data for the page's script, as JSON inside a `<script>` that is not run. The parser of HTML
 * looks for `</script` and `<!--` there, so no `<` is left; U+2028 and U+2029 are line ends to old
 * parsers of JavaScript.
 */
export function embeddedJson(value: unknown): Markup {
  const json = JSON.stringify(value);
  return new Markup(
    json.replace(/[<>&\u2028\u2029]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );
}
