/**
 * An object file for wasm-ld: the emitted code with the tables that the linker needs.
 *
 * ```
 *   type      signatures
 *   import    memory │ functions that are not defined here │ __stack_pointer │ table of functions │ tag
 *   function  the type of each function that is defined here
 *   code      bodies                    ◀── reloc.CODE   places in them that the linker patches
 *   data      segments                  ◀── reloc.DATA
 *   linking   symbols │ names and alignments of segments │ constructors
 * ```
 *
 * A symbol has an index only when the file is finished: imports are numbered before definitions. So
 * relocations hold symbols. Format: "Linking" of WebAssembly's tool conventions.
 */
import { concatenate } from '../support/concatenate.js';
import { i64, type ValueType } from '../wasm/wasm-opcodes.js';
import { CodeBuffer, type Relocation, relocation } from './code-buffer.js';

export interface Signature {
  readonly parameters: readonly ValueType[];
  readonly results: readonly ValueType[];
}

const kinds = { function: 0, data: 1, global: 2, tag: 4, table: 5 } as const;

export const symbolFlag = { weak: 1, local: 2, hidden: 4, undefined: 0x10, named: 0x40, kept: 0x80 } as const;

export interface ObjectSymbol {
  readonly kind: keyof typeof kinds;
  readonly name: string;
  flags: number;
  /** The number of a function type. */
  readonly type: number;
  /** Where a function is imported from, and under which name. */
  readonly source: ImportSource;
  /** The code of a function that is defined here. */
  body: Body | undefined;
  /** The function that it is an alias of. */
  other: ObjectSymbol | undefined;
  /** The number of the segment of a variable that is defined here. */
  segment: number;
}

export interface ImportSource {
  readonly module: string;
  readonly name: string;
}

interface Body {
  readonly bytes: Uint8Array;
  readonly relocations: readonly Relocation[];
}

export interface DataSegment {
  readonly name: string;
  readonly align: number;
  readonly content: CodeBuffer;
  /** Whether it is linked even if it is unreferenced. */
  readonly isKept: boolean;
}

const section = { custom: 0, type: 1, import: 2, function: 3, code: 10, data: 11 };
const linkingVersion = 2;
const linkingPart = { segments: 5, constructors: 6, symbols: 8 };
const is64 = 4;
const keptSegment = 4;

export class ObjectFile {
  readonly #types = new Map<string, number>();
  readonly #signatures: Signature[] = [];
  readonly #symbols = new Map<string, ObjectSymbol>();
  readonly #segments: DataSegment[] = [];
  readonly #constructors: { readonly priority: number; readonly target: ObjectSymbol }[] = [];

  typeNumber(signature: Signature): number {
    const key = `${signature.parameters.join()}>${signature.results.join()}`;
    let number = this.#types.get(key);
    if (number === undefined) {
      number = this.#signatures.length;
      this.#types.set(key, number);
      this.#signatures.push(signature);
    }
    return number;
  }

  signatureOf(symbol: ObjectSymbol): Signature {
    return this.#signatures[symbol.type]!;
  }

  /** The function of this name; undefined until it gets a body. */
  function(
    name: string,
    signature: Signature,
    flags = 0,
    source: ImportSource = { module: 'env', name },
  ): ObjectSymbol {
    return this.#symbol('function', name, flags, this.typeNumber(signature), source);
  }

  data(name: string, flags = 0): ObjectSymbol {
    return this.#symbol('data', name, flags);
  }

  get stackPointer(): ObjectSymbol {
    return this.#symbol('global', '__stack_pointer');
  }

  get functionTable(): ObjectSymbol {
    return this.#symbol('table', '__indirect_function_table', symbolFlag.kept);
  }

  /** What `longjmp` throws: docs/decisions/0007. */
  get longjmpTag(): ObjectSymbol {
    return this.#symbol('tag', '__c_longjmp', 0, this.typeNumber({ parameters: [i64], results: [] }));
  }

