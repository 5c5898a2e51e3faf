/**
 * Objects in the format that the machine's tools expect: an ELF file for this machine, without
 * code, with the names in its symbol table and the units in a separate section. So `ar` can make
 * its index, `nm`, `ranlib`, `objcopy` and `file` work, and `ld -r` concatenates the units of
 * several objects.
 *
 *     header │ .redzone (units) │ .symtab │ .strtab │ .shstrtab │ table of sections
 *
 * Another linker must not link it into a program, which would crash. So a relocation refers to a
 * symbol that no file defines; the linker prints its name.
 *
 * The reader accepts any 64-bit ELF file that has the section.
 */
import { concatenate } from '../support/concatenate.js';
import type { Symbols } from './units.js';

const sectionName = '.redzone';
const headerBytes = 64;
const sectionBytes = 64;
const symbolBytes = 24;

const types = { null: 0, progbits: 1, symtab: 2, strtab: 3, rela: 4 } as const;
const machines: Readonly<Record<string, number>> = { x64: 62, arm64: 183, riscv64: 243, loong64: 258 };

/** The 64-bit absolute relocation of each architecture. */
const absolute: Readonly<Record<string, number>> = { x64: 1, arm64: 257, riscv64: 2, loong64: 2 };
const needsOwnLinker = 'this_object_is_to_be_linked_by_redzone_cc';

/** `architecture` is Node's name for the processor. */
export function writeElf(units: Uint8Array, symbols: Symbols, architecture: string): Uint8Array {
  const names = new StringTable();
  const table = symbolTable({ ...symbols, undefined: [needsOwnLinker, ...symbols.undefined] }, names);
  const position = symbols.strong.length + symbols.weak.length + symbols.common.length + 1;
  const relocation = new DataView(new ArrayBuffer(symbolBytes));
  relocation.setBigUint64(
    8,
    (BigInt(position) << 32n) | BigInt(absolute[architecture] ?? absolute.x64!),
    true,
  );
  const sectionNames = new StringTable();
  const sections = [
    { name: '', type: types.null, bytes: new Uint8Array(), flags: 0 },
    { name: '.text', type: types.progbits, bytes: new Uint8Array(16), flags: 6 },
    { name: sectionName, type: types.progbits, bytes: units, flags: 0 },
    { name: '.note.GNU-stack', type: types.progbits, bytes: new Uint8Array(), flags: 0 },
    { name: '.symtab', type: types.symtab, bytes: table, flags: 0, link: 5, info: 1, entry: symbolBytes },
    { name: '.strtab', type: types.strtab, bytes: names.bytes(), flags: 0 },
    {
      name: '.rela.text',
      type: types.rela,
      bytes: new Uint8Array(relocation.buffer),
      ...{ flags: 0x40, link: 4, info: 1, entry: symbolBytes },
    },
    { name: '.shstrtab', type: types.strtab, bytes: new Uint8Array(), flags: 0 },
  ];
  const nameOffsets = sections.map(({ name }) => sectionNames.add(name));
  sections.at(-1)!.bytes = sectionNames.bytes();

  const parts: Uint8Array[] = [];
  const headers = new DataView(new ArrayBuffer(sections.length * sectionBytes));
  let at = headerBytes;
  for (const [i, section] of sections.entries()) {
    const { type, bytes, flags, link = 0, info = 0, entry = 0 } = section;
    const padding = (8 - (at % 8)) % 8;
    parts.push(new Uint8Array(padding), bytes);
    at += padding;
    const base = i * sectionBytes;
    headers.setUint32(base, nameOffsets[i]!, true);
    headers.setUint32(base + 4, type, true);
    headers.setBigUint64(base + 8, BigInt(flags), true);
    headers.setBigUint64(base + 24, BigInt(type === types.null ? 0 : at), true);
    headers.setBigUint64(base + 32, BigInt(bytes.length), true);
    headers.setUint32(base + 40, link, true);
    headers.setUint32(base + 44, info, true);
    headers.setBigUint64(
      base + 48,
      BigInt(type === types.symtab || type === types.rela ? 8 : type === types.null ? 0 : 1),
      true,
    );
    headers.setBigUint64(base + 56, BigInt(entry), true);
    at += bytes.length;
  }
  const padding = (8 - (at % 8)) % 8;
  parts.push(new Uint8Array(padding), new Uint8Array(headers.buffer));
  return concatenate([elfHeader(at + padding, sections.length, architecture), ...parts]);
}

