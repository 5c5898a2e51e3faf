/**
 * The page with a keyboard, with a screen reader, and its contrast: each tab after a run.
 * A screen reader is given what Chromium's accessibility tree has.
 */
import type { Browser, CDPSession } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasBrowser, launch } from '../chromium.js';
import { buildSite, OpenPage, type Served, serveBadly } from './browser.js';

/** What each tab runs: an example of the menu. */
const runs = [
  ['check', 'use-after-free.c'],
  ['explore', 'function-harness.c'],
  ['heap', 'use-after-free.c'],
  ['prove', 'lfht.sal'],
  ['ir', 'use-after-free.c'],
] as const;

interface AxNode {
  readonly ignored: boolean;
  readonly role?: { readonly value: string };
  readonly name?: { readonly value: string };
  readonly properties?: readonly { readonly name: string; readonly value: { readonly value?: unknown } }[];
}

/** Roles of controls, which a screen reader announces by name. */
const named = new Set([
  ...['button', 'link', 'tab', 'tabpanel', 'textbox', 'combobox', 'spinbutton', 'checkbox', 'img', 'image'],
  ...['application', 'region', 'table', 'heading', 'DisclosureTriangle', 'progressbar', 'tablist', 'dialog'],
]);

async function tree(session: CDPSession): Promise<AxNode[]> {
  const { nodes } = (await session.send('Accessibility.getFullAXTree')) as { nodes: AxNode[] };
  return nodes.filter(({ ignored }) => !ignored);
}

