/**
 * The page in a real browser: each tab on three programs, with the findings of the command line to
 * the word; stopping, links, downloads that break off, no network, no shared memory.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codes } from '../../src/findings/codes.js';
import { hasBrowser, launch } from '../chromium.js';
import { buildSite, OpenPage, redzone, root, type Served, serveBadly } from './browser.js';

const overflow = `#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  char line[16];
  if (fgets(line, sizeof line, stdin)) line[strcspn(line, "\\n")] = '\\0';
  char *copy = malloc(strlen(line));
  strcpy(copy, line);
  printf("%d arguments, %s\\n", argc - 1, copy);
  return argv[argc] == NULL;
}
`;
const fixed = overflow
  .replace('strlen(line)', 'strlen(line) + 1')
  .replace('return argv', 'free(copy);\n  return argv');
const reader = `#include <stdio.h>
int main(void) {
  unsigned char b[4];
  int table[3] = {1, 2, 3};
  if (fread(b, 1, 4, stdin) < 4) return 1;
  if (b[0] == 'R' && b[1] == 'Z') return table[b[2] & 3];
  return b[3] > 9;
}
`;
/** CaDiCaL alone does not decide it within the page's limit. */
const squares = `#include <assert.h>
#include <klee/klee.h>
int main(void) {
  unsigned a, b;
  klee_make_symbolic(&a, sizeof a, "a");
  klee_make_symbolic(&b, sizeof b, "b");
  assert((a + b) * (a - b) == a * a - b * b);
  return 0;
}
`;
const race = `#include <pthread.h>
#include <stdio.h>
static int shared;
static void *work(void *a) {
  for (int i = 0; i < 100; i++) shared++;
  return a;
}
int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, work, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  printf("%d\\n", shared);
  return 0;
}
`;
const endless = `#include <stdio.h>
int main(void) {
  volatile unsigned n = 0;
  for (;;) n = n * 5 + 1;
}
`;

