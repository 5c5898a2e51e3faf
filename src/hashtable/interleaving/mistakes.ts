/**
 * Mutations of the table's code, to test that the explorer finds the errors. The first two are from
 * the footnotes of the SRI report.
 */
export const mistakes = {
  /**
   * Footnote 2: the state changes from EXPANDING to EXPANDED without checking whose migration has
   * ended. A slow thread ends one that has only begun.
   */
  endsAnyMigration: `
fn declareExpanded() {
  while (1) {
    let head = load64('head.look', my.head);
    if ((low(head) & STATE_BITS) != State.EXPANDING) break;
    let expanded = (low(head) & ~STATE_BITS) | State.EXPANDED;
    if (cas64('head.expanded', my.head, head, join(expanded, high(head)))) break;
  }
  cutPrevious(my.table);
}
`,

  /**
   * Footnote 3: key and value are written one after the other, and the migrator takes a key whose
   * value is not there yet for one that was removed. The value that comes then is lost.
   */
  skipsUnfinishedAdds: `
inline fn freeze(at): i64 {
  while (1) {
    let word = load64('value.read', at);
    if (word == ABSENT) return ABSENT;
    if ((word & FROZEN) != 0n || cas64('value.freeze', at, word, word | FROZEN)) return word;
  }
}
`,

  /**
   * Reads which table is current and counts the reference in two steps, for which the SRI report
   * needed its lock.
   */
  pinsInTwoSteps: `
fn moveToCurrent(): i32 {
  let head = load32('head.read', my.head);
  let table = head & ~STATE_BITS;
  if (table != 0) add64('references.add', table + Table.references, USES);
  unpin();
  use(table);
  return head;
}
`,

  /** Copies without freezing from a table to which others may still write. */
  takesOldForQuiet: `
fn isOldQuiet(): i32 {
  return 1;
}
`,

  /** Declares the old table assimilated as soon as it is pinned. */
  declaresTooEarly: `
fn settleKey(key: i64, hash) {
  declareExpanded();
}
`,

  /** Puts a block on a free list without changing the tag. */
  forgetsTags: `
fn pop(pool, class): i32 {
  let list = pool + LISTS + 8 * class;
  while (1) {
    let top = load64('pool.look', list);
    if (low(top) == 0) return 0;
    let next = load32('pool.next', low(top) + 4);
    if (cas64('pool.pop', list, top, join(next, high(top)))) return low(top);
  }
}

export fn release(pool, block) {
  let mark = load32('pool.mark', block);
  store32('pool.mark', block, mark & ~1);
  let list = pool + LISTS + 8 * (mark >> 1);
  while (1) {
    let top = load64('pool.look', list);
    store32('pool.link', block + 4, low(top));
    if (cas64('pool.push', list, top, join(block, high(top)))) return;
  }
}
`,
} as const;

export type Mistake = keyof typeof mistakes;
