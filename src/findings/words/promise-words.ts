/**
 * Messages for violated promises to the compiler: misaligned addresses, pointer arithmetic that
 * leaves every object or starts at null, and unsequenced accesses.
 */
import type {
  AssumedAlignmentFacts,
  FarPointerFacts,
  MisalignedFacts,
  NullOffsetFacts,
  UnsequencedFacts,
} from '../facts.js';
import type { Description } from './description.js';
import { amount } from './numbers.js';
import { withSize } from './object-words.js';

export function describePromise(
  facts: MisalignedFacts | AssumedAlignmentFacts | FarPointerFacts | NullOffsetFacts | UnsequencedFacts,
): Description {
  switch (facts.kind) {
    case 'misaligned':
      return describeMisaligned(facts);
    case 'assumed-alignment':
      return {
        code: 'misaligned-access',
        message: `a pointer${facts.object === undefined ? '' : ` to offset ${facts.offset} of ${withSize(facts.object)}`} is assumed to be a multiple of ${facts.alignment}, and is not`,
        ...(facts.object && { object: facts.object }),
        help: 'align the memory with `alignas` or `aligned_alloc`, or remove the assumption',
      };
    case 'far-pointer':
      return {
        code: 'pointer-overflow',
        message: `a pointer${facts.object === undefined ? '' : ` into ${withSize(facts.object)}`} is moved by ${facts.step} bytes, which leads to no address of an object`,
        ...(facts.object && { object: facts.object }),
        help: 'compare the length with what is left: `n > (size_t)(end - p)` instead of `p + n > end`',
      };
    case 'null-offset':
      return {
        code: 'null-offset',
        message: `a null pointer is moved by ${amount(Number(facts.offset), 'byte')}, which leads to no object`,
        help: 'compare the pointer with `NULL` before the arithmetic',
      };
    case 'unsequenced':
      return {
        code: 'unsequenced-accesses',
        message: facts.areBothWrites
          ? `\`${facts.variable}\` is written twice in one expression, and nothing orders the two`
          : `\`${facts.variable}\` is written and read in one expression, and nothing orders the two`,
        help: 'split it into two statements',
      };
  }
}

function describeMisaligned({ operation, bytes, object, offset }: MisalignedFacts): Description {
  const place = object === undefined ? '' : ` at offset ${offset} of ${withSize(object)}`;
  return {
    code: 'misaligned-access',
    message: `${operation} of ${amount(bytes, 'byte')}${place}, at an address that is not a multiple of ${bytes}`,
    access: { kind: operation, bytes },
    ...(object && { object }),
    help: 'copy the bytes with `memcpy`, or declare the structure as packed',
  };
}
