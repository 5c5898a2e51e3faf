/**
 * Computes the facts of a finding from a report of an invalid access: the block to which the
 * pointer refers, what happened to it, and who owns the address now. The runtime only reports where
 * it happened; everything else is read from the program's memory.
 *
 * The pointer's referent number decides. If the block with that number is alive, the access is out
 * of its bounds, at any distance. If it is gone, the access is a use after free, after scope or
 * after return, even when its address now belongs to another block.
 */
import type {
  AccessFacts,
  ElementFacts,
  FreeFacts,
  MisalignedFacts,
  ObjectFacts,
  Occurrence,
  RoomFacts,
  UnwrittenFacts,
  VariadicFacts,
} from '../../findings/facts.js';
import type { Stack } from '../../findings/finding.js';
import { globalName, inputBlock, librarysBlock, withSize } from '../../findings/words/object-words.js';
import { type accessKinds, boxedNumber, clientEnd, nullPageEnd, numbersEnd } from '../memory-map.js';
import type { CodeSite } from '../sites.js';
import type { HeapBlock, NumberedBlock, ProgramMemory } from './program-memory.js';
import { type ProgramSites, unknownLocation, userStack, wholeStack } from './program-sites.js';

export interface AccessReport {
  readonly address: number;
  readonly number: number;
  readonly bytes: number;
  readonly operation: (typeof accessKinds)[number];
  /** Innermost first. */
  readonly sites: readonly CodeSite[];
  /** The top of the call stack, to decide whether a local's frame still exists. */
  readonly depth: number;
}

/** Uninitialized bytes, and the value of which they are a part. */
export interface UnwrittenReport extends Omit<AccessReport, 'operation'> {
  /** Whether some of their bits were written. */
  readonly isPartial: boolean;
  readonly value: { readonly address: number; readonly bytes: number };
}

/** The block with a given number. */
interface Referent extends ObjectFacts {
  readonly address: number;
}

export class Explainer {
  constructor(
    private readonly memory: ProgramMemory,
    private readonly sites: ProgramSites,
  ) {}

  access(report: AccessReport): AccessFacts | VariadicFacts | FreeFacts {
    const { operation } = report;
    if (operation === 'free' || operation === 'realloc') return this.#wrongFree(report, operation);
    return this.#wrongAccess(report, operation);
  }

  /**
   * An index outside an array inside an object; undefined if it is also outside the object,
   * or the object is gone, which the access will report.
   */
  innerElement(report: AccessReport, element: ElementFacts): AccessFacts | VariadicFacts | undefined {
    const { address, bytes } = report;
    const operation = report.operation === 'write' ? 'write' : 'read';
    const referent = this.#referent(report);
    const isInside =
      referent?.life === 'live' &&
      address >= referent.address &&
      address + bytes <= referent.address + referent.bytes;
    if (!isInside && !element.isAddress) return undefined;
    const facts = isInside ? inObject(report, operation, referent) : this.#wrongAccess(report, operation);
    return facts.kind === 'access' ? { ...facts, element } : facts;
  }

  /**
   * A write beyond the end of an array inside an object; undefined if the address is in no object,
   * which is reported elsewhere.
   */
  innerRange(report: AccessReport, room: number, isText: boolean): RoomFacts | undefined {
    const referent = this.#referent(report);
    if (referent?.life !== 'live') return undefined;
    return { kind: 'room', object: objectOf(referent), bytes: report.bytes, room, isText };
  }

