/**
 * How long Chromium takes to open a report of an exploration, by its number of paths: from the
 * navigation until the tree and the list are there. Best of three.
 *
 *     npm run bench:reports
 */
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { chromium } from 'playwright-core';

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
const browser = await chromium.launch({
  executablePath: process.env.REDZONE_CHROMIUM ?? '/usr/bin/chromium',
  args: ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
});
try {
  for (const paths of [1000, 10_000, 100_000]) {
    const file = join(folder, `${paths}.html`);
    writeFileSync(file, await pageOfManyPaths(paths));
    let best = Number.POSITIVE_INFINITY;
    for (let round = 0; round < 3; round++) {
      const page = await browser.newPage();
      const start = performance.now();
      await page.goto(`file://${file}`);
      await page.locator('html[data-ready="yes"]').waitFor();
      best = Math.min(best, performance.now() - start);
      await page.close();
    }
    const megabytes = (statSync(file).size / 1e6).toFixed(1);
    console.log(`${String(paths).padStart(7)} paths, ${megabytes} MB: ready after ${Math.round(best)} ms`);
  }
} finally {
  await browser.close();
  rmSync(folder, { recursive: true });
}