  #symbol(
    kind: ObjectSymbol['kind'],
    name: string,
    flags = 0,
    type = 0,
    source: ImportSource = { module: 'env', name },
  ): ObjectSymbol {
    let symbol = this.#symbols.get(name);
    if (symbol === undefined) {
      symbol = { kind, name, flags, type, source, body: undefined, other: undefined, segment: -1 };
      this.#symbols.set(name, symbol);
    }
    return symbol;
  }

  /** The body is in pieces, because the prologue is known only when the rest is written. */
  define(symbol: ObjectSymbol, pieces: readonly CodeBuffer[]): void {
    const relocations: Relocation[] = [];
    let length = 0;
    for (const piece of pieces) {
      move(piece.relocations, length, relocations);
      length += piece.length;
    }
    symbol.body = { bytes: concatenate(pieces.map(({ bytes }) => bytes)), relocations };
  }

  defineData(symbol: ObjectSymbol, segment: DataSegment): void {
    symbol.segment = this.#segments.length;
    this.#segments.push(segment);
  }

  addConstructor(target: ObjectSymbol, priority: number): void {
    this.#constructors.push({ target, priority });
  }

  finish(): Uint8Array {
    const all = [...this.#symbols.values()];
    const functions = all.filter(({ kind }) => kind === 'function');
    const imported = functions.filter(({ body, other }) => body === undefined && other === undefined);
    const defined = functions.filter(({ body }) => body !== undefined);
    const others = all.filter(({ kind }) => kind !== 'function' && kind !== 'data');
    const symbolIndex = new Map(all.map((symbol, i) => [symbol, i] as const));
    const functionIndex = new Map([...imported, ...defined].map((symbol, i) => [symbol, i] as const));

    const out = new CodeBuffer(1 << 16);
    out.append(Uint8Array.of(0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00));
    writeSection(out, section.type, content => this.#writeTypes(content));
    writeSection(out, section.import, content => writeImports(content, imported, others));
    writeSection(out, section.function, content => {
      content.u32(defined.length);
      for (const { type } of defined) content.u32(type);
    });
    let sections = 3;
    const relocations: { name: string; section: number; places: Relocation[] }[] = [];
    if (defined.length > 0) {
      const places: Relocation[] = [];
      relocations.push({ name: 'reloc.CODE', section: sections++, places });
      writeSection(out, section.code, content => writeBodies(content, defined, places));
    }
    if (this.#segments.length > 0) {
      const places: Relocation[] = [];
      relocations.push({ name: 'reloc.DATA', section: sections++, places });
      writeSection(out, section.data, content => this.#writeSegments(content, places));
    }
    writeSection(out, section.custom, content => {
      writeName(content, 'linking');
      content.u32(linkingVersion);
      writeSection(content, linkingPart.symbols, part => {
        part.u32(all.length);
        for (const symbol of all) this.#writeSymbol(part, symbol, functionIndex, others);
      });
      this.#writeSegmentNames(content);
      this.#writeConstructors(content, symbolIndex);
    });
    for (const { name, section: number, places } of relocations)
      writeSection(out, section.custom, content => {
        writeName(content, name);
        content.u32(number);
        content.u32(places.length);
        for (const place of places) writeRelocation(content, place, symbolIndex);
      });
    return out.bytes.slice();
  }

  #writeTypes(content: CodeBuffer): void {
    content.u32(this.#signatures.length);
    for (const { parameters, results } of this.#signatures) {
      content.byte(0x60);
      for (const list of [parameters, results]) content.sized(Uint8Array.from(list));
    }
  }

  /** One segment after the other, each at a multiple of its alignment. */
  #writeSegments(content: CodeBuffer, places: Relocation[]): void {
    content.u32(this.#segments.length);
    let address = 0;
    for (const { content: bytes, align } of this.#segments) {
      address = Math.ceil(address / align) * align;
      content.byte(0);
      content.i64Const(BigInt(address));
      content.byte(0x0b);
      content.u32(bytes.length);
      move(bytes.relocations, content.length, places);
      content.append(bytes.bytes);
      address += bytes.length;
    }
  }

  #writeSegmentNames(content: CodeBuffer): void {
    if (this.#segments.length === 0) return;
    writeSection(content, linkingPart.segments, part => {
      part.u32(this.#segments.length);
      for (const { name, align, isKept } of this.#segments) {
        writeName(part, name);
        part.u32(31 - Math.clz32(align));
        part.u32(isKept ? keptSegment : 0);
      }
    });
  }

  #writeConstructors(content: CodeBuffer, symbolIndex: ReadonlyMap<ObjectSymbol, number>): void {
    if (this.#constructors.length === 0) return;
    writeSection(content, linkingPart.constructors, part => {
      part.u32(this.#constructors.length);
      for (const { target, priority } of this.#constructors) {
        part.u32(priority);
        part.u32(symbolIndex.get(target)!);
      }
    });
  }

  #writeSymbol(
    part: CodeBuffer,
    symbol: ObjectSymbol,
    functionIndex: ReadonlyMap<ObjectSymbol, number>,
    others: readonly ObjectSymbol[],
  ): void {
    const { kind, name, source } = symbol;
    const isDefined = (symbol.other ?? symbol).body !== undefined || symbol.segment >= 0;
    const isRenamed = kind === 'function' && !isDefined && source.module !== 'env';
    part.byte(kinds[kind]);
    part.u32(symbol.flags | (isDefined ? 0 : symbolFlag.undefined) | (isRenamed ? symbolFlag.named : 0));
    if (kind === 'data') {
      writeName(part, name);
      if (!isDefined) return;
      part.u32(symbol.segment);
      part.u32(0);
      part.u32(this.#segments[symbol.segment]!.content.length);
      return;
    }
    const ofKind = others.filter(other => other.kind === kind);
    part.u32(kind === 'function' ? functionIndex.get(symbol.other ?? symbol)! : ofKind.indexOf(symbol));
    if (isDefined || isRenamed) writeName(part, name);
  }
}

/** The memory, the functions, and the tables, globals and tags. */
function writeImports(
  content: CodeBuffer,
  imported: readonly ObjectSymbol[],
  others: readonly ObjectSymbol[],
): void {
  content.u32(1 + imported.length + others.length);
  writeName(content, 'env');
  writeName(content, '__linear_memory');
  content.append(Uint8Array.of(2, is64, 0));
  for (const { source, type } of imported) {
    writeName(content, source.module);
    writeName(content, source.name);
    content.byte(0);
    content.u32(type);
  }
  for (const symbol of others) {
    writeName(content, 'env');
    writeName(content, symbol.name);
    if (symbol.kind === 'table') content.append(Uint8Array.of(1, 0x70, is64, 0));
    else if (symbol.kind === 'global') content.append(Uint8Array.of(3, i64, 1));
    else {
      content.append(Uint8Array.of(4, 0));
      content.u32(symbol.type);
    }
  }
}

function writeBodies(content: CodeBuffer, defined: readonly ObjectSymbol[], places: Relocation[]): void {
  content.u32(defined.length);
  for (const { body } of defined) {
    content.u32(body!.bytes.length);
    move(body!.relocations, content.length, places);
    content.append(body!.bytes);
  }
}

function writeSection(out: CodeBuffer, id: number, write: (content: CodeBuffer) => void): void {
  const content = new CodeBuffer();
  write(content);
  out.byte(id);
  out.sized(content.bytes);
}

function writeName(out: CodeBuffer, name: string): void {
  out.sized(new TextEncoder().encode(name));
}

function move(places: readonly Relocation[], by: number, into: Relocation[]): void {
  for (const place of places) into.push({ ...place, offset: place.offset + by });
}

const withAddend: ReadonlySet<number> = new Set([
  relocation.memoryAddress32,
  relocation.memoryAddress64,
  relocation.memoryAddressInData,
]);

function writeRelocation(
  content: CodeBuffer,
  { kind, offset, target, addend }: Relocation,
  symbolIndex: ReadonlyMap<ObjectSymbol, number>,
): void {
  content.byte(kind);
  content.u32(offset);
  content.u32(typeof target === 'number' ? target : symbolIndex.get(target)!);
  if (withAddend.has(kind)) content.s64(addend);
}
