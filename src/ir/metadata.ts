/**
 * Metadata: `!0 = !{...}`, `!7 = !DILocation(...)`, and what may stand inside.
 *
 * Most of a debug build's text is metadata that no run ever uses, so a node is kept as the slice of
 * the source text it was read from and decoded when `body` is read. The reader has checked the
 * slice by then, so decoding cannot fail. Nodes are objects and refer to one another by reference
 * once decoded; numbers exist only in text. An undecoded slice says `!42`, and `space` determines
 * which node that is: modules are linked by putting their nodes side by side, and the writer gives
 * new numbers, rewriting undecoded slices on the fly.
 *
 * **Invariants**: a node has a body or a source slice (or, while a module is being read, neither
 * yet); `space.nodes` has the node that slices of that space call `!n` under n.
 */
import { assert } from '../support/assert.js';
import type { Value } from './model.js';

/** What the numbers in the slices of one source text mean. */
export interface MetadataSpace {
  readonly text: string;
  /** Indexed by number. */
  readonly nodes: Map<number, MetadataNode>;
  /** Decodes the slice of a node of this space; put here by the reader, which knows the grammar. */
  readonly decode: (node: MetadataNode, start: number, end: number) => MetadataBody;
}

export interface MetadataString {
  readonly kind: 'string';
  /** Bytes, one per character. */
  readonly text: string;
}

/** `i32 7` or `ptr @f` as an operand of a node. */
export interface MetadataValue {
  readonly kind: 'value';
  value: Value;
}

/** An operand: a node, a string, a value, or null. */
export type Metadata = MetadataNode | MetadataString | MetadataValue | null;

/**
 * A field of a specialized node. Numbers are bigint; `keyword` is anything spelled out, such as
 * `DW_TAG_member`, `DIFlagPublic | DIFlagVirtual`, `FullDebug`, `CSK_MD5`.
 */
export type MetadataField = Metadata | bigint | boolean | { readonly kind: 'keyword'; readonly text: string };

/** `!{ ... }` */
export interface TupleBody {
  readonly kind: 'tuple';
  readonly operands: Metadata[];
}

/**
 * `!DILocalVariable(name: "x", ...)`; the elements of `!DIExpression(...)` have no names and are in
 * `positional`.
 */
export interface SpecializedBody {
  readonly kind: 'specialized';
  readonly tag: string;
  readonly fields: Map<string, MetadataField>;
  readonly positional: MetadataField[];
}

export type MetadataBody = TupleBody | SpecializedBody;

export class MetadataNode {
  readonly kind = 'node';
  distinct: boolean;
  /**
   * Where the source slice is; -1 when the node was made by a program or has been decoded and
   * changed.
   */
  start: number;
  end: number;
  space: MetadataSpace | undefined;
  #body: MetadataBody | undefined;

  constructor(body: MetadataBody | undefined, distinct = false) {
    this.#body = body;
    this.distinct = distinct;
    this.space = undefined;
    this.start = -1;
    this.end = -1;
  }

  /** The source slice as it stands, or undefined for a node that lives only as an object. */
  get source(): string | undefined {
    if (this.#body !== undefined || this.space === undefined) return undefined;
    return this.space.text.slice(this.start, this.end);
  }

  get body(): MetadataBody {
    if (this.#body === undefined) {
      assert(this.space !== undefined && this.start >= 0, 'metadata node without a body');
      this.#body = this.space.decode(this, this.start, this.end);
    }
    return this.#body;
  }

  set body(body: MetadataBody) {
    this.#body = body;
  }
}

export function tupleNode(operands: Metadata[], distinct = false): MetadataNode {
  return new MetadataNode({ kind: 'tuple', operands }, distinct);
}

export function specializedNode(
  tag: string,
  fields: Record<string, MetadataField>,
  distinct = false,
): MetadataNode {
  return new MetadataNode(
    { kind: 'specialized', tag, fields: new Map(Object.entries(fields)), positional: [] },
    distinct,
  );
}

export function metadataString(text: string): MetadataString {
  return { kind: 'string', text };
}