/** Texts with too little contrast to their background: at least 4.5, or 3 if large. */
function paleTexts(): string[] {
  type Colour = [red: number, green: number, blue: number, alpha: number];
  const read = (text: string): Colour => {
    const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })!;
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = text;
    canvas.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0, alpha = 0] = canvas.getImageData(0, 0, 1, 1).data;
    return [red, green, blue, alpha / 255];
  };
  const over = (front: Colour, back: Colour): Colour => {
    const mixed = [0, 1, 2].map(i => front[i]! * front[3] + back[i]! * (1 - front[3]));
    return [mixed[0]!, mixed[1]!, mixed[2]!, 1];
  };
  const light = (colour: Colour): number => {
    const [red = 0, green = 0, blue = 0] = colour.slice(0, 3).map(part => {
      const value = part / 255;
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const behind = (element: Element): Colour => {
    const chain: Colour[] = [];
    for (let at: Element | null = element; at !== null; at = at.parentElement) {
      const colour = read(getComputedStyle(at).backgroundColor);
      chain.push(colour);
      if (colour[3] === 1) break;
    }
    return chain.reduceRight((back, front) => over(front, back), [255, 255, 255, 1] as Colour);
  };
  const found = new Set<string>();
  for (const element of document.querySelectorAll<HTMLElement>('body *')) {
    const hasText = [...element.childNodes].some(
      node => node.nodeType === Node.TEXT_NODE && node.textContent!.trim() !== '',
    );
    if (!hasText || element.closest('svg, noscript, script, .unseen, [aria-disabled="true"]')) continue;
    if (!element.checkVisibility({ checkVisibilityCSS: true, checkOpacity: true })) continue;
    const style = getComputedStyle(element);
    const back = behind(element);
    const front = over(read(style.color), back);
    const [high = 0, low = 0] = [light(front), light(back)].sort((a, b) => b - a);
    const ratio = (high + 0.05) / (low + 0.05);
    const size = Number.parseFloat(style.fontSize);
    const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    if (ratio < (isLarge ? 3 : 4.5))
      found.add(
        `${element.tagName}.${element.className} "${element.textContent!.trim().slice(0, 30)}" ${ratio.toFixed(2)}`,
      );
  }
  return [...found];
}

describe.skipIf(!hasBrowser('the accessibility of the page'))('accessibility', () => {
  let browser: Browser;
  let server: Served;
  let shown: OpenPage;
  let session: CDPSession;

  beforeAll(async () => {
    buildSite();
    [browser, server] = await Promise.all([launch(), serveBadly()]);
    shown = await OpenPage.open(browser, server.url);
    session = await shown.context.newCDPSession(shown.page);
  });

  afterAll(async () => {
    await browser?.close();
    server?.close();
  });

  describe.each(runs)('%s', (tab, example) => {
    beforeAll(async () => {
      await shown.example(example);
      await shown.page.click(`#tab-${tab}`);
      if (tab === 'heap') await shown.page.selectOption('#heap-trace', 'larson');
      await shown.run();
      if (tab === 'explore') await shown.page.click('.paths .place >> nth=0');
      for (const summary of await shown.page.locator(`#panel-${tab} summary`).all()) await summary.click();
    });

    test('every control has an accessible name', async () => {
      const nodes = await tree(session);
      const nameless = nodes.filter(({ role, name }) => named.has(role?.value ?? '') && !name?.value);
      expect(nameless.map(({ role }) => role?.value)).toEqual([]);
      const tabs = nodes.filter(({ role }) => role?.value === 'tab');
      const selected = tabs.filter(({ properties }) =>
        properties?.some(({ name, value }) => name === 'selected' && value.value === true),
      );
      expect(tabs.map(({ name }) => name?.value)).toEqual(['Check', 'Explore', 'Heap', 'Prove', 'IR']);
      expect(selected.map(({ name }) => name?.value?.toLowerCase())).toEqual([tab]);
      expect(await shown.text('#announcement')).toMatch(/^(Check|Explore|Heap|Prove|IR): ./);
    });

    test.each(['light', 'dark'] as const)(
      'its texts have enough contrast on a %s screen',
      async colorScheme => {
        await shown.page.emulateMedia({ colorScheme });
        expect(await shown.page.evaluate(paleTexts)).toEqual([]);
      },
    );

    test('Tab reaches everything in the order of the page, and leaves it', async () => {
      await shown.page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
      await shown.page.locator('.brand').focus();
      const reached: string[] = [];
      for (let i = 0; i < 400; i++) {
        const at = await shown.page.evaluate(() => {
          const element = document.activeElement;
          if (element === null || element === document.body) return '';
          const all = [...document.querySelectorAll('*')];
          return `${all.indexOf(element)} ${element.id || element.className || element.tagName}`;
        });
        if (at === '' || reached.includes(at)) break;
        reached.push(at);
        // Tab indents in the editor, unless Escape comes first.
        if (at.includes('cm-content')) await shown.page.keyboard.press('Escape');
        await shown.page.keyboard.press('Tab');
      }
      const places = reached.map(at => Number(at.split(' ')[0]));
      expect(places).toEqual(places.toSorted((a, b) => a - b));
      const names = reached.map(at => at.slice(at.indexOf(' ') + 1));
      for (const wanted of ['example', 'share', `tab-${tab}`, 'run', 'stop']) expect(names).toContain(wanted);
      expect(names.some(name => name.startsWith('cm-content'))).toBe(true);
      const unreached = await shown.page.evaluate(seen => {
        const all = [...document.querySelectorAll<HTMLElement>('*')];
        return all.flatMap((element, i) => {
          const works = element.matches('button, input, select, textarea, summary, a[href], [tabindex="0"]');
          const isThere = element.checkVisibility() && element.tabIndex >= 0;
          return works && isThere && !seen.includes(i)
            ? [element.id || element.className || element.tagName]
            : [];
        });
      }, places);
      expect(unreached).toEqual([]);
    });
  });

  test('a finding is read as a heading with its locations and its help', async () => {
    await shown.example('use-after-free.c');
    await shown.run();
    const nodes = await tree(session);
    const said = nodes.map(({ role, name }) => `${role?.value}: ${name?.value ?? ''}`);
    for (const words of [
      'heading: 1 finding',
      'heading: use-after-free read of 4 bytes in a freed block of 16 bytes',
      'button: use-after-free.c:26:45',
      'DisclosureTriangle: What is use-after-free?',
    ])
      expect(said).toContain(words);
  });
});