describe.skipIf(!hasBrowser('the page in a browser'))('the page', () => {
  let browser: Browser;
  let server: Served;
  let shown: OpenPage;
  let folder = '';

  beforeAll(async () => {
    buildSite();
    [browser, server] = await Promise.all([launch(), serveBadly()]);
    folder = mkdtempSync(join(tmpdir(), 'redzone-site-'));
    shown = await OpenPage.open(browser, server.url);
  });

  afterAll(async () => {
    await browser?.close();
    server?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** As a file beside the command line, too. */
  const given = (name: string, text: string): void => writeFileSync(join(folder, name), text);

  describe('check', () => {
    test.each([
      ['use-after-free.c', readFileSync(join(root, 'examples/use-after-free.c'), 'utf8'), {}],
      ['overflow.c', overflow, { args: 'one "two three"', stdin: 'hello\n' }],
      ['fixed.c', fixed, { stdin: 'hello\n' }],
    ])(
      '%s has the findings of the command line',
      async (name, text, { args = '', stdin = '' }: { args?: string; stdin?: string }) => {
        given(name, text);
        await shown.write(name, text, 'check', { 'check-args': args, 'check-stdin': stdin });
        await shown.run();
        const words = args === '' ? [] : ['--', 'one', 'two three'];
        const { stdout, stderr, status } = redzone(folder, ['check', name, ...words], stdin);
        const texts = await shown.texts('check');
        expect(texts.length > 0).toBe(status === 1);
        for (const finding of texts) expect(stderr + stdout).toContain(finding);
        const output = await shown.text('#check-output');
        expect(stdout).toContain(output);
        if (name === 'fixed.c') expect(output).toBe('0 arguments, hello\n');
        expect(await shown.page.locator('.mark-error').count()).toBe(status === 1 ? texts.length : 0);
      },
    );

    test('the allocation is marked, and a place in the card leads to its line', async () => {
      await shown.write('overflow.c', overflow, 'check', { 'check-stdin': 'hello\n' });
      await shown.run();
      expect(await shown.page.locator('.mark-allocated').first().textContent()).toContain('malloc');
      await shown.page.click('.card .place >> nth=0');
      expect(await shown.page.locator('.cm-activeLine').allTextContents()).toEqual(['  strcpy(copy, line);']);
      await shown.page.click('text=What is heap-buffer-overflow?');
      await shown.page.waitForSelector('.markdown');
      expect(await shown.text('.markdown')).toContain('How to fix it');
    });

    test('the menu has a program for every kind of finding, which has it', async () => {
      const group = 'optgroup[label="One for each kind of finding"] option';
      const offered = await shown.page
        .locator(group)
        .evaluateAll(options => options.map(option => (option as HTMLOptionElement).value));
      expect(offered.toSorted()).toEqual(Object.keys(codes).toSorted());
      const missed: string[] = [];
      for (const code of offered) {
        await shown.example(code);
        await shown.run();
        const found = await shown.page.locator('#check-results .badge').allTextContents();
        if (!found.includes(code)) missed.push(code);
      }
      expect(missed).toEqual([]);
    });

    test('threads of a program run, and one that never ends is stopped', async () => {
      given('race.c', race);
      await shown.write('race.c', race, 'check');
      await shown.run();
      const { stdout } = redzone(folder, ['check', 'race.c']);
      const texts = await shown.texts('check');
      expect(texts).toHaveLength(1);
      expect(texts[0]).toContain('error[data-race]');
      expect(stdout).toContain(texts[0]);
      await shown.write('ordered.c', race.replace('shared++', '__atomic_fetch_add(&shared, 1, 5)'), 'check');
      await shown.run();
      expect(await shown.text('#check-output')).toBe('300\n');
      await shown.write('spin.c', race.replace('i < 100; i++) shared++', ';) (void)a'), 'check');
      await shown.page.click('#run');
      await shown.page.waitForFunction(() => document.querySelector('#status')?.textContent === 'running');
      await shown.after(() => shown.page.click('#stop'));
      expect(await shown.text('#check-results')).toMatch(/interrupted|Stopped/);
    });

    test('compile errors are marked', async () => {
      await shown.write('wrong.c', 'int main(void) { return x; }\n', 'check');
      await shown.run();
      expect(await shown.text('#check-results')).toContain("use of undeclared identifier 'x'");
      expect(await shown.page.locator('.mark-error').count()).toBe(1);
    });

    test('markup in a program stays text', async () => {
      const markup = '<img src=x onerror=document.title=1>';
      await shown.write(
        'markup.c',
        `#include <stdio.h>\nint main(void) { puts("${markup}"); return 0; }\n`,
        'check',
      );
      await shown.run();
      expect(await shown.text('#check-output')).toBe(`${markup}\n`);
      expect(await shown.page.locator('#panels img').count()).toBe(0);
    });
  });

  describe('explore', () => {
    test.each([
      ['function-harness.c', readFileSync(join(root, 'examples/function-harness.c'), 'utf8'), 0],
      ['reader.c', reader, 4],
      [
        'expression-parser.c',
        readFileSync(join(root, 'bench/programs/expression-parser.c'), 'utf8').replace('N 8', 'N 4'),
        0,
      ],
    ])('%s has the paths and findings of the command line', async (name, text, bytes) => {
      given(name, text);
      await shown.write(name, text, 'explore');
      await shown.page.fill('#explore-stdin', String(bytes));
      await shown.run();
      const flags = bytes > 0 ? ['--sym-stdin', String(bytes)] : [];
      const { stdout } = redzone(folder, ['explore', '--json', ...flags, name]);
      const report = JSON.parse(stdout);
      expect(await shown.text('#explore-results .verdict')).toContain(report.summary);
      const said = redzone(folder, ['explore', ...flags, name]);
      const texts = await shown.texts('explore');
      expect(texts).toHaveLength(report.findings.length);
      for (const finding of texts) expect(said.stderr + said.stdout).toContain(finding);
      expect(await shown.page.locator('.node').count()).toBeGreaterThan(3);
      expect(await shown.page.locator('.dot-run').count()).toBeGreaterThan(3);
    });

    test('a query that only Z3 decides is decided', async () => {
      await shown.write('squares.c', squares, 'explore');
      await shown.run();
      expect(await shown.text('#explore-results .verdict')).toContain('the only path explored');
    });

    test('the tree of forks is worked by keyboard', async () => {
      await shown.write('reader.c', reader, 'explore', { 'explore-stdin': '4' });
      await shown.run();
      await shown.page.focus('svg.forks');
      const said = (): Promise<string> => shown.text('.forks-box .unseen');
      expect(await said()).toMatch(/^fork at .*, level 1$/);
      await shown.page.keyboard.press('ArrowRight');
      expect(await said()).toMatch(/^condition true: .*, level 2$/);
      for (let i = 0; i < 12; i++) await shown.page.keyboard.press('ArrowRight');
      await shown.page.keyboard.press('Enter');
      expect(await shown.text('.chosen h3')).toMatch(/^Path \d+: /);
    });

    test('a path shows its input and its lines, a finding its test', async () => {
      given('reader.c', reader);
      await shown.write('reader.c', reader, 'explore');
      await shown.page.fill('#explore-stdin', '4');
      await shown.run();
      await shown.page.click('text=/^Show path/');
      expect(await shown.text('.chosen')).toContain('"RZ');
      expect(await shown.text('.chosen')).toContain('lines3–6');
      expect(await shown.page.locator('.line-on-path').allTextContents()).toEqual(
        reader.split('\n').slice(2, 6),
      );
      const [file] = await Promise.all([
        shown.page.waitForEvent('download'),
        shown.page.click('text=/^Download .*ktest/ >> nth=0'),
      ]);
      expect(file.suggestedFilename()).toMatch(/^\d{6}\.ktest$/);
      const path = join(folder, file.suggestedFilename());
      await file.saveAs(path);
      expect(redzone(folder, ['replay', path, 'reader.c']).status).toBe(1);
    });
  });

  describe('heap', () => {
    test.each([
      ['the program in the editor', ''],
      ['larson', 'larson'],
      ['long-lived', 'long-lived'],
    ])('a map of %s on two mallocs', async (_, trace) => {
      await shown.write('overflow.c', fixed, 'heap');
      await shown.page.selectOption('#heap-trace', trace);
      await shown.run();
      const described = await shown.text('#heap-results svg.heap-map desc');
      for (const malloc of ['ptmalloc2', 'sri']) expect(described).toContain(`on ${malloc}: `);
      expect(await shown.page.locator('#heap-results .tick').count()).toBeGreaterThan(12);
    });

    test('attacks have the outcomes of the command line', async () => {
      await shown.example('unlink-write.c');
      await shown.run();
      const { stdout } = redzone(folder, ['heap', 'attack', '--json', 'unlink-write', 'double-free']);
      const { matrix } = JSON.parse(stdout) as { matrix: Record<string, Record<string, string>> };
      for (const [attack, row] of Object.entries(matrix)) {
        const cells = await shown.page.locator(`tr:has(button:text-is("${attack}")) td`).allTextContents();
        expect(cells).toEqual(Object.values(row));
      }
    });
  });

  describe('prove', () => {
    // The last one is decided by Z3.
    test.each(['lfht.sal', 'peterson.mcmt', 'semaphore-broken.sal', 'counter.mcmt'])(
      '%s is decided as on the command line',
      async name => {
        await shown.example(name);
        await shown.run();
        const { stdout } = redzone(folder, ['prove', '--json', join(root, 'examples/models', name)]);
        const { results, summary } = JSON.parse(stdout) as {
          summary: string;
          results: { property: string; status: string; trace?: unknown[] }[];
        };
        const page = await shown.text('#prove-results');
        expect(page).toContain(summary);
        for (const { property, trace } of results) {
          expect(page).toContain(property);
          if (trace !== undefined) expect(page).toContain(`after ${trace.length - 1} steps`);
        }
      },
    );

    test('repeated rounds of a trace are folded, and can be opened', async () => {
      await shown.example('lfht.sal');
      await shown.run();
      const rows = shown.page.locator('.trace tbody tr');
      const folded = await rows.count();
      expect(folded).toBeLessThan(60);
      await shown.page.click('.rounds button >> nth=0');
      expect(await rows.count()).toBeGreaterThan(folded + 5);
      await shown.page.click('.trace button:text-is("First")');
      expect(await shown.text('.trace-state')).toContain('After step 0 of 119');
    });
  });

  describe('ir', () => {
    test.each([
      ['use-after-free.c', readFileSync(join(root, 'examples/use-after-free.c'), 'utf8')],
      ['overflow.c', overflow],
      ['reader.c', reader],
    ])('%s is the IR of the command line', async (name, text) => {
      given(name, text);
      await shown.write(name, text, 'ir');
      await shown.page.check('#ir-debug');
      await shown.page.selectOption('#ir-kind', 'compiled');
      await shown.run();
      expect((await shown.text('.ir')).trim()).toBe(redzone(folder, ['ir', name]).stdout.trim());
      await shown.page.selectOption('#ir-kind', 'instrumented');
      const instrumented = (await shown.text('.ir')).trim();
      expect(instrumented).toBe(redzone(folder, ['ir', '--instrumented', name]).stdout.trim());
      expect(await shown.page.locator('.ir ins').count()).toBeGreaterThan(10);
    });
  });

  test('an endless loop is stopped, and the page stays responsive', async () => {
    await shown.write('endless.c', endless, 'check');
    await shown.page.click('#run');
    await shown.page.waitForFunction(() => document.querySelector('#status')?.textContent === 'running');
    await shown.page.click('#tab-ir');
    await shown.page.click('#tab-check');
    expect(await shown.page.evaluate(() => 6 * 7)).toBe(42);
    await shown.after(() => shown.page.click('#stop'));
    expect(await shown.text('#check-results')).toMatch(/interrupted|Stopped/);
    await shown.write('fixed.c', fixed, 'check', { 'check-stdin': 'hello\n' });
    await shown.run();
    expect(await shown.text('#check-results')).toContain('No errors in this run');
  });

  test('results of a program that is no longer open are not shown', async () => {
    await shown.write('endless.c', endless.replace('* 5', '* 7'), 'check');
    await shown.page.click('#run');
    await shown.page.waitForFunction(() => document.querySelector('#status')?.textContent === 'running');
    await shown.after(() => shown.example('double-free'));
    expect(await shown.text('#check-results')).toContain('Runs the program once');
    await shown.run();
    expect(await shown.texts('check')).toHaveLength(1);
  });

  test('much output, no source, bytes that are not text: the page continues to work', async () => {
    const noise = `#include <stdio.h>
int main(void) {
  for (int i = 0; i < 256; i++) putchar(i);
  for (int i = 0; i < 500000; i++) puts("a line that is a hundred bytes long is printed until there are fifty million of these small bytes");
  return 0;
}
`;
    await shown.write('noise.c', noise, 'check');
    await shown.run();
    expect((await shown.text('#check-output')).length).toBeLessThan(300_000);
    expect(await shown.text('#check-output')).toContain('more output is not shown');
    await shown.write('empty.c', '', 'check');
    await shown.run();
    expect(await shown.text('#check-results')).toContain("the program has neither 'main' nor");
    const ends =
      '#include <stdlib.h>\r\nint main(void) {\r\n  char *größe = malloc(3);\r\n  größe[3] = 1;\r\n}\r\n';
    given('ends.c', ends);
    await shown.write('ends.c', ends, 'check');
    await shown.run();
    const { stdout } = redzone(folder, ['check', 'ends.c']);
    const [text = ''] = await shown.texts('check');
    expect(text).toContain('error[heap-buffer-overflow]');
    expect(stdout).toContain(text.split('\n')[1]);
  });

  test('two tabs of the page work at the same time', async () => {
    const second = await shown.context.newPage();
    await second.goto(server.url);
    await second.waitForSelector('body[data-ready]');
    const before = await second.evaluate(() => document.body.dataset.runs);
    await shown.write('overflow.c', overflow, 'check', { 'check-stdin': 'hello\n' });
    await Promise.all([shown.run(), second.click('#run')]);
    await second.waitForFunction(earlier => document.body.dataset.runs !== earlier, before, {
      timeout: 120_000,
    });
    expect(await second.locator('#check-results .card').count()).toBe(1);
    expect(await shown.texts('check')).toHaveLength(1);
    await second.close();
  });

  test.each([0, 300, 1200])('a first run is stopped after %i ms, and the next one works', async ms => {
    const fresh = await OpenPage.open(browser, server.url);
    await fresh.page.click('#run');
    await fresh.page.waitForTimeout(ms);
    const isRunning = await fresh.page.evaluate(() => document.body.classList.contains('running'));
    if (isRunning) await fresh.after(() => fresh.page.keyboard.press('Escape'));
    await fresh.run();
    expect(await fresh.texts('check')).toHaveLength(1);
    expect(fresh.errors).toEqual([]);
    await fresh.close();
  });

  test('a link whose contents are too long is refused', async () => {
    const bomb = await shown.page.evaluate(async () => {
      const json = JSON.stringify({ name: 'a.c', text: ' '.repeat(40 << 20) });
      const stream = new Blob([json]).stream().pipeThrough(new CompressionStream('deflate-raw'));
      const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
      let text = '';
      for (const byte of bytes) text += String.fromCharCode(byte);
      return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
    });
    const opened = await OpenPage.open(browser, `${server.url}#1=${bomb}`);
    expect(await opened.text('#status')).toContain('this link cannot be read');
    await opened.close();
  });

  test('tabs by arrow keys, the run by Ctrl-Enter', async () => {
    await shown.write('fixed.c', fixed, 'check', { 'check-stdin': 'hello\n' });
    await shown.page.focus('#tab-check');
    await shown.page.keyboard.press('ArrowRight');
    expect(await shown.page.getAttribute('#tab-explore', 'aria-selected')).toBe('true');
    await shown.page.keyboard.press('ArrowLeft');
    await shown.page.focus('.cm-content');
    await shown.after(() => shown.page.keyboard.press('Control+Enter'));
    expect(await shown.text('#check-results')).toContain('No errors in this run');
  });

  test('a link holds the program, and a damaged one is reported', async () => {
    await shown.write('shared.c', reader, 'explore');
    await shown.page.click('#share');
    await shown.page.waitForSelector('#share-box[open]');
    const link = await shown.page.inputValue('#link');
    await shown.page.keyboard.press('Escape');
    const other = await OpenPage.open(browser, link);
    expect(await other.text('#file-name')).toBe('shared.c');
    expect((await other.page.locator('.cm-line').allTextContents()).join('\n')).toBe(reader);
    expect(await other.page.getAttribute('#tab-explore', 'aria-selected')).toBe('true');
    await other.close();
    const damaged = await OpenPage.open(browser, `${link.slice(0, -9)}AAAA`);
    expect(await damaged.text('#status')).toContain('this link cannot be read');
    await damaged.close();
  });

  test('offline, after a first visit, the page loads and checks', async () => {
    await shown.page.evaluate(() => navigator.serviceWorker.ready);
    await shown.context.setOffline(true);
    try {
      await shown.page.goto(server.url);
      await shown.isReady();
      await shown.write('overflow.c', overflow, 'check', { 'check-stdin': 'hello there\n' });
      await shown.run();
      expect(await shown.texts('check')).toHaveLength(1);
    } finally {
      await shown.context.setOffline(false);
    }
  });

  test('an interrupted download is reported, not cached, and retried', async () => {
    server.manners.cuts = /clang-/;
    const fresh = await OpenPage.open(browser, server.url);
    await fresh.run();
    expect(await fresh.text('#downloads')).toMatch(
      /the download of the compiler broke off after 0\.\d MB of/,
    );
    server.manners.cuts = undefined;
    await fresh.run();
    expect(await fresh.texts('check')).toHaveLength(1);
    expect(await fresh.page.isHidden('#downloads')).toBe(true);
    await fresh.close();
  });

  test('without shared memory the page names the headers that are missing', async () => {
    server.manners.headers = false;
    const poor = await OpenPage.open(browser, server.url, { serviceWorkers: 'block' });
    const notice = await poor.text('#notice');
    expect(notice).toContain('Cross-Origin-Opener-Policy: same-origin');
    expect(notice).toContain('Cross-Origin-Embedder-Policy: require-corp');
    expect(await poor.page.isDisabled('#run')).toBe(true);
    await poor.close();
    server.manners.headers = true;
  });

  test('where a server sends no headers, the service worker adds them', async () => {
    server.manners.headers = false;
    const served = await OpenPage.open(browser, server.url);
    await served.page.waitForFunction(() => crossOriginIsolated && document.body.dataset.ready === 'true');
    expect(await served.page.isDisabled('#run')).toBe(false);
    await served.close();
    server.manners.headers = true;
  });

  test('on a phone, in the dark, nothing is wider than the screen', async () => {
    const phone = await OpenPage.open(browser, server.url, {
      viewport: { width: 375, height: 700 },
      colorScheme: 'dark',
    });
    await phone.run();
    const { scroll, width } = await phone.page.evaluate(() => ({
      scroll: document.documentElement.scrollWidth,
      width: innerWidth,
    }));
    expect(scroll).toBeLessThanOrEqual(width);
    expect(await phone.texts('check')).toHaveLength(1);
    await phone.close();
  });

  test('no error of the page itself', () => {
    expect(shown.errors).toEqual([]);
  });
});
