/**
 * A real browser for the tests of the page and of reports: Chromium as Debian has it, driven by
 * playwright-core. Where there is none, the tests are left out and the run says so.
 */
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { noteLeftOut } from './optional-tools.js';

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const executablePath = [process.env.REDZONE_CHROMIUM ?? '', ...places].find(path => existsSync(path));

/** Whether a browser is installed; `leftOut` names what is not tested without it. */
export function hasBrowser(leftOut: string): boolean {
  if (executablePath === undefined) noteLeftOut('chromium', leftOut);
  return executablePath !== undefined;
}

export function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: executablePath!,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}
