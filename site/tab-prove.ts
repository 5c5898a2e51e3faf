/** Prove: a model, its properties, and the run that violates one. */
import type { ProofResult, ProveReport } from '../src/findings/report.js';
import { catalogue } from '../src/modelcheck/models/catalogue.js';
import { element, plural, quiet, seconds, show } from './dom.js';
import { failureOf, field, type Page, statusOf, type Tab } from './page.js';
import { traceView } from './trace-view.js';

const ofEditor = '';

export function proveTab(page: Page): Tab {
  const model = element('select', { id: 'prove-model' });
  model.append(
    element('option', { value: ofEditor }, 'the model in the editor'),
    ...Object.entries(catalogue).map(([name, { text }]) =>
      element('option', { value: name }, `${name}: ${text}`),
    ),
  );
  const limit = element('input', { type: 'number', min: 1, max: 600, value: 60, id: 'prove-limit' });
  const results = element('div', { class: 'results', id: 'prove-results' });
  const panel = element(
    'div',
    {},
    element('div', { class: 'fields' }, field('Model', model), field('Time limit', limit, 'seconds')),
    results,
  );
  const reset = (): void => {
    show(
      results,
      quiet(
        'Decides the properties of a transition system: proved, with a certificate that a separate checker verified, or refuted, with a counterexample.',
      ),
    );
  };
  reset();

  return {
    name: 'prove',
    title: 'Prove',
    verb: 'Prove',
    panel,
    reset,
    async run() {
      show(results);
      const { name, text } = page.source();
      if (model.value === ofEditor && !/\.(sal|mcmt)$/.test(name)) {
        page.status('there is no model');
        show(
          results,
          element(
            'p',
            { class: 'card' },
            'The editor holds C. Choose a model above, or an example under “Models to prove”.',
          ),
        );
        return;
      }
      const asked = model.value === ofEditor ? { file: name, text } : model.value;
      const result = await page.engine.call(
        'prove',
        { model: asked, maxTimeMs: 1000 * Math.max(1, Number(limit.value) || 60) },
        statusOf(page),
      );
      const failure = failureOf(page, result);
      if (result.kind !== 'value') {
        show(results, failure);
        return;
      }
      page.status(result.value.summary ?? '');
      show(results, ...reportView(result.value));
    },
  };
}

function reportView({ verdict, summary, stats, results }: ProveReport): HTMLElement[] {
  const refuted = results.filter(({ status }) => status === 'refuted').length;
  const proved = results.filter(({ status }) => status === 'proved').length;
  const text = refuted > 0 ? 'Refuted' : proved === results.length ? 'Proved' : 'Not decided';
  return [
    element(
      'div',
      { class: `verdict verdict-${verdict}` },
      element('h2', {}, text),
      element('span', {}, [summary, seconds(stats.wallMs ?? 0)].filter(Boolean).join(' · ')),
    ),
    ...results.filter(({ status }) => status === 'refuted').map(resultView),
    ...results.filter(({ status }) => status === 'unknown').map(resultView),
    ...(proved === 0 ? [] : [provedView(results.filter(({ status }) => status === 'proved'))]),
  ];
}

function resultView({ property, text, trace, engine, reason, depth }: ProofResult): HTMLElement {
  const steps = trace === undefined ? undefined : trace.length - 1;
  return element(
    'article',
    { class: `card${trace ? ' card-error' : ''}` },
    element(
      'h3',
      {},
      element('span', { class: `badge${trace ? '' : ' badge-note'}` }, trace ? 'refuted' : 'unknown'),
      element('span', {}, property),
    ),
    text !== undefined && quiet(text),
    element(
      'p',
      { class: 'quiet' },
      steps !== undefined
        ? `${engine}, after ${plural(steps, 'step')}`
        : [engine, reason, depth && `depth ${depth}`].filter(Boolean).join(', '),
    ),
    trace !== undefined && traceView(trace),
  );
}

function provedView(results: readonly ProofResult[]): HTMLElement {
  return element(
    'article',
    { class: 'card' },
    element('h3', {}, plural(results.length, 'proof')),
    element(
      'ul',
      { class: 'sites' },
      ...results.map(({ property, engine, certificate, vacuous }) =>
        element(
          'li',
          {},
          element('span', { class: 'good' }, 'proved '),
          property,
          element(
            'small',
            {},
            ` ${engine}${certificate ? `; ${certificate}` : ''}${vacuous ? '; its premise never holds' : ''}`,
          ),
        ),
      ),
    ),
  );
}
