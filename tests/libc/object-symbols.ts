/**
 * Which symbols a wasm object file defines and which it needs: the symbol table of its `linking` section
 * (WebAssembly's tool conventions, "Linking").
 */
export interface ObjectSymbols {
  defined: string[];
  needed: string[];
}

const customSection = 0;
const symbolTable = 8;
const kind = { function: 0, data: 1, global: 2, section: 3, event: 4, table: 5 };
const flag = { binding: 3, local: 2, undefined: 0x10, explicitName: 0x40 };
const importSection = 2;

export function objectSymbols(object: Uint8Array): ObjectSymbols {
  const reader = new Reader(object, 8);
  const imports: Record<number, string[]> = {};
  const result: ObjectSymbols = { defined: [], needed: [] };
  while (!reader.atEnd()) {
    const id = reader.byte();
    const section = reader.piece(reader.number());
    if (id === importSection) readImports(section, imports);
    if (id === customSection && section.text() === 'linking') readLinking(section, imports, result);
  }
  return result;
}

/** Names of what is imported, by kind, in order: an undefined symbol takes its name from there. */
function readImports(reader: Reader, imports: Record<number, string[]>): void {
  for (let left = reader.number(); left > 0; left--) {
    reader.text();
    const name = reader.text();
    const importKind = reader.byte();
    if (importKind === 0) reader.number();
    else if (importKind === 1) {
      reader.byte();
      reader.limits();
    } else if (importKind === 2) reader.limits();
    else if (importKind === 3) reader.skip(2);
    else {
      reader.skip(1);
      reader.number();
    }
    imports[importKind] ??= [];
    imports[importKind].push(name);
  }
}

function readLinking(reader: Reader, imports: Record<number, string[]>, result: ObjectSymbols): void {
  reader.number();
  while (!reader.atEnd()) {
    const type = reader.byte();
    const section = reader.piece(reader.number());
    if (type !== symbolTable) continue;
    for (let left = section.number(); left > 0; left--) readSymbol(section, imports, result);
  }
}

function readSymbol(reader: Reader, imports: Record<number, string[]>, result: ObjectSymbols): void {
  const symbolKind = reader.byte();
  const flags = reader.number();
  const isUndefined = (flags & flag.undefined) !== 0;
  let name: string;
  if (symbolKind === kind.section) {
    reader.number();
    return;
  }
  if (symbolKind === kind.data) {
    name = reader.text();
    if (!isUndefined) for (let i = 0; i < 3; i++) reader.number();
  } else {
    const index = reader.number();
    if (!isUndefined || flags & flag.explicitName) name = reader.text();
    else name = imports[symbolKind === kind.table ? 1 : symbolKind === kind.global ? 3 : symbolKind]![index]!;
  }
  if ((flags & flag.binding) === flag.local) return;
  (isUndefined ? result.needed : result.defined).push(name);
}

class Reader {
  constructor(
    readonly bytes: Uint8Array,
    private at: number,
    private readonly end: number = bytes.length,
  ) {}

  atEnd(): boolean {
    return this.at >= this.end;
  }

  byte(): number {
    return this.bytes[this.at++]!;
  }

  skip(count: number): void {
    this.at += count;
  }

  number(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.byte();
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  }

  limits(): void {
    const hasMaximum = (this.byte() & 1) !== 0;
    this.number();
    if (hasMaximum) this.number();
  }

  text(): string {
    const length = this.number();
    this.at += length;
    return new TextDecoder().decode(this.bytes.subarray(this.at - length, this.at));
  }

  piece(length: number): Reader {
    this.at += length;
    return new Reader(this.bytes, this.at - length, this.at);
  }
}
