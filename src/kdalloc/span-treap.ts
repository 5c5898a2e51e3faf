/**
 * The free spans of a large-object bin: one treap, shared node by node between states.
 *
 * A treap is a search tree in one respect and a heap in another. Here the search key is where a
 * span starts, and the priority is how long it is: the longest span is the root, and the span
 * before an address is found by search. Spans of equal length are ordered by a hash of their start
 * that never collides, so priorities are unique and the shape of the treap depends on the spans
 * alone, not on the order of operations (paper, §5.5).
 *
 * Two objects always have a free span between them, so *after every span but the last there is
 * exactly one object*. Its size and whether it is live are kept in the node of that span, and no
 * second structure is needed:
 *
 *     span 0  | object | span 1 |  object  |  span 2                        in blocks of 4096 bytes
 *     [start, start + length)[start + length, start of the next span)
 *
 * All operations are loops, not recursions: the shape follows the sizes, which the program under
 * test chooses, and a lopsided treap must cost time only, not the stack.
 *
 * Invariants: spans and objects alternate and fill the bin, beginning and ending with a span, none
 * is empty; a parent has a higher priority than its children; a node is edited only by the treap
 * whose owner token it carries.
 */
import { assert } from '../support/assert.js';
import type { CheckLevel } from '../support/check-level.js';
import type { Owner } from '../support/owner.js';

/** Instead of a size: there is no object after this span. */
export const NO_OBJECT = -1;

export class Span {
  left: Span | undefined = undefined;
  right: Span | undefined = undefined;
  /** Decides between spans of equal length. */
  readonly rank: number;

  constructor(
    readonly owner: Owner,
    /** In blocks from the start of the bin. */
    readonly start: number,
    readonly length: number,
    /** The size in bytes of the object after the span, or NO_OBJECT. */
    readonly objectSize: number,
    /** Whether that object was freed and waits in the quarantine. */
    public objectFreed: boolean,
  ) {
    this.rank = scramble(start);
  }
}

type Side = 'left' | 'right';

// Two branches on a constant name are several times faster in V8 than one access by a computed
// name.
function childOf(parent: Span, side: Side): Span | undefined {
  return side === 'left' ? parent.left : parent.right;
}

function hang(parent: Span, side: Side, child: Span | undefined): void {
  if (side === 'left') parent.left = child;
  else parent.right = child;
}

/** A bijection on 32-bit integers: odd multipliers and shifts of the upper half can be undone. */
function scramble(start: number): number {
  let x = Math.imul(start ^ (start >>> 16), 0x45d9f3b5);
  x = Math.imul(x ^ (x >>> 16), 0x2c1b3c6d);
  return x ^ (x >>> 16);
}

function isHigher(a: Span, b: Span): boolean {
  return a.length !== b.length ? a.length > b.length : a.rank > b.rank;
}

export class SpanTreap {
  readonly #owner: Owner;
  /** Not a span: the root hangs at its right. */
  readonly #anchor: Span;

  /** An empty treap, or one that shares the nodes of `other`. */
  constructor(owner: Owner, other?: SpanTreap) {
    this.#owner = owner;
    this.#anchor = new Span(owner, -1, Number.POSITIVE_INFINITY, NO_OBJECT, false);
    if (other !== undefined) this.#anchor.right = other.#anchor.right;
  }

  /** The longest span. */
  get longest(): Span | undefined {
    return this.#anchor.right;
  }

  /** The last span that starts at or before a block. */
  before(block: number): Span | undefined {
    let found: Span | undefined;
    let node = this.#anchor.right;
    while (node !== undefined) {
      if (node.start <= block) {
        found = node;
        node = node.right;
      } else {
        node = node.left;
      }
    }
    return found;
  }

  /** The first span that starts after a block. */
  after(block: number): Span | undefined {
    let found: Span | undefined;
    let node = this.#anchor.right;
    while (node !== undefined) {
      if (node.start > block) {
        found = node;
        node = node.left;
      } else {
        node = node.right;
      }
    }
    return found;
  }

