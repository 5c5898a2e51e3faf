/**
 * Tells the engine which branches are hardly ever taken, in the section `metadata.code.branch_hint`.
 *
 * A check of the monitor is a branch around a call of its slow path. Without a hint V8 takes both ways for equally likely, and
 * keeps the registers of a hot loop ready for the call: measured, that doubles the price of a check. clang knows better but
 * does not write the section, so it is made here, from the shape that all checks have:
 *
 * ```
 *   block                            if
 *     ...                              call $slow        hint at `if`: 0, unlikely to be entered
 *     br_if 0     hint: 1, likely    end
 *     ...
 *     call $slow
 *   end
 * ```
 *
 * A branch is hinted when the region that it skips calls a cold function without further branching in between.
 *
 * Invariants: sections stay in order (hints precede the code they speak of); a hint's place is its offset from the start of
 * the function's body, declarations of locals included.
 */
import { assert } from '../support/assert.js';
import { ByteReader, ByteWriter } from './bytes.js';
import { functionNames, isCustom, sectionsOf } from './sections.js';

const sectionName = 'metadata.code.branch_hint';
const importSection = 2;
const codeSection = 10;

interface Hint {
  readonly offset: number;
  readonly isLikely: boolean;
}

/** The binary with hints for all branches around calls of functions whose names are cold. */
export function addBranchHints(binary: Uint8Array, isCold: (name: string) => boolean): Uint8Array {
  const sections = sectionsOf(binary);
  const cold = new Set(
    [...functionNames(binary, sections)].filter(([, name]) => isCold(name)).map(([index]) => index),
  );
  const code = sections.find(section => section.id === codeSection);
  if (cold.size === 0 || code === undefined) return binary;
  const imported = importedFunctions(
    binary,
    sections.find(section => section.id === importSection),
  );
  const hints = hintsOf(new ByteReader(binary, code.start, code.end), imported, cold);
  const out = new ByteWriter(binary.length + hints.length + 64);
  for (const { id, head, start, end } of sections) {
    if (id === codeSection) {
      out.byte(0);
      out.sized(hints);
    }
    if (!isCustom(binary, { id, head, start, end }, sectionName)) out.append(binary, head, end);
  }
  const result = new ByteWriter(out.length + 8);
  result.append(binary, 0, 8);
  result.append(out.bytes);
  return result.bytes.slice();
}

function importedFunctions(binary: Uint8Array, section: { start: number; end: number } | undefined): number {
  if (section === undefined) return 0;
  const reader = new ByteReader(binary, section.start, section.end);
  let functions = 0;
  for (let left = reader.u32(); left > 0; left--) {
    reader.skip(reader.u32());
    reader.skip(reader.u32());
    const kind = reader.byte();
    if (kind === 0) functions++;
    if (kind === 0) reader.skipLeb();
    else if (kind === 3) reader.skip(2);
    else if (kind === 4) reader.skip(1 + lebLength(reader));
    else {
      if (kind === 1) reader.skip(1);
      const hasMaximum = reader.byte() & 1;
      reader.skipLeb();
      if (hasMaximum) reader.skipLeb();
    }
  }
  return functions;
}

function lebLength(reader: ByteReader): number {
  let length = 1;
  while (reader.bytes[reader.position + length]! & 0x80) length++;
  return length;
}

/** The content of the section. */
function hintsOf(code: ByteReader, imported: number, cold: ReadonlySet<number>): Uint8Array {
  const rows = new ByteWriter(1024);
  let hinted = 0;
  const bodies = code.u32();
  for (let i = 0; i < bodies; i++) {
    const size = code.u32();
    const body = new ByteReader(code.bytes, code.position, code.position + size);
    code.skip(size);
    const hints = bodyHints(body, cold);
    if (hints.length === 0) continue;
    hinted++;
    rows.u32(imported + i);
    rows.u32(hints.length);
    for (const { offset, isLikely } of hints) {
      rows.u32(offset);
      rows.u32(1);
      rows.byte(isLikely ? 1 : 0);
    }
  }
  const out = new ByteWriter(rows.length + 64);
  out.u32(sectionName.length);
  out.append(new TextEncoder().encode(sectionName));
  out.u32(hinted);
  out.append(rows.bytes);
  return out.bytes.slice();
}

