/**
 * What is known of each slot of a bin: a bitmap in pages, with summaries, shared between states.
 *
 * The idea: slots are named by their index (see `slot-order.ts`), the lowest free index is always used next, and so
 * the table stays dense however far apart the slots lie in memory. It is a radix tree, 32 slots to a leaf page and
 * 32 pages to an inner page, which grows at the root. Each page has two bitmaps of one word:
 *
 *            leaf page: bit i = slot i            inner page: bit i = *every* slot below child i
 *   used     live or freed, i.e. not fresh        … is used
 *   pinned   live, or freed and not to be reused  … is pinned
 *
 * so the lowest slot that is not used (or not pinned) is found by one count of trailing ones per level. `pinned`
 * is a subset of `used`. A slot that is used and not pinned is *old*: it was freed, counts as freed, and is reused only
 * when the bin is full.
 *
 * Old slots cost nothing: a page that holds only old slots is replaced by a page that all tables share.
 * A program that allocates and frees a billion times therefore keeps every address out of use, and the table
 * still has the size of what is live. (That is also why the size of a freed object is not kept.)
 *
 * Invariants
 *   - Pages are filled from the left: `children` and `sizes` have no holes, and slots beyond them are fresh.
 *   - An inner page's bit is set exactly if the child's word is all ones.
 *   - sizes[i] is the size of slot i exactly if the slot is live, and then it is used and pinned; it is FREED exactly
 *     if the slot is used and not live. So one load answers `get`.
 *   - A page is edited only by the table whose owner token it carries.
 */
import { assert } from '../support/assert.js';
import type { CheckLevel } from '../support/check-level.js';
import type { Owner } from './owner.js';

const PAGE_BITS = 5;
const PAGE_SLOTS = 32;
const PAGE_MASK = 31;
const ALL = -1;

/** What `get` says of a slot that is not live; a live slot has its size, which is at least 0. */
export const FREED = -1;
export const FRESH = -2;

class Page {
  constructor(
    readonly owner: Owner,
    public used: number,
    public pinned: number,
    /** Of a leaf page: the requested size of each live slot; FREED or FRESH for others. Empty in an inner page. */
    readonly sizes: number[],
    /** Of an inner page. Empty in a leaf page. */
    readonly children: Page[],
  ) {}
}

const NOBODY: Owner = {};

/** By height, the shared page below which every slot is old. Seven levels cover all indices below 2^35. */
const oldPages: readonly Page[] = makeOldPages();

function makeOldPages(): Page[] {
  const pages = [new Page(NOBODY, ALL, 0, new Array<number>(PAGE_SLOTS).fill(FREED), [])];
  for (let height = 1; height < 7; height++) {
    pages.push(new Page(NOBODY, ALL, 0, [], new Array<Page>(PAGE_SLOTS).fill(pages[height - 1]!)));
  }
  return pages;
}

function lowestZero(word: number): number {
  return 31 - Math.clz32(~word & (word + 1));
}

export class SlotTable {
  readonly #owner: Owner;
  #root: Page;
  /** The height of the root above the leaves. */
  #height: number;

  /** An empty table, or one that shares the contents of `other`. */
  constructor(owner: Owner, other?: SlotTable) {
    this.#owner = owner;
    this.#root = other === undefined ? new Page(owner, 0, 0, [], []) : other.#root;
    this.#height = other === undefined ? 0 : other.#height;
  }

  /** The size of a live slot, FREED, or FRESH. Requires 0 <= index < 2^31. */
  get(index: number): number {
    let page: Page | undefined = this.#root;
    let shift = this.#height * PAGE_BITS;
    if (index >>> shift >= PAGE_SLOTS) return FRESH;
    for (; shift > 0 && page !== undefined; shift -= PAGE_BITS)
      page = page.children[(index >>> shift) & PAGE_MASK];
    return page?.sizes[index & PAGE_MASK] ?? FRESH;
  }

