/**
 * The paths of an exploration: the elements that the page's script fills (`page-script.ts`), and
 * its data.
 */
import type { ExplorationDetails, PathLines } from '../findings/exploration.js';
import { printable } from '../support/printable.js';
import { embeddedJson, type Markup, markup } from './markup.js';
import type { EmbeddedExploration } from './page-script.js';

export function explorationView(details: ExplorationDetails): Markup {
  const { forks } = details;
  return markup`<noscript><p>The tree of forks and the list of paths need JavaScript, which is part of this file and loads nothing.</p></noscript>
<div class="needs-script" hidden>
<p>A row is a depth, a bar is a fork, as wide as the number of paths below it; green bars are the ends of paths, red ones errors.
${forks.isCut ? 'The tree was cut: not all forks are in it.' : ''}</p>
<div class="controls"><button id="forks-whole">Show the whole tree</button><button id="forks-error">Next error</button><span id="forks-part" role="status"></span></div>
<canvas id="forks-map" role="img" aria-label="the tree of forks; the tree below it has the same content"></canvas>
<div class="columns">
<div class="tree-box"><ul class="tree" id="forks-tree" role="tree" aria-label="tree of forks"></ul></div>
<article id="path" tabindex="-1" aria-live="polite" hidden></article>
</div>
<h3>Paths</h3>
<div class="controls"><label>Filter <input id="path-filter" type="search" placeholder="an end or an input"></label><label><input id="path-errors" type="checkbox"> errors only</label>
<button id="path-before">Previous</button><button id="path-next">Next</button><span id="path-count" role="status"></span></div>
<div class="scrolls" tabindex="0"><table><thead><tr><th>test</th><th>end</th><th>inputs</th><th class="n">instructions</th></tr></thead><tbody id="path-rows"></tbody></table></div>
</div>
<script type="application/json" id="exploration">${embeddedJson(embedded(details))}</script>`;
}

function embedded({ forks, paths }: ExplorationDetails): EmbeddedExploration {
  const { parents, holds, ends, tests, labels, texts, isCut } = forks;
  const files = new Map<string, number>();
  const lists = new Map<PathLines, number>();
  for (const { lines } of paths) {
    if (lines === undefined) continue;
    for (const [file] of lines) if (!files.has(file)) files.set(file, files.size);
    if (!lists.has(lines)) lists.set(lines, lists.size);
  }
  return {
    parents,
    holds: holds.join(''),
    ends: ends.join(''),
    tests,
    labels,
    texts: texts.map(printable),
    isCut,
    numbers: paths.map(({ number }) => number),
    instructions: paths.map(({ instructions }) => instructions),
    errors: paths.map(({ isError }) => (isError ? '1' : '0')).join(''),
    inputs: paths.map(({ inputs }) => printable(inputs)),
    files: [...files.keys()].map(printable),
    lists: [...lists.keys()].map(list => list.map(([file, lines]) => [files.get(file)!, ...rangesOf(lines)])),
    lines: paths.map(({ lines }) => (lines === undefined ? -1 : lists.get(lines)!)),
  };
}

/** The first and the last line of each stretch without a gap. */
function rangesOf(lines: readonly number[]): number[] {
  const ranges: number[] = [];
  for (const line of lines) {
    if (ranges.length > 0 && ranges.at(-1) === line - 1) ranges[ranges.length - 1] = line;
    else ranges.push(line, line);
  }
  return ranges;
}