function elfHeader(sectionsAt: number, sections: number, architecture: string): Uint8Array {
  const header = new DataView(new ArrayBuffer(headerBytes));
  for (const [i, byte] of [0x7f, 0x45, 0x4c, 0x46, 2, 1, 1].entries()) header.setUint8(i, byte);
  header.setUint16(16, 1, true);
  header.setUint16(18, machines[architecture] ?? machines.x64!, true);
  header.setUint32(20, 1, true);
  header.setBigUint64(40, BigInt(sectionsAt), true);
  header.setUint16(52, headerBytes, true);
  header.setUint16(58, sectionBytes, true);
  header.setUint16(60, sections, true);
  header.setUint16(62, sections - 1, true);
  return new Uint8Array(header.buffer);
}

const bindings = { global: 1, weak: 2 } as const;
const inText = 1;
const inCommon = 0xfff2;

function symbolTable(
  { strong, weak, common, undefined: missing, weakUndefined }: Symbols,
  names: StringTable,
) {
  const rows = [
    ...strong.map(name => [name, bindings.global, inText] as const),
    ...weak.map(name => [name, bindings.weak, inText] as const),
    ...common.map(name => [name, bindings.global, inCommon] as const),
    ...missing.map(name => [name, bindings.global, 0] as const),
    ...weakUndefined.map(name => [name, bindings.weak, 0] as const),
  ];
  const table = new DataView(new ArrayBuffer((rows.length + 1) * symbolBytes));
  for (const [i, [name, binding, section]] of rows.entries()) {
    const base = (i + 1) * symbolBytes;
    table.setUint32(base, names.add(name), true);
    table.setUint8(base + 4, (binding << 4) | (section === inCommon ? 1 : section === inText ? 2 : 0));
    table.setUint16(base + 6, section, true);
    if (section === inCommon) {
      table.setBigUint64(base + 8, 8n, true);
      table.setBigUint64(base + 16, 8n, true);
    }
  }
  return new Uint8Array(table.buffer);
}

class StringTable {
  readonly #parts: Uint8Array[] = [new Uint8Array(1)];
  #length = 1;

  /** Returns the offset of the text. */
  add(text: string): number {
    if (text === '') return 0;
    const bytes = new TextEncoder().encode(`${text}\0`);
    this.#parts.push(bytes);
    this.#length += bytes.length;
    return this.#length - bytes.length;
  }

  bytes(): Uint8Array {
    return concatenate(this.#parts);
  }
}

export function isElf(bytes: Uint8Array): boolean {
  return bytes[0] === 0x7f && bytes[1] === 0x45 && bytes[2] === 0x4c && bytes[3] === 0x46;
}

/** The contents of the section; undefined for a damaged file or one of another compiler. */
export function unitsInElf(bytes: Uint8Array): Uint8Array | undefined {
  if (!isElf(bytes) || bytes[4] !== 2 || bytes.length < headerBytes) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const tableAt = Number(view.getBigUint64(40, true));
  const count = view.getUint16(60, true);
  if (tableAt + count * sectionBytes > bytes.length) return undefined;
  const section = (i: number) => {
    const base = tableAt + i * sectionBytes;
    const start = Number(view.getBigUint64(base + 24, true));
    const length = Number(view.getBigUint64(base + 32, true));
    return { name: view.getUint32(base, true), contents: bytes.subarray(start, start + length) };
  };
  const namesIndex = view.getUint16(62, true);
  if (namesIndex >= count) return undefined;
  const names = section(namesIndex).contents;
  for (let i = 1; i < count; i++) {
    const { name, contents } = section(i);
    const end = names.indexOf(0, name);
    if (new TextDecoder().decode(names.subarray(name, end)) === sectionName) return contents;
  }
  return undefined;
}
