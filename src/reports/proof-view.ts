/**
 * The results of `prove`, property by property; traces are shown step by step with the variables
 * that change.
 */
import type { ProofResult, ProofStep, ProveReport } from '../findings/report.js';
import { foldedSteps } from './folded-steps.js';
import { type Markup, markup, nothing } from './markup.js';

export function proofView({ results, neverFires = [] }: ProveReport): Markup {
  return markup`${results.map(resultView)}
${neverFires.map(command => markup`<p class="note"><b>note</b>: the guard of <code>${command}</code> never holds</p>`)}`;
}

function resultView(result: ProofResult): Markup {
  const {
    property,
    status,
    engine,
    depth,
    lemmas = [],
    reason,
    certificate,
    system,
    text,
    trace = [],
  } = result;
  const name = system === undefined ? property : `${system}: ${property}`;
  const how =
    status === 'unknown' ? (reason ?? '') : `${engine}${depth === undefined ? '' : `, depth ${depth}`}`;
  return markup`<article class="proof ${status}"><h3><span class="code">${status}</span> ${name}</h3>
${text === undefined ? nothing : markup`<p><code>${text}</code></p>`}
<p class="where">${how}${lemmas.length === 0 ? '' : ` · with ${lemmas.join(', ')}`}</p>
${result.vacuous ? markup`<p class="note"><b>note</b>: what it assumes never happens</p>` : nothing}
${certificate === undefined ? nothing : markup`<p>certificate: ${certificate}</p>`}
${trace.length === 0 ? nothing : traceView(trace)}
</article>`;
}

function traceView(trace: readonly ProofStep[]): Markup {
  const steps = foldedSteps(trace).map(({ from, to, repeats }) => {
    const rows = trace.slice(from, to).map((step, i) => stepView(step, trace[from + i - 1], from + i));
    if (repeats === 1) return markup`${rows}`;
    return markup`<tr class="gap"><td></td><td colspan="2">the next ${to - from} steps are taken ${repeats} times</td></tr>${rows}`;
  });
  return markup`<details open><summary>a run of ${trace.length - 1} steps that violates it</summary>
<div class="scrolls" tabindex="0"><table><thead><tr><th class="n">step</th><th>command</th><th>changes</th></tr></thead><tbody>${steps}</tbody></table></div></details>`;
}

function stepView({ command, state }: ProofStep, before: ProofStep | undefined, number: number): Markup {
  const changed = Object.entries(state).filter(([name, value]) => before?.state[name] !== value);
  return markup`<tr><td class="n">${number}</td><td class="command"><code>${command ?? 'start'}</code></td><td>${changed.map(([name, value], i) => markup`${i === 0 ? '' : ', '}<code>${name} = ${value}</code>`)}</td></tr>
`;
}
