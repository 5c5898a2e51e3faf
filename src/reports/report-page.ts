/**
 * A report as one self-contained HTML file, for example to attach to a bug report.
 *
 *     const html = await reportPage({ title: 'redzone check', verdict: 'findings', findings, readSource, … });
 *
 * This room turns data into text. It reads no files and does not use Node, so that the page in the
 * browser can show the same views. Everything except the tree of forks and the list of paths is
 * static markup, which can be read without JavaScript.
 *
 * Invariants. The page loads nothing: its content security policy allows its own style sheet and
 * its own script, by their hashes, and nothing else, so that even an escaping bug could not execute
 * code. Everything from the program, its files or its output is inserted as text (`markup.ts`).
 */

import type { ExplorationDetails } from '../findings/exploration.js';
import type { Finding } from '../findings/finding.js';
import type { FileCoverage } from '../findings/line-coverage.js';
import type { AttackMatrix, ProgramOutcome, ProveReport, RunStats, Verdict } from '../findings/report.js';
import { type ReadSource, SourceFiles } from '../findings/source-text.js';
import { chartsOf } from './chart-view.js';
import { explorationView } from './exploration-view.js';
import { findingView } from './finding-view.js';
import { Markup, markup, nothing, words } from './markup.js';
import { pageScript } from './page-script.js';
import { pageStyle } from './page-style.js';
import { proofView } from './proof-view.js';
import type { Sample } from './samples.js';
import { coverageView } from './source-view.js';
import { type Table, tableView } from './table-view.js';

export interface ReportPage {
  /** "redzone check" */
  readonly command: string;
  readonly verdict: Verdict;
  /** The headline in place of the verdict, if there was no search. */
  readonly headline?: string | undefined;
  readonly summary?: string | undefined;
  readonly version: string;
  readonly findings: readonly Finding[];
  readonly readSource: ReadSource;
  readonly program?: ProgramOutcome | undefined;
  readonly stats?: RunStats;
  /** The output of the program, as far as it is known. */
  readonly output?: { readonly stdout: string; readonly stderr: string };
  readonly warnings?: readonly string[];
  readonly samples?: readonly Sample[];
  readonly exploration?: ExplorationDetails | undefined;
  readonly coverage?: readonly FileCoverage[] | undefined;
  readonly proofs?: ProveReport | undefined;
  readonly attacks?: AttackMatrix | undefined;
  readonly tables?: readonly Table[];
  /** A picture of `heapMapView`. */
  readonly heapMap?: Markup | undefined;
}

interface Section {
  readonly id: string;
  readonly title: string;
  readonly body: Markup;
}

/** Further findings are only counted. */
const mostFindings = 500;

