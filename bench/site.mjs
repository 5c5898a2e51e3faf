/**
 * Measures how long a user of the page waits, in the Chromium of this machine (`npm run
 * bench:site`): for the first finding after the download, a second program, an edit of ten lines,
 * the same program again. Each is printed with the processor time of the browser.
 */
import { readFileSync } from 'node:fs';
import { serveSite } from '../dist/platform/serve-folder.js';
import { startBrowser } from './browser.mjs';

const program = readFileSync('examples/use-after-free.c', 'utf8');
const second = readFileSync('examples/tutorial/join.c', 'utf8');
const tenLines = Array.from({ length: 10 }, (_, i) => `  list->value += ${i};`).join('\n');
const edited = program.replace('  struct node *rest', `${tenLines}\n  struct node *rest`);

const serving = await serveSite(0);
if (serving.kind !== 'serving') throw new Error('the page cannot be served');
const { browser, processorSeconds, close } = await startBrowser();
const context = await browser.newContext();
const page = await context.newPage();
await page.goto(serving.url);
await page.waitForSelector('body[data-ready]');

/**
 * @param {string} name
 * @param {string} text
 */
async function write(name, text) {
  await page.evaluate(
    async json => {
      const stream = new Blob([json]).stream().pipeThrough(new CompressionStream('deflate-raw'));
      const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
      const base64 = btoa(String.fromCharCode(...bytes));
      location.hash = `#1=${base64.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')}`;
    },
    JSON.stringify({ name, text, tab: 'check' }),
  );
  await page.waitForFunction(wanted => document.querySelector('#file-name')?.textContent === wanted, name);
}

/** Seconds from the press of the button to the cards, in wall-clock and in processor time. */
async function run() {
  const before = await page.evaluate(() => document.body.dataset.runs);
  const used = processorSeconds();
  const start = performance.now();
  await page.click('#run');
  await page.waitForFunction(earlier => document.body.dataset.runs !== earlier, before, {
    timeout: 120_000,
  });
  const seconds = (performance.now() - start) / 1000;
  return { seconds, processor: processorSeconds() - used };
}

/** @type {(what: string, run: Record<"seconds" | "processor", number>, most?: string) => void} */
const print = (what, { seconds, processor }, most = '') =>
  console.log(`${what.padEnd(34)} ${seconds.toFixed(2)} s, processor ${processor.toFixed(2)} s${most}`);
await write('first.c', program);
print('first finding, with the downloads', await run());
// Downloads stay cached but compiled code does not: a new worker compiles again.
await page.evaluate(async () => {
  for (const name of await caches.keys()) if (name.startsWith('redzone-compiled')) await caches.delete(name);
});
await page.reload();
await page.waitForSelector('body[data-ready]');
await write('first.c', `${program}\n/* another text, so that nothing is in the cache */\n`);
print('first finding after the download', await run(), ' (at most 10 s wanted)');
await write('second.c', second);
print('second program', await run(), ' (at most 3 s)');
await write('first.c', program);
await run();
await write('first-edited.c', edited);
print('ten lines edited', await run(), ' (at most 1 s)');
print('the same program again', await run());
await close();
await serving.close();
