/**
 * Collects the reports of woven annotations. Before an annotation fails, the program reports the
 * values of its terms one by one, and related locations; they are collected here until
 * `__rz_acsl_fail` names the annotation.
 *
 * A note in memory (`struct __rz_note` of runtime/acsl/acsl.h): pointers to kind, text and file,
 * then line and column.
 */
import type { AnnotationFacts, Occurrence } from '../../findings/facts.js';
import type { Note, SourceLocation, TermValue } from '../../findings/finding.js';
import type { ImportFunctions } from '../../host/bind.js';
import { plural } from '../../support/plural.js';
import type { CodeSite } from '../sites.js';
import { occurrenceAt } from './explain-report.js';
import type { ProgramMemory } from './program-memory.js';
import type { ProgramSites } from './program-sites.js';

export interface AnnotationSurroundings {
  readonly memory: ProgramMemory;
  readonly sites: ProgramSites;
  readonly sitesFrom: (site: number) => CodeSite[];
  /** Describes a block. */
  readonly describe: (number: number, address: number) => string | undefined;
  readonly isFunction: (index: number) => boolean;
  readonly found: (facts: AnnotationFacts, at: Occurrence) => void;
}

interface Annotation {
  /** `loop invariant`, …; empty for a term inside one. */
  readonly kind: string;
  readonly text: string;
  readonly location: SourceLocation;
}

/** Why a term has no value, in the order of the enum in runtime/acsl/acsl.h. */
const reasons: readonly ((term: string) => string)[] = [
  term => `\`${term}\` reads memory that is not valid`,
  term => `\`${term}\` was never written`,
  term => `\`${term}\` divides by zero`,
  term => `\`${term}\` shifts by a negative or enormous amount`,
  term => `\`${term}\` has no value: it was not defined when it should have been kept`,
  term => `\`${term}\` is too large`,
  term => `\`${term}\` lies between pointers into different blocks`,
  term => `\`${term}\` calls itself without end`,
];

/**
 * A report of this kind is not a value: it says that a real was rounded. See the enum in
 * runtime/acsl/acsl.h.
 */
const rounded = 5;
const roundedNote = 'reals are computed in double here, and rounded to it';

/** Members of the library that allocate on behalf of the program, which owns the result. */
const handsOver = /\/(strdup|wcscpy|vasprintf|getdelim|scan-text|chdir|glob|wordexp|scandir|netdb|start)\.c$/;

export class AnnotationReports {
  #values: TermValue[] = [];
  #places: Note[] = [];
  /** Indexed by the number of a block. */
  readonly #librarys = new Map<number, boolean>();

  constructor(private readonly around: AnnotationSurroundings) {}

  imports(): ImportFunctions {
    return {
      __rz_acsl_value: (text: bigint, kind: number, low: bigint, high: bigint) => {
        if (kind === rounded) this.#places.push({ message: roundedNote });
        const term = this.#text(text);
        if (kind !== rounded && this.#values.every(known => known.term !== term))
          this.#values.push({ term, value: this.#show(kind, low, high) });
      },
      __rz_acsl_place: (what: bigint, file: bigint, line: number, column: number) => {
        this.#places.push({ message: this.#text(what), location: { file: this.#text(file), line, column } });
      },
      __rz_acsl_fail: (note: bigint) => this.#fail(this.#note(note)),
      __rz_report_undefined_term: (note: bigint, why: number) => {
        const { text, location } = this.#note(note);
        const reason = reasons[why]?.(text) ?? `\`${text}\` has no value`;
        this.#report(location, { annotation: '', clause: text, undefinedBecause: reason });
      },
      __rz_report_assigns: (note: bigint, address: number, number: number, bytes: bigint, site: number) =>
        this.#assigns(this.#note(note), address >>> 0, number >>> 0, Number(bytes), site >>> 0),
      __rz_is_function: (pointer: bigint) =>
        pointer >> 32n === 0n && this.around.isFunction(Number(pointer)) ? 1 : 0,
    };
  }

  #fail({ kind, text, location }: Annotation): void {
    const [place] = this.#places;
    if (kind === 'assigns' && place?.location !== undefined) {
      // The location of the write comes first.
      this.#places = [{ message: 'the places that may be written are listed here', location }];
      const written = place.message.replace(' here', '');
      this.#report(place.location, { annotation: 'assigns', clause: text, written });
      return;
    }
    this.#report(location, { annotation: kind, clause: text });
  }

