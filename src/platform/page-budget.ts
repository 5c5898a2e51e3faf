/**
 * Decides when pages are returned to the system: the KDALLOC paper's rule for external calls
 * (section 5.3).
 *
 * Objects are far apart, so each needs at least a separate page while an external function runs.
 * Returning pages after every call is slow, and never returning them takes memory: they are
 * returned once more are in use than twice what a call needs on average,
 *
 *     average' = (3 · average + needed) / 4          but not below 1024 pages (4 MiB)
 */
const LEAST_PAGES = 1024;

export class PageBudget {
  #average = 0;
  #active = 0;

  /**
   * Records a call that touched this many pages. Returns whether all pages should be returned now.
   */
  add(pages: number): boolean {
    this.#active += pages;
    this.#average = (3 * this.#average + pages) / 4;
    if (this.#active <= Math.max(LEAST_PAGES, 2 * this.#average)) return false;
    this.#active = 0;
    return true;
  }
}
