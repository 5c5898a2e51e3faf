/**
 * A map from 32-bit unsigned integers to values that can be forked in constant time.
 *
 * The idea: a radix tree, five bits of the key per level, highest bits first. `fork` shares the
 * whole tree; a later write copies only the nodes on the path to the key, once. Whether a node must
 * be copied follows from its *owner token*: a handle edits a node in place if the node carries the
 * handle's own token, else it copies the node and stamps the copy. `fork` makes both handles forget
 * their token, so every node that existed then is foreign to both. This is the "transient" of other
 * persistent collections, without a second type for it.
 *
 *   key  11.....|.....|.....|.....|.....|.....|.....     a node at `shift` s looks at the digit (key >>> s) & 31;
 *        shift 30    25    20    15    10     5     0     leaves have shift 0
 *
 * Levels at which only one digit occurs are left out (as in a Patricia trie), so a lone key far
 * away costs one leaf, not seven nodes. Dense keys, such as the slot numbers of `kdalloc`, need no
 * skipping: a million of them are four loads away, which is why this is not a hash trie. Iteration
 * is in ascending order of keys, whatever the order of the writes.
 *
 * Invariants
 *   - A node holds at least one cell; an inner node holds at least two: the shape depends on the
 *     keys alone.
 *   - Every key below a node agrees with the node's `prefix` in all digits above its own.
 *   - `shift` falls strictly from parent to child.
 *   - A node is changed only by the handle whose token it carries, and no other handle can reach
 *     it.
 */
import { assert } from './assert.js';
import type { CheckLevel } from './check-level.js';

const DIGIT_BITS = 5;
const DIGIT_MASK = 31;
const TOP_SHIFT = 30;

/** Unique by identity; carries nothing. */
type Owner = object;

/** One class for leaves and inner nodes, so that every access site sees one shape. */
class Node<V> {
  constructor(
    readonly owner: Owner,
    readonly shift: number,
    readonly prefix: number,
    /** Cells in use. */
    public count: number,
    /** The values of a leaf by digit, `undefined` where there is none; empty in an inner node. */
    readonly values: (V | undefined)[],
    /** The children of an inner node by digit; empty in a leaf. */
    readonly children: (Node<V> | undefined)[],
  ) {}
}

/**
 * The digits of `key` above the one at `shift`. (JavaScript shifts by the amount modulo 32, hence
 * the test.)
 */
function prefixOf(key: number, shift: number): number {
  return shift === TOP_SHIFT ? 0 : key >>> (shift + DIGIT_BITS);
}

function digitOf(key: number, shift: number): number {
  return (key >>> shift) & DIGIT_MASK;
}

/** Some key that would belong below `node`. */
function sampleKey(node: Node<unknown>): number {
  return node.shift === TOP_SHIFT ? 0 : (node.prefix << (node.shift + DIGIT_BITS)) >>> 0;
}

/** Writes `cells[digit]`, keeping the array free of holes, which V8 reads faster. */
function put<T>(cells: (T | undefined)[], digit: number, cell: T): void {
  while (cells.length < digit) cells.push(undefined);
  cells[digit] = cell;
}

export class PersistentMap<V extends NonNullable<unknown>> {
  #root: Node<V> | undefined;
  #size = 0;
  /** The token of the nodes that this handle may edit; made at the first write after a fork. */
  #owner: Owner | undefined;

  get size(): number {
    return this.#size;
  }

  /**
   * A second handle on the same contents, in constant time. Neither handle sees later writes of the
   * other.
   */
  fork(): PersistentMap<V> {
    const copy = new PersistentMap<V>();
    copy.#root = this.#root;
    copy.#size = this.#size;
    this.#owner = undefined;
    return copy;
  }

  get(key: number): V | undefined {
    let node = this.#root;
    while (node !== undefined && node.shift > 0) node = node.children[(key >>> node.shift) & DIGIT_MASK];
    if (node === undefined || key >>> DIGIT_BITS !== node.prefix) return undefined;
    return node.values[key & DIGIT_MASK];
  }

  has(key: number): boolean {
    return this.get(key) !== undefined;
  }

