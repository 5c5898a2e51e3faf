/** The sections of a wasm binary, the names of its functions, and the memory that it imports. */
import { ByteReader, ByteWriter } from './wasm-bytes.js';

/** The numbers of sections. */
export const sectionId = {
  custom: 0,
  type: 1,
  import: 2,
  function: 3,
  table: 4,
  memory: 5,
  start: 8,
  element: 9,
  code: 10,
  data: 11,
} as const;

export const importKind = { function: 0, table: 1, memory: 2, global: 3, tag: 4 } as const;

export interface Section {
  readonly id: number;
  /** Where the section begins with its id, its content begins, and both end. */
  readonly head: number;
  readonly start: number;
  readonly end: number;
}

export function sectionsOf(binary: Uint8Array): Section[] {
  const reader = new ByteReader(binary, 8);
  const sections: Section[] = [];
  while (!reader.done) {
    const head = reader.position;
    const id = reader.byte();
    const size = reader.u32();
    const start = reader.position;
    reader.skip(size);
    sections.push({ id, head, start, end: reader.position });
  }
  return sections;
}

export function isCustom(binary: Uint8Array, section: Section, name: string): boolean {
  return section.id === 0 && new ByteReader(binary, section.start, section.end).name() === name;
}

/**
 * The binary made of these sections of it, with a custom section of this content before the code.
 */
export function insertBeforeCode(
  binary: Uint8Array,
  sections: readonly Section[],
  content: Uint8Array,
): Uint8Array {
  const out = new ByteWriter(binary.length + content.length + 8);
  out.append(binary, 0, 8);
  for (const { id, head, end } of sections) {
    if (id === sectionId.code) {
      out.byte(0);
      out.sized(content);
    }
    out.append(binary, head, end);
  }
  return out.bytes.slice();
}

/** The size of the longest function in bytes; 0 if the module defines none. */
export function longestFunction(binary: Uint8Array): number {
  const code = sectionsOf(binary).find(({ id }) => id === sectionId.code);
  if (code === undefined) return 0;
  const reader = new ByteReader(binary, code.start, code.end);
  let longest = 0;
  for (let left = reader.u32(); left > 0; left--) {
    const size = reader.u32();
    longest = Math.max(longest, size);
    reader.skip(size);
  }
  return longest;
}

/** From the name section, by function index; empty when there is none. */
export function functionNames(binary: Uint8Array, sections: readonly Section[]): Map<number, string> {
  const names = new Map<number, string>();
  const section = sections.find(candidate => isCustom(binary, candidate, 'name'));
  if (section === undefined) return names;
  const reader = new ByteReader(binary, section.start, section.end);
  reader.name();
  while (!reader.done) {
    const kind = reader.byte();
    const size = reader.u32();
    const end = reader.position + size;
    if (kind === 1) for (let left = reader.u32(); left > 0; left--) names.set(reader.u32(), reader.name());
    else reader.skip(end - reader.position);
  }
  return names;
}

interface Import {
  readonly name: string;
  readonly kind: number;
  /** The initial size of a table or a memory. */
  readonly minimum: number;
}

function* importsOf(binary: Uint8Array, sections: readonly Section[]): Iterable<Import> {
  const section = sections.find(({ id }) => id === sectionId.import);
  if (section === undefined) return;
  const reader = new ByteReader(binary, section.start, section.end);
  for (let left = reader.u32(); left > 0; left--) {
    reader.name();
    const name = reader.name();
    const kind = reader.byte();
    let minimum = 0;
    // A table, a global and a tag begin with one byte of their own; a table and a memory have
    // limits.
    if (kind === importKind.table || kind === importKind.global || kind === importKind.tag) reader.byte();
    if (kind === importKind.global) reader.byte();
    else if (kind === importKind.function || kind === importKind.tag) reader.u32();
    else {
      const hasMaximum = (reader.byte() & 1) !== 0;
      minimum = reader.u64Low32();
      if (hasMaximum) reader.skipLeb();
    }
    yield { name, kind, minimum };
  }
}

/** How many pages the memory that the binary imports must have at least; 0 when it imports none. */
export function importedMemoryPages(binary: Uint8Array): number {
  for (const { kind, minimum } of importsOf(binary, sectionsOf(binary)))
    if (kind === importKind.memory) return minimum;
  return 0;
}

/** The names of the functions that the binary imports, by index. */
export function importedFunctions(binary: Uint8Array, sections: readonly Section[]): string[] {
  const names: string[] = [];
  for (const { name, kind } of importsOf(binary, sections))
    if (kind === importKind.function) names.push(name);
  return names;
}
