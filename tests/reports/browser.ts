/** Reports in a browser: they must not run scripts or send requests. */
import type { Browser, Page } from 'playwright-core';

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
