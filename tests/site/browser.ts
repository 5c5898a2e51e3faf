/** The page in a browser, served well or badly, for the tests of the page. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';

export const root: string = join(import.meta.dirname, '../..');

/** Not `dist/site`, whose files are compressed as much as they can be, which takes long. */
const site = 'dist/site-of-tests';

/** Builds the page of the sources as they are. */
export function buildSite(): void {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/build-site.mjs', site, '--fast'], {
    cwd: root,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
}

export interface Served {
  readonly url: string;
  /** How the server behaves from now on. */
  readonly manners: { headers: boolean; cuts: RegExp | undefined };
  close(): void;
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.wasm': 'application/wasm',
};

/** A server that can lack headers, and cut downloads in the middle. */
export function serveBadly(): Promise<Served> {
  const manners: Served['manners'] = { headers: true, cuts: undefined };
  const server: Server = createServer(({ url = '/' }, response) => {
    const { pathname } = new URL(url, 'http://localhost');
    const file = join(root, site, pathname === '/' ? 'index.html' : pathname);
    if (!existsSync(file)) {
      response.writeHead(404).end();
      return;
    }
    const bytes = readFileSync(file);
    response.writeHead(200, {
      'Content-Type': types[extname(file)] ?? 'application/octet-stream',
      'Content-Length': bytes.length,
      ...(manners.headers && {
        'Cross-Origin-Opener-Policy': 'same-origin',
        'Cross-Origin-Embedder-Policy': 'require-corp',
      }),
    });
    if (manners.cuts?.test(pathname)) response.write(bytes.subarray(0, 100_000), () => response.destroy());
    else response.end(bytes);
  });
  return new Promise(resolve =>
    server.listen(0, '127.0.0.1', () =>
      resolve({
        url: `http://localhost:${(server.address() as AddressInfo).port}/`,
        manners,
        close: () => {
          server.closeAllConnections();
          server.close();
        },
      }),
    ),
  );
}

/** The page in a tab of the browser, with the actions of a user. */
export class OpenPage {
  private constructor(
    readonly page: Page,
    readonly context: BrowserContext,
    readonly errors: string[],
  ) {}

  static async open(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<OpenPage> {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
    const page = await context.newPage();
    const opened = new OpenPage(page, context, []);
    page.on('pageerror', error => opened.errors.push(String(error)));
    page.on('console', message => {
      if (message.type() === 'error') opened.errors.push(message.text());
    });
    await page.goto(url);
    await opened.isReady();
    return opened;
  }

  async isReady(): Promise<void> {
    await this.page.waitForSelector('body[data-ready]');
  }

  /** Puts a program into the editor, under a name, by a link. */
  async write(name: string, text: string, tab: string, settings: object = {}): Promise<void> {
    const json = JSON.stringify({ name, text, tab, settings });
    await this.page.evaluate(async given => {
      const stream = new Blob([given]).stream().pipeThrough(new CompressionStream('deflate-raw'));
      const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
      const base64 = btoa(String.fromCharCode(...bytes));
      location.hash = `#1=${base64.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')}`;
    }, json);
    await this.page.waitForFunction(
      expected => document.querySelector('#file-name')?.textContent === expected,
      name,
    );
    await this.page.waitForSelector(`#tab-${tab}[aria-selected="true"]`);
  }

  example(id: string): Promise<string[]> {
    return this.page.selectOption('#example', id);
  }

  /** Presses the button, and waits until the run is over. */
  async run(): Promise<void> {
    await this.after(() => this.page.click('#run'));
  }

  /** Waits for the end of the run that `begin` begins. */
  async after(begin: () => Promise<unknown>): Promise<void> {
    const before = await this.page.evaluate(() => document.body.dataset.runs);
    await begin();
    await this.page.waitForFunction(earlier => document.body.dataset.runs !== earlier, before, {
      timeout: 120_000,
    });
  }

  /** The findings as the command line prints them, which stand folded in the cards. */
  texts(tab: string): Promise<string[]> {
    return this.page.locator(`#${tab}-results .as-text`).allTextContents();
  }

  async text(selector: string): Promise<string> {
    return (await this.page.textContent(selector)) ?? '';
  }

  close(): Promise<void> {
    return this.context.close();
  }
}

/** The command line on a file of this text. */
export function redzone(
  folder: string,
  args: readonly string[],
  input = '',
): { readonly status: number | null; readonly stdout: string; readonly stderr: string } {
  return spawnSync(process.execPath, [join(root, 'bin/redzone.js'), ...args], {
    cwd: folder,
    encoding: 'utf8',
    input,
  });
}
