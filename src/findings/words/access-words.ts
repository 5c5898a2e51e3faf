/**
 * Messages for accesses out of bounds, after the end of an object's lifetime, through wild and null
 * pointers, of uninitialized bytes, and for invalid frees.
 *
 * Distances are measured from the object from which the pointer was derived, whatever is at the
 * address:
 *
 * ```
 *     4 bytes before  |  the object  |  just after the end      4 bytes after the end
 *                              ------+----  2 bytes past the end
 * ```
 */
import type { FindingCode } from '../codes.js';
import type {
  AccessFacts,
  FreeFacts,
  Life,
  ObjectFacts,
  OverlapFacts,
  RequestFacts,
  RoomFacts,
  UnwrittenFacts,
  VariadicFacts,
} from '../facts.js';
import { isInLibrary, type Note, type ObjectKind, ownFrame, temporary } from '../finding.js';
import type { Description } from './description.js';
import { amount } from './numbers.js';
import {
  again,
  functionResult,
  isCompilersOwn,
  stringLiteral,
  withoutSize,
  withSize,
} from './object-words.js';

/** Addresses below this are null plus an offset. */
const nullPageBytes = 4096;

export const overflowCodes: Readonly<Record<ObjectKind, FindingCode>> = {
  heap: 'heap-buffer-overflow',
  stack: 'stack-buffer-overflow',
  global: 'global-buffer-overflow',
  constant: 'global-buffer-overflow',
};

export const staleCodes: Readonly<Record<Exclude<Life, 'live'>, FindingCode>> = {
  freed: 'use-after-free',
  'out-of-scope': 'use-after-scope',
  returned: 'use-after-return',
};

/** `by` is the C library function that the program called. */
export function describeAccess(facts: AccessFacts, by: string | undefined): Description {
  const { element, operation, bytes, object } = facts;
  const what = element?.isAddress
    ? `address of element ${placeIn(element)}`
    : `${operation} of ${amount(bytes, 'byte')}${by === undefined ? '' : ` by \`${by}\``}`;
  const described = object === undefined ? nowhere(facts, what) : ofObject(facts, object, what, by);
  return {
    ...described,
    ...(object !== undefined && { object }),
    ...(element?.isAddress !== true && { access: { kind: operation, bytes } }),
  };
}

/** The note about a failed allocation whose result the program uses. */
function afterRequest({ bytes, location }: RequestFacts, access: string): Description {
  const request = `no memory was left for ${amount(bytes, 'byte')}`;
  return {
    code: 'out-of-memory',
    message: `${access}: ${request}`,
    notes: [{ message: `${request} here, and null was returned`, ...(location && { location }) }],
    help: 'free blocks that are no longer used, and compare what `malloc` returns with `NULL`',
  };
}

function nowhere({ address, stray, operation, withoutMemory }: AccessFacts, what: string): Description {
  const offset = address === 0n ? '' : ` at offset ${address}`;
  if (withoutMemory !== undefined)
    return afterRequest(withoutMemory, `${what} through a null pointer${offset}`);
  if (address < nullPageBytes) {
    return {
      code: 'null-dereference',
      message: `${what} through a null pointer${offset}`,
      help: `compare the pointer with \`NULL\` before the ${operation}`,
    };
  }
  if (stray === 'forgotten')
    return {
      code: 'use-after-free',
      message: `${what} through a stale pointer`,
      notes: [{ message: 'the record of what the pointer referred to is no longer kept' }],
    };
  return {
    code: 'wild-pointer',
    message: `${what} at 0x${address.toString(16)}, which is in no object`,
    notes: [
      {
        message: 'the pointer was made from an integer, was overwritten, or was cut in a conversion',
      },
    ],
    help: 'keep an address in a pointer, or in an integer of type `uintptr_t`',
  };
}