  #wrongAccess(report: AccessReport, operation: AccessFacts['operation']): AccessFacts | VariadicFacts {
    const { number, address, bytes } = report;
    const retired = number === 0 ? undefined : this.memory.retired(number);
    if (retired?.kind === 'variadic') {
      const isFormat = report.sites[0]?.inLibrary === true;
      return { kind: 'variadic', operation, bytes, passedBytes: retired.bytes, isFormat };
    }
    const plain = { kind: 'access', operation, bytes, address: BigInt(address) } as const;
    if (address < nullPageEnd) return plain;
    const referent = this.#referent(report);
    if (referent !== undefined)
      return { ...inObject(report, operation, referent), ...this.#ownerNow(report, referent) };
    return (
      this.#farOutside(report, operation) ?? {
        ...plain,
        address: (BigInt(number) << 32n) | BigInt(address),
        stray: number === 0 ? 'integer' : this.memory.wasGiven(number) ? 'forgotten' : undefined,
      }
    );
  }

  misaligned(report: AccessReport): MisalignedFacts {
    const referent = this.#referent(report);
    return {
      kind: 'misaligned',
      operation: report.operation === 'write' ? 'write' : 'read',
      bytes: report.bytes,
      ...(referent && { object: objectOf(referent), offset: report.address - referent.address }),
    };
  }

  uninitialized(report: UnwrittenReport): UnwrittenFacts {
    const { address, bytes, isPartial, value } = report;
    const referent = address === 0 ? undefined : this.#referent({ ...report, operation: 'read' });
    return {
      kind: 'unwritten',
      bytes,
      isPartial,
      ...(referent && {
        object: objectOf(referent),
        offset: address - referent.address,
        value: { offset: value.address - referent.address, bytes: value.bytes },
      }),
    };
  }

  /** The object at an address, and its start. */
  objectAt(address: number): { readonly object: ObjectFacts; readonly address: number } | undefined {
    return this.objectOf(0, address);
  }

  /** The object to which a pointer with this number and address refers. */
  objectOf(
    number: number,
    address: number,
  ): { readonly object: ObjectFacts; readonly address: number } | undefined {
    const at = { address, number, bytes: 1, operation: 'write' as const, sites: [], depth: 0 };
    const referent = this.#referent(at);
    return referent && { object: objectOf(referent), address: referent.address };
  }

  /** The description of a block, for other reports. */
  describe(number: number, address: number): string | undefined {
    const at = { address, number, bytes: 1, operation: 'write' as const, sites: [], depth: 0 };
    const referent = this.#referent(at);
    return referent && withSize(referent);
  }

  // ------------------------------------------------------------------------------------- the cases

  /**
   * An offset of 4 GiB or more carried into the number: the number of the intended block is near.
   * Numbers are also near by chance. A carried pointer is not in memory, because the far pointers
   * that a program stores are reported where they are computed, so a pointer that the program has
   * loaded was overwritten.
   */
  #farOutside(report: AccessReport, operation: AccessFacts['operation']): AccessFacts | undefined {
    if (report.number === 0) return undefined;
    const live = [...this.#liveBlocks()];
    let carried = farthestCarry;
    for (const { number } of live) {
      const distance = (report.number - number) | 0;
      // The upper bits are not a valid number: the offset is a multiple of 2^61.
      if (distance % numbersEnd === 0) {
        carried = distance;
        break;
      }
      if (Math.abs(distance) < Math.abs(carried)) carried = distance;
    }
    if (carried === farthestCarry) return undefined;
    if (live.some(block => this.memory.holdsNumber(block, report.number))) return undefined;
    const meant = {
      ...report,
      number: (report.number - carried) >>> 0,
      address: report.address + carried * 2 ** 32,
    };
    const referent = this.#referent(meant);
    if (referent === undefined) return undefined;
    return { ...inObject(meant, operation, referent), ...this.#ownerNow(meant, referent) };
  }

  *#liveBlocks(): Generator<NumberedBlock> {
    for (const block of this.memory.heapBlocks()) if (block.state === 'live') yield block;
    yield* this.sites.globals();
    yield* this.memory.liveLocals();
  }

  #wrongFree(report: AccessReport, operation: FreeFacts['operation']): FreeFacts {
    const referent = this.#referent(report);
    return {
      kind: 'free',
      operation,
      address: BigInt(report.address),
      ...(referent && { object: objectOf(referent), offset: report.address - referent.address }),
    };
  }

  /**
   * The other object that owns the first byte outside the referent, or the byte that is no
   * longer the referent's.
   */
  #ownerNow(report: AccessReport, { life, address, bytes }: Referent): { ownerNow?: ObjectFacts } {
    const isAtStart = life !== 'live' || report.address < address;
    const at = isAtStart ? report.address : Math.max(report.address, address + bytes);
    if (at < 0 || at >= clientEnd) return {};
    const owner = this.memory.ownerAt(at);
    if (owner === 0 || owner === report.number) return {};
    const now = this.#referent({ ...report, address: at, number: owner });
    return now === undefined ? {} : { ownerNow: objectOf(now) };
  }

  // --------------------------------------------------------------------------------- the referent

  #referent(report: AccessReport): Referent | undefined {
    const { number: given, address } = report;
    const number = given === 0 && address < clientEnd ? this.memory.ownerAt(address) : given;
    if (number === 0) return undefined;
    const global = this.sites.global(number);
    if (global !== undefined) {
      const { kind, name, bytes, address, location } = global;
      const allocated = location === undefined ? {} : { allocated: [location] };
      return { kind, name: globalName(name), address, bytes, life: 'live', ...allocated };
    }
    return this.#heapBlock(number) ?? this.#retired(number, report) ?? this.#boxed(report);
  }

  /** The heap block of a pointer that has only the lowest bits of its number (`__rz_unboxed`). */
  #boxed({ number, address }: AccessReport): Referent | undefined {
    if (number > boxedNumber) return undefined;
    for (const block of this.memory.heapBlocks()) {
      const isAround = address >= block.address && address < block.address + block.bytes;
      if (isAround && (block.number & boxedNumber) === number) return this.#heapBlock(block.number);
    }
    return undefined;
  }

  #heapBlock(number: number): Referent | undefined {
    for (const block of this.memory.heapBlocks()) {
      if (block.number !== number) continue;
      const { address, bytes, state } = block;
      if (block.allocated !== 0 && this.#keptStack(block.allocated).length === 0)
        return { kind: 'heap', name: this.#startUpBlock(block), address, bytes, life: 'live' };
      if (state !== 'live')
        return { kind: 'heap', address, bytes, life: 'freed', ...this.#keptStacks(block) };
      const { freed: _, ...kept } = this.#keptStacks({ allocated: block.allocated, freed: 0 });
      return { kind: 'heap', address, bytes, life: 'live', ...kept };
    }
    return undefined;
  }

  /**
   * The number of the block with the input of a fuzz target, which no code of the program has
   * allocated.
   */
  inputNumber: number | undefined;

  #startUpBlock({ number, allocated }: HeapBlock): string {
    if (number === this.inputNumber) return inputBlock;
    return librarysBlock(this.sites.stack(this.memory.stack(allocated)).map(({ location }) => location));
  }

  #retired(number: number, report: AccessReport): Referent | undefined {
    const retired = this.memory.retired(number);
    if (retired === undefined) return undefined;
    const { address, bytes } = retired;
    if (retired.kind === 'heap')
      return { kind: 'heap', address, bytes, life: 'freed', ...this.#keptStacks(retired) };
    const site = this.sites.site(retired.site);
    const name = site?.variable ?? 'local';
    const allocated = site === undefined ? [] : [site.location];
    const isLive = this.memory.ownerAt(address) === number;
    // Another function, or another call of the same one, may use its slot of the call stack by now.
    const hasReturned =
      site?.ofWholeFunction === true ||
      retired.depth > report.depth ||
      !report.sites.some(({ location }) => location.function === site?.location.function);
    const life = isLive ? 'live' : hasReturned ? 'returned' : 'out-of-scope';
    return { kind: 'stack', name, address, bytes, life, allocated };
  }

  #keptStacks({ allocated, freed }: { readonly allocated: number; readonly freed: number }): {
    allocated: Stack;
    freed: Stack;
    omitsFrames?: true;
  } {
    const isCut = this.memory.isCut(allocated) || this.memory.isCut(freed);
    return {
      allocated: this.#keptStack(allocated),
      freed: this.#keptStack(freed),
      ...(isCut && { omitsFrames: true as const }),
    };
  }

  /** Empty if only the library's start-up code is on it. */
  #keptStack(id: number): Stack {
    const sites = this.sites.stack(this.memory.stack(id));
    return sites.some(({ inLibrary }) => !inLibrary) ? wholeStack(sites).stack : [];
  }
}

/** In units of 4 GiB. Numbers are spread so that blocks are much farther apart. */
const farthestCarry = 1 << 10;

function inObject(
  { address, bytes }: AccessReport,
  operation: AccessFacts['operation'],
  referent: Referent,
): AccessFacts {
  const offset = address - referent.address;
  return {
    kind: 'access',
    operation,
    bytes,
    address: BigInt(address),
    object: objectOf(referent),
    offset,
  };
}

function objectOf({ address: _, ...object }: Referent): ObjectFacts {
  return object;
}

/** The occurrence at the user's innermost frame. */
export function occurrenceAt(sites: readonly CodeSite[]): Occurrence {
  return {
    location: userStack(sites)[0] ?? sites[0]?.location ?? unknownLocation,
    ...wholeStack(sites),
  };
}
