/**
 * The results of `prove`, property by property; traces are shown step by step with the variables
 * that change.
 */
import type { ProofResult, ProofStep, ProveReport } from '../findings/report.js';
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

interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly repeats: number;
}

/** The longest cycle that is searched for. */
const longestCycle = 50;

/** Folds immediately repeated sequences of steps. */
export function foldedSteps(trace: readonly ProofStep[]): Stretch[] {
  const commandOf = (i: number): string | undefined => trace[i]?.command;
  const stretches: Stretch[] = [];
  for (let at = 0; at < trace.length; ) {
    const { length, repeats } = cycleAt(at, trace.length, commandOf);
    if (repeats > 2) stretches.push({ from: at, to: at + length, repeats });
    else stretches.push({ from: at, to: at + 1, repeats: 1 });
    at += repeats > 2 ? length * repeats : 1;
  }
  return stretches;
}

/** The cycle from here that covers the most steps. */
function cycleAt(
  at: number,
  end: number,
  commandOf: (i: number) => string | undefined,
): { readonly length: number; readonly repeats: number } {
  let best = { length: 1, repeats: 1 };
  for (let length = 1; length <= longestCycle && at + 2 * length <= end; length++) {
    let same = 0;
    while (at + length + same < end && commandOf(at + same) === commandOf(at + length + same)) same++;
    const repeats = 1 + Math.floor(same / length);
    if (repeats * length > best.repeats * best.length && repeats > 2) best = { length, repeats };
  }
  return best;
}
