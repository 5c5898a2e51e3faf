/**
 * From "this access is wrong" to a Finding: which block the pointer refers to, what happened to it, and who owns the
 * address now. The runtime says only where it happened; everything else is read from the program's memory.
 *
 * The pointer's number decides. A block with that number that is alive was missed (overflow, at any distance); one that is gone was
 * outlived (use after free, after scope, after return), even when its address belongs to another block by now.
 */
import { codes, type FindingCode } from '../../findings/codes.js';
import type { AccessKind, Finding, MemoryObject, Note, ObjectKind, Stack } from '../../findings/finding.js';
import { type accessKinds, clientEnd, constantBit, nullPageEnd } from '../memory-map.js';
import { literalName, type Site } from '../sites.js';
import type { ProgramMemory } from './program-memory.js';
import { type ProgramSites, unknownLocation, userStack, wholeStack } from './program-sites.js';

export interface AccessReport {
  readonly address: number;
  readonly number: number;
  readonly bytes: number;
  readonly operation: (typeof accessKinds)[number];
  /** Innermost first. */
  readonly sites: readonly Site[];
  /** The top of the call stack, to tell whether a local's frame is still there. */
  readonly depth: number;
}

export interface InnerElement {
  readonly index: bigint;
  /** Between backquotes: `int[4]`. */
  readonly array: string;
  readonly isAddress: boolean;
}

/** The block that a number stands for. */
interface Referent {
  readonly kind: ObjectKind;
  readonly name?: string;
  readonly address: number;
  readonly bytes: number;
  readonly state: 'live' | 'freed' | 'out of scope' | 'returned';
  readonly allocated?: Stack;
  readonly freed?: Stack;
  readonly omitsFrames?: true;
}

export class Explainer {
  constructor(
    private readonly memory: ProgramMemory,
    private readonly sites: ProgramSites,
  ) {}

  access(report: AccessReport): Finding {
    if (report.operation === 'free' || report.operation === 'realloc') return this.#wrongFree(report);
    return this.#wrongAccess(report, `${report.operation} of ${plural(report.bytes, 'byte')}`);
  }