/** A branch that may turn out to skip a cold call. */
interface Candidate extends Hint {
  /** The nesting of blocks in which the skipped region lies. */
  readonly depth: number;
}

function bodyHints(body: ByteReader, cold: ReadonlySet<number>): Hint[] {
  const start = body.position;
  for (let groups = body.u32(); groups > 0; groups--) {
    body.skipLeb();
    body.skip(1);
  }
  const hints: Hint[] = [];
  let candidates: Candidate[] = [];
  let depth = 0;
  while (!body.done) {
    const offset = body.position - start;
    const opcode = body.byte();
    switch (opcode) {
      case 0x04: // if
        depth++;
        candidates.push({ offset, isLikely: false, depth });
        break;
      case 0x02: // block
      case 0x03: // loop
      case 0x06: // try
        depth++;
        break;
      case 0x05: // else
      case 0x0b: // end
        candidates = candidates.filter(candidate => candidate.depth < depth);
        if (opcode === 0x0b) depth--;
        break;
      case 0x18: // delegate
        depth--;
        break;
      case 0x0d: // br_if
        if (body.bytes[body.position] === 0) candidates.push({ offset, isLikely: true, depth });
        break;
      case 0x10: // call
        if (cold.has(new ByteReader(body.bytes, body.position, body.end).u32())) {
          const hinted = candidates.filter(candidate => candidate.depth === depth);
          hints.push(...hinted);
          candidates = candidates.filter(candidate => candidate.depth !== depth);
        }
        break;
    }
    skipImmediates(body, opcode);
  }
  return hints.sort((a, b) => a.offset - b.offset);
}

/** Moves past what follows an opcode. */
function skipImmediates(body: ByteReader, opcode: number): void {
  if (opcode >= 0x28 && opcode <= 0x3e) {
    body.skipLeb();
    body.skipLeb();
    return;
  }
  switch (opcode) {
    case 0x02:
    case 0x03:
    case 0x04:
    case 0x06:
    case 0x07:
    case 0x08:
    case 0x09:
    case 0x0c:
    case 0x0d:
    case 0x10:
    case 0x18:
    case 0x20:
    case 0x21:
    case 0x22:
    case 0x23:
    case 0x24:
    case 0x25:
    case 0x26:
    case 0x3f:
    case 0x40:
    case 0x41:
    case 0x42:
    case 0xd0:
    case 0xd2:
      body.skipLeb();
      return;
    case 0x11:
      body.skipLeb();
      body.skipLeb();
      return;
    case 0x0e:
      for (let targets = body.u32(); targets >= 0; targets--) body.skipLeb();
      return;
    case 0x1c:
      for (let types = body.u32(); types > 0; types--) body.skip(1);
      return;
    case 0x43:
      body.skip(4);
      return;
    case 0x44:
      body.skip(8);
      return;
    case 0xfc:
      skipBulk(body);
      return;
    case 0xfd:
      skipVector(body);
      return;
    case 0xfe:
      if (body.u32() === 0x03) body.skip(1);
      else {
        body.skipLeb();
        body.skipLeb();
      }
      return;
  }
}

function skipBulk(body: ByteReader): void {
  const opcode = body.u32();
  if (opcode < 8) return;
  assert(opcode <= 17, `unknown instruction 0xfc ${opcode}`);
  body.skipLeb();
  if (opcode === 8 || opcode === 10 || opcode === 12 || opcode === 14) body.skipLeb();
}

function skipVector(body: ByteReader): void {
  const opcode = body.u32();
  if (opcode <= 0x0b || opcode === 0x5c || opcode === 0x5d) {
    body.skipLeb();
    body.skipLeb();
  } else if (opcode === 0x0c || opcode === 0x0d) body.skip(16);
  else if (opcode >= 0x15 && opcode <= 0x22) body.skip(1);
  else if (opcode >= 0x54 && opcode <= 0x5b) {
    body.skipLeb();
    body.skipLeb();
    body.skip(1);
  }
}
