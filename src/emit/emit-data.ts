/**
 * Variables with values: bytes, and the addresses in them that the linker patches. Each has its own
 * segment, so that the linker drops unreferenced ones.
 */

import type { DataLayout } from '../ir/data-layout.js';
import type { Constant, GlobalVariable, Module } from '../ir/model.js';
import type { Type } from '../ir/types.js';
import { unreachable } from '../support/assert.js';
import { CodeBuffer, relocation } from './code-buffer.js';
import { dataSymbol, functionSymbol, knownAddress } from './known-address.js';
import { type ObjectFile, symbolFlag } from './object-file.js';
import { NotEmitted } from './value-types.js';

/** Larger variables are compiled by LLVM. */
const largestBytes = 1 << 24;

export function emitVariables(object: ObjectFile, layout: DataLayout, { variables }: Module): void {
  const kept = new Set<Constant>(
    variables.filter(({ name }) => /^llvm\.(compiler\.)?used$/.test(name)).flatMap(elementsOf),
  );
  for (const variable of variables) {
    const { name, initializer } = variable;
    if (initializer === undefined || variable.linkage === 'available_externally') continue;
    if (name === 'llvm.global_ctors') addConstructors(object, variable);
    else if (!/^llvm\.(compiler\.)?used$/.test(name))
      define(object, layout, variable, initializer, kept.has(variable));
  }
}

function elementsOf({ initializer }: GlobalVariable): readonly Constant[] {
  return initializer?.kind === 'aggregate' ? initializer.elements : [];
}

/** Each row has a priority, a function, and the data to which the function belongs. */
function addConstructors(object: ObjectFile, variable: GlobalVariable): void {
  for (const row of elementsOf(variable)) {
    const [priority, target] = row.kind === 'aggregate' ? row.elements : [];
    if (priority?.kind !== 'integer' || target?.kind !== 'function') throw new NotEmitted('a constructor');
    object.addConstructor(functionSymbol(object, target), Number(priority.value));
  }
}

function define(
  object: ObjectFile,
  layout: DataLayout,
  variable: GlobalVariable,
  initializer: Constant,
  isKept: boolean,
): void {
  const { name, valueType, section, isConstant, threadLocal } = variable;
  const bytes = layout.allocBytes(valueType);
  if (threadLocal !== undefined || bytes > largestBytes || name.startsWith('llvm.'))
    throw new NotEmitted(`the variable ${name}`);
  const content = new CodeBuffer(Math.max(bytes, 16));
  write({ object, layout, content }, initializer, valueType);
  fill(content, bytes);
  const isZero = content.relocations.length === 0 && content.bytes.every(byte => byte === 0);
  const symbol = dataSymbol(object, variable);
  if (isKept) symbol.flags |= symbolFlag.kept;
  object.defineData(symbol, {
    name: section ?? `${isConstant ? '.rodata' : isZero ? '.bss' : '.data'}.${name}`,
    align: variable.align || layout.align(valueType),
    content,
    isKept,
  });
}

interface Writing {
  readonly object: ObjectFile;
  readonly layout: DataLayout;
  readonly content: CodeBuffer;
}

function fill(content: CodeBuffer, length: number): void {
  while (content.length < length) content.byte(0);
}

/** Appends a value, aligned as its type requires. */
function write(writing: Writing, constant: Constant, type: Type): void {
  const { layout, content } = writing;
  const start = content.length;
  switch (constant.kind) {
    case 'integer':
      writeBits(content, constant.value, layout.storeBytes(type));
      return;
    case 'float':
      writeBits(content, constant.bits, layout.storeBytes(type));
      return;
    case 'null':
    case 'zero':
    case 'undef':
    case 'poison':
      return void fill(content, start + layout.allocBytes(type));
    case 'bytes':
      for (let i = 0; i < constant.data.length; i++) content.byte(constant.data.charCodeAt(i));
      return;
    case 'aggregate':
      constant.elements.forEach((element, i) => {
        if (type.kind === 'struct') fill(content, start + layout.structLayout(type).offsets[i]!);
        else if (type.kind === 'array') fill(content, start + i * layout.allocBytes(type.element));
        else throw new NotEmitted(`a value of type ${type.kind}`);
        write(writing, element, element.type);
      });
      return void fill(content, start + layout.allocBytes(type));
    case 'variable':
    case 'function':
    case 'alias':
    case 'ifunc':
    case 'expression':
    case 'blockaddress':
    case 'dso_local_equivalent':
    case 'no_cfi':
    case 'none':
      return void writeAddress(writing, constant);
    default:
      unreachable(constant);
  }
}

function writeBits(content: CodeBuffer, bits: bigint, bytes: number): void {
  let rest = bits;
  for (let left = bytes; left > 0; left--, rest >>= 8n) content.byte(Number(rest & 0xffn));
}

function writeAddress({ object, layout, content }: Writing, constant: Constant): void {
  const known = knownAddress(layout, constant);
  if (known === undefined || layout.storeBytes(constant.type) !== 8)
    throw new NotEmitted('a computed constant');
  const { global, addend } = known;
  const { length: offset } = content;
  if (global === undefined) return void writeBits(content, BigInt.asUintN(64, addend), 8);
  writeBits(content, 0n, 8);
  if (global.kind === 'variable') {
    const place = { kind: relocation.memoryAddressInData, offset, addend: BigInt.asIntN(64, addend) };
    content.relocations.push({ ...place, target: dataSymbol(object, global) });
    return;
  }
  if (global.kind !== 'function' || addend !== 0n) throw new NotEmitted('an address inside a function');
  const target = functionSymbol(object, global);
  content.relocations.push({ kind: relocation.tableIndexInData, offset, target, addend: 0n });
}
