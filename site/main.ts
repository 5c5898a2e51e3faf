/** The page: an editor on the left, the engines on the right. */

import { byId, element } from './dom.js';
import { showDownloads } from './downloads.js';
import { Editor } from './editor.js';
import { EngineClient } from './engine-client.js';
import { type Example, exampleGroups, exampleOf } from './examples.js';
import { whyNotIsolated } from './isolation.js';
import { renderMarkdown } from './markdown.js';
import { type Page, settingsIn, type Tab, takeSettings } from './page.js';
import { fragmentOf, isShared, type Shared, sharedIn } from './share.js';
import { checkTab } from './tab-check.js';
import { exploreTab } from './tab-explore.js';
import { heapTab } from './tab-heap.js';
import { irTab } from './tab-ir.js';
import { proveTab } from './tab-prove.js';
import { Tabs } from './tabs.js';

const runButton = byId<HTMLButtonElement>('run');
const stopButton = byId<HTMLButtonElement>('stop');
const statusLine = byId('status');
const announcement = byId('announcement');
const picker = byId<HTMLSelectElement>('example');
const fileName = byId('file-name');

let name = 'program.c';
/** The number of finished runs, for the tests of the page. */
let runs = 0;
/** The number of programs that were opened. */
let opened = 0;
/** The pages of `redzone explain`, loaded on demand. */
let pages: Readonly<Record<string, string>> | undefined;

/** Unlike disabled buttons, these keep the focus. */
const allow = (button: HTMLButtonElement, isAllowed: boolean): void =>
  button.setAttribute('aria-disabled', String(!isAllowed));

const engine = new EngineClient(isRunning => {
  allow(runButton, !isRunning && missing === undefined);
  allow(stopButton, isRunning);
  document.body.classList.toggle('running', isRunning);
  onRunning(isRunning);
});
const editor = new Editor(
  byId('editor'),
  () => forgetLink(),
  () => void run(),
);

const page: Page = {
  editor,
  engine,
  source: () => ({ name, text: editor.text }),
  status: text => {
    statusLine.textContent = text;
  },
  explain: async code => {
    pages ??= await fetch(new URL('./explain.json', import.meta.url)).then(
      response => response.json() as Promise<Record<string, string>>,
      () => undefined,
    );
    const text = pages?.[code];
    return text === undefined
      ? element('p', {}, `The page cannot be loaded; \`redzone explain ${code}\` prints it.`)
      : renderMarkdown(text);
  },
};

const all: Tab[] = [
  checkTab(page),
  exploreTab(page),
  heapTab(page, id => choose(id)),
  proveTab(page),
  irTab(page),
];
const tabs = new Tabs(byId('tabs'), byId('panels'), all, ({ verb }) => {
  runButton.textContent = verb;
});

async function run(): Promise<void> {
  if (engine.isRunning || missing !== undefined) return;
  page.status('starting');
  const tab = tabs.current;
  const before = opened;
  announcement.textContent = `${tab.title} is running`;
  await tab.run();
  if (opened !== before) forget(tab);
  announcement.textContent = `${tab.title}: ${statusLine.textContent}`;
  if (tab === tabs.current)
    tab.panel.querySelector('.verdict, .card, figure')?.scrollIntoView({ block: 'nearest' });
  runs++;
  document.body.dataset.runs = String(runs);
}

/** The results are those of a program that is no longer open. */
function forget(tab: Tab): void {
  tab.reset();
  editor.clear();
  page.status('stopped');
}

function open(example: Pick<Example, 'name' | 'text' | 'tab' | 'settings'>): void {
  engine.stop();
  opened++;
  name = example.name;
  fileName.textContent = name;
  editor.open(example.text, /\.[ch]$/.test(name));
  for (const tab of all) {
    tab.reset();
    takeSettings(tab.panel, example.settings ?? {});
  }
  tabs.choose(example.tab);
  page.status('');
}

function choose(id: string): void {
  const example = exampleOf(id);
  if (example === undefined) return;
  picker.value = id;
  open(example);
}

function forgetLink(): void {
  if (location.hash !== '') history.replaceState(null, '', location.pathname + location.search);
}

/** The contents of a link. */
function shared(): Shared {
  const settings = Object.assign({}, ...all.map(({ panel }) => settingsIn(panel)));
  return { name, text: editor.text, tab: tabs.current.name, settings };
}

async function share(): Promise<void> {
  const fragment = await fragmentOf(shared());
  if (fragment === undefined) {
    page.status('the program is too long for a link');
    announcement.textContent = statusLine.textContent;
    return;
  }
  history.replaceState(null, '', fragment);
  const link = byId<HTMLInputElement>('link');
  link.value = location.href;
  byId<HTMLDialogElement>('share-box').showModal();
  link.select();
  await navigator.clipboard?.writeText(location.href).then(
    () => page.status('the link is in the clipboard'),
    () => undefined,
  );
}

picker.append(element('option', { value: '', hidden: true }, 'Your own program'));
for (const group of exampleGroups)
  picker.append(
    element(
      'optgroup',
      { label: group.title },
      ...group.examples.map(({ id, title }) => element('option', { value: id }, title)),
    ),
  );
picker.addEventListener('change', () => choose(picker.value));
runButton.addEventListener('click', () => void run());
stopButton.addEventListener('click', () => {
  if (!engine.isRunning) return;
  page.status('stopping');
  engine.stop();
});
byId('share').addEventListener('click', () => void share());
document.addEventListener('keydown', event => {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.defaultPrevented) void run();
  if (event.key === 'Escape' && engine.isRunning) engine.stop();
});

const onRunning = showDownloads(byId('downloads'), engine.session);

const missing = await whyNotIsolated();
if (missing !== undefined) {
  const notice = byId('notice');
  notice.hidden = false;
  notice.replaceChildren(...missing);
}
allow(runButton, missing === undefined);

/** Returns whether the address had a program. */
async function openLink(): Promise<boolean> {
  if (location.hash === '') return false;
  const linked = await sharedIn(location.hash);
  if (linked === undefined) {
    page.status('this link cannot be read: it is damaged, or of another version');
    return false;
  }
  openShared(linked);
  return true;
}

function openShared(linked: Shared): void {
  open({ ...linked, tab: linked.tab ?? 'check' });
  picker.value = '';
}

/** The text survives a reload under this key. */
const draftKey = 'redzone draft';
addEventListener('pagehide', () => sessionStorage.setItem(draftKey, JSON.stringify(shared())));

function draft(): Shared | undefined {
  const kept = JSON.parse(sessionStorage.getItem(draftKey) ?? 'null') as Shared | null;
  return kept !== null && isShared(kept) ? kept : undefined;
}

addEventListener('hashchange', () => void openLink());
if (!(await openLink())) {
  const why = statusLine.textContent ?? '';
  const kept = draft();
  if (kept === undefined) choose(exampleGroups[0]?.examples[0]?.id ?? '');
  else openShared(kept);
  page.status(why);
}
document.body.dataset.ready = 'true';
