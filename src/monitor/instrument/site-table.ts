/** Collects the sites of one object: each place once. */
import { isInLibrary, type SourceLocation } from '../../findings/finding.js';
import type { CodeSite } from '../sites.js';

/** The local variable that begins at a site. */
export type LocalVariable = Pick<CodeSite, 'variable' | 'ofWholeFunction'>;

export class SiteTable {
  readonly list: CodeSite[] = [];
  readonly #indexOf = new Map<string, number>();

  /** `callers` are the calls that were inlined around the place, innermost first. */
  index(
    place: SourceLocation,
    hasFrame: boolean,
    local?: LocalVariable,
    callers: readonly SourceLocation[] = [],
  ): number {
    const location = withoutWeaving(place);
    const { file, line, column } = location;
    const places = callers.map(({ line, column, function: name }) => `${line}:${column}:${name}`);
    const key = [file, line, column, location.function, hasFrame, local?.variable, ...places].join('\0');
    let index = this.#indexOf.get(key);
    if (index === undefined) {
      index = this.list.length;
      this.#indexOf.set(key, index);
      const site: CodeSite = { location, hasFrame, inLibrary: isInLibrary(location) };
      this.list.push({ ...site, ...local, ...(callers.length > 0 && { callers }) });
    }
    return index;
  }
}

/**
 * Functions that the weaver generated have the names of the user's functions; columns in them are
 * meaningless.
 */
function withoutWeaving(place: SourceLocation): SourceLocation {
  const named = /^__rz_(?:logic|contract)_(.*)$/.exec(place.function ?? '')?.[1];
  return named === undefined ? place : { ...place, function: named, column: 0 };
}
