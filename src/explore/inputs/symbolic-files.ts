/**
 * Files of the modelled machine whose bytes may be symbolic: standard input of `--sym-stdin`, the
 * files of `--sym-files`, and files that the program writes itself.
 *
 *     write   object ── TermBytes ──▶ host ──▶ TermContents            a buffer carries terms and bytes through
 *     read    object ◀── TermBytes ◀── host ◀── TermContents           a host that does not know them
 *
 * So the host alone implements positions, modes and errors, and a program reads back exactly the
 * terms that it wrote.
 */
import type { SymbolicArray, Term } from '../../expr/term.js';
import type { Terms } from '../../expr/terms.js';
import { ByteContents, type Contents } from '../../host/contents.js';
import { known } from '../values/register-value.js';

/** Bytes on their way to or from a file; the term of a symbolic byte takes precedence. */
export class TermBytes extends Uint8Array {
  readonly terms: Map<number, Term> = new Map();

  /** A part of them is an ordinary array. */
  static get [Symbol.species](): Uint8ArrayConstructor {
    return Uint8Array;
  }
}

/** Requires that the buffers of `read` and `write` begin with the range: `start` is 0. */
export class TermContents implements Contents {
  readonly #bytes: ByteContents;
  /**
   * By offset. Inside an input, a byte that was overwritten with a concrete value has
   * `undefined`.
   */
  readonly #terms: Map<number, Term | undefined>;
  readonly #input: { readonly array: SymbolicArray; readonly terms: Terms } | undefined;

  private constructor(
    bytes: ByteContents,
    terms: Map<number, Term | undefined>,
    input: { readonly array: SymbolicArray; readonly terms: Terms } | undefined,
  ) {
    this.#bytes = bytes;
    this.#terms = terms;
    this.#input = input;
  }

  static of(bytes: Uint8Array): TermContents {
    return new TermContents(new ByteContents(bytes), new Map(), undefined);
  }

  /** A file that is an input of the program. */
  static ofInput(terms: Terms, array: SymbolicArray): TermContents {
    const bytes = new ByteContents(new Uint8Array(array.byteLength));
    return new TermContents(bytes, new Map(), { array, terms });
  }

  get size(): number {
    return this.#bytes.size;
  }

  read(memory: Uint8Array, start: number, length: number, offset: number): number {
    const count = this.#bytes.read(memory, start, length, offset);
    if (!(memory instanceof TermBytes) || (this.#terms.size === 0 && this.#input === undefined)) return count;
    for (let i = 0; i < count; i++) {
      const term = this.#termAt(offset + i);
      if (term !== undefined) memory.terms.set(start + i, term);
    }
    return count;
  }

  write(memory: Uint8Array, start: number, length: number, offset: number): void {
    this.#bytes.write(memory, start, length, offset);
    const written = memory instanceof TermBytes ? memory.terms : undefined;
    if (this.#terms.size === 0 && this.#input === undefined && !written?.size) return;
    for (let i = 0; i < length; i++) {
      const term = written?.get(start + i);
      if (term !== undefined) this.#terms.set(offset + i, term);
      else this.#makeKnown(offset + i);
    }
  }

  truncate(size: number): void {
    if (this.#terms.size > 0 || this.#input !== undefined)
      for (let at = size; at < this.size; at++) this.#makeKnown(at);
    this.#bytes.truncate(size);
  }

  clone(): TermContents {
    return new TermContents(this.#bytes.clone(), new Map(this.#terms), this.#input);
  }

  #makeKnown(at: number): void {
    if (at < (this.#input?.array.byteLength ?? 0)) this.#terms.set(at, undefined);
    else this.#terms.delete(at);
  }

  #termAt(at: number): Term | undefined {
    if (this.#terms.has(at)) return this.#terms.get(at);
    if (this.#input === undefined || at >= this.#input.array.byteLength) return undefined;
    const { terms, array } = this.#input;
    const byte = known(terms.read(array, terms.constant(32, at)));
    return typeof byte === 'object' ? byte : undefined;
  }
}
