/**
 * Maps site addresses and referent numbers to source locations and variables: the sites and globals
 * of all objects of a program.
 */
import { isInLibrary, type SourceLocation, type Stack } from '../../findings/finding.js';
import type { CodeSite, GlobalSite, ObjectSites } from '../sites.js';
import type { ProgramMemory } from './program-memory.js';

interface LoadedObject {
  readonly sites: number;
  readonly object: ObjectSites;
}

export interface PlacedGlobal extends GlobalSite {
  readonly address: number;
}

export class ProgramSites {
  readonly #objects = new Map<string, ObjectSites>();
  readonly #loaded: LoadedObject[] = [];
  readonly #globals = new Map<number, PlacedGlobal>();

  constructor(objects: readonly ObjectSites[]) {
    for (const object of objects) this.#objects.set(object.id, object);
  }

  /** Called by the runtime after the constructor of an object has run. */
  loaded(id: string, sites: number, globalTable: number, memory: Pick<ProgramMemory, 'word'>): void {
    const object = this.#objects.get(id);
    if (object === undefined) return;
    this.#loaded.push({ sites, object });
    object.globals.forEach((global, i) => {
      this.#globals.set(global.number, { ...global, address: memory.word(globalTable + i * 16) });
    });
  }

  site(address: number): CodeSite | undefined {
    for (const { sites, object } of this.#loaded) {
      const index = address - sites;
      if (index >= 0 && index < object.sites.length) return object.sites[index];
    }
    return undefined;
  }

  global(number: number): PlacedGlobal | undefined {
    return this.#globals.get(number);
  }

  /** Whether the variable belongs to the C library. */
  isLibraryGlobal(number: number): boolean {
    return this.#loaded.some(
      ({ object }) => object.isLibrary === true && object.globals.some(global => global.number === number),
    );
  }

  globals(): Iterable<PlacedGlobal> {
    return this.#globals.values();
  }

  stack(addresses: readonly number[]): CodeSite[] {
    return addresses.flatMap(address => framesAt(this.site(address)));
  }
}

/** The site and those of the calls around it that were inlined. */
export function framesAt(site: CodeSite | undefined): CodeSite[] {
  if (site === undefined) return [];
  const { hasFrame, callers = [] } = site;
  return [site, ...callers.map(location => ({ location, hasFrame, inLibrary: isInLibrary(location) }))];
}

/** The user's part of a stack, without the frames of the C library on top of it. */
export function userStack(sites: readonly CodeSite[]): Stack {
  const first = sites.findIndex(site => !site.inLibrary);
  return (first < 0 ? sites : sites.slice(first)).filter(site => !site.inLibrary).map(site => site.location);
}

/** The functions in which programs and threads begin. */
const startUp = /^\/redzone\/libc\/(start\/|pthread\/create\.c)/;

/** The number of frames of a very deep stack that are shown at either end. */
const shownFrames = 8;

/**
 * All frames except those of the start-up code; of a very deep stack, the innermost and the
 * outermost ones and the number of frames between.
 */
export function wholeStack(sites: readonly CodeSite[]): {
  readonly stack: Stack;
  readonly omittedFrames?: number;
} {
  let length = sites.length;
  while (length > 1 && startUp.test(sites[length - 1]!.location.file)) length--;
  const locations = (from: number, to: number): Stack => sites.slice(from, to).map(site => site.location);
  if (length <= 2 * shownFrames) return { stack: locations(0, length) };
  return {
    stack: [...locations(0, shownFrames), ...locations(length - shownFrames, length)],
    omittedFrames: length - 2 * shownFrames,
  };
}

export const unknownLocation: SourceLocation = { file: '<unknown>', line: 0, column: 0 };
