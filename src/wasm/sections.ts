/** The sections of a wasm binary, the names of its functions, and the memory that it imports. */
import { ByteReader, ByteWriter } from './bytes.js';

export const codeSection = 10;

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

/** The binary made of these sections of it, with a custom section of this content before the code. */
export function insertBeforeCode(
  binary: Uint8Array,
  sections: readonly Section[],
  content: Uint8Array,
): Uint8Array {
  const out = new ByteWriter(binary.length + content.length + 8);
  out.append(binary, 0, 8);
  for (const { id, head, end } of sections) {
    if (id === codeSection) {
      out.byte(0);
      out.sized(content);
    }
    out.append(binary, head, end);
  }
  return out.bytes.slice();
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

const importSection = 2;
const importKind = { function: 0, table: 1, memory: 2, global: 3 };

/** How many pages the memory that the binary imports must have at least; 0 when it imports none. */
export function importedMemoryPages(binary: Uint8Array): number {
  const section = sectionsOf(binary).find(({ id }) => id === importSection);
  if (section === undefined) return 0;
  const reader = new ByteReader(binary, section.start, section.end);
  for (let left = reader.u32(); left > 0; left--) {
    reader.name();
    reader.name();
    const kind = reader.byte();
    if (kind === importKind.function) {
      reader.u32();
      continue;
    }
    // A table and a global begin with the type of what they hold; a table and a memory have limits.
    if (kind !== importKind.memory) reader.byte();
    const flags = reader.byte();
    if (kind === importKind.global) continue;
    const minimum = reader.u32();
    if (kind === importKind.memory) return minimum;
    if ((flags & 1) !== 0) reader.u32();
  }
  return 0;
}
