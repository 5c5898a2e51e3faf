/**
 * Elements of the page. Everything from programs and engines is inserted as text, so that no name
 * in a program can become markup.
 */
export type Child = Node | string | undefined | false;

type Attributes = Readonly<Record<string, string | number | boolean | undefined | ((event: Event) => void)>>;

/** `on…` are listeners; `true` is an attribute without a value, `false` and undefined are none. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === 'function') made.addEventListener(key.slice(2), value);
    else if (value !== undefined && value !== false)
      made.setAttribute(key, value === true ? '' : String(value));
  }
  made.append(...children.filter(child => child !== undefined && child !== false));
  return made;
}

/** Requires that the page has it. */
export function byId<Type extends HTMLElement>(id: string): Type {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no #${id}`);
  return found as Type;
}

/** A paragraph that is not a result. */
export function quiet(text: string): HTMLParagraphElement {
  return element('p', { class: 'quiet' }, text);
}

export function show(parent: Element, ...children: readonly Child[]): void {
  parent.replaceChildren(...children.filter(child => child !== undefined && child !== false));
}

export function inThousands(count: number): string {
  return count.toLocaleString('en-US');
}

export function plural(count: number, noun: string): string {
  return `${inThousands(count)} ${noun}${count === 1 ? '' : 's'}`;
}

export function seconds(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

/** Offers a file for download. */
export function download(name: string, bytes: Uint8Array | string): void {
  const url = URL.createObjectURL(new Blob([bytes as BlobPart]));
  const link = element('a', { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
