/**
 * What is known of each slot of a bin: bitmaps and sizes in pages, with summaries, shared between
 * states.
 *
 * The idea: slots are named by their index (see `slot-order.ts`), the lowest free index is always
 * used next, and so the table stays dense however far apart the slots lie in memory. It is a radix
 * tree that grows at the root: 32 pages to an inner page, 32 *groups* of 32 slots to a leaf page. A
 * group is a few words of one typed array:
 *
 *     | used | pinned | slot 1, slot 0 | slot 3, slot 2 | … | slot 31, slot 30 |
 *                       a code of 2, 4, 8 or 16 bits for each slot, as the largest size of the bin needs: drawn with 16
 *
 *            group: bit i = slot i                leaf page: bit i = *every* slot of group i; inner page: below child i
 *   used     live or freed, i.e. not fresh        … is used
 *   pinned   live, or freed and not to be reused  … is pinned
 *
 * so the lowest slot that is not used (or not pinned) is found by one count of trailing ones per
 * level. `pinned` is a subset of `used`. A slot that is used and not pinned is *old*: it was freed,
 * counts as freed, and is reused only when the bin is full.
 *
 * Why typed arrays with codes as narrow as they can be: a million slots of mixed sizes are 1.4 MB,
 * so a lookup anywhere in them misses the caches about once. Pages of plain arrays took ten times
 * as much, and three misses. Why 1,024 slots: a typed array costs half a microsecond to make and a
 * hundred bytes to know, whatever its length, and a fork copies one. A leaf begins with one group
 * and doubles, since most bins stay small, and since it is the youngest leaf that forks copy.
 *
 * Old slots cost nothing: a page that holds only old slots is replaced by a page that all tables
 * share. A program that allocates and frees a billion times therefore keeps every address out of
 * use, and the table still has the size of what is live. (That is also why the size of a freed
 * object is not kept.)
 *
 * Invariants
 *   - Pages are filled from the left: `children` has no holes, and slots beyond them or beyond
 *     `cells` are fresh.
 *   - A page's bit is set exactly if the word of the child or group is all ones.
 *   - A slot's code is 2 + its size exactly if the slot is live, and then it is used and pinned; it
 *     is 1 exactly if the slot is used and not live, else 0. So one load answers `get`.
 *   - A page is edited only by the table whose owner token it carries.
 *
 * Slots are mostly taken one after the other, and neighbours are freed one after the other: the
 * table remembers the group with the lowest fresh slot (until it is full), and the leaf in which it
 * last unpinned a slot (until one is pinned), and does not walk down to them again.
 */
import { assert } from '../support/assert.js';
import type { CheckLevel } from '../support/check-level.js';
import { NO_OWNER, type Owner } from '../support/owner.js';

const ALL = -1;
/** Inner pages. */
const CHILDREN = 32;
const CHILD_BITS = 5;
/** Groups of slots in a leaf page. */
const GROUP_SLOTS = 32;
const GROUPS = 32;
const LEAF_BITS = 10;
const LEAF_SLOTS = GROUPS * GROUP_SLOTS;
/** Before the codes, a group has two bitmaps. 32 codes of n bits take n words. */
const PINNED = 1;
const CODES = 2;
/** Seven levels of pages cover all indices below 2^34. */
const MOST_HEIGHT = 6;

/**
 * The result of `get` for a slot that is not live; for a live slot it is the size, which is at
 * least 0.
 */
export const FREED = -1;
export const FRESH = -2;
/** The code of a slot is the result of `get`, shifted to be non-negative. */
const CODE = 2;

/** How wide the codes of a table are. */
export type CodeBits = 2 | 4 | 8 | 16;

/** The width of the codes of sizes up to `largest`, which is at most 2^16 - 3. */
export function codeBitsFor(largest: number): CodeBits {
  return ([2, 4, 8] as const).find(bits => largest + CODE < 2 ** bits) ?? 16;
}

