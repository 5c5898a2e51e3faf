/** Counts paths by source line: where they are, or where values were concretized. */
import type { SourceLocation } from '../../findings/finding.js';
import type { LeftPaths } from '../../findings/report.js';
import { lineOf } from '../memory/call-trace.js';
import type { State } from '../state/state.js';

export class LeftPlaces {
  /** By file, line and function. */
  readonly #places: Map<string, LeftPaths>;

  /** `known` is a result of `all`. */
  constructor(known: readonly LeftPaths[] = []) {
    this.#places = new Map(known.map(place => [keyOf(place.location), place]));
  }

  copy(): LeftPlaces {
    return new LeftPlaces(this.all());
  }

  /** Adds the line at which a path is. */
  addState({ frame }: State): void {
    const location = lineOf({ at: frame.block.steps[frame.pc]!.ir, calls: frame.calls });
    if (location !== undefined) this.add(location);
  }

  add(location: SourceLocation): void {
    this.addMany({ location, paths: 1 });
  }

  addMany({ location, paths }: LeftPaths): void {
    const key = keyOf(location);
    const known = this.#places.get(key);
    this.#places.set(key, { location: known?.location ?? location, paths: (known?.paths ?? 0) + paths });
  }

  /** In the order in which they were added. */
  all(): LeftPaths[] {
    return [...this.#places.values()];
  }

  /** The most frequent first. */
  list(): LeftPaths[] {
    return this.all().sort((a, b) => b.paths - a.paths);
  }
}

function keyOf({ file, line, function: name }: SourceLocation): string {
  return JSON.stringify([file, line, name]);
}
