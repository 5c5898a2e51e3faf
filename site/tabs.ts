/** Tabs in the pattern of ARIA: arrow keys move, and only the chosen tab is in the tab order. */
import { element } from './dom.js';
import type { Tab } from './page.js';

export class Tabs {
  readonly #tabs: readonly Tab[];
  readonly #buttons: readonly HTMLButtonElement[];
  readonly #onChange: (tab: Tab) => void;
  current: Tab;

  constructor(list: HTMLElement, panels: HTMLElement, tabs: readonly Tab[], onChange: (tab: Tab) => void) {
    this.#tabs = tabs;
    this.#onChange = onChange;
    this.current = tabs[0]!;
    this.#buttons = tabs.map(({ name, title }) =>
      element(
        'button',
        {
          type: 'button',
          role: 'tab',
          id: `tab-${name}`,
          'aria-controls': `panel-${name}`,
          onclick: () => this.choose(name),
        },
        title,
      ),
    );
    list.append(...this.#buttons);
    for (const { name, panel } of tabs) {
      panel.id = `panel-${name}`;
      panel.setAttribute('role', 'tabpanel');
      panel.setAttribute('aria-labelledby', `tab-${name}`);
      panels.append(panel);
    }
    list.addEventListener('keydown', event => this.#onKey(event));
    this.choose(this.current.name);
  }

  choose(name: string): void {
    const tab = this.#tabs.find(other => other.name === name);
    if (tab === undefined) return;
    this.current = tab;
    for (const [i, other] of this.#tabs.entries()) {
      const isChosen = other === tab;
      const button = this.#buttons[i]!;
      button.setAttribute('aria-selected', String(isChosen));
      button.tabIndex = isChosen ? 0 : -1;
      other.panel.hidden = !isChosen;
    }
    this.#onChange(tab);
  }

  #onKey(event: KeyboardEvent): void {
    const at = this.#tabs.indexOf(this.current);
    const last = this.#tabs.length - 1;
    const next = {
      ArrowRight: at === last ? 0 : at + 1,
      ArrowLeft: at === 0 ? last : at - 1,
      Home: 0,
      End: last,
    }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    this.choose(this.#tabs[next]!.name);
    this.#buttons[next]!.focus();
  }
}