function ofObject(
  facts: AccessFacts,
  object: ObjectFacts,
  what: string,
  by: string | undefined,
): Description {
  if (object.life !== 'live') return stale(facts, object, object.life, what);
  const { offset, bytes, element, operation } = facts;
  const isInside = offset !== undefined && offset >= 0 && offset + bytes <= object.bytes;
  if (isInside && element !== undefined)
    return {
      code: overflowCodes[object.kind],
      message: `${element.isAddress ? what : `${what} at index ${placeIn(element)}`} inside ${withSize(object)}`,
      label: `${element.index < 0n ? 'before the start' : 'past the end'} of the array, inside ${again(object)}`,
      help: helpForIndex(element.index < 0n ? 'before' : 'after'),
    };
  if (isInside && object.kind === 'constant' && operation === 'write')
    return {
      code: 'write-to-constant',
      message: `${what} to ${withoutSize(object)}, which is constant`,
      help:
        object.name === stringLiteral
          ? 'copy the string to an array, which may be written: `char text[] = "…";`'
          : 'write to a copy, or declare the variable without `const`',
    };
  return outside(facts, object, what, isInside ? undefined : offset, by);
}

/** "3 of an `int[2]`". */
function placeIn({ index, array }: NonNullable<AccessFacts['element']>): string {
  return `${index} of ${/^[aeiou]/.test(array) ? 'an' : 'a'} \`${array}\``;
}

function outside(
  facts: AccessFacts,
  object: ObjectFacts,
  what: string,
  offset: number | undefined,
  by: string | undefined,
): Description {
  const { bytes } = facts;
  const code = overflowCodes[object.kind];
  if (offset === undefined) return { code, message: `${what} outside ${withSize(object)}` };
  const isAtEnd = offset === object.bytes;
  const distance =
    offset < 0
      ? `${amount(-offset, 'byte')} before`
      : offset >= object.bytes
        ? `${isAtEnd ? 'just' : amount(offset - object.bytes, 'byte')} after the end of`
        : `${amount(offset + bytes - object.bytes, 'byte')} past the end of`;
  return {
    code,
    message: `${what}${isAtEnd ? ' ' : ', '}${distance} ${withSize(object)}`,
    label: `${distance} ${again(object)}`,
    notes: ownerNote(facts),
    help: helpOutside(facts, object.bytes, offset, by),
  };
}

const stringWriters = /^(w?c?st[rp]n?(cpy|cat|dup)|gets)$/;
/** They write piece by piece, so one write does not tell how many bytes are missing. */
const formatters = /^v?sprintf$/;
const stringReaders = /^(str|wcs|puts|fputs|v?[a-z]*printf|atoi|atol|atof)/;

function helpOutside(
  { operation, bytes }: AccessFacts,
  size: number,
  offset: number,
  by: string | undefined,
): string {
  if (offset < 0) return helpForIndex('before');
  if (by === undefined) {
    if (offset > size) return helpForIndex('after');
    return helpForIndex(operation === 'write' && bytes === 1 ? 'byte at the end' : 'end');
  }
  if (operation === 'read')
    return stringReaders.test(by)
      ? 'terminate the string with a null byte, or pass its length to a function that takes one'
      : `let \`${by}\` read no more bytes than the object has`;
  if (formatters.test(by)) return `use \`${by.replace('sprintf', 'snprintf')}\` with the size of the object`;
  return stringWriters.test(by) && offset + bytes === size + 1
    ? 'allocate one more byte for the null terminator: `strlen(text) + 1`'
    : `let \`${by}\` write no more bytes than the object has`;
}

function helpForIndex(where: 'before' | 'byte at the end' | 'end' | 'after'): string {
  switch (where) {
    case 'before':
      return 'compare the index with 0 before it is used';
    case 'byte at the end':
      return 'the null terminator of a string needs one more byte; in a loop, compare with `<` where `<=` is used';
    case 'end':
      return 'the last element has the index `length - 1`: compare with `<` where `<=` is used';
    case 'after':
      return 'compare the index with the number of elements before it is used';
  }
}

