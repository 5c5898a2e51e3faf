/**
 * Copy-on-write by ownership tokens, used by `kdalloc` and the memory of `explore`.
 *
 * A node carries the token of the owner that made it. That owner edits the node in place; any other
 * copies it first and stamps the copy. `fork` makes both sides take a fresh token, so all that
 * existed before is foreign to both and is copied when, and only when, it is touched. Reference
 * counts, which the KDALLOC paper uses, would also notice that the other side is gone; JavaScript
 * has no destructors to count them down, and pays one more copy.
 */
export type Owner = object;

/** The token of no owner: nodes with it are always shared, and copied before a write. */
export const NO_OWNER: Owner = {};
