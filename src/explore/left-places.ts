/** Counts paths by a line of the program: where they stand, or where something was given one of its values. */
import { isInLibrary, type SourceLocation } from '../findings/finding.js';
import type { LeftPaths } from '../findings/report.js';
import type { State } from './state.js';
import { stackOfInstruction, type Trace } from './trace.js';

export class LeftPlaces {
  /** By file, line and function. */
  readonly #places: Map<string, LeftPaths>;

  constructor(places: ReadonlyMap<string, LeftPaths> = new Map()) {
    this.#places = new Map(places);
  }

  copy(): LeftPlaces {
    return new LeftPlaces(this.#places);
  }

  /** The line that a path stands at. */
  addState({ frame }: State): void {
    const location = lineOf({ at: frame.block.steps[frame.pc]!.ir, calls: frame.calls });
    if (location !== undefined) this.add(location);
  }

  add(location: SourceLocation): void {
    const key = JSON.stringify([location.file, location.line, location.function]);
    const known = this.#places.get(key);
    this.#places.set(key, { location: known?.location ?? location, paths: (known?.paths ?? 0) + 1 });
  }

  /** The most frequent first. */
  list(): LeftPaths[] {
    return [...this.#places.values()].sort((a, b) => b.paths - a.paths);
  }
}

/** The innermost line that is not the library's; undefined before the program itself has begun. */
export function lineOf(top: Trace): SourceLocation | undefined {
  for (let link: Trace | undefined = top; link !== undefined; link = link.calls) {
    const own = stackOfInstruction(link.at).find(place => !isInLibrary(place));
    if (own !== undefined) return own;
  }
  return undefined;
}
