/**
 * Labels on a path (`docs/taint.md`). A term contains the inputs from which it was computed, so
 * labels of inputs need no shadow values.
 *
 * Bytes whose label differs from their inputs' (`redzone_label`, a rule of `--taint-rules`, a
 * concrete byte that is read) become bytes of a new array, with the condition that they keep their
 * values:
 *
 *     x = 5        redzone_label(&x, 1, "n")        x = label 0[0], and the path knows label 0[0] = 5
 *
 * Values computed from them refer to the array, and the path still knows every value. This table
 * has the labels of the bytes of such arrays.
 */
import type { SymbolicArray } from '../../expr/term.js';
import type { FlowSource } from '../../findings/facts.js';
import type { SourceLocation } from '../../findings/finding.js';
import { PersistentMap } from '../../support/persistent-map.js';

/** The origin of a value: all its names, and the source of the first one. */
export interface Label {
  readonly names: readonly string[];
  readonly source?: FlowSource;
}

/** Bytes of an input that were read at a location. */
interface Arrival {
  readonly first: number;
  readonly last: number;
  readonly location: SourceLocation | undefined;
}

export class PathLabels {
  /** The names that the bits of a `dfsan_label` stand for. */
  names: readonly string[] = [];
  /** The arrays with labels, the oldest first. */
  arrays: readonly SymbolicArray[] = [];
  /** Where paths have reported a sink and continued. */
  reported: ReadonlySet<string> = new Set();
  /** The paths of open files. */
  files: ReadonlyMap<number, string> = new Map();
  /** The number of bytes read from standard input. */
  stdinBytes = 0;
  /** For each array, the labels of its bytes. */
  #given = new PersistentMap<readonly Label[]>();
  /** Indexed by the array of an input. */
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

  /** Where a byte of an input was last read. */
  arrivalOf(array: SymbolicArray, at: number): SourceLocation | undefined {
    return this.#arrivals.get(array.id)?.find(({ first, last }) => first <= at && at <= last)?.location;
  }
}

/** The label of a value computed from both; a range of bytes of one source is their hull. */
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