  #assigns(
    { text, location }: Annotation,
    address: number,
    number: number,
    bytes: number,
    site: number,
  ): void {
    const sites = this.around.sitesFrom(site);
    if (this.#isLibrarys(number)) return;
    const what = this.around.describe(number, address) ?? 'memory';
    this.#places = [{ message: 'the places that may be written are listed here', location }];
    const written = `write of ${plural(bytes, 'byte')} to ${what}`;
    this.#report(undefined, { annotation: 'assigns', clause: text, written }, sites);
  }

  /** Whether the block is a stream, a buffer or other data of the C library. */
  #isLibrarys(number: number): boolean {
    let known = this.#librarys.get(number);
    if (known === undefined) {
      known = this.around.sites.isLibraryGlobal(number) || this.#isAllocatedByLibrary(number);
      this.#librarys.set(number, known);
    }
    return known;
  }

  #isAllocatedByLibrary(number: number): boolean {
    const { memory, sites } = this.around;
    for (const block of memory.heapBlocks()) {
      if (block.number !== number) continue;
      const [allocator] = sites.stack(memory.stack(block.allocated));
      return allocator?.inLibrary === true && !handsOver.test(allocator.location.file);
    }
    return false;
  }

  /** Without a location, the finding is at the innermost call of the program. */
  #report(
    location: SourceLocation | undefined,
    facts: Omit<AnnotationFacts, 'kind' | 'values' | 'places'>,
    sites: readonly CodeSite[] = this.around.sitesFrom(0),
  ): void {
    const [values, places] = [this.#values, this.#places];
    this.#values = [];
    this.#places = [];
    const at = occurrenceAt(sites);
    this.around.found(
      { kind: 'annotation', ...facts, values, places },
      location === undefined ? at : placedAt(location, at),
    );
  }

  // ------------------------------------------------------------------------------- from the memory

  #text(pointer: bigint): string {
    return this.around.memory.cString(Number(BigInt.asUintN(32, pointer)));
  }

  #note(pointer: bigint): Annotation {
    const { memory } = this.around;
    const at = Number(BigInt.asUintN(32, pointer));
    const string = (offset: number): string => {
      const address = memory.word(at + offset);
      return address === 0 ? '' : memory.cString(address);
    };
    const location = { file: string(16), line: memory.word(at + 24), column: memory.word(at + 28) };
    return { kind: string(0), text: string(8), location };
  }

  /** A value by its kind: see the enum in runtime/acsl/acsl.h. */
  #show(kind: number, low: bigint, high: bigint): string {
    switch (kind) {
      case 0:
        return String((high << 64n) | BigInt.asUintN(64, low));
      case 1:
        return String(this.#big(low));
      case 2: {
        const view = new DataView(new ArrayBuffer(8));
        view.setBigInt64(0, low);
        return String(view.getFloat64(0));
      }
      case 3:
        return this.#pointer(BigInt.asUintN(64, low));
      default:
        // The remaining kind in acsl.h is a condition.
        return low === 0n ? 'false' : 'true';
    }
  }

  #big(value: bigint): bigint {
    if ((value & 1n) === 1n) return value >> 1n;
    const { memory } = this.around;
    const at = Number(BigInt.asUintN(32, value));
    let size = 0n;
    for (let i = memory.word(at + 4) - 1; i >= 0; i--)
      size = (size << 32n) | BigInt(memory.word(at + 8 + 4 * i));
    return memory.word(at) === 0 ? size : -size;
  }

  #pointer(value: bigint): string {
    if (value === 0n) return 'null';
    const address = Number(BigInt.asUintN(32, value));
    const what = this.around.describe(Number(value >> 32n), address);
    return `0x${address.toString(16)}${what === undefined ? '' : ` (in ${what})`}`;
  }
}

/** The location of the annotation instead of the call that reports it. */
function placedAt(location: SourceLocation, at: Occurrence): Occurrence {
  const [innermost, ...callers] = at.stack;
  const name = innermost?.function;
  const where = name === undefined ? location : { ...location, function: contractOwner(name) };
  return { ...at, location: where, stack: [where, ...callers] };
}

/**
 * The name of the function whose contract it is; generated functions for parts of a contract
 * contain it.
 */
function contractOwner(name: string): string {
  return name.replace(/^__rz_contract_/, '').replace(/^__rz_exits_(.*)_\d+$/, '$1');
}
