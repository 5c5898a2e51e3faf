/**
 * The objects of the parts of a program, kept from one build to the next (record 0263). A part is
 * known by its text (`part-text.ts`), so an edit of one function instruments and emits one part.
 *
 * ```
 *   part of this build ──▶ text, lines relative ──▶ key ──▶ object, sites with relative lines
 *                      └─▶ bases: what was subtracted ────────────────┴──▶ sites
 * ```
 */
import type { SourceLocation } from '../../findings/finding.js';
import type { IrFunction } from '../../ir/model.js';
import { contentHash } from '../../platform/files.js';
import { installationStamp } from '../../platform/installation-stamp.js';
import type { CodeSite } from '../sites.js';
import type { Context } from './function.js';
import type { InstrumentOptions } from './options.js';
import { describePart } from './part-text.js';

/** Where parts are kept. */
export interface PartCache {
  get(key: string): { readonly result: Uint8Array; readonly notes: string } | undefined;
  put(key: string, entry: { readonly result: Uint8Array; readonly notes: string }): void;
}

/** Added to relative lines, since 0 is the line of a place without one. */
const origin = 1_000_000_000;

export interface KeptPart {
  readonly object: Uint8Array;
  readonly sites: readonly CodeSite[];
}

/** Whether instrumentation reads only what the text of a part has. */
export function mayKeepParts({ threads, labels, hooks, annotationsOnly }: InstrumentOptions): boolean {
  return !threads && labels === undefined && hooks === undefined && !annotationsOnly;
}

/** One part as this build has it. */
export class PartOfBuild {
  readonly #cache: PartCache;
  readonly #key: string;
  readonly #bases: ReadonlyMap<string, number>;

  private constructor(cache: PartCache, key: string, bases: ReadonlyMap<string, number>) {
    this.#cache = cache;
    this.#key = key;
    this.#bases = bases;
  }

  /** Undefined if the object cannot be kept. To be called before the functions are instrumented. */
  static of(
    group: readonly IrFunction[],
    id: string,
    context: Omit<Context, 'sites'>,
    cache: PartCache,
  ): PartOfBuild | undefined {
    const described = describePart(group, context);
    if (described === undefined) return undefined;
    const { module, options } = context;
    const choices = JSON.stringify([options, id, module.file, module.dataLayout, module.triple]);
    const key = contentHash(['part of a program', installationStamp(), choices, described.text]);
    return new PartOfBuild(cache, key, described.bases);
  }

  find(): KeptPart | undefined {
    const known = this.#cache.get(this.#key);
    if (known === undefined) return undefined;
    const sites: CodeSite[] = JSON.parse(known.notes);
    return { object: known.result, sites: moved(sites, (line, base) => line - origin + base, this.#bases)! };
  }

  keep({ object, sites }: KeptPart): void {
    const relative = moved(sites, (line, base) => line - base + origin, this.#bases);
    if (relative === undefined) return;
    this.#cache.put(this.#key, { result: object, notes: JSON.stringify(relative) });
  }
}

/** The sites with other lines; undefined if one of them is in a file without a base. */
function moved(
  sites: readonly CodeSite[],
  move: (line: number, base: number) => number,
  bases: ReadonlyMap<string, number>,
): CodeSite[] | undefined {
  let isComplete = true;
  const at = (place: SourceLocation): SourceLocation => {
    const base = bases.get(place.file);
    if (base === undefined) isComplete &&= place.line === 0;
    return base === undefined || place.line === 0 ? place : { ...place, line: move(place.line, base) };
  };
  const made = sites.map(site => ({
    ...site,
    location: at(site.location),
    ...(site.callers && { callers: site.callers.map(at) }),
  }));
  return isComplete ? made : undefined;
}
