/**
 * The loops of the string functions (`runtime/libc/internal/raw.h`), byte by byte on objects.
 *
 * Symbolic bytes are decided on: the state that `decide` forks executes the whole function again
 * and finds the earlier bytes decided.
 */

import { load, resolve } from '../access/access.js';
import { checkRange, copyBytes, fillBytes, lengthOf } from '../access/copy.js';
import { PagedState } from '../memory/paged-state.js';
import { FILLER } from '../memory/unwritten.js';
import type { Native } from '../state/decoded.js';
import type { Accesses, Decisions, Path } from '../state/running.js';
import { asTerm, known, type Scalar } from '../values/register-value.js';

/** Reads consecutive bytes; reading past the end of the object is an error of the program. */
class Cursor {
  readonly #machine: Accesses;
  readonly #address: number;
  #bytes: Uint8Array;
  #start: number;

  constructor(machine: Accesses, pointer: Scalar) {
    this.#machine = machine;
    this.#address = Number(machine.fewValues(pointer, 'the symbolic start of a string'));
    const { object, offset } = resolve(machine, this.#address, 1, 'read');
    this.#start = offset as number;
    const isPlain =
      !object.mayBeSymbolic && object.info.length === undefined && !(object instanceof PagedState);
    this.#bytes = isPlain ? object.bytes : new Uint8Array(0);
  }

  at(i: number): Scalar {
    const byte = this.#bytes[this.#start + i];
    return byte === undefined || byte === FILLER
      ? load(this.#machine, this.#address + i, 1, this.#address)
      : byte;
  }
}

function isEqual(machine: Decisions, a: Scalar, b: Scalar): boolean {
  if (typeof a !== 'object' && typeof b !== 'object') return a === b;
  const { terms } = machine;
  return machine.decide(terms.eq(asTerm(terms, 8, a), asTerm(terms, 8, b)));
}

function oneLength(machine: Decisions, bytes: Scalar): number {
  return Number(machine.fewValues(bytes, 'the symbolic length of a range'));
}

/** The low byte of a character, which is an int. */
function toByte({ terms }: Path, character: Scalar): Scalar {
  return typeof character === 'object' ? known(terms.extract(character, 0, 8)) : Number(character) & 255;
}

/** The first i < limit where `stops` holds, or the limit. */
function scan(limit: number, stops: (i: number) => boolean): number {
  let i = 0;
  while (i < limit && !stops(i)) i++;
  return i;
}

export const rawNatives: Record<string, Native> = {
  __rz_raw_strlen: (machine, [text]) => {
    const cursor = new Cursor(machine, text);
    return scan(Number.POSITIVE_INFINITY, i => isEqual(machine, cursor.at(i), 0));
  },
  __rz_raw_strnlen: (machine, [text, n]) => {
    const limit = oneLength(machine, n);
    if (limit === 0) return 0;
    const cursor = new Cursor(machine, text);
    return scan(limit, i => isEqual(machine, cursor.at(i), 0));
  },
  __rz_raw_memchr: (machine, [memory, character, n]) => {
    const limit = oneLength(machine, n);
    const byte = toByte(machine, character);
    if (limit === 0) return 0;
    const start = Number(machine.fewValues(memory, 'the symbolic start of a string'));
    const cursor = new Cursor(machine, start);
    const found = scan(limit, i => isEqual(machine, cursor.at(i), byte));
    return found === limit ? 0 : start + found;
  },
  __rz_raw_strchrnul: (machine, [text, character]) => {
    const byte = toByte(machine, character);
    const cursor = new Cursor(machine, text);
    return scan(
      Number.POSITIVE_INFINITY,
      i => isEqual(machine, cursor.at(i), byte) || isEqual(machine, cursor.at(i), 0),
    );
  },
  __rz_raw_mismatch: (machine, [a, b, n]) => {
    const limit = oneLength(machine, n);
    if (limit === 0) return 0;
    const first = new Cursor(machine, a);
    const second = new Cursor(machine, b);
    return scan(limit, i => !isEqual(machine, first.at(i), second.at(i)));
  },
  __rz_raw_string_mismatch: (machine, [a, b, n]) => {
    const limit = Number(machine.fewValues(n, 'the symbolic length of a range'));
    if (limit === 0) return 0;
    const first = new Cursor(machine, a);
    const second = new Cursor(machine, b);
    return scan(limit, i => !isEqual(machine, first.at(i), second.at(i)) || isEqual(machine, first.at(i), 0));
  },
  __rz_raw_memmove: (machine, [to, from, bytes]) => {
    checkRange(machine, from, bytes, 'read');
    checkRange(machine, to, bytes, 'write');
    copyBytes(machine, to, from, lengthOf(machine, bytes));
    return undefined;
  },
  __rz_raw_memset: (machine, [memory, character, n]) => {
    const { terms } = machine;
    const filler = typeof character === 'object' ? terms.extract(character, 0, 8) : Number(character) & 255;
    checkRange(machine, memory, n, 'write');
    fillBytes(machine, memory, filler, lengthOf(machine, n));
    return undefined;
  },
};