function stale(
  facts: AccessFacts,
  object: ObjectFacts,
  life: Exclude<Life, 'live'>,
  what: string,
): Description {
  const notes = ownerNote(facts);
  const name = withoutSize(object);
  const code = staleCodes[life];
  switch (life) {
    case 'freed':
      return {
        code,
        message: `${what} in a freed block of ${amount(object.bytes, 'byte')}`,
        ...labelAt(facts, 'the block'),
        notes,
        help: 'free the block after its last use',
      };
    case 'returned':
      return {
        code,
        message: `${what} in ${name} after its function returned`,
        ...labelAt(facts, again(object)),
        notes,
        help: `let the caller pass the memory, or allocate it: ${again(object)} ends with its function`,
      };
    case 'out-of-scope':
      return {
        code,
        message: `${what} in ${name} after its scope ended`,
        ...labelAt(facts, again(object)),
        notes,
        help: `declare ${again(object)} in the scope that uses it, or copy its value`,
      };
  }
}

function labelAt({ offset }: AccessFacts, object: string): { label?: string } {
  return offset === undefined || offset === 0 ? {} : { label: `at offset ${offset} of ${object}` };
}

/** The note about the object that owns the address now, if it is another object of the program. */
function ownerNote({ ownerNow }: AccessFacts): Note[] {
  if (ownerNow === undefined || isCompilersOwn(ownerNow)) return [];
  const location = ownFrame(ownerNow.allocated ?? []);
  if (location !== undefined && isInLibrary(location))
    return [{ message: 'the address now belongs to the C library' }];
  return [
    {
      message: `the address now belongs to ${withSize(ownerNow)}`,
      ...(location !== undefined && { location }),
    },
  ];
}

export function describeRoom(
  { object, bytes, room, isText }: RoomFacts,
  by: string | undefined,
): Description {
  const array = `an array with room for ${room} inside ${withSize(object)}`;
  const size = amount(bytes, 'byte');
  const what = isText ? `string of ${size}` : `write of ${size}`;
  return {
    code: overflowCodes[object.kind],
    message: `${what}${by === undefined ? '' : ` by \`${by}\``} ${isText ? 'in' : 'to'} ${array}`,
    label: `${amount(bytes - room, 'byte')} past the end of the array`,
    object,
    access: { kind: 'write', bytes },
    help: isText
      ? 'make room for the string and its null terminator, or write a shorter one'
      : 'write no more bytes than the array has',
  };
}

export function describeVariadic(facts: VariadicFacts): Description {
  const { operation, bytes, passedBytes, isFormat } = facts;
  const passed = passedBytes === 0 ? 'none' : amount(passedBytes, 'byte');
  const access = { kind: operation, bytes } as const;
  if (isFormat)
    return {
      code: 'bad-format-string',
      message: `the format reads more arguments than the call passes (${passed})`,
      access,
      help:
        passedBytes === 0
          ? 'print a string that is not a format with `"%s"`'
          : 'pass an argument of the right type for each conversion of the format',
    };
  return {
    code: 'stack-buffer-overflow',
    message: `${operation} of ${amount(bytes, 'byte')} past the variadic arguments of the call (${passed})`,
    access,
    help: 'pass the number of arguments, or a last one that ends the list',
  };
}

export function describeFree(facts: FreeFacts): Description {
  return {
    ...wrongFree(facts),
    ...(facts.object !== undefined && { object: facts.object }),
    access: { kind: 'free', bytes: 0 },
  };
}

const places: Record<Exclude<ObjectKind, 'heap'>, string> = {
  stack: 'a local variable',
  global: 'a global variable',
  constant: 'a constant',
};

function wrongFree({ operation, address, object, offset = 0 }: FreeFacts): Description {
  const onlyBlocks = 'free only what `malloc`, `calloc` or `realloc` returned';
  if (object === undefined)
    return {
      code: 'invalid-free',
      message: `${operation} of 0x${address.toString(16)}, which malloc never returned`,
      help: onlyBlocks,
    };
  if (object.kind !== 'heap')
    return {
      code: 'invalid-free',
      message: `${operation} of ${places[object.kind]}, ${withoutSize(object)}`,
      help: onlyBlocks,
    };
  const size = amount(object.bytes, 'byte');
  if (object.life === 'freed')
    return {
      code: 'double-free',
      message:
        operation === 'free'
          ? `block of ${size} is freed twice`
          : `realloc of a block of ${size} that was freed`,
      help: 'free a block in one place only, and set the pointer to `NULL` afterwards',
    };
  if (offset === 0)
    return {
      code: 'invalid-free',
      message: `${operation} of ${object.name ?? `a block of ${size} that belongs to the C library`}`,
      help: onlyBlocks,
    };
  const isBefore = offset < 0;
  const distance = amount(Math.abs(offset), 'byte');
  return {
    code: 'invalid-free',
    message: `${operation} of a pointer ${distance} ${isBefore ? 'before' : 'into'} a block of ${size}`,
    label: `${distance} ${isBefore ? 'before' : 'after'} the start of the block`,
    help: `keep the pointer that was allocated for \`${operation}\`, and move a copy of it`,
  };
}

