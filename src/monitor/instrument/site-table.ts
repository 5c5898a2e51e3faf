/** Collects the sites of one object: each place once. */
import { isInLibrary, type SourceLocation } from '../../findings/finding.js';
import type { CodeSite } from '../sites.js';

/** The local variable that begins at a site. */
export type LocalVariable = Pick<CodeSite, 'variable' | 'ofWholeFunction'>;

export class SiteTable {
  readonly list: CodeSite[] = [];
  readonly #indexOf = new Map<string, number>();

  index(place: SourceLocation, hasFrame: boolean, local?: LocalVariable): number {
    const location = withoutWeaving(place);
    const { file, line, column } = location;
    const key = [file, line, column, location.function, hasFrame, local?.variable].join('\0');
    let index = this.#indexOf.get(key);
    if (index === undefined) {
      index = this.list.length;
      this.#indexOf.set(key, index);
      const site: CodeSite = { location, hasFrame, inLibrary: isInLibrary(location) };
      this.list.push({ ...site, ...local });
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
