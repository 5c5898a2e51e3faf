/**
 * The properties that all objects of one allocation site share, and the remains of ended objects.
 *
 * A program makes millions of objects at a few sites. So the properties of a site are one shared
 * object, and most objects are only a reference to it in the table of their bin (see
 * `address-space.ts`). An ended object needs no more: its address identifies its slot, and the slot
 * says which object was there and where it ended.
 */
import type { Term } from '../../expr/term.js';
import type { ObjectKind, SourceLocation } from '../../findings/finding.js';
import type { SourceVariable } from '../../ir/debug.js';
import type { Trace } from './call-trace.js';

/** The contents of a new object: zeros, or uninitialized. */
export type OriginContents = 'zero' | 'unwritten';

export type OriginLife = 'live' | 'freed' | 'out-of-scope' | 'returned';

/**
 * How bytes are best shown: as characters, or as numbers if they or their elements have the size of
 * one.
 */
export interface Meaning {
  readonly as: 'text' | 'unsigned' | 'signed' | 'float';
  /** The size of each element of an array. */
  readonly elementBytes?: number;
}

export const TEXT: Meaning = { as: 'text' };

export interface OriginFacts {
  readonly kind: ObjectKind;
  readonly name: string | undefined;
  readonly bytes: number;
  /** The size of a block of symbolic size, at most `bytes`; a term of 64 bits. */
  readonly length?: Term | undefined;
  readonly isReadOnly?: boolean;
  /** The variable arguments of a call. */
  readonly isVariadic?: boolean;
  /** A block that the C library returns to the program and frees itself. */
  readonly isOfLibrary?: boolean;
  readonly meaning?: Meaning;
  /** Where it was allocated; none for variables. */
  readonly allocated: Trace | undefined;
  /** Where the source declares it; none for blocks of the heap. */
  readonly declared: SourceLocation | undefined;
  readonly contents: OriginContents;
}

/**
 * In the table of a bin it represents a small live object, whose bytes are in a page of the bin.
 */
export class Origin implements OriginFacts {
  readonly kind: ObjectKind;
  readonly name: string | undefined;
  readonly bytes: number;
  readonly length: Term | undefined;
  readonly isReadOnly: boolean;
  readonly isVariadic: boolean;
  readonly isOfLibrary: boolean;
  readonly meaning: Meaning;
  readonly allocated: Trace | undefined;
  readonly declared: SourceLocation | undefined;
  readonly contents: OriginContents;
  /** Whether its bytes may share a page with others. */
  readonly isPlain: boolean;
  #lastEnd: Ended | undefined;

  constructor(facts: OriginFacts) {
    this.kind = facts.kind;
    this.name = facts.name;
    this.bytes = facts.bytes;
    this.length = facts.length;
    this.isReadOnly = facts.isReadOnly ?? false;
    this.isVariadic = facts.isVariadic ?? false;
    this.isOfLibrary = facts.isOfLibrary ?? false;
    this.meaning = facts.meaning ?? { as: 'signed' };
    this.allocated = facts.allocated;
    this.declared = facts.declared;
    this.contents = facts.contents;
    this.isPlain = !this.isReadOnly && this.length === undefined;
  }

  get origin(): Origin {
    return this;
  }

  get life(): OriginLife {
    return 'live';
  }

  get ended(): undefined {
    return undefined;
  }

  /** The remains of an object of this origin; most end at the same place as the previous one. */
  endedBy(life: OriginLife, at: Trace | undefined): Ended {
    const last = this.#lastEnd;
    if (last !== undefined && last.life === life && last.ended === at) return last;
    this.#lastEnd = new Ended(this, life, at);
    return this.#lastEnd;
  }
}

/** The meaning of a variable's bytes according to the source. */
export function meaningOf(variable: SourceVariable | undefined): Meaning {
  const [, element, lengths] = /^(.*?)((?:\[\d*\])*)$/.exec(variable?.type ?? '')!;
  if (lengths === '') return { as: numbersOf(element!) };
  if (/^(const |volatile )*char$/.test(element!)) return { as: 'text' };
  const count = Array.from(lengths!.matchAll(/\d+/g), Number).reduce((product, each) => product * each, 1);
  return { as: numbersOf(element!), elementBytes: (variable?.bytes ?? 0) / count };
}

function numbersOf(type: string): Exclude<Meaning['as'], 'text'> {
  if (/^(float|double)$/.test(type)) return 'float';
  return /^(unsigned [a-z ]+|uint\d+_t|size_t|uintptr_t|_Bool)$/.test(type) ? 'unsigned' : 'signed';
}

export class Ended {
  constructor(
    readonly origin: Origin,
    readonly life: OriginLife,
    /** Where its life ended. */
    readonly ended: Trace | undefined,
  ) {}
}
