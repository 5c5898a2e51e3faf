/** Pages in the Chromium of the machine. */
import type { Browser, Page } from 'playwright-core';
import { chromium } from 'playwright-core';
import { hasTool } from '../optional-tools.js';

const executable = process.env.REDZONE_CHROMIUM ?? '/usr/bin/chromium';
const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
];

export function hasBrowser(leftOut: string): boolean {
  return hasTool(executable, leftOut);
}

export function startBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: executable, args: flags });
}

export interface Watched {
  readonly page: Page;
  /** What must not happen: errors, refusals of the policy, dialogs, requests. */
  readonly complaints: string[];
}

export async function watchedPage(browser: Browser, options: object = {}): Promise<Watched> {
  const page = await browser.newPage(options);
  const complaints: string[] = [];
  page.on('pageerror', error => void complaints.push(`error: ${error.message}`));
  page.on('console', message => void complaints.push(`console: ${message.text()}`));
  page.on('dialog', dialog => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', request => {
    if (!request.url().startsWith('file:')) complaints.push(`request: ${request.url()}`);
  });
  return { page, complaints };
}