  /** Requires an integer key with 0 <= key < 2^32. */
  set(key: number, value: V): void {
    assert(key >>> 0 === key, 'a key of a PersistentMap is an unsigned 32-bit integer');
    this.#owner ??= {};
    if (this.#setInPlace(key, value)) return;
    this.#root = this.#root === undefined ? this.#leaf(key, value) : this.#insert(this.#root, key, value);
  }

  /**
   * The common case without recursion: the leaf of the key is there, and the path to it is this
   * handle's own.
   */
  #setInPlace(key: number, value: V): boolean {
    let node = this.#root;
    while (node !== undefined && node.owner === this.#owner && node.shift > 0)
      node = node.children[(key >>> node.shift) & DIGIT_MASK];
    if (node === undefined || node.owner !== this.#owner || key >>> DIGIT_BITS !== node.prefix) return false;
    const digit = key & DIGIT_MASK;
    if (node.values[digit] === undefined) {
      node.count++;
      this.#size++;
    }
    put(node.values, digit, value);
    return true;
  }

  /** Whether the key was there. */
  delete(key: number): boolean {
    if (this.#root === undefined || !this.has(key)) return false;
    this.#owner ??= {};
    this.#root = this.#remove(this.#root, key);
    this.#size--;
    return true;
  }

  clear(): void {
    this.#root = undefined;
    this.#size = 0;
  }

  /**
   * Whether both hold the same keys with equivalent values. Nodes shared since a fork are equal
   * without comparison.
   */
  isLike(other: PersistentMap<V>, areAlike: (one: V, another: V, key: number) => boolean): boolean {
    return this.#size === other.#size && areNodesAlike(this.#root, other.#root, areAlike);
  }

  /** The entries in ascending order of keys. The map must not be modified during the iteration. */
  *entries(): IterableIterator<[key: number, value: V]> {
    if (this.#root !== undefined) yield* entriesOf(this.#root);
  }

  *keys(): IterableIterator<number> {
    for (const [key] of this.entries()) yield key;
  }

  *values(): IterableIterator<V> {
    for (const [, value] of this.entries()) yield value;
  }

  #leaf(key: number, value: V): Node<V> {
    this.#size++;
    const node = new Node<V>(this.#owner!, 0, prefixOf(key, 0), 1, [], []);
    put(node.values, digitOf(key, 0), value);
    return node;
  }

  #owned(node: Node<V>): Node<V> {
    if (node.owner === this.#owner) return node;
    return new Node(
      this.#owner!,
      node.shift,
      node.prefix,
      node.count,
      node.values.slice(),
      node.children.slice(),
    );
  }

  #insert(shared: Node<V>, key: number, value: V): Node<V> {
    if (prefixOf(key, shared.shift) !== shared.prefix) return this.#join(shared, key, value);
    const node = this.#owned(shared);
    const digit = digitOf(key, node.shift);
    if (node.shift === 0) {
      if (node.values[digit] === undefined) {
        node.count++;
        this.#size++;
      }
      put(node.values, digit, value);
    } else {
      const child = node.children[digit];
      if (child === undefined) node.count++;
      put(
        node.children,
        digit,
        child === undefined ? this.#leaf(key, value) : this.#insert(child, key, value),
      );
    }
    return node;
  }

  /** A new inner node at the highest digit in which `key` differs from the keys below `node`. */
  #join(node: Node<V>, key: number, value: V): Node<V> {
    const other = sampleKey(node);
    const highestDifference = 31 - Math.clz32(key ^ other);
    const shift = highestDifference - (highestDifference % DIGIT_BITS);
    const parent = new Node<V>(this.#owner!, shift, prefixOf(key, shift), 2, [], []);
    put(parent.children, digitOf(other, shift), node);
    put(parent.children, digitOf(key, shift), this.#leaf(key, value));
    return parent;
  }

  /**
   * Requires that the key is present. A node left with one child is replaced by it, one with none
   * by nothing.
   */
  #remove(shared: Node<V>, key: number): Node<V> | undefined {
    if (shared.shift === 0 && shared.count === 1) return undefined;
    const node = this.#owned(shared);
    const digit = digitOf(key, node.shift);
    if (node.shift === 0) {
      node.values[digit] = undefined;
      node.count--;
      return node;
    }
    const child = this.#remove(node.children[digit]!, key);
    node.children[digit] = child;
    if (child === undefined) node.count--;
    return node.count === 1 ? node.children.find(other => other !== undefined) : node;
  }

  /** Throws if an invariant is broken. */
  check(level: CheckLevel): void {
    assert((this.#root === undefined) === (this.#size === 0), 'an empty map has no root');
    if (level < 2 || this.#root === undefined) return;
    checkNode(this.#root);
    if (level < 3) return;
    const keys = [...this.keys()];
    assert(keys.length === this.#size, 'the size counts the entries');
    for (let i = 1; i < keys.length; i++) assert(keys[i - 1]! < keys[i]!, 'keys ascend');
    for (const key of keys) assert(this.has(key), 'what iteration yields, lookup finds');
  }
}

function areNodesAlike<V>(
  one: Node<V> | undefined,
  another: Node<V> | undefined,
  areAlike: (one: V, another: V, key: number) => boolean,
): boolean {
  if (one === another) return true;
  if (one === undefined || another === undefined) return false;
  const { shift, prefix, count } = one;
  if (shift !== another.shift || prefix !== another.prefix || count !== another.count) return false;
  const first = sampleKey(one);
  for (let digit = 0; digit <= DIGIT_MASK; digit++) {
    if (!areNodesAlike(one.children[digit], another.children[digit], areAlike)) return false;
    const value = one.values[digit];
    const other = another.values[digit];
    if (value === other) continue;
    if (value === undefined || other === undefined || !areAlike(value, other, (first | digit) >>> 0))
      return false;
  }
  return true;
}

function* entriesOf<V>(node: Node<V>): IterableIterator<[key: number, value: V]> {
  const first = sampleKey(node);
  for (const [digit, value] of node.values.entries()) {
    if (value !== undefined) yield [(first | digit) >>> 0, value];
  }
  for (const child of node.children) if (child !== undefined) yield* entriesOf(child);
}

function checkNode<V>(node: Node<V>): void {
  const leaf = node.shift === 0;
  const cells = leaf ? node.values : node.children;
  assert((leaf ? node.children : node.values).length === 0, 'a node holds values or children');
  assert(cells.filter(cell => cell !== undefined).length === node.count, 'count is the number of cells');
  assert(node.count >= (leaf ? 1 : 2) && cells.length <= 32, 'no node is needless');
  for (const [digit, child] of node.children.entries()) {
    if (child === undefined) continue;
    const key = sampleKey(child);
    assert(child.shift < node.shift, 'the shift falls from parent to child');
    assert(prefixOf(key, node.shift) === node.prefix, 'a child agrees with the prefix');
    assert(digitOf(key, node.shift) === digit, 'a child is where its digit says');
    checkNode(child);
  }
}
