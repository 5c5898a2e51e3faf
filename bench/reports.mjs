/**
 * Measures how long Chromium takes to open a report of an exploration, by its number of paths: from
 * the navigation until the tree and the list are shown. Figures are the best of three, with the
 * processor time of one, the bytes of the file and the elements of the page. The last page is that
 * of a real exploration.
 *
 *     npm run bench:reports
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { startBrowser } from './browser.mjs';

const folder = mkdtempSync(join(tmpdir(), 'redzone-bench-reports-'));
const maker = join(folder, 'large-page.mjs');
await build({
  entryPoints: ['tests/reports/large-page.ts'],
  bundle: true,
  format: 'esm',
  platform: 'neutral',
  outfile: maker,
});
const { pageOfManyPaths } = await import(maker);
const { browser, processorSeconds, close } = await startBrowser();

/**
 * @param {string} name
 * @param {string} file
 */
async function measure(name, file) {
  let best = Number.POSITIVE_INFINITY;
  let elements = 0;
  let processor = 0;
  for (let round = 0; round < 3; round++) {
    // The processes of a page end with the page.
    const used = processorSeconds();
    const page = await browser.newPage();
    const start = performance.now();
    await page.goto(`file://${file}`);
    await page.locator('html[data-ready="yes"]').waitFor();
    best = Math.min(best, performance.now() - start);
    processor += (processorSeconds() - used) / 3;
    elements = await page.evaluate(() => document.querySelectorAll('*').length);
    await page.close();
  }
  const megabytes = (statSync(file).size / 1e6).toFixed(1);
  console.log(
    `${name.padStart(20)}, ${megabytes} MB, ${elements} elements: ready after ${Math.round(best)} ms, processor ${processor.toFixed(2)} s`,
  );
}

try {
  for (const paths of [1000, 10_000, 100_000]) {
    const file = join(folder, `${paths}.html`);
    writeFileSync(file, await pageOfManyPaths(paths));
    await measure(`${paths} paths${paths === 100_000 ? ' (2 s wanted)' : ''}`, file);
  }
  const file = join(folder, 'real.html');
  const args = ['bin/redzone.js', 'explore', '-q', '-o', join(folder, 'explored'), '--html', file];
  spawnSync(process.execPath, [...args, 'bench/programs/expression-parser.c']);
  await measure('expression parser', file);
} finally {
  await close();
  rmSync(folder, { recursive: true });
}
