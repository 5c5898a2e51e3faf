/** The check tab: runs the program once under the monitor. */
import { type Child, element, plural, quiet, seconds, show } from './dom.js';
import type { CheckAsked, Checked } from './engine-calls.js';
import { findingCard, marksOf } from './finding-card.js';
import { diagnosticsCard, failureOf, field, goTo, type Page, statusOf, type Tab } from './page.js';
import { shellArguments } from './shell-arguments.js';

/** More output than this is not kept in the page. */
const mostOutput = 200_000;

/** The checks that the page offers besides the default ones, by the value of the field. */
const choices: Readonly<
  Record<string, { readonly name: string } & Partial<Pick<CheckAsked, 'adds' | 'taint'>>>
> = {
  '': { name: 'the default' },
  aliasing: { name: 'and strict aliasing', adds: ['aliasing'] },
  restrict: { name: 'and restrict', adds: ['restrict'] },
  'null-offset': { name: 'and null plus an offset', adds: ['null-offset'] },
  'taint-args': { name: 'and taint of arguments', taint: ['args'] },
  'taint-stdin': { name: 'and taint of stdin', taint: ['stdin'] },
};

export function checkTab(page: Page): Tab {
  const args = element('input', { type: 'text', spellcheck: 'false', autocomplete: 'off', id: 'check-args' });
  const stdin = element('textarea', { rows: 2, spellcheck: 'false', id: 'check-stdin' });
  const further = element('select', { id: 'check-checks' });
  further.append(...Object.entries(choices).map(([value, { name }]) => element('option', { value }, name)));
  const results = element('div', { class: 'results', id: 'check-results' });
  const output = element('pre', {
    class: 'output',
    id: 'check-output',
    tabindex: 0,
    'aria-label': 'output of the program',
  });
  const outputBox = element(
    'section',
    { class: 'output-box', hidden: true },
    element('h2', {}, 'Output'),
    output,
  );
  const panel = element(
    'div',
    {},
    element(
      'div',
      { class: 'fields' },
      field('Arguments', args),
      field('Standard input', stdin),
      field('Checks', further),
    ),
    results,
    outputBox,
  );

  const reset = (): void => {
    show(
      results,
      quiet(
        'Runs the program once, with every access checked: bounds, lifetime, initialisation, undefined arithmetic, leaks.',
      ),
    );
    show(output);
    outputBox.hidden = true;
  };
  reset();

  return {
    name: 'check',
    title: 'Check',
    verb: 'Check',
    panel,
    reset,
    async run() {
      page.editor.clear();
      show(results);
      show(output);
      outputBox.hidden = true;
      const warnings: Child[] = [];
      const status = statusOf(page);
      let written = 0;
      const decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() };
      const result = await page.engine.call(
        'check',
        {
          source: page.source(),
          arguments: shellArguments(args.value),
          stdin: stdin.value,
          adds: choices[further.value]?.adds ?? [],
          taint: choices[further.value]?.taint ?? [],
        },
        event => {
          status(event);
          if (event.kind === 'warning') warnings.push(diagnosticsCard(page, [event.diagnostic]));
          if (event.kind !== 'output' || written > mostOutput) return;
          outputBox.hidden = false;
          written += event.bytes.length;
          const text = decoders[event.stream].decode(event.bytes, { stream: true });
          output.append(element('span', { class: event.stream }, text));
          if (written > mostOutput) output.append('\n… more output is not shown');
        },
      );
      const failure = failureOf(page, result);
      if (result.kind === 'value') {
        page.status(headline(result.value.report));
        show(results, summary(result.value), ...warnings, ...cards(page, result.value));
      } else show(results, failure, ...warnings);
    },
  };
}

function cards(page: Page, { report, texts }: Checked): HTMLElement[] {
  page.editor.mark(report.findings.flatMap(marksOf));
  page.editor.reveal(report.findings[0]?.location.line ?? 0);
  return report.findings.map((finding, i) =>
    findingCard(finding, texts[i]!, { goTo: goTo(page), explain: page.explain }),
  );
}

function headline({ findings, verdict }: Checked['report']): string {
  if (findings.length > 0) return plural(findings.length, 'finding');
  return verdict === 'clean' ? 'No errors in this run' : 'No answer';
}

function summary({ report }: Checked): HTMLElement {
  const { verdict, program, stats } = report;
  const end =
    program?.signal != null
      ? `ended by ${program.signal}`
      : program?.exit != null
        ? `exit status ${program.exit}`
        : '';
  return element(
    'div',
    { class: `verdict verdict-${verdict}` },
    element('h2', {}, headline(report)),
    element(
      'span',
      {},
      [
        report.summary,
        end,
        `${seconds(stats.wallMs)} in all`,
        stats.runMs === undefined ? '' : `${seconds(stats.runMs)} running`,
      ]
        .filter(Boolean)
        .join(' · '),
    ),
  );
}