export async function reportPage(page: ReportPage): Promise<string> {
  const { command, verdict, summary, version } = page;
  const sections = sectionsOf(page).filter(({ body }) => body !== nothing);
  const found = {
    clean: page.proofs === undefined ? 'nothing found' : 'proved',
    findings: page.proofs === undefined ? countOf(page.findings) : 'refuted',
    inconclusive: 'inconclusive',
  };
  const headline = page.headline ?? found[verdict];
  const title = `${command}: ${headline}`;
  const usesScript = page.exploration !== undefined;
  const policy = [
    "default-src 'none'",
    `style-src '${await hashOf(pageStyle)}'`,
    ...(usesScript ? [`script-src '${await hashOf(pageScript)}'`] : []),
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return markup`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Markup(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${new Markup(pageStyle)}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the report</a>
<header>
<h1>${command}</h1>
<p>${page.headline === undefined ? markup`<span class="verdict ${verdict}">${headline}</span>` : headline}${summary === undefined ? '' : ` ${summary}`}${outcomeText(page)}</p>
${sections.length < 2 ? nothing : markup`<nav aria-label="sections"><ul>${sections.map(({ id, title }) => markup`<li><a href="#${id}">${title}</a></li>`)}</ul></nav>`}
</header>
<main id="main">
${sections.map(({ id, title, body }) => markup`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>\n${body}</section>\n`)}
</main>
<footer><p class="where">Written by Redzone ${version}. This file holds all that it shows, and loads nothing.</p></footer>
${usesScript ? markup`<script>${new Markup(pageScript)}</script>` : nothing}
</body>
</html>
`.text;
}

function sectionsOf(page: ReportPage): Section[] {
  const { findings, proofs, attacks, exploration, coverage, tables = [], heapMap, samples = [] } = page;
  const sources = new SourceFiles(page.readSource);
  const charts = chartsOf(samples);
  const left = findings.length - mostFindings;
  return [
    {
      id: 'findings',
      title: 'Findings',
      body:
        findings.length === 0
          ? nothing
          : markup`${findings.slice(0, mostFindings).map((finding, i) => findingView(finding, i + 1, sources))}${left > 0 ? markup`<p>${left} more findings are not shown.</p>` : nothing}`,
    },
    { id: 'properties', title: 'Properties', body: proofs === undefined ? nothing : proofView(proofs) },
    { id: 'attacks', title: 'Attacks', body: attacks === undefined ? nothing : attackView(attacks) },
    {
      id: 'heap',
      title: 'Heap',
      body: heapMap === undefined ? nothing : markup`<div class="scrolls" tabindex="0">${heapMap}</div>`,
    },
    {
      id: 'tables',
      title: 'Measurements',
      body: tables.length === 0 ? nothing : markup`${tables.map(tableView)}`,
    },
    {
      id: 'paths',
      title: 'Forks and paths',
      body: exploration === undefined ? nothing : explorationView(exploration),
    },
    {
      id: 'coverage',
      title: 'Coverage by line',
      body: coverage === undefined ? nothing : coverageView(coverage, sources),
    },
    {
      id: 'time',
      title: 'Over time',
      body: charts.length === 0 ? nothing : markup`<div class="charts">${charts}</div>`,
    },
    { id: 'output', title: 'Output of the program', body: outputView(page) },
    { id: 'warnings', title: 'Warnings', body: warningsView(page) },
    { id: 'statistics', title: 'Statistics', body: statisticsView(page) },
  ];
}

function outcomeText({ program, command }: ReportPage): string {
  if (program === undefined) return '';
  const who = command === 'redzone run' ? 'the command' : 'the program';
  return program.signal === null
    ? ` · ${who} exited with status ${program.exit}`
    : ` · ${who} was ended by ${program.signal}`;
}

function outputView({ output }: ReportPage): Markup {
  if (output === undefined) return nothing;
  const parts = (['stdout', 'stderr'] as const).filter(stream => output[stream] !== '');
  if (parts.length === 0) return nothing;
  return markup`${parts.map(stream => markup`<h3>${stream}</h3><pre class="output" tabindex="0">${output[stream]}</pre>`)}`;
}

function warningsView({ warnings = [] }: ReportPage): Markup {
  if (warnings.length === 0) return nothing;
  return markup`<ul>${warnings.map(text => markup`<li>${words(text)}</li>`)}</ul>`;
}

function statisticsView({ stats = {} }: ReportPage): Markup {
  const rows = flattened(stats);
  return rows.length === 0 ? nothing : tableView({ head: ['what', 'value'], rows });
}

/** `paths.completed`, 12: names as in the JSON document. */
function flattened(value: object, prefix = ''): [string, string][] {
  return Object.entries(value).flatMap(([name, inner]): [string, string][] => {
    if (typeof inner === 'object' && inner !== null) return flattened(inner, `${prefix}${name}.`);
    if (typeof inner !== 'number') return [];
    const shown = /Ms$/.test(name)
      ? `${Math.round(inner).toLocaleString('en')} ms`
      : /Bytes$/.test(name)
        ? `${inner.toLocaleString('en')} B`
        : inner.toLocaleString('en');
    return [[`${prefix}${name.replace(/(Ms|Bytes)$/, '')}`, shown]];
  });
}

function attackView(matrix: AttackMatrix): Markup {
  const mallocs = [...new Set(Object.values(matrix).flatMap(row => Object.keys(row)))];
  const outcome = (text: string): Markup =>
    text === 'exploited' ? markup`<b class="bad">${text}</b>` : markup`${text}`;
  return tableView({
    head: ['attack', ...mallocs],
    rows: Object.entries(matrix).map(([attack, row]) => [
      attack,
      ...mallocs.map(malloc => outcome(row[malloc] ?? '')),
    ]),
  });
}

function countOf(findings: readonly Finding[]): string {
  return `${findings.length} ${findings.length === 1 ? 'finding' : 'findings'}`;
}

/** The hash of a text in the form of a content security policy. */
async function hashOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  let bytes = '';
  for (const byte of new Uint8Array(digest)) bytes += String.fromCharCode(byte);
  return `sha256-${btoa(bytes)}`;
}
