/**
 * The names of struct members, from debug information: IR identifies a member only by its struct
 * and index.
 *
 * All debug nodes that are reachable from the functions and variables of a module are visited once,
 * while the module still has them.
 */

import type { DataLayout } from '../ir/data-layout.js';
import { nodeField, numberField, specialized, textField } from '../ir/debug.js';
import type { Metadata, MetadataField, MetadataNode } from '../ir/metadata.js';
import type { GetElementPtrInstruction, Module, Value } from '../ir/model.js';
import type { StructType, Type } from '../ir/types.js';
import type { MemberName } from './plugin.js';

export class Members {
  /** By the name of the struct, then by the offset in bytes. */
  readonly #structs: ReadonlyMap<string, ReadonlyMap<number, string>>;

  constructor(
    module: Module,
    private readonly layout: DataLayout,
  ) {
    this.#structs = structsOf(module);
  }

  /** The member of a pointer that was computed by naming one. */
  at(pointer: Value): MemberName | undefined {
    if (pointer.kind !== 'instruction' || pointer.op !== 'getelementptr') return undefined;
    const place = memberOf(pointer);
    if (place === undefined) return undefined;
    const struct = /^(?:struct|union)\.(.*?)(?:\.\d+)?$/.exec(place.type.name ?? '')?.[1];
    const offset = this.layout.structLayout(place.type).offsets[place.index];
    if (struct === undefined || offset === undefined) return undefined;
    const member = this.#structs.get(struct)?.get(offset);
    return member === undefined ? undefined : { struct, member };
  }
}

/** The innermost struct that the indices select, and the index of the element. */
function memberOf({
  sourceType,
  indices,
}: GetElementPtrInstruction): { type: StructType; index: number } | undefined {
  let type: Type = sourceType;
  let found: { type: StructType; index: number } | undefined;
  for (const index of indices.slice(1)) {
    if (type.kind === 'struct') {
      const element = index.kind === 'integer' ? Number(index.value) : -1;
      const next: Type | undefined = type.elements?.[element];
      if (next === undefined) return undefined;
      found = { type, index: element };
      type = next;
    } else if (type.kind === 'array') {
      type = type.element;
      found = undefined;
    } else return undefined;
  }
  return found;
}

function structsOf(module: Module): Map<string, Map<number, string>> {
  const structs = new Map<string, Map<number, string>>();
  const visited = new Set<MetadataNode>();
  const waiting: MetadataNode[] = [];
  const visit = (value: Metadata | MetadataField | undefined): void => {
    if (typeof value !== 'object' || value === null || value.kind !== 'node' || visited.has(value)) return;
    visited.add(value);
    waiting.push(value);
  };
  for (const global of [...module.functions, ...module.variables])
    for (const { node } of global.metadata ?? []) visit(node);
  for (const { blocks } of module.functions)
    for (const { instructions } of blocks)
      for (const instruction of instructions)
        if (instruction.op === 'debug-record' && instruction.record !== 'label') visit(instruction.variable);
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    const { body } = node;
    if (body.kind === 'tuple') body.operands.forEach(visit);
    else for (const field of body.fields.values()) visit(field);
    addStruct(structs, node);
  }
  return structs;
}

function addStruct(structs: Map<string, Map<number, string>>, node: MetadataNode): void {
  const given = specialized(node, 'DICompositeType', 'DIDerivedType');
  const isTypedef = textField(given, 'tag') === 'DW_TAG_typedef';
  // In IR, a struct without a name has the name of its typedef.
  const body = isTypedef ? specialized(nodeField(given, 'baseType'), 'DICompositeType') : given;
  const name = textField(body, 'name') ?? textField(given, 'name');
  const elements = nodeField(body, 'elements')?.body;
  if (name === undefined || elements?.kind !== 'tuple') return;
  const members = new Map<number, string>();
  for (const element of elements.operands) {
    const member = element?.kind === 'node' ? specialized(element, 'DIDerivedType') : undefined;
    const text = textField(member, 'name');
    if (text !== undefined) members.set((numberField(member, 'offset') ?? 0) / 8, text);
  }
  structs.set(name, members);
}