class Page {
  constructor(
    readonly owner: Owner,
    public used: number,
    public pinned: number,
    /** The groups of a leaf page; empty in an inner page. */
    public cells: Int32Array,
    /** The children of an inner page; empty in a leaf page. */
    readonly children: Page[],
    /**
     * In a page above leaves, the groups of its children, so that a lookup need not touch these;
     * else empty.
     */
    readonly cellsBelow: Int32Array[],
  ) {}
}

const NO_CELLS: Int32Array = new Int32Array(0);
const NO_CHILDREN: Page[] = [];
const NO_CELLS_BELOW: Int32Array[] = [];

function freshLeaf(owner: Owner, bits: CodeBits, groups: number): Page {
  return new Page(owner, 0, 0, new Int32Array(groups * groupWords(bits)), NO_CHILDREN, NO_CELLS_BELOW);
}

function innerPage(owner: Owner, height: number): Page {
  return new Page(owner, 0, 0, NO_CELLS, [], height === 1 ? [] : NO_CELLS_BELOW);
}

/** Makes `child` the i-th child of an owned page; no earlier one may be missing. */
function adopt(parent: Page, i: number, child: Page): void {
  parent.children[i] = child;
  if (child.cells.length > 0) parent.cellsBelow[i] = child.cells;
}

/** By the width of codes and by height, the shared page below which every slot is old. */
const oldPages: Readonly<Record<CodeBits, readonly Page[]>> = {
  2: makeOldPages(2),
  4: makeOldPages(4),
  8: makeOldPages(8),
  16: makeOldPages(16),
};

function makeOldPages(bits: CodeBits): Page[] {
  const leaf = freshLeaf(NO_OWNER, bits, GROUPS);
  leaf.used = ALL;
  for (let slot = 0; slot < LEAF_SLOTS; slot++) setCode(leaf.cells, bits, slot, FREED + CODE);
  for (let group = 0; group < GROUPS; group++) leaf.cells[groupWord(group, bits)] = ALL;
  const pages = [leaf];
  for (let height = 1; height < MOST_HEIGHT; height++) {
    const page = innerPage(NO_OWNER, height);
    page.used = ALL;
    for (let child = 0; child < CHILDREN; child++) adopt(page, child, pages[height - 1]!);
    pages.push(page);
  }
  return pages;
}

function lowestZero(word: number): number {
  return 31 - Math.clz32(~word & (word + 1));
}

function groupOf(index: number): number {
  return (index >>> 5) & (GROUPS - 1);
}

function groupWords(bits: CodeBits): number {
  return CODES + bits;
}

/** The word of a leaf that a group begins with: its bitmap of used slots. */
function groupWord(group: number, bits: CodeBits): number {
  return Math.imul(group, groupWords(bits));
}

/** The word of a leaf that holds a slot's code, and how far left it is there. */
function codeWord(index: number, bits: CodeBits): number {
  const group = (index >>> 5) & (GROUPS - 1);
  return Math.imul(group, CODES + bits) + CODES + (Math.imul(index & (GROUP_SLOTS - 1), bits) >>> 5);
}

function codeShift(index: number, bits: CodeBits): number {
  return Math.imul(index, bits) & 31;
}

/** What `get` says of a slot whose code is in this word. */
function decode(word: number, index: number, bits: CodeBits): number {
  return ((word >>> codeShift(index, bits)) & ((1 << bits) - 1)) - CODE;
}

function setCode(cells: Int32Array, bits: CodeBits, index: number, code: number): void {
  const at = codeWord(index, bits);
  const shift = codeShift(index, bits);
  cells[at] = (cells[at]! & ~(((1 << bits) - 1) << shift)) | (code << shift);
}

/** Which child of an inner page at a height covers an index. */
function childAt(index: number, height: number): number {
  return (index >>> (LEAF_BITS - CHILD_BITS + height * CHILD_BITS)) & (CHILDREN - 1);
}

