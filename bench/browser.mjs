/** Chromium for benches, with the processor time that it uses. */
import { readdirSync, readFileSync } from 'node:fs';
import { chromium } from 'playwright-core';

/** Clock ticks of Linux in a second. */
const ticks = 100;

/** `processorSeconds` counts all processes of the browser that are alive, user and system time. */
export async function startBrowser() {
  const server = await chromium.launchServer({
    executablePath: process.env.REDZONE_CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
  });
  const browser = await chromium.connect(server.wsEndpoint());
  return {
    browser,
    processorSeconds: () => processorSecondsOf(server.process().pid ?? 0),
    close: async () => {
      await browser.close();
      await server.close();
    },
  };
}

/** @param {number} root */
function processorSecondsOf(root) {
  const all = readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .flatMap(name => {
      const text = statOf(name);
      // The name of a program is in parentheses and may contain spaces.
      const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
      return text === ''
        ? []
        : [{ id: Number(name), parent: Number(fields[1]), used: Number(fields[11]) + Number(fields[12]) }];
    });
  const family = new Set([root]);
  for (let size = 0; size < family.size; ) {
    size = family.size;
    for (const { id, parent } of all) if (family.has(parent)) family.add(id);
  }
  return all.reduce((sum, { id, used }) => sum + (family.has(id) ? used : 0), 0) / ticks;
}

/**
 * Empty for a process that has ended.
 * @param {string} name
 */
function statOf(name) {
  try {
    return readFileSync(`/proc/${name}/stat`, 'utf8');
  } catch {
    return '';
  }
}
