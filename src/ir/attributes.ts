/**
 * Attributes of functions, parameters, results and calls, as interned immutable sets.
 *
 * The text of a module contains `noundef` a hundred thousand times, so a set is a node of one trie:
 * the root is the empty set, and adding an attribute follows an edge that is made once. Two equal
 * lists written in the same order are one object, reading one allocates nothing, and the writer
 * numbers its `#0`, `#1`, ... by identity.
 *
 * ```
 *   {} --noundef--> {noundef} --nonnull--> {noundef nonnull} --align 8--> {noundef nonnull align 8}
 * ```
 *
 * An attribute that names a type (`byval(%struct.s)`) may name a struct of one module; such a set
 * is made fresh and not kept in the trie.
 */

import { ownText } from '../support/own-text.js';
import type { Type } from './types.js';

export interface Attribute {
  /** `noundef`, `align`, `byval`, `memory`, `target-cpu`, ... */
  readonly name: string;
  /** Whether it is a string attribute, written in quotes. */
  readonly quoted: boolean;
  /**
   * `align 8` and `dereferenceable(8)`: "8". `memory(argmem: read)`: the text between the
   * parentheses. `"target-cpu"="generic"`: the string after the equals sign.
   */
  readonly value: string | undefined;
  /** `byval(T)`, `sret(T)`, `byref(T)`, `elementtype(T)`, `inalloca(T)`, `preallocated(T)`. */
  readonly type: Type | undefined;
}

export class AttributeSet {
  readonly #next = new Map<Attribute, AttributeSet>();
  readonly list: readonly Attribute[];

  private constructor(list: readonly Attribute[]) {
    this.list = list;
  }

  static readonly empty: AttributeSet = new AttributeSet([]);

  static of(...attributes: Attribute[]): AttributeSet {
    return attributes.reduce((set, attribute) => set.with(attribute), AttributeSet.empty);
  }

  /** This set and one more; an attribute of the same name is replaced. */
  with(attribute: Attribute): AttributeSet {
    const known = this.#next.get(attribute);
    if (known !== undefined) return known;
    const rest = this.has(attribute.name) ? this.without(attribute.name) : this;
    if (rest !== this) return rest.with(attribute);
    const made = new AttributeSet([...this.list, attribute]);
    if (attribute.type === undefined) this.#next.set(attribute, made);
    return made;
  }

  without(name: string): AttributeSet {
    if (!this.has(name)) return this;
    return AttributeSet.of(...this.list.filter(attribute => attribute.name !== name));
  }

  union(other: AttributeSet): AttributeSet {
    if (this.list.length === 0) return other;
    return other.list.reduce<AttributeSet>((set, attribute) => set.with(attribute), this);
  }

  get(name: string): Attribute | undefined {
    for (const attribute of this.list) if (attribute.name === name) return attribute;
    return undefined;
  }

  has(name: string): boolean {
    return this.get(name) !== undefined;
  }
}

const interned = new Map<string, Attribute>();

/** `noreturn`, `align` with value "8", `memory` with value "none". */
export function attribute(name: string, value?: string): Attribute {
  return internAttribute(value === undefined ? name : `${name} ${value}`, name, false, value);
}

/** `"frame-pointer"="all"`. */
export function stringAttribute(name: string, value?: string): Attribute {
  return internAttribute(`"${name}"${value === undefined ? '' : `=${value}`}`, name, true, value);
}

/** `byval(%struct.s)`: not interned, see above. */
export function typeAttribute(name: string, type: Type | undefined): Attribute {
  return type === undefined ? attribute(name) : { name, quoted: false, value: undefined, type };
}

function internAttribute(key: string, name: string, quoted: boolean, value: string | undefined): Attribute {
  let known = interned.get(key);
  if (known === undefined) {
    known = { name: ownText(name), quoted, value: value && ownText(value), type: undefined };
    interned.set(ownText(key), known);
  }
  return known;
}
