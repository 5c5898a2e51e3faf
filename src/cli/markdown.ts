/**
 * Markdown for the terminal: the few forms that the pages of `docs/explain/` use. Headings,
 * paragraphs (wrapped), lists, code blocks, `code`, *stress*, **bold**, [links](url).
 */
import picocolors from 'picocolors';

export interface MarkdownOptions {
  readonly color: boolean;
  readonly width: number;
}

export function renderMarkdown(markdown: string, { color, width }: MarkdownOptions): string {
  const { bold, cyan, dim, italic, underline, yellow } = picocolors.createColors(color);
  const inline = (text: string): string =>
    text
      .replaceAll(
        /\[([^\]]+)\]\(([^)]+)\)/g,
        (_, title: string, url: string) => `${title} ${dim(`(${url})`)}`,
      )
      .replaceAll(/\*\*(.+?)\*\*/g, (_, strong: string) => bold(strong))
      .replaceAll(/\*([^*`]+)\*/g, (_, stressed: string) => italic(stressed))
      .replaceAll(/`([^`]+)`/g, (_, code: string) => (color ? cyan(code) : `\`${code}\``));
  const codeLine = (line: string): string =>
    `    ${line.replace(/\/\/~ ERROR \S+/, marker => yellow(marker.replace('//~ ERROR', '// <--')))}`.trimEnd();

  const render = (block: Block): string => {
    switch (block.kind) {
      case 'heading':
        return block.level === 1 ? bold(underline(block.text)) : bold(block.text);
      case 'code':
        return block.lines.map(codeLine).join('\n');
      case 'item':
        return inline(
          wrap(block.text, Math.min(width, 100) - 4)
            .replaceAll('\n', '\n    ')
            .replace(/^/, '  - '),
        );
      case 'paragraph':
        return inline(wrap(block.text, Math.min(width, 100)));
    }
  };
  let text = '';
  let previous: Block | undefined;
  for (const block of blocksOf(markdown)) {
    // Items of a list are not separated by empty lines.
    if (previous !== undefined) text += previous.kind === 'item' && block.kind === 'item' ? '\n' : '\n\n';
    text += render(block);
    previous = block;
  }
  return `${text}\n`;
}

type Block =
  | { readonly kind: 'heading'; readonly level: number; readonly text: string }
  | { readonly kind: 'code'; readonly lines: readonly string[] }
  | { readonly kind: 'item' | 'paragraph'; readonly text: string };

function blocksOf(markdown: string): Block[] {
  const blocks: Block[] = [];
  const lines = markdown.split('\n');
  let paragraph: string[] = [];
  const flush = (): void => {
    const text = paragraph.join(' ');
    if (text.startsWith('- ')) blocks.push({ kind: 'item', text: text.slice(2) });
    else if (text !== '') blocks.push({ kind: 'paragraph', text });
    paragraph = [];
  };
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!;
    const heading = /^(#+) (.*)$/.exec(line);
    if (heading !== null) {
      flush();
      blocks.push({ kind: 'heading', level: heading[1]!.length, text: heading[2]! });
    } else if (line.startsWith('```')) {
      flush();
      const end = lines.indexOf('```', i + 1);
      blocks.push({ kind: 'code', lines: lines.slice(i + 1, end) });
      i = end;
    } else if (line.trim() === '') {
      flush();
    } else {
      if (line.startsWith('- ')) flush();
      paragraph.push(line.trim());
    }
  }
  flush();
  return blocks;
}

/** Breaks at spaces so that no line is longer than `width`, unless a word is. */
function wrap(text: string, width: number): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line].join('\n');
}