  /** Requires that no span starts at the same block. */
  insert(start: number, length: number, objectSize: number, objectFreed: boolean): void {
    const span = new Span(this.#owner, start, length, objectSize, objectFreed);
    let parent = this.#anchor;
    let side: Side = 'right';
    let node = parent.right;
    while (node !== undefined && isHigher(node, span)) {
      parent = this.#ownedAt(parent, side, node);
      side = start < node.start ? 'left' : 'right';
      node = childOf(parent, side);
    }
    hang(parent, side, span);
    this.#splitBelow(span, node);
  }

  /** Requires that a span starts at `start`. */
  remove(start: number): void {
    let parent = this.#anchor;
    let side: Side = 'right';
    let node = parent.right!;
    while (node.start !== start) {
      parent = this.#ownedAt(parent, side, node);
      side = start < node.start ? 'left' : 'right';
      node = childOf(parent, side)!;
    }
    this.#joinAt(parent, side, node.left, node.right);
  }

  /**
   * Notes that the object after the span that starts at `start` was freed. Requires that there is
   * one.
   */
  markFreed(start: number): void {
    let node = this.#ownedAt(this.#anchor, 'right', this.#anchor.right!);
    while (node.start !== start) {
      const side = start < node.start ? 'left' : 'right';
      node = this.#ownedAt(node, side, childOf(node, side)!);
    }
    node.objectFreed = true;
  }

  /** The shape depends on the spans alone, so both can be walked together. */
  isLike(other: SpanTreap): boolean {
    const pending: [Span | undefined, Span | undefined][] = [[this.longest, other.longest]];
    for (let pair = pending.pop(); pair !== undefined; pair = pending.pop()) {
      const [one, another] = pair;
      if (one === another) continue;
      if (one === undefined || another === undefined) return false;
      const isAlike =
        one.start === another.start &&
        one.length === another.length &&
        one.objectSize === another.objectSize &&
        one.objectFreed === another.objectFreed;
      if (!isAlike) return false;
      pending.push([one.left, another.left], [one.right, another.right]);
    }
    return true;
  }

  /** All spans in ascending order. */
  *spans(): IterableIterator<Span> {
    for (let span = this.after(-1); span !== undefined; span = this.after(span.start)) yield span;
  }

  /**
   * Hangs `node`, or a copy of it that is owned, below an owned parent, and returns what it hung
   * there.
   */
  #ownedAt(parent: Span, side: Side, node: Span): Span {
    let owned = node;
    if (node.owner !== this.#owner) {
      owned = new Span(this.#owner, node.start, node.length, node.objectSize, node.objectFreed);
      owned.left = node.left;
      owned.right = node.right;
    }
    hang(parent, side, owned);
    return owned;
  }

  /** Hangs the nodes of a subtree to the left and right of `span`, by where they start. */
  #splitBelow(span: Span, subtree: Span | undefined): void {
    let smaller = span;
    let smallerSide: Side = 'left';
    let greater = span;
    let greaterSide: Side = 'right';
    let node = subtree;
    while (node !== undefined) {
      if (node.start < span.start) {
        smaller = this.#ownedAt(smaller, smallerSide, node);
        smallerSide = 'right';
        node = smaller.right;
      } else {
        greater = this.#ownedAt(greater, greaterSide, node);
        greaterSide = 'left';
        node = greater.left;
      }
    }
    hang(smaller, smallerSide, undefined);
    hang(greater, greaterSide, undefined);
  }

  /** Hangs two subtrees, the first wholly before the second, where one node was. */
  #joinAt(place: Span, placeSide: Side, before: Span | undefined, behind: Span | undefined): void {
    let parent = place;
    let side = placeSide;
    let first = before;
    let second = behind;
    while (first !== undefined && second !== undefined) {
      if (isHigher(first, second)) {
        parent = this.#ownedAt(parent, side, first);
        side = 'right';
        first = parent.right;
      } else {
        parent = this.#ownedAt(parent, side, second);
        side = 'left';
        second = parent.left;
      }
    }
    hang(parent, side, first ?? second);
  }

  /** Throws if an invariant is broken in a bin of this many blocks. */
  check(level: CheckLevel, blocks: number): void {
    const root = this.longest;
    assert(root === undefined ? blocks < 1 : root.start + root.length <= blocks, 'the root lies in the bin');
    if (level < 2 || root === undefined) return;
    const spans = [...this.spans()];
    for (const [i, span] of spans.entries()) {
      const end = span.start + span.length;
      const next = spans[i + 1];
      assert(span.length >= 1, 'spans are not empty');
      assert(
        (next === undefined) === (span.objectSize === NO_OBJECT),
        'behind all but the last is an object',
      );
      assert(next === undefined ? end === blocks : end < next.start, 'spans and objects fill the bin');
      for (const child of [span.left, span.right]) {
        assert(child === undefined || isHigher(span, child), 'a parent has the higher priority');
      }
    }
    assert(spans[0]?.start === 0, 'the first span begins the bin');
    if (level < 3) return;
    const rebuilt = new SpanTreap({});
    for (const { start, length, objectSize, objectFreed } of spans.toReversed()) {
      rebuilt.insert(start, length, objectSize, objectFreed);
    }
    assert(shapeOf(rebuilt.longest) === shapeOf(root), 'the shape depends on the spans alone');
  }
}

/** The starts of all spans in preorder: it determines a search tree. */
function shapeOf(root: Span | undefined): string {
  const starts: number[] = [];
  const pending = [root];
  while (pending.length > 0) {
    const node = pending.pop();
    if (node === undefined) continue;
    starts.push(node.start);
    pending.push(node.right, node.left);
  }
  return starts.join();
}