  /** Makes the lowest fresh slot live and returns its index. */
  takeFresh(size: number): number {
    if (this.#root.used === ALL) {
      this.#root = new Page(this.#owner, 1, this.#root.pinned === ALL ? 1 : 0, [], [this.#root]);
      this.#height++;
    }
    let page = this.#ownedRoot();
    let index = 0;
    for (let height = this.#height; height > 0; height--) {
      const i = lowestZero(page.used);
      if (i === page.children.length) page.children.push(new Page(this.#owner, 0, 0, [], []));
      index = (index << PAGE_BITS) | i;
      page = this.#ownedChild(page, i);
    }
    const i = lowestZero(page.used);
    index = (index << PAGE_BITS) | i;
    this.#enliven(page, index, size);
    return index;
  }

  /** Makes the lowest old slot live and returns its index. Requires that there is one, and no fresh one below it. */
  takeOld(size: number): number {
    let page = this.#ownedRoot();
    let index = 0;
    for (let height = this.#height; height > 0; height--) {
      const i = lowestZero(page.pinned);
      index = (index << PAGE_BITS) | i;
      page = this.#ownedChild(page, i);
    }
    index = (index << PAGE_BITS) | lowestZero(page.pinned);
    this.#enliven(page, index, size);
    return index;
  }

  /** Live → freed and pinned. */
  retire(index: number): void {
    let page = this.#ownedRoot();
    for (let shift = this.#height * PAGE_BITS; shift > 0; shift -= PAGE_BITS) {
      page = this.#ownedChild(page, (index >>> shift) & PAGE_MASK);
    }
    page.sizes[index & PAGE_MASK] = FREED;
  }

  /** Live, or freed and pinned → old. */
  unpin(index: number): void {
    let page = this.#ownedRoot();
    for (let shift = this.#height * PAGE_BITS; shift > 0; shift -= PAGE_BITS) {
      const i = (index >>> shift) & PAGE_MASK;
      page.pinned &= ~(1 << i);
      page = this.#ownedChild(page, i);
    }
    page.pinned &= ~(1 << (index & PAGE_MASK));
    page.sizes[index & PAGE_MASK] = FREED;
    if (isOld(page, 0)) this.#shareOldPages(this.#root, this.#height, index);
  }

  /** Old → freed and pinned. */
  pin(index: number): void {
    let page = this.#ownedRoot();
    for (let shift = this.#height * PAGE_BITS; shift > 0; shift -= PAGE_BITS) {
      page = this.#ownedChild(page, (index >>> shift) & PAGE_MASK);
    }
    page.pinned |= 1 << (index & PAGE_MASK);
    if (page.pinned === ALL) summarise(this.#root, this.#height, index);
  }

  /** Live or freed → fresh. */
  release(index: number): void {
    let page = this.#ownedRoot();
    for (let shift = this.#height * PAGE_BITS; shift >= 0; shift -= PAGE_BITS) {
      const i = (index >>> shift) & PAGE_MASK;
      page.used &= ~(1 << i);
      page.pinned &= ~(1 << i);
      if (shift > 0) page = this.#ownedChild(page, i);
      else page.sizes[i] = FRESH;
    }
  }

  #ownedRoot(): Page {
    const root = this.#owned(this.#root);
    this.#root = root;
    return root;
  }

  #ownedChild(page: Page, i: number): Page {
    const child = page.children[i]!;
    if (child.owner === this.#owner) return child;
    const copy = this.#owned(child);
    page.children[i] = copy;
    return copy;
  }

  #owned(page: Page): Page {
    if (page.owner === this.#owner) return page;
    return new Page(this.#owner, page.used, page.pinned, page.sizes.slice(), page.children.slice());
  }

  /** Makes the slot `index` of an owned leaf page live. */
  #enliven(leaf: Page, index: number, size: number): void {
    const i = index & PAGE_MASK;
    leaf.used |= 1 << i;
    leaf.pinned |= 1 << i;
    leaf.sizes[i] = size;
    // Only a full page changes what the pages above it say.
    if (leaf.used === ALL) summarise(this.#root, this.#height, index);
  }

  /** Replaces the pages on the path to `index` that hold only old slots, from the leaf upwards. */
  #shareOldPages(page: Page, height: number, index: number): void {
    if (height === 0) return;
    const i = (index >>> (height * PAGE_BITS)) & PAGE_MASK;
    const child = page.children[i]!;
    this.#shareOldPages(child, height - 1, index);
    if (isOld(child, height - 1)) page.children[i] = oldPages[height - 1]!;
  }

  /** The live slots in ascending order of indices. */
  *live(): IterableIterator<[index: number, size: number]> {
    yield* liveBelow(this.#root, this.#height, 0);
  }

  /** Throws if an invariant is broken; `expected` are the numbers of used, pinned and live slots. */
  check(level: CheckLevel, expected: { used: number; pinned: number; live: number }): void {
    assert(this.#height < oldPages.length, 'the table covers at most 2^35 slots');
    if (level < 2) return;
    const counts = checkPage(this.#root, this.#height);
    assert(counts.used === expected.used, 'the bin counts the used slots');
    assert(counts.pinned === expected.pinned, 'the bin counts the pinned slots');
    assert(counts.live === expected.live, 'the bin counts the live slots');
    if (level < 3) return;
    for (const [index, size] of this.live()) assert(this.get(index) === size, 'lookup finds what is live');
  }
}

/** Sets the bits of the inner pages on the path to `index`, from the leaf upwards. */
function summarise(page: Page, height: number, index: number): void {
  if (height === 0) return;
  const i = (index >>> (height * PAGE_BITS)) & PAGE_MASK;
  const child = page.children[i]!;
  summarise(child, height - 1, index);
  if (child.used === ALL) page.used |= 1 << i;
  if (child.pinned === ALL) page.pinned |= 1 << i;
}

/** Whether all slots below are old; children must have been replaced by the shared pages already. */
function isOld(page: Page, height: number): boolean {
  if (page.used !== ALL || page.pinned !== 0) return false;
  return height === 0 || page.children.every(child => child === oldPages[height - 1]);
}

function* liveBelow(page: Page, height: number, first: number): IterableIterator<[number, number]> {
  for (const [i, size] of page.sizes.entries()) if (size >= 0) yield [first + i, size];
  for (const [i, child] of page.children.entries()) {
    if (child !== oldPages[height - 1])
      yield* liveBelow(child, height - 1, first + i * 2 ** (PAGE_BITS * height));
  }
}

function checkPage(page: Page, height: number): { used: number; pinned: number; live: number } {
  const counts = { used: 0, pinned: 0, live: 0 };
  if (height === 0) {
    assert(page.children.length === 0, 'a leaf page has no children');
    for (let i = 0; i < PAGE_SLOTS; i++) {
      const used = (page.used >>> i) & 1;
      const pinned = (page.pinned >>> i) & 1;
      const size = page.sizes[i] ?? FRESH;
      const live = size >= 0 ? 1 : 0;
      assert((size === FRESH) === (used === 0), 'a slot is used or fresh');
      assert(live <= pinned && pinned <= used, 'live slots are pinned and pinned slots are used');
      counts.used += used;
      counts.pinned += pinned;
      counts.live += live;
    }
    return counts;
  }
  assert(page.sizes.length === 0 && page.children.length > 0, 'an inner page has children only');
  for (let i = 0; i < PAGE_SLOTS; i++) {
    const child = page.children[i];
    assert(((page.used >>> i) & 1) === (child?.used === ALL ? 1 : 0), 'the summary of used slots is right');
    assert(
      ((page.pinned >>> i) & 1) === (child?.pinned === ALL ? 1 : 0),
      'the summary of pinned slots is right',
    );
    if (child === undefined) continue;
    const below = checkPage(child, height - 1);
    counts.used += below.used;
    counts.pinned += below.pinned;
    counts.live += below.live;
  }
  return counts;
}