export function describeUnwritten(facts: UnwrittenFacts): Description {
  const { object, bytes } = facts;
  if (object?.name === functionResult)
    return {
      code: 'uninitialized-read',
      message: 'the function ends without a `return`, and its caller uses the result',
      help: 'return a value at the end of the function, or declare it `void`',
    };
  return {
    code: 'uninitialized-read',
    message: `use of ${unwritten(facts)}`,
    access: { kind: 'read', bytes: facts.value?.bytes ?? bytes },
    ...(object !== undefined && { object }),
    help: helpUnwritten(object),
  };
}

function unwritten({ object, bytes, isPartial = false, offset, value }: UnwrittenFacts): string {
  const what = `${isPartial ? 'bits of ' : ''}${amount(bytes, 'byte')}`;
  const were = bytes === 1 && !isPartial ? 'that was' : 'that were';
  if (object === undefined || offset === undefined) return `${what} ${were} never written`;
  if (bytes === object.bytes && object.name !== undefined)
    return isPartial
      ? `bits of ${withoutSize(object)} that were never written`
      : `${withoutSize(object)}, which was never written`;
  const isPart = value !== undefined && (value.offset !== offset || value.bytes !== bytes) && !isPartial;
  if (!isPart) return `${what} at offset ${offset} of ${withSize(object)} ${were} never written`;
  const whole = `${amount(value.bytes, 'byte')} at offset ${value.offset} of ${withSize(object)}`;
  return `${whole}, of which ${partOf(offset - value.offset, bytes, value.bytes)} never written`;
}

/** "the first was", "the last 2 were", "bytes 1 to 2 were", for a value of `whole` bytes. */
function partOf(start: number, bytes: number, whole: number): string {
  const were = bytes === 1 ? 'was' : 'were';
  const count = bytes === 1 ? '' : ` ${bytes}`;
  if (start === 0) return `the first${count} ${were}`;
  if (start + bytes === whole) return `the last${count} ${were}`;
  return bytes === 1 ? `byte ${start} was` : `bytes ${start} to ${start + bytes - 1} were`;
}

function helpUnwritten(object: ObjectFacts | undefined): string {
  if (object?.kind === 'heap') return 'write the bytes before they are used, or allocate them with `calloc`';
  if (object?.name === undefined || object.name === temporary) return 'write the value before it is used';
  return `give ${again(object)} a value where it is declared`;
}

export function describeOverlap({ bytes, distance }: OverlapFacts): Description {
  if (distance === 0)
    return {
      code: 'overlapping-copy',
      message: `copy of ${amount(bytes, 'byte')} from the buffer that the result is written to`,
      label: 'the source is overwritten',
      help: 'write the result to another buffer, or append it with the length of the text before it',
    };
  return {
    code: 'overlapping-copy',
    message: `copy of ${amount(bytes, 'byte')} between ranges that are ${amount(distance, 'byte')} apart`,
    label: `${amount(bytes - distance, 'byte')} of the source ${bytes - distance === 1 ? 'is' : 'are'} overwritten`,
    help: 'copy with `memmove`, which allows ranges that overlap',
  };
}
