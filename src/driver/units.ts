/**
 * A unit is the compiled form of one source in objects, archives and programs. Units are
 * concatenated and each states its length, so that tools that concatenate sections (such as `ld
 * -r`) produce a list of units:
 *
 *     'RZIR' │ head │ IR │ plain          u32 lengths of the three after the magic word
 *
 * `head` is JSON and has everything that linking needs, so that a unit that is not linked costs
 * little. The IR is deflated. `plain` holds the constant data of the source as bytes: configure and
 * CMake compile texts such as `INFO:sizeof_dptr[00000008]` and search the object for them.
 */
import { concatenate } from '../support/concatenate.js';

export interface Symbols {
  readonly strong: readonly string[];
  readonly weak: readonly string[];
  readonly common: readonly string[];
  readonly undefined: readonly string[];
  readonly weakUndefined: readonly string[];
}

export interface UnitHead {
  readonly version: 1;
  /** The path of the source as given, and the current folder. */
  readonly name: string;
  readonly folder: string;
  /** The hash of the IR. */
  readonly key: string;
  readonly symbols: Symbols;
  /** Part of a shared library: the program's definitions replace its own. */
  readonly isShared?: true;
  /** Whether its source or a header has comments that suppress findings. */
  readonly hasIgnoreComments?: true;
}

export interface Unit {
  readonly head: UnitHead;
  /** Deflated. */
  readonly ir: Uint8Array;
  readonly plain: Uint8Array;
}

const magic = 0x52495a52; // 'RZIR'
const fixedBytes = 16;

export function writeUnit({ head, ir, plain }: Unit): Uint8Array {
  const text = new TextEncoder().encode(JSON.stringify(head));
  const fixed = new DataView(new ArrayBuffer(fixedBytes));
  for (const [i, word] of [magic, text.length, ir.length, plain.length].entries())
    fixed.setUint32(4 * i, word, true);
  return concatenate([new Uint8Array(fixed.buffer), text, ir, plain]);
}

/** All units in the bytes; undefined for other contents, or if they are truncated. */
export function readUnits(bytes: Uint8Array): Unit[] | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const units: Unit[] = [];
  let at = 0;
  while (at < bytes.length) {
    // A linker may pad between sections.
    if (bytes[at] === 0) {
      at++;
      continue;
    }
    if (at + fixedBytes > bytes.length || view.getUint32(at, true) !== magic) return undefined;
    const [headBytes, irBytes, plainBytes] = [4, 8, 12].map(offset => view.getUint32(at + offset, true)) as [
      number,
      number,
      number,
    ];
    const headAt = at + fixedBytes;
    const irAt = headAt + headBytes;
    const plainAt = irAt + irBytes;
    at = plainAt + plainBytes;
    if (at > bytes.length) return undefined;
    const head = JSON.parse(new TextDecoder().decode(bytes.subarray(headAt, irAt))) as UnitHead;
    units.push({ head, ir: bytes.subarray(irAt, plainAt), plain: bytes.subarray(plainAt, at) });
  }
  return units;
}

/** clang's names of `main` for WebAssembly. */
const mains = /^__main_(void|argc_argv)$/;

/** The external symbols of a module, from its text as clang writes it. */
export function symbolsOf(ir: string): Symbols {
  const symbols = {
    strong: [] as string[],
    weak: [] as string[],
    common: [] as string[],
    undefined: [] as string[],
    weakUndefined: [] as string[],
  };
  for (const [
    ,
    quotedVariable,
    plainVariable,
    rest = '',
    keyword,
    linkage = '',
    quoted,
    plain,
  ] of ir.matchAll(topLevel)) {
    const spelt = quotedVariable ?? plainVariable ?? quoted ?? plain!;
    if (/^llvm\./.test(spelt)) continue;
    const name = mains.test(spelt) ? 'main' : spelt;
    const words = keyword === undefined ? rest : linkage;
    if (/\b(private|internal|available_externally|appending)\b/.test(firstWords(words))) continue;
    if (/\bextern_weak\b/.test(firstWords(words))) symbols.weakUndefined.push(name);
    else if (keyword === 'declare' || (keyword === undefined && /^external\b/.test(rest)))
      symbols.undefined.push(name);
    else if (/\bcommon\b/.test(firstWords(words))) symbols.common.push(name);
    else if (/\b(weak|weak_odr|linkonce|linkonce_odr)\b/.test(firstWords(words))) symbols.weak.push(name);
    else symbols.strong.push(name);
  }
  // `int main()` has two names; both count as `main`.
  symbols.strong = [...new Set(symbols.strong)];
  symbols.undefined = symbols.undefined.filter(name => name !== 'main' || !symbols.strong.includes(name));
  return symbols;
}

/** The linkage precedes the type. */
const firstWords = (text: string): string => text.slice(0, 60).split(/[({@"]/)[0]!;

const topLevel =
  /^@(?:"([^"]+)"|([\w.$-]+)) = (.*)$|^(define|declare) ([^@\n]*)@(?:"([^"]+)"|([\w.$-]+))\(/gm;

/** The bytes of strings and of arrays of numbers that the module defines, concatenated. */
export function plainDataOf(ir: string): Uint8Array {
  const parts: Uint8Array[] = [];
  for (const [, text, array] of ir.matchAll(constantData)) {
    if (text !== undefined) parts.push(bytesOfText(text));
    else parts.push(bytesOfArray(array!));
  }
  return concatenate(parts.flatMap(part => [part, new Uint8Array(1)]));
}

/** Long tables are left out, because configure scripts only search for strings. */
const constantData = /^@.* = .*?(?: c"([^"\n]{0,4096})"|(\[\d+ x i(?:16|32|64)\] \[[^\]\n]{0,4096}\]))/gm;

function bytesOfText(text: string): Uint8Array {
  const bytes = text.replace(/\\([0-9A-F]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Uint8Array.from(bytes, character => character.charCodeAt(0) & 0xff);
}

function bytesOfArray(array: string): Uint8Array {
  const elements = [...array.matchAll(/\bi(16|32|64) (-?\d+)/g)].map(
    ([, bits, value]) => [Number(bits) / 8, BigInt(value!)] as const,
  );
  return concatenate(
    elements.map(([bytes, value]) =>
      Uint8Array.from({ length: bytes }, (_, i) => Number((value >> BigInt(8 * i)) & 0xffn)),
    ),
  );
}
