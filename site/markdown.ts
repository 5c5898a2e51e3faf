/**
 * Markdown as far as the pages of `docs/explain` use it: headings, paragraphs, lists, code,
 * emphasis and links. The result is elements and text, never markup.
 */
import { element } from './dom.js';

export function renderMarkdown(text: string): HTMLElement {
  const page = element('div', { class: 'markdown' });
  const lines = text.split('\n');
  let paragraph: string[] = [];
  let list: HTMLElement | undefined;
  const close = (): void => {
    if (paragraph.length > 0) page.append(element('p', {}, ...inline(paragraph.join(' '))));
    paragraph = [];
    list = undefined;
  };
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!;
    const heading = /^(#{1,4}) (.*)$/.exec(line);
    const item = /^(?:[-*]|\d+\.) (.*)$/.exec(line);
    if (line.startsWith('```')) {
      close();
      const end = lines.indexOf('```', i + 1);
      const code = lines.slice(i + 1, end < 0 ? undefined : end);
      page.append(element('pre', { tabindex: 0 }, element('code', {}, code.join('\n'))));
      i = end < 0 ? lines.length : end;
    } else if (heading) {
      close();
      page.append(element(heading[1]!.length === 1 ? 'h3' : 'h4', {}, ...inline(heading[2]!)));
    } else if (item) {
      if (paragraph.length > 0) close();
      if (list === undefined) {
        list = element('ul');
        page.append(list);
      }
      list.append(element('li', {}, ...inline(item[1]!)));
    } else if (list !== undefined && /^\s+\S/.test(line)) {
      list.lastElementChild?.append(' ', ...inline(line.trim()));
    } else if (line.trim() === '') close();
    else {
      list = undefined;
      paragraph.push(line);
    }
  }
  close();
  return page;
}

/** A message of an engine: text between backticks is code. */
export function withCode(text: string): (Node | string)[] {
  return text
    .split(/(`[^`]+`)/)
    .map(part => (/^`.*`$/.test(part) ? element('code', {}, part.slice(1, -1)) : part));
}

/** A line of text with code and emphasis. */
function inline(text: string): (Node | string)[] {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*|\*[^*]+\*|\[[^\]]+\]\([^)]+\))/).map(part => {
    if (/^`.*`$/.test(part)) return element('code', {}, part.slice(1, -1));
    if (/^\*\*.*\*\*$/.test(part)) return element('strong', {}, part.slice(2, -2));
    if (/^\*.*\*$/.test(part)) return element('em', {}, part.slice(1, -1));
    const link = /^\[(.*)\]\((.*)\)$/.exec(part);
    // Pages of the repository are not part of the site.
    if (link)
      return /^https:/.test(link[2]!)
        ? element('a', { href: link[2], rel: 'noreferrer' }, link[1]!)
        : link[1]!;
    return part;
  });
}