function arePagesAlike(one: Page, another: Page): boolean {
  if (one === another) return true;
  const { used, pinned, cells, children } = one;
  return (
    used === another.used &&
    pinned === another.pinned &&
    cells.length === another.cells.length &&
    children.length === another.children.length &&
    cells.every((cell, i) => cell === another.cells[i]) &&
    children.every((child, i) => arePagesAlike(child, another.children[i]!))
  );
}

export type LiveVisitor = (index: number, size: number) => void;

export class SlotTable {
  readonly #owner: Owner;
  readonly #bits: CodeBits;
  #root: Page;
  /** The height of the root above the leaves. */
  #height: number;
  /**
   * The lowest group with a fresh slot: the groups of its leaf, its first word there, and its first
   * slot; -1 if not known.
   */
  #freshCells: Int32Array = NO_CELLS;
  #freshWord = -1;
  #freshStart = 0;
  /**
   * An owned leaf that no page above notes as full of pinned slots, and the number of its first
   * slot / LEAF_SLOTS; -1 for none.
   */
  #unpinned: Page | undefined;
  #unpinnedLeaf = -1;

  /**
   * An empty table, or one that shares the contents of `other`, whose codes have the same width.
   */
  constructor(owner: Owner, bits: CodeBits, other?: SlotTable) {
    this.#owner = owner;
    this.#bits = bits;
    this.#root = other === undefined ? freshLeaf(owner, bits, 1) : other.#root;
    this.#height = other === undefined ? 0 : other.#height;
  }

