/** IR: the code that clang generates for the program, and the checks that the monitor inserts. */
import { element, inThousands, plural, quiet, show } from './dom.js';
import { insertedLines } from './inserted-lines.js';
import { failureOf, field, type Page, statusOf, type Tab } from './page.js';

/** Further lines are not shown, since more elements would slow the page down. */
const mostLines = 20_000;

export function irTab(page: Page): Tab {
  const kind = element('select', { id: 'ir-kind' });
  kind.append(
    element('option', { value: 'compiled' }, 'as clang compiled it'),
    element('option', { value: 'instrumented', selected: true }, 'with the checks of the monitor'),
  );
  const debug = element('input', { type: 'checkbox', id: 'ir-debug' });
  const results = element('div', { class: 'results', id: 'ir-results' });
  let texts: { readonly compiled: string; readonly instrumented: string } | undefined;
  const panel = element(
    'div',
    {},
    element(
      'div',
      { class: 'fields' },
      field('LLVM IR', kind),
      element('label', { class: 'check-field' }, debug, 'Metadata and declarations'),
    ),
    results,
  );

  const draw = (): void => {
    if (texts === undefined) return;
    const isCompiled = kind.value === 'compiled';
    const lines = linesOf(isCompiled ? texts.compiled : texts.instrumented, debug.checked);
    const isInserted = isCompiled ? [] : insertedLines(linesOf(texts.compiled, debug.checked), lines);
    const inserted = isInserted.filter(Boolean).length;
    const text = element('pre', { class: 'ir', tabindex: 0, 'aria-label': 'LLVM IR' });
    for (const [i, line] of lines.slice(0, mostLines).entries())
      text.append(isInserted[i] ? element('ins', {}, `${line}\n`) : `${line}\n`);
    show(
      results,
      element(
        'div',
        { class: 'verdict' },
        element('h2', {}, plural(lines.length, 'line')),
        element(
          'span',
          {},
          isCompiled ? 'as the engines read it' : `${inThousands(inserted)} inserted or changed, marked`,
        ),
        lines.length > mostLines && element('span', {}, `the first ${inThousands(mostLines)} are shown`),
      ),
      text,
    );
  };
  kind.addEventListener('change', draw);
  debug.addEventListener('change', draw);

  const reset = (): void => {
    texts = undefined;
    show(
      results,
      quiet(
        'Shows the program as LLVM IR: as clang compiled it, and with the checks that the monitor inserts before each access.',
      ),
    );
  };
  reset();

  return {
    name: 'ir',
    title: 'IR',
    verb: 'Compile',
    panel,
    reset,
    async run() {
      page.editor.clear();
      show(results);
      const result = await page.engine.call('ir', { source: page.source() }, statusOf(page));
      const failure = failureOf(page, result);
      if (result.kind !== 'value') {
        show(results, failure);
        return;
      }
      texts = result.value;
      page.status('compiled');
      draw();
    },
  };
}

function linesOf(text: string, withAll: boolean): string[] {
  const lines = text.split('\n');
  if (withAll) return lines;
  return lines
    .filter(line => !/^(!|attributes |declare |source_filename|target |; ModuleID)|^\s+#dbg_/.test(line))
    .map(line => line.replace(/,? !(dbg|tbaa|prof) !\d+/g, ''))
    .filter((line, i, all) => line !== '' || all[i - 1] !== '');
}
