/**
 * When to give pages back to the system: the KDALLOC paper's rule for external calls (section 5.3).
 *
 * Objects lie far apart, so that each takes at least a page of its own while an external function
 * runs. Giving pages back after every call is slow, never doing so takes memory: they go back once
 * more are in use than twice what a call needs on average,
 *
 *     average' = (3 · average + needed) / 4          but not below 1024 pages (4 MiB)
 */
const LEAST_PAGES = 1024;

export class PageBudget {
  #average = 0;
  #active = 0;

  /**
   * A call that touches this many pages has ended. Returns whether all pages should go back now.
   */
  add(pages: number): boolean {
    this.#active += pages;
    this.#average = (3 * this.#average + pages) / 4;
    if (this.#active <= Math.max(LEAST_PAGES, 2 * this.#average)) return false;
    this.#active = 0;
    return true;
  }
}