  /** The size of a live slot, FREED, or FRESH. Requires 0 <= index < 2^31. */
  get(index: number): number {
    let page = this.#root;
    let { cells } = page;
    const height = this.#height;
    if (height === 0) {
      if (index >= LEAF_SLOTS) return FRESH;
    } else {
      let shift = LEAF_BITS + (height - 1) * CHILD_BITS;
      if (index >>> shift >= CHILDREN) return FRESH;
      for (; shift > LEAF_BITS; shift -= CHILD_BITS) {
        const child = (index >>> shift) & (CHILDREN - 1);
        if (child >= page.children.length) return FRESH;
        page = page.children[child]!;
      }
      const leaf = (index >>> LEAF_BITS) & (CHILDREN - 1);
      if (leaf >= page.cellsBelow.length) return FRESH;
      cells = page.cellsBelow[leaf]!;
    }
    const at = codeWord(index, this.#bits);
    return at >= cells.length ? FRESH : decode(cells[at]!, index, this.#bits);
  }

  /** Whether both tables, of codes of one width, agree on every slot. */
  isLike(other: SlotTable): boolean {
    return this.#height === other.#height && arePagesAlike(this.#root, other.#root);
  }

  /** Makes the lowest fresh slot live and returns its index. */
  takeFresh(size: number): number {
    const word = this.#freshWord;
    if (word < 0) return this.#findFresh(size);
    const cells = this.#freshCells;
    const used = cells[word]!;
    const bit = ~used & (used + 1);
    // The last slot of a group changes what pages say.
    if ((used | bit) === ALL) return this.#findFresh(size);
    cells[word] = used | bit;
    cells[word + PINNED]! |= bit;
    const slot = 31 - Math.clz32(bit);
    const at = Math.imul(slot, this.#bits);
    // The code of a fresh slot is 0.
    cells[word + CODES + (at >>> 5)]! |= (size + CODE) << at;
    return this.#freshStart + slot;
  }

  #findFresh(size: number): number {
    if (this.#root.used === ALL) {
      const child = this.#root;
      this.#root = innerPage(this.#owner, ++this.#height);
      this.#root.used = 1;
      this.#root.pinned = child.pinned === ALL ? 1 : 0;
      adopt(this.#root, 0, child);
    }
    let page = this.#ownedRoot();
    let parent: Page | undefined;
    let index = 0;
    for (let height = this.#height; height > 0; height--) {
      const i = lowestZero(page.used);
      if (i === page.children.length) adopt(page, i, this.#freshPage(height - 1));
      index = (index << CHILD_BITS) | i;
      parent = page;
      page = this.#ownedChild(page, i);
    }
    const group = lowestZero(page.used);
    const word = groupWord(group, this.#bits);
    if (word === page.cells.length) {
      growLeaf(page);
      if (parent !== undefined) adopt(parent, index & (CHILDREN - 1), page);
    }
    index = (index << LEAF_BITS) | (group << 5) | lowestZero(page.cells[word]!);
    this.#enliven(page, index, size);
    this.#freshCells = page.cells;
    this.#freshWord = page.cells[word] === ALL ? -1 : word;
    this.#freshStart = index & ~(GROUP_SLOTS - 1);
    return index;
  }

  /**
   * Makes the lowest old slot live and returns its index. Requires that there is one, and no fresh
   * one below it.
   */
  takeOld(size: number): number {
    this.#unpinnedLeaf = -1;
    let page = this.#ownedRoot();
    let index = 0;
    for (let height = this.#height; height > 0; height--) {
      const i = lowestZero(page.pinned);
      index = (index << CHILD_BITS) | i;
      page = this.#ownedChild(page, i);
    }
    const group = lowestZero(page.pinned);
    const word = groupWord(group, this.#bits) + PINNED;
    index = (index << LEAF_BITS) | (group << 5) | lowestZero(page.cells[word]!);
    this.#enliven(page, index, size);
    return index;
  }

  /** Live → freed and pinned. */
  retire(index: number): void {
    setCode(this.#ownedLeaf(index).cells, this.#bits, index, FREED + CODE);
  }

  /** Live, or freed and pinned → old. */
  unpin(index: number): void {
    const page = index >>> LEAF_BITS === this.#unpinnedLeaf ? this.#unpinned! : this.#leafToUnpin(index);
    const { cells } = page;
    const group = groupOf(index);
    const word = groupWord(group, this.#bits) + PINNED;
    const pinned = cells[word]! & ~(1 << index);
    cells[word] = pinned;
    page.pinned &= ~(1 << group);
    setCode(cells, this.#bits, index, FREED + CODE);
    if (pinned === 0 && isOldLeaf(page, this.#bits)) {
      this.#unpinnedLeaf = -1;
      this.#shareOldPages(this.#root, this.#height, index);
    }
  }

  #leafToUnpin(index: number): Page {
    let page = this.#ownedRoot();
    for (let height = this.#height; height > 0; height--) {
      const i = childAt(index, height);
      page.pinned &= ~(1 << i);
      page = this.#ownedChild(page, i);
    }
    this.#unpinned = page;
    this.#unpinnedLeaf = index >>> LEAF_BITS;
    return page;
  }

  /** Old → freed and pinned. */
  pin(index: number): void {
    this.#unpinnedLeaf = -1;
    const leaf = this.#ownedLeaf(index);
    const group = groupOf(index);
    const word = groupWord(group, this.#bits) + PINNED;
    const pinned = leaf.cells[word]! | (1 << index);
    leaf.cells[word] = pinned;
    if (pinned !== ALL) return;
    leaf.pinned |= 1 << group;
    if (leaf.pinned === ALL) summarise(this.#root, this.#height, index);
  }

  /** Live or freed → fresh. */
  release(index: number): void {
    this.#freshWord = -1;
    let page = this.#ownedRoot();
    for (let height = this.#height; height > 0; height--) {
      const i = childAt(index, height);
      page.used &= ~(1 << i);
      page.pinned &= ~(1 << i);
      page = this.#ownedChild(page, i);
    }
    const group = groupOf(index);
    page.used &= ~(1 << group);
    page.pinned &= ~(1 << group);
    const word = groupWord(group, this.#bits);
    page.cells[word]! &= ~(1 << index);
    page.cells[word + PINNED]! &= ~(1 << index);
    setCode(page.cells, this.#bits, index, FRESH + CODE);
  }

  #freshPage(height: number): Page {
    return height === 0 ? freshLeaf(this.#owner, this.#bits, 1) : innerPage(this.#owner, height);
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
    adopt(page, i, copy);
    return copy;
  }

  #ownedLeaf(index: number): Page {
    let page = this.#ownedRoot();
    for (let height = this.#height; height > 0; height--)
      page = this.#ownedChild(page, childAt(index, height));
    return page;
  }

  #owned(page: Page): Page {
    if (page.owner === this.#owner) return page;
    const { used, pinned, cells, children, cellsBelow } = page;
    if (cells.length > 0)
      return new Page(this.#owner, used, pinned, cells.slice(), NO_CHILDREN, NO_CELLS_BELOW);
    return new Page(this.#owner, used, pinned, NO_CELLS, children.slice(), cellsBelow.slice());
  }

  /** Makes the slot `index` of an owned leaf page live. */
  #enliven(leaf: Page, index: number, size: number): void {
    const { cells } = leaf;
    const group = groupOf(index);
    const word = groupWord(group, this.#bits);
    const used = cells[word]! | (1 << index);
    const pinned = cells[word + PINNED]! | (1 << index);
    cells[word] = used;
    cells[word + PINNED] = pinned;
    setCode(cells, this.#bits, index, size + CODE);
    // Only a full group changes what the page says, and only a full page what those above it say.
    if (used !== ALL) return;
    leaf.used |= 1 << group;
    if (pinned === ALL) leaf.pinned |= 1 << group;
    if (leaf.used === ALL) summarise(this.#root, this.#height, index);
  }

  /** Replaces the pages on the path to `index` that hold only old slots, from the leaf upwards. */
  #shareOldPages(page: Page, height: number, index: number): void {
    if (height === 0) return;
    const i = childAt(index, height);
    const child = page.children[i]!;
    this.#shareOldPages(child, height - 1, index);
    if (isOld(child, height - 1, this.#bits)) adopt(page, i, oldPages[this.#bits][height - 1]!);
  }

  /** Visits the live slots in ascending order of indices. */
  forEachLive(visit: LiveVisitor): void {
    visitLive(this.#root, this.#height, this.#bits, 0, visit);
  }

  /**
   * Throws if an invariant is broken; `expected` are the numbers of used, pinned and live slots.
   */
  check(level: CheckLevel, expected: { used: number; pinned: number; live: number }): void {
    assert(this.#height < MOST_HEIGHT, 'the table covers at most 2^34 slots');
    if (level < 2) return;
    const counts = checkPage(this.#root, this.#height, this.#bits);
    assert(counts.used === expected.used, 'the bin counts the used slots');
    assert(counts.pinned === expected.pinned, 'the bin counts the pinned slots');
    assert(counts.live === expected.live, 'the bin counts the live slots');
    if (level < 3) return;
    this.forEachLive((index, size) => assert(this.get(index) === size, 'lookup finds what is live'));
  }
}

/** Doubles the groups of an owned leaf. */
function growLeaf(leaf: Page): void {
  const longer = new Int32Array(2 * leaf.cells.length);
  longer.set(leaf.cells);
  leaf.cells = longer;
}

/** Sets the bits of the inner pages on the path to `index`, from the leaf upwards. */
function summarise(page: Page, height: number, index: number): void {
  if (height === 0) return;
  const i = childAt(index, height);
  const child = page.children[i]!;
  summarise(child, height - 1, index);
  if (child.used === ALL) page.used |= 1 << i;
  if (child.pinned === ALL) page.pinned |= 1 << i;
}

function isOldLeaf({ used, pinned, cells }: Page, bits: CodeBits): boolean {
  if (used !== ALL || pinned !== 0) return false;
  for (let at = PINNED; at < cells.length; at += groupWords(bits)) if (cells[at] !== 0) return false;
  return true;
}

/**
 * Whether all slots below are old; children must have been replaced by the shared pages already.
 */
function isOld(page: Page, height: number, bits: CodeBits): boolean {
  if (height === 0) return isOldLeaf(page, bits);
  if (page.used !== ALL || page.pinned !== 0) return false;
  return page.children.every(child => child === oldPages[bits][height - 1]);
}

/** What `get` says of a slot of a leaf. */
function stateIn({ cells }: Page, slot: number, bits: CodeBits): number {
  return decode(cells[codeWord(slot, bits)]!, slot, bits);
}

function slotsOf(leaf: Page, bits: CodeBits): number {
  return (leaf.cells.length / groupWords(bits)) * GROUP_SLOTS;
}

function visitLive(page: Page, height: number, bits: CodeBits, first: number, visit: LiveVisitor): void {
  if (height === 0) {
    visitLiveOfLeaf(page, bits, first, visit);
    return;
  }
  // Shifted and not multiplied by a power: V8 would have fractions of it, and of all that is
  // computed with these indices.
  const shift = LEAF_BITS + (height - 1) * CHILD_BITS;
  for (let i = 0; i < page.children.length; i++) {
    const child = page.children[i]!;
    if (child !== oldPages[bits][height - 1]) visitLive(child, height - 1, bits, first + (i << shift), visit);
  }
}

function visitLiveOfLeaf(leaf: Page, bits: CodeBits, first: number, visit: LiveVisitor): void {
  for (let slot = 0; slot < slotsOf(leaf, bits); slot++) {
    const size = stateIn(leaf, slot, bits);
    if (size >= 0) visit(first + slot, size);
  }
}

interface Counts {
  used: number;
  pinned: number;
  live: number;
}

function checkLeaf(page: Page, bits: CodeBits): Counts {
  const { cells } = page;
  const counts = { used: 0, pinned: 0, live: 0 };
  assert(page.children.length === 0 && cells.length > 0, 'a leaf page has groups and no children');
  for (let group = 0; group < GROUPS; group++) {
    const bitmaps = {
      used: cells[groupWord(group, bits)] ?? 0,
      pinned: cells[groupWord(group, bits) + PINNED] ?? 0,
    };
    for (const name of ['used', 'pinned'] as const)
      assert(((page[name] >>> group) & 1) === (bitmaps[name] === ALL ? 1 : 0), 'a full group is noted');
  }
  for (let slot = 0; slot < slotsOf(page, bits); slot++) {
    const group = groupWord(groupOf(slot), bits);
    const used = (cells[group]! >>> slot) & 1;
    const pinned = (cells[group + PINNED]! >>> slot) & 1;
    const size = stateIn(page, slot, bits);
    const live = size >= 0 ? 1 : 0;
    assert((size === FRESH) === (used === 0), 'a slot is used or fresh');
    assert(live <= pinned && pinned <= used, 'live slots are pinned and pinned slots are used');
    counts.used += used;
    counts.pinned += pinned;
    counts.live += live;
  }
  return counts;
}

function checkPage(page: Page, height: number, bits: CodeBits): Counts {
  if (height === 0) return checkLeaf(page, bits);
  const counts = { used: 0, pinned: 0, live: 0 };
  assert(page.cells.length === 0 && page.children.length > 0, 'an inner page has children only');
  assert(page.cellsBelow.length === (height === 1 ? page.children.length : 0), 'a page knows its leaves');
  for (let i = 0; i < CHILDREN; i++) {
    const child = page.children[i];
    assert(((page.used >>> i) & 1) === (child?.used === ALL ? 1 : 0), 'the summary of used slots is right');
    assert(
      ((page.pinned >>> i) & 1) === (child?.pinned === ALL ? 1 : 0),
      'the summary of pinned slots is right',
    );
    if (child === undefined) continue;
    if (height === 1) assert(page.cellsBelow[i] === child.cells, 'a page knows the groups of its leaves');
    const below = checkPage(child, height - 1, bits);
    counts.used += below.used;
    counts.pinned += below.pinned;
    counts.live += below.live;
  }
  return counts;
}
