/**
 * Reports in a real browser: nothing in them runs, loads or is lost, and many paths are not a
 * problem.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasBrowser, launch } from '../chromium.js';
import { redzone } from '../cli/memory-io.js';
import { watchedPage } from './browser.js';
import { pageOfManyPaths } from './large-page.js';

const folder = mkdtempSync(join(tmpdir(), 'redzone-reports-'));
const at = (name: string): string => join(folder, name);
const hostileName = `a'"&<img src=x onerror=alert(3)>.c`;

/** The source, the output and a symbol of the program try to be markup. */
const hostile = `#include <stdio.h>
#include <stdlib.h>
int main(void) { // </pre></script><script>alert(1)</script><!-- \u2028
  puts("</pre><img src=x onerror=alert(2)><script>document.title='owned'</script>");
  int *p = malloc(4); free(p); return *p; /* </style><style>*{display:none}</style> */
}
`;

const branches = `#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  char s[4];
  klee_make_symbolic(s, sizeof s, "<b>s</b>");
  int n = 0;
  for (int i = 0; i < 4; i++)
    if (s[i] > 10) n++;
  if (n == 3) return 7 / (n - 3);
  return n;
}
`;

describe.skipIf(!hasBrowser('reports are not opened in a browser'))('in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true });
  });

  test('output and file names of a program are never executed', async () => {
    writeFileSync(at(hostileName), hostile);
    await redzone(['check', '--html', at('check.html'), at(hostileName)]);
    const { page, complaints } = await watchedPage(browser);
    await page.goto(`file://${at('check.html')}`);
    expect(await page.title()).toBe('redzone check: 1 finding');
    expect(await page.locator('article.finding h3').textContent()).toContain('error[use-after-free]');
    expect(await page.locator('article.finding').isVisible()).toBe(true);
    expect(await page.locator('pre.source').first().textContent()).toContain('</style><style>');
    expect(await page.locator('img, article script').count()).toBe(0);
    expect(await page.locator('.where code').first().textContent()).toContain(hostileName);
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('findings can be read without script, on a phone, in the dark', async () => {
    const { page, complaints } = await watchedPage(browser, {
      ...{ javaScriptEnabled: false, colorScheme: 'dark', viewport: { width: 360, height: 700 } },
    });
    await page.goto(`file://${at('check.html')}`);
    expect(await page.locator('.caret.primary').isVisible()).toBe(true);
    const box = await page.locator('body').boundingBox();
    expect(box?.width).toBeLessThanOrEqual(360);
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('the tree of forks and the paths of an exploration are worked by keyboard', async () => {
    writeFileSync(at('branches.c'), branches);
    const html = at('explore.html');
    await redzone(['explore', '-q', '--html', html, '-o', at('out'), at('branches.c')]);
    const { page, complaints } = await watchedPage(browser);
    await page.goto(`file://${html}`);
    await page.locator('html[data-ready="yes"]').waitFor();
    expect(await page.locator('#path-rows tr').count()).toBeGreaterThan(10);
    const [root] = await page.locator('#forks-tree > li').all();
    await root!.focus();
    const items = (): Promise<number> => page.locator('#forks-tree li:visible').count();
    const before = await items();
    await page.keyboard.press('ArrowLeft');
    expect(await items()).toBe(1);
    await page.keyboard.press('ArrowRight');
    expect(await items()).toBe(before);
    await page.keyboard.press('End');
    expect(await page.locator('[aria-selected="true"]').count()).toBe(1);
    await page.click('#forks-error');
    expect(await page.locator('#path h3').textContent()).toContain('division-by-zero');
    expect(await page.locator('#path').textContent()).toContain('<b>s</b>');
    await page.fill('#path-filter', 'division');
    const rows = await page.locator('#path-rows tr').count();
    expect(rows).toBeGreaterThan(0);
    expect(await page.locator('#path-rows .bad').count()).toBe(rows);
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('a page of 100,000 paths holds them all and makes few elements', async () => {
    const html = at('large.html');
    writeFileSync(html, await pageOfManyPaths(100_000));
    const { page, complaints } = await watchedPage(browser);
    await page.goto(`file://${html}`);
    await page.locator('html[data-ready="yes"]').waitFor();
    expect(await page.locator('#path-count').textContent()).toBe('1 to 50 of 100,000 paths');
    expect(await page.evaluate('document.querySelectorAll("*").length')).toBeLessThan(1000);
    await page.fill('#path-filter', 'use-after-free');
    expect(await page.locator('#path-count').textContent()).toBe('1 to 50 of 100 paths');
    await page.click('#forks-error');
    expect(await page.locator('#path h3').textContent()).toBe('001000: use-after-free');
    expect(complaints).toEqual([]);
    await page.close();
  });
});