  /** An index that leaves an array inside of an object; undefined if it leaves the object too, or that is gone, and an access will show it. */
  innerElement(report: AccessReport, { index, array, isAddress }: InnerElement): Finding | undefined {
    const { operation, address, bytes } = report;
    const place = `${index} of ${/^`[aeiou]/.test(array) ? 'an' : 'a'} ${array}`;
    const what = isAddress ? `address of element ${place}` : `${operation} of ${plural(bytes, 'byte')}`;
    const referent = this.#referent(report);
    const isInside =
      referent?.state === 'live' &&
      address >= referent.address &&
      address + bytes <= referent.address + referent.bytes;
    if (!isInside) return isAddress ? withoutAccess(this.#wrongAccess(report, what)) : undefined;
    const message = `${isAddress ? what : `${what} at index ${place}`} inside of ${described(referent)}`;
    const whole = referent.name === undefined ? 'the block' : quoted(referent);
    const found = finding(overflowOf(referent), report, message, {
      object: objectOf(referent),
      label: `${index < 0n ? 'before the start' : 'past the end'} of the array, inside of ${whole}`,
    });
    return isAddress ? withoutAccess(found) : found;
  }

  /** More was written to an array inside of an object than it has room for; undefined if it is in no object, which is reported elsewhere. */
  innerRange(report: AccessReport, room: number, isText: boolean): Finding | undefined {
    const referent = this.#referent(report);
    if (referent?.state !== 'live') return undefined;
    const array = `an array with room for ${room} inside of ${described(referent)}`;
    const bytes = plural(report.bytes, 'byte');
    const message = isText ? `text of ${bytes} in ${array}` : `write of ${bytes} to ${array}`;
    return finding(overflowOf(referent), report, message, {
      object: objectOf(referent),
      label: `${plural(report.bytes - room, 'byte')} past the end of the array`,
    });
  }

  #wrongAccess(report: AccessReport, what: string): Finding {
    const retired = report.number === 0 ? undefined : this.memory.retired(report.number);
    if (retired?.kind === 'variadic') return this.#pastArguments(report, what, retired.bytes);
    if (report.address < nullPageEnd) {
      const offset = report.address === 0 ? '' : ` at offset ${report.address}`;
      return finding('null-dereference', report, `${what} through a null pointer${offset}`);
    }
    const referent = this.#referent(report);
    if (referent === undefined) return this.#farOutside(report, what) ?? this.#wild(report, what);
    switch (referent.state) {
      case 'live':
        return this.#outside(report, what, referent);
      case 'freed':
        return this.#stale(
          'use-after-free',
          report,
          `${what} in a freed block of ${plural(referent.bytes, 'byte')}`,
          referent,
        );
      case 'returned':
        return this.#stale(
          'use-after-return',
          report,
          `${what} in ${quoted(referent)} after its function returned`,
          referent,
        );
      case 'out of scope':
        return this.#stale(
          'use-after-scope',
          report,
          `${what} in ${quoted(referent)} after its scope ended`,
          referent,
        );
    }
  }

  /** `isPartial`: some bits of the bytes were written. */
  uninitialized(report: Omit<AccessReport, 'operation'> & { readonly isPartial: boolean }): Finding {
    const { address, bytes, isPartial } = report;
    const were = bytes === 1 && !isPartial ? 'that was' : 'that were';
    const what = `use of ${isPartial ? 'bits of ' : ''}${plural(bytes, 'byte')}`;
    const at = { ...report, operation: 'read' as const };
    const referent = address === 0 ? undefined : this.#referent(at);
    if (referent === undefined) return finding('uninitialized-read', at, `${what} ${were} never written`);
    const whole = bytes === referent.bytes && referent.name !== undefined;
    const message = whole
      ? isPartial
        ? `use of bits of ${quoted(referent)} that were never written`
        : `use of ${quoted(referent)}, which was never written`
      : `${what} at offset ${address - referent.address} of ${described(referent)} ${were} never written`;
    return finding('uninitialized-read', at, message, { object: objectOf(referent) });
  }

  /** What a block is called, for others to speak of it. */
  describe(number: number, address: number): string | undefined {
    const at = { address, number, bytes: 1, operation: 'write' as const, sites: [], depth: 0 };
    const referent = this.#referent(at);
    return referent && described(referent);
  }

  // -------------------------------------------------------------------------------------- the cases

  #outside(report: AccessReport, what: string, referent: Referent): Finding {
    const { address, bytes } = report;
    const offset = address - referent.address;
    if (
      report.number & constantBit &&
      report.operation === 'write' &&
      offset >= 0 &&
      offset + bytes <= referent.bytes
    ) {
      return finding(
        'write-to-constant',
        report,
        `write of ${plural(bytes, 'byte')} to ${quoted(referent)}, which is constant`,
        {
          object: objectOf(referent),
        },
      );
    }
    const distance =
      offset < 0
        ? `${plural(-offset, 'byte')} before`
        : offset >= referent.bytes
          ? `${offset === referent.bytes ? 'just' : plural(offset - referent.bytes, 'byte')} after the end of`
          : `${plural(offset + bytes - referent.bytes, 'byte')} past the end of`;
    const where = offset === referent.bytes ? ` ${distance}` : `, ${distance}`;
    return finding(overflowOf(referent), report, `${what}${where} ${described(referent)}`, {
      object: objectOf(referent),
      label: `${distance} ${referent.name === undefined ? 'the block' : quoted(referent)}`,
      notes: this.#ownerNow(report),
    });
  }

  /** An offset of 4 GiB or more carried into the number: that of the block that was meant is near. */
  #farOutside(report: AccessReport, what: string): Finding | undefined {
    if (report.number === 0) return undefined;
    let carried = farthestCarry;
    for (const number of this.#liveNumbers()) {
      const distance = (report.number - number) | 0;
      if (Math.abs(distance) < Math.abs(carried)) carried = distance;
    }
    if (carried === farthestCarry) return undefined;
    const meant = {
      ...report,
      number: (report.number - carried) >>> 0,
      address: report.address + carried * 2 ** 32,
    };
    return this.#outside(meant, what, this.#referent(meant)!);
  }

  *#liveNumbers(): Generator<number> {
    for (const { number, state } of this.memory.heapBlocks()) if (state === 'live') yield number;
    for (const { number } of this.sites.globals()) yield number;
    yield* this.memory.liveLocals();
  }

  #pastArguments(report: AccessReport, what: string, bytes: number): Finding {
    const passed = bytes === 0 ? 'none' : plural(bytes, 'byte');
    const [innermost] = report.sites;
    if (innermost?.inLibrary)
      return finding(
        'bad-format-string',
        report,
        `the format asks for more or larger arguments than the call passes (${passed})`,
      );
    return finding(
      'stack-buffer-overflow',
      report,
      `${what} past the variadic arguments of the call (${passed})`,
    );
  }

  #stale(code: FindingCode, report: AccessReport, message: string, referent: Referent): Finding {
    return finding(code, report, message, { object: objectOf(referent), notes: this.#ownerNow(report) });
  }

  #wild(report: AccessReport, what: string): Finding {
    const { number, address } = report;
    if (number !== 0 && this.memory.wasGiven(number)) {
      const notes = [{ message: 'what the pointer referred to is too long ago to be known' }];
      return finding('use-after-free', report, `${what} through a stale pointer`, { notes });
    }
    const value = (BigInt(number) << 32n) | BigInt(address);
    const message =
      number === 0
        ? 'the pointer was made from an integer, or its upper half was lost on the way'
        : 'no block has ever had such a pointer: it was overwritten, or its value is something else';
    return finding('wild-pointer', report, `${what} at 0x${value.toString(16)}, which is in no object`, {
      notes: [{ message }],
    });
  }

  #wrongFree(report: AccessReport): Finding {
    const referent = this.#referent(report);
    if (referent === undefined)
      return finding(
        'invalid-free',
        report,
        `${report.operation} of 0x${report.address.toString(16)}, which malloc never returned`,
      );
    const extra = { object: objectOf(referent) };
    if (referent.kind === 'heap' && referent.state === 'freed')
      return finding(
        'double-free',
        report,
        report.operation === 'free'
          ? `block of ${plural(referent.bytes, 'byte')} is freed twice`
          : `realloc of a block of ${plural(referent.bytes, 'byte')} that was freed`,
        extra,
      );
    if (referent.kind === 'heap') {
      const offset = report.address - referent.address;
      return finding(
        'invalid-free',
        report,
        `${report.operation} of a pointer ${plural(offset, 'byte')} into a block of ${plural(referent.bytes, 'byte')}`,
        extra,
      );
    }
    const place =
      referent.kind === 'stack'
        ? 'a local variable'
        : referent.kind === 'global'
          ? 'a global variable'
          : 'a constant';
    return finding('invalid-free', report, `${report.operation} of ${place}, ${quoted(referent)}`, extra);
  }

  /** Who owns the address now, if it is somebody else. */
  #ownerNow(report: AccessReport): Note[] {
    if (report.address >= clientEnd) return [];
    const owner = this.memory.ownerAt(report.address);
    if (owner === 0 || owner === report.number) return [];
    const now = this.#referent({ ...report, number: owner });
    return now === undefined
      ? []
      : [{ message: `the address now belongs to ${described(now)}`, ...placeOf(now) }];
  }

  // --------------------------------------------------------------------------------- the referent

  #referent(report: AccessReport): Referent | undefined {
    const { number: given, address } = report;
    const number = given === 0 && address < clientEnd ? this.memory.ownerAt(address) : given;
    if (number === 0) return undefined;
    const global = this.sites.global(number);
    if (global !== undefined) {
      const { kind, name, bytes } = global;
      return {
        kind,
        name: shownName(name),
        address: global.address,
        bytes,
        state: 'live',
      };
    }
    return this.#heapBlock(number) ?? this.#retired(number, report);
  }

  #heapBlock(number: number): Referent | undefined {
    for (const block of this.memory.heapBlocks()) {
      if (block.number !== number) continue;
      const { address, bytes, state } = block;
      if (block.allocated !== 0 && this.#keptStack(block.allocated).length === 0)
        return { kind: 'heap', name: startUpBlock, address, bytes, state: 'live' };
      if (state !== 'live')
        return { kind: 'heap', address, bytes, state: 'freed', ...this.#keptStacks(block) };
      const { freed: _, ...kept } = this.#keptStacks({ allocated: block.allocated, freed: 0 });
      return { kind: 'heap', address, bytes, state: 'live', ...kept };
    }
    return undefined;
  }

  #retired(number: number, report: AccessReport): Referent | undefined {
    const retired = this.memory.retired(number);
    if (retired === undefined) return undefined;
    const { address, bytes } = retired;
    if (retired.kind === 'heap')
      return { kind: 'heap', address, bytes, state: 'freed', ...this.#keptStacks(retired) };
    const site = this.sites.site(retired.site);
    const name = site?.variable ?? 'local';
    const allocated = site === undefined ? [] : [site.location];
    const isLive = this.memory.ownerAt(address) === number;
    // Another function may have taken the place of its own in the call stack, or another call of the same one.
    const hasReturned =
      site?.ofWholeFunction === true ||
      retired.depth > report.depth ||
      !report.sites.some(({ location }) => location.function === site?.location.function);
    const state = isLive ? 'live' : hasReturned ? 'returned' : 'out of scope';
    return { kind: 'stack', name, address, bytes, state, allocated };
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

  #keptStack(id: number): Stack {
    return userStack(this.sites.stack(this.memory.stack(id)));
  }
}

function overflowOf({ kind }: Referent): FindingCode {
  return `${kind === 'heap' || kind === 'stack' ? kind : 'global'}-buffer-overflow`;
}

function withoutAccess({ access: _, ...found }: Finding): Finding {
  return found;
}

/** In units of 4 GiB. Numbers are spread so that blocks are much farther apart. */
const farthestCarry = 1 << 12;

/** What the start-up code of the library allocates. */
const startUpBlock = 'the arguments or environment of the program';

interface Extra {
  readonly object?: MemoryObject;
  readonly label?: string;
  readonly notes?: readonly Note[];
}

/** A finding at the user's innermost frame. */
export function finding(
  code: FindingCode,
  at: { sites: readonly Site[]; operation?: AccessReport['operation']; bytes?: number },
  message: string,
  extra: Extra = {},
): Finding {
  const { severity, cwe } = codes[code];
  const user = userStack(at.sites);
  return {
    code,
    severity,
    ...(cwe === undefined ? {} : { cwe }),
    message,
    location: user[0] ?? at.sites[0]?.location ?? unknownLocation,
    ...wholeStack(at.sites),
    ...(at.operation === undefined
      ? {}
      : { access: { kind: accessKind(at.operation), bytes: at.bytes ?? 0 } }),
    ...(extra.object === undefined ? {} : { object: extra.object }),
    ...(extra.label === undefined ? {} : { label: extra.label }),
    ...(extra.notes === undefined || extra.notes.length === 0 ? {} : { notes: extra.notes }),
  };
}

function accessKind(operation: AccessReport['operation']): AccessKind {
  return operation === 'realloc' ? 'free' : operation;
}

function objectOf({ kind, name, bytes, allocated, freed, omitsFrames }: Referent): MemoryObject {
  return {
    kind,
    ...(name === undefined ? {} : { name }),
    bytes,
    ...(allocated === undefined ? {} : { allocated }),
    ...(freed === undefined ? {} : { freed }),
    ...(omitsFrames && { omitsFrames }),
  };
}

function described(referent: Referent): string {
  const size = plural(referent.bytes, 'byte');
  if (referent.name === startUpBlock) return `${startUpBlock} (${size})`;
  if (referent.kind === 'heap') return `a block of ${size}`;
  return `${quoted(referent)} of ${size}`;
}

function quoted({ name }: Referent): string {
  if (name === startUpBlock) return name;
  if (name === initialValue) return `the ${initialValue} of a local`;
  if (name === stringLiteral || name === literalName) return `a ${name}`;
  return name === undefined ? 'a block' : `\`${name}\``;
}

function placeOf({ allocated }: Referent): { location?: Stack[number] } {
  return allocated?.[0] === undefined ? {} : { location: allocated[0] };
}

const stringLiteral = 'string literal';
const initialValue = 'initial value';

/** Clang names what has no name in the program: texts, and what locals are copied from at their beginning. */
function shownName(name: string): string {
  if (/^\.str(\.\d+)?$/.test(name)) return stringLiteral;
  return name.startsWith('__const.') ? initialValue : name;
}

export function plural(count: number, unit: string): string {
  if (count > Number.MAX_SAFE_INTEGER) return `nearly 2^64 ${unit}s (a negative number)`;
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
