/**
 * The symbols of an object file: those that it defines for others, and those that it needs.
 *
 *     import section    module, name, function 0 │ module, name, function 1 │ …
 *     linking section   version │ 8, size, symbol table: kind, flags, index, name │ other parts …
 *
 * An undefined function has the name of its import unless it says otherwise. Layout: "Linking" of
 * WebAssembly's tool conventions.
 */

import { importedFunctions, isCustom, sectionsOf } from './sections.js';
import { ByteReader } from './wasm-bytes.js';

export interface ObjectSymbols {
  readonly defined: readonly string[];
  /** Without weak ones, which need no definition. */
  readonly undefined: readonly string[];
}

const symbolTable = 8;
const kinds = { function: 0, data: 1, global: 2, section: 3, tag: 4, table: 5 };
const flag = { weak: 1, local: 2, undefined: 0x10, explicitName: 0x40 };

export function objectSymbols(object: Uint8Array): ObjectSymbols {
  const symbols = { defined: [] as string[], undefined: [] as string[] };
  const sections = sectionsOf(object);
  const section = sections.find(candidate => isCustom(object, candidate, 'linking'));
  if (section === undefined) return symbols;
  const imports = importedFunctions(object, sections);
  const reader = new ByteReader(object, section.start, section.end);
  reader.name();
  reader.u32();
  while (!reader.done) {
    const part = reader.byte();
    const end = reader.u32() + reader.position;
    if (part === symbolTable)
      for (let left = reader.u32(); left > 0; left--) readSymbol(reader, imports, symbols);
    reader.position = end;
  }
  return symbols;
}

function readSymbol(
  reader: ByteReader,
  imports: readonly string[],
  symbols: { defined: string[]; undefined: string[] },
): void {
  const kind = reader.byte();
  const flags = reader.u32();
  const isUndefined = (flags & flag.undefined) !== 0;
  let name: string | undefined;
  if (kind === kinds.data) {
    name = reader.name();
    if (!isUndefined) for (let fields = 3; fields > 0; fields--) reader.skipLeb();
  } else {
    const index = reader.u32();
    const isNamed = kind !== kinds.section && (!isUndefined || (flags & flag.explicitName) !== 0);
    if (isNamed) name = reader.name();
    else if (kind === kinds.function) name = imports[index];
  }
  if (name === undefined || (flags & flag.local) !== 0) return;
  if (!isUndefined) symbols.defined.push(name);
  else if ((flags & flag.weak) === 0) symbols.undefined.push(name);
}
