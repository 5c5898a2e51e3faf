/**
 * The page in a real browser, as far as it does not need the compiler, which takes seconds to
 * start there: it loads, decides a model, opens links. `page.long.test.ts` has the rest.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasBrowser, launch } from '../chromium.js';
import { redzone } from '../cli/memory-io.js';
import { buildSite, OpenPage, root, type Served, serveBadly } from './browser.js';

describe.skipIf(!hasBrowser('the page in a browser'))('the page', () => {
  let browser: Browser;
  let server: Served;
  let shown: OpenPage;

  beforeAll(async () => {
    buildSite();
    [browser, server] = await Promise.all([launch(), serveBadly()]);
    shown = await OpenPage.open(browser, server.url);
  });

  afterAll(async () => {
    await browser?.close();
    server?.close();
  });

  test('a model is decided as on the command line', async () => {
    const model = 'examples/models/peterson-broken.mcmt';
    await shown.write('peterson.mcmt', readFileSync(join(root, model), 'utf8'), 'prove');
    await shown.run();
    const { stdout } = await redzone(['prove', '--json', join(root, model)]);
    const { summary, results } = JSON.parse(stdout) as { summary: string; results: { property: string }[] };
    const said = await shown.text('#prove-results');
    for (const text of [summary, ...results.map(({ property }) => property)]) expect(said).toContain(text);
    expect(await shown.text('#announcement')).toBe(`Prove: ${summary}`);
    expect(await shown.page.locator('.row-chosen').count()).toBe(1);
  });

  test('a link holds the program and the settings; a reload keeps both', async () => {
    await shown.write('shared.c', 'int main(void) { return 0; }\n', 'check', { 'check-args': 'a b' });
    await shown.page.click('#tab-explore');
    await shown.page.fill('#explore-stdin', '7');
    await shown.page.click('#share');
    await shown.page.waitForSelector('#share-box[open]');
    const link = await shown.page.inputValue('#link');
    await shown.page.keyboard.press('Escape');
    const opened = await OpenPage.open(browser, link);
    const isTheSame = async (): Promise<void> => {
      expect(await opened.text('.cm-content')).toContain('int main(void) { return 0; }');
      expect(await opened.page.inputValue('#check-args')).toBe('a b');
      expect(await opened.page.inputValue('#explore-stdin')).toBe('7');
    };
    await isTheSame();
    await opened.page.goto(server.url);
    await opened.isReady();
    await isTheSame();
    await opened.close();
  });

  test('nothing has failed, and the policy has blocked nothing', () => {
    expect(shown.errors).toEqual([]);
  });
});
