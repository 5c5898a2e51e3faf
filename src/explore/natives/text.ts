/**
 * Texts and descriptions in the program's memory. A symbolic byte is shown with its value on the
 * path's test.
 */

import type { DataReader } from '../../findings/undefined-arithmetic.js';
import { resolve } from '../access/access.js';
import { TermBytes } from '../inputs/symbolic-files.js';
import type { Choice } from '../state/choices.js';
import type { Accesses } from '../state/running.js';
import type { Scalar } from '../values/register-value.js';

/** The bytes of a range with one possible value each; the path is not restricted to them. */
export function bytesAt(machine: Accesses, pointer: Scalar, bytes: number): Uint8Array {
  if (bytes === 0) return new Uint8Array(0);
  const { object, offset } = resolve(machine, pointer, bytes, 'read');
  const start = Number(machine.fewValues(offset, 'the symbolic start of a string'));
  const copy = object.bytes.slice(start, start + bytes);
  if (!object.isKnown(start, bytes)) {
    const shown = machine.queries.valueOnTest();
    for (let i = 0; i < bytes; i++) {
      const byte = object.read(machine, start + i, 1);
      if (typeof byte === 'object') copy[i] = Number(shown(byte));
    }
  }
  return copy;
}

/** The same with a term for each symbolic byte, and 0 in its place. */
export function termBytesAt(machine: Accesses, pointer: Scalar, bytes: number): TermBytes {
  const copy = new TermBytes(bytes);
  if (bytes === 0) return copy;
  const { object, offset } = resolve(machine, pointer, bytes, 'read');
  const start = Number(machine.fewValues(offset, 'the symbolic start of a string'));
  copy.set(object.bytes.subarray(start, start + bytes));
  if (object.isKnown(start, bytes)) return copy;
  for (let i = 0; i < bytes; i++) {
    const byte = object.read(machine, start + i, 1);
    if (typeof byte !== 'object') continue;
    copy[i] = 0;
    copy.terms.set(i, byte);
  }
  return copy;
}

/**
 * The bytes of a range on which the path depends from now on: they are concretized, which is noted.
 */
export function chosenBytesAt(machine: Accesses, pointer: Scalar, bytes: number, what: Choice): Uint8Array {
  const copy = termBytesAt(machine, pointer, bytes);
  for (const [i, term] of copy.terms) copy[i] = Number(machine.concretize(term, what));
  return copy;
}

/** A zero-terminated text. */
export function textAt(machine: Accesses, pointer: Scalar): string {
  const address = Number(machine.fewValues(pointer, 'a symbolic pointer to a string'));
  const { object } = resolve(machine, address, 1, 'read');
  const start = address - object.info.base;
  const bytes = bytesAt(machine, address, object.info.bytes - start);
  const end = bytes.indexOf(0);
  return new TextDecoder().decode(bytes.subarray(0, end < 0 ? undefined : end));
}

/** Reads the descriptions that clang passes to its handlers. */
export function dataReader(machine: Accesses): DataReader {
  return {
    word: address => new DataView(bytesAt(machine, address, 4).buffer).getUint32(0, true),
    target: Number,
    cString: address => textAt(machine, address),
    bytes: (address, length) => bytesAt(machine, address, length),
  };
}
