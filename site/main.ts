/** The page: an editor on the left, the engines on the right. */

import { byId, element } from './dom.js';
import { showDownloads } from './downloads.js';
import { Editor } from './editor.js';
import { EngineClient } from './engine-client.js';
import { type Example, exampleGroups, exampleOf } from './examples.js';
import { whyNotIsolated } from './isolation.js';
import { renderMarkdown } from './markdown.js';
import type { Page, Tab } from './page.js';
import { fragmentOf, sharedIn } from './share.js';
import { checkTab } from './tab-check.js';
import { exploreTab } from './tab-explore.js';
import { heapTab } from './tab-heap.js';
import { irTab } from './tab-ir.js';
import { proveTab } from './tab-prove.js';
import { Tabs } from './tabs.js';

const runButton = byId<HTMLButtonElement>('run');
const stopButton = byId<HTMLButtonElement>('stop');
const statusLine = byId('status');
const picker = byId<HTMLSelectElement>('example');
const fileName = byId('file-name');

let name = 'program.c';
/** Runs that have ended, for the tests of the page. */
let runs = 0;

const engine = new EngineClient(isRunning => {
  runButton.disabled = isRunning || missing !== undefined;
  stopButton.disabled = !isRunning;
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
    if (engine.isRunning) return element('p', { class: 'quiet' }, 'This is shown when the run is over.');
    const result = await engine.call('explain', code);
    return result.kind === 'value' ? renderMarkdown(result.value) : element('p', {}, 'There is no page.');
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
  await tabs.current.run();
  runs++;
  document.body.dataset.runs = String(runs);
}

function open(example: Pick<Example, 'name' | 'text' | 'tab' | 'args' | 'stdin' | 'symStdin'>): void {
  engine.stop();
  name = example.name;
  fileName.textContent = name;
  editor.open(example.text, /\.[ch]$/.test(name));
  for (const tab of all) {
    tab.reset();
    tab.take?.(example);
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

async function share(): Promise<void> {
  const given = tabs.current.given?.() ?? {};
  const fragment = await fragmentOf({ name, text: editor.text, tab: tabs.current.name, ...given });
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
stopButton.disabled = true;
runButton.disabled = missing !== undefined;

/** Whether the address had a program. */
async function openLink(): Promise<boolean> {
  if (location.hash === '') return false;
  const shared = await sharedIn(location.hash);
  if (shared === undefined) {
    page.status('this link cannot be read: it is damaged, or of another version');
    return false;
  }
  open({ ...shared, tab: shared.tab ?? 'check' });
  picker.value = '';
  return true;
}

addEventListener('hashchange', () => void openLink());
const first = exampleGroups[0]?.examples[0];
if (first !== undefined && location.hash === '') open(first);
else if (!(await openLink()) && first !== undefined) {
  const why = statusLine.textContent ?? '';
  open(first);
  page.status(why);
}
document.body.dataset.ready = 'true';
