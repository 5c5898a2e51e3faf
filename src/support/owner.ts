/**
 * Copy-on-write by ownership tokens, as `kdalloc` and the memory of `explore` do it.
 *
 * A node carries the token of the owner that made it. That owner edits the node in place; any
 * other copies it first and stamps the copy. `fork` makes both sides take a fresh token, so all
 * that existed before is foreign to both and is copied when, and only when, it is touched.
 * Reference counts, which the KDALLOC paper uses, would also notice that the other side is gone;
 * JavaScript has no destructors to count them down, and pays one more copy.
 */
export type Owner = object;

/** The token of no owner: what carries it is shared from the beginning, and always copied. */
export const NO_OWNER: Owner = {};
