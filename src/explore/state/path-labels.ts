/**
 * Labels on a path (`docs/taint.md`). A term knows the inputs that it was made from, so an input
 * carries its label for nothing, and no value has one beside it.
 *
 * Bytes that get another label than their inputs have (`redzone_label`, a rule of `--taint-rules`,
 * a known byte that is read) become bytes of an array of their own, with the condition that they
 * are what they were:
 *
 *     x = 5        redzone_label(&x, 1, "n")        x = label 0[0], and the path knows label 0[0] = 5
 *
 * What is computed from them names the array, and the path still knows every value. This table says
 * what the bytes of such an array are labelled with.
 */
import type { SymbolicArray } from '../../expr/term.js';
import type { FlowSource } from '../../findings/facts.js';
import type { SourceLocation } from '../../findings/finding.js';
import { PersistentMap } from '../../support/persistent-map.js';

/** What a value was made from: all its names, and the source of the first of them. */
export interface Label {
  readonly names: readonly string[];
  readonly source?: FlowSource;
}

/** Bytes of an input that were read at a place. */
interface Arrival {
  readonly first: number;
  readonly last: number;
  readonly location: SourceLocation | undefined;
}

export class PathLabels {
  /** What a `dfsan_label` is a set of, by bits. */
  names: readonly string[] = [];
  /** Arrays that labels were given to, the oldest first. */
  arrays: readonly SymbolicArray[] = [];
  /** Where paths have reported a sink and gone on. */
  reported: ReadonlySet<string> = new Set();
  /** The paths of open files. */
  files: ReadonlyMap<number, string> = new Map();
  /** How much of standard input has been read. */
  stdinBytes = 0;
  /** By the array: the label of each byte. */
  #given = new PersistentMap<readonly Label[]>();
  /** By the array of an input. */
  #arrivals = new PersistentMap<readonly Arrival[]>();

  fork(): PathLabels {
    const copy = new PathLabels();
    copy.names = this.names;
    copy.arrays = this.arrays;
    copy.reported = this.reported;
    copy.files = this.files;
    copy.stdinBytes = this.stdinBytes;
    copy.#given = this.#given.fork();
    copy.#arrivals = this.#arrivals.fork();
    return copy;
  }

  give(array: SymbolicArray, labels: readonly Label[]): void {
    this.arrays = [...this.arrays, array];
    this.#given.set(array.id, labels);
  }

  givenTo(array: SymbolicArray): readonly Label[] | undefined {
    return this.#given.get(array.id);
  }

  arrive(array: SymbolicArray, first: number, last: number, location: SourceLocation | undefined): void {
    const [newest, ...earlier] = this.#arrivals.get(array.id) ?? [];
    const isNext =
      newest !== undefined && newest.last + 1 === first && isSamePlace(newest.location, location);
    const arrivals = isNext
      ? [{ ...newest, last }, ...earlier]
      : [{ first, last, location }, ...(newest ? [newest] : []), ...earlier];
    this.#arrivals.set(array.id, arrivals);
  }

  /** Where a byte of an input was read last. */
  arrivalOf(array: SymbolicArray, at: number): SourceLocation | undefined {
    return this.#arrivals.get(array.id)?.find(({ first, last }) => first <= at && at <= last)?.location;
  }
}

/** The label of a value that was made from both; a range of bytes of one source is their hull. */
export function united(a: Label | undefined, b: Label | undefined): Label | undefined {
  if (a === undefined || b === undefined || a === b) return a ?? b;
  const names = [...a.names, ...b.names.filter(name => !a.names.includes(name))];
  const [one, other] = [a.source, b.source];
  if (one === undefined || other === undefined || !isSameSource(one, other)) {
    const source = one ?? other;
    return { names, ...(source && { source }) };
  }
  const source = { ...one, first: Math.min(one.first, other.first), last: Math.max(one.last, other.last) };
  return { names, source };
}

function isSameSource(a: FlowSource, b: FlowSource): boolean {
  return a.what === b.what && a.name === b.name && isSamePlace(a.location, b.location);
}

function isSamePlace(a: SourceLocation | undefined, b: SourceLocation | undefined): boolean {
  return a?.file === b?.file && a?.line === b?.line && a?.column === b?.column;
}
