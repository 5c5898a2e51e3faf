/**
 * Decodes debug information: the source location of an instruction, the calls through which it was
 * inlined, and the names of variables and types.
 *
 * ```
 *   !dbg ─▶ DILocation(line, column, scope, inlinedAt) ──inlinedAt──▶ DILocation of the call ─▶ ...
 *                                      └─▶ DILexicalBlock ─▶ ... ─▶ DISubprogram(name, file)
 * ```
 *
 * Everything is decoded on demand and each function answers `undefined`, or a location with line 0,
 * where debug information is missing or incomplete: it is a help for messages and never a reason to
 * fail.
 */
import type { SourceLocation, Stack } from '../findings/finding.js';
import type { MetadataField, MetadataNode, SpecializedBody } from './metadata.js';
import type {
  AllocaInstruction,
  Argument,
  DebugRecord,
  GlobalVariable,
  Instruction,
  IrFunction,
} from './model.js';

/** The limit of a chain: malformed metadata may be cyclic. */
const maximumChain = 1000;

/**
 * A type is spelled out to this depth; a function in it counts for several, because it branches.
 */
const maximumTypeDepth = 20;
const functionDepth = 5;

export interface SourceVariable {
  readonly name: string;
  /** In the words of C: `struct node *`. */
  readonly type: string;
  readonly bytes: number | undefined;
  readonly isParameter: boolean;
  /** Whether it lives as long as its function, and not only in an inner block. */
  readonly isOfWholeFunction: boolean;
  readonly location: SourceLocation;
}

/** The body of a specialized node, if it has one of these tags. */
export function specialized(node: MetadataNode | undefined, ...tags: string[]): SpecializedBody | undefined {
  const body = node?.body;
  if (body?.kind !== 'specialized') return undefined;
  return tags.length === 0 || tags.includes(body.tag) ? body : undefined;
}

function field(body: SpecializedBody | undefined, name: string): MetadataField | undefined {
  return body?.fields.get(name);
}

export function nodeField(body: SpecializedBody | undefined, name: string): MetadataNode | undefined {
  const value = field(body, name);
  return typeof value === 'object' && value?.kind === 'node' ? value : undefined;
}

export function textField(body: SpecializedBody | undefined, name: string): string | undefined {
  const value = field(body, name);
  if (typeof value !== 'object' || value === null) return undefined;
  if (value.kind === 'string') return decoded(value.text);
  return value.kind === 'keyword' ? value.text : undefined;
}

/** Metadata has bytes, one per character; the source is UTF-8. */
function decoded(bytes: string): string {
  if (!/[\u0080-\u00ff]/.test(bytes)) return bytes;
  return new TextDecoder().decode(Uint8Array.from(bytes, byte => byte.charCodeAt(0)));
}

export function numberField(body: SpecializedBody | undefined, name: string): number | undefined {
  const value = field(body, name);
  return typeof value === 'bigint' ? Number(value) : undefined;
}

// --------------------------------------------------------------------------------------- locations

/**
 * The frames of an instruction, innermost first: several when it was inlined. Empty without `!dbg`.
 */
export function stackOf(instruction: Instruction): Stack {
  return locationStack(instruction.debugLocation);
}

/** The call that was inlined around an instruction; the innermost, if there are several. */
export function inlinedAt({ debugLocation }: Instruction): MetadataNode | undefined {
  // Most locations are not decoded otherwise.
  if (debugLocation?.source?.includes('inlinedAt') === false) return undefined;
  return nodeField(specialized(debugLocation, 'DILocation'), 'inlinedAt');
}

/** The innermost line of an instruction; undefined without `!dbg`. */
export function lineOf(instruction: Instruction): number | undefined {
  return numberField(specialized(instruction.debugLocation, 'DILocation'), 'line');
}

export function locationStack(location: MetadataNode | undefined): Stack {
  const frames: SourceLocation[] = [];
  let body = specialized(location, 'DILocation');
  while (body !== undefined && frames.length < maximumChain) {
    frames.push(locationIn(nodeField(body, 'scope'), numberField(body, 'line'), numberField(body, 'column')));
    body = specialized(nodeField(body, 'inlinedAt'), 'DILocation');
  }
  return frames;
}

function locationIn(
  scope: MetadataNode | undefined,
  line: number | undefined,
  column: number | undefined,
): SourceLocation {
  const file = fileOf(scope);
  const name = textField(subprogramOf(scope), 'name');
  const place = { file: file ?? '', line: line ?? 0, column: column ?? 0 };
  return name === undefined ? place : { ...place, function: name };
}

/** The function around a block. */
function subprogramOf(scope: MetadataNode | undefined): SpecializedBody | undefined {
  let body = specialized(scope);
  for (let i = 0; body !== undefined && i < maximumChain; i++) {
    if (body.tag === 'DISubprogram') return body;
    body = specialized(nodeField(body, 'scope'));
  }
  return undefined;
}

/**
 * A file as it was given to the compiler, or by its absolute path if debug information has the
 * folder. The embedded clang runs in `/`, which does not count.
 */
export function nameOfFile(body: SpecializedBody | undefined): string | undefined {
  const name = textField(body, 'filename');
  const folder = textField(body, 'directory');
  if (name === undefined || name.startsWith('/') || !folder?.startsWith('/') || folder === '/') return name;
  return `${folder}/${name}`.replace(/\/(\.\/)+/g, '/');
}

/** The file of the innermost scope that names one. */
function fileOf(scope: MetadataNode | undefined): string | undefined {
  let body = specialized(scope);
  for (let i = 0; body !== undefined && i < maximumChain; i++) {
    if (body.tag === 'DIFile') return nameOfFile(body);
    const file = nodeField(body, 'file');
    if (file !== undefined) return nameOfFile(specialized(file, 'DIFile'));
    body = specialized(nodeField(body, 'scope'));
  }
  return undefined;
}

/** The source blocks around an instruction, innermost first; the function is not included. */
export function lexicalBlocksOf(instruction: Instruction): MetadataNode[] {
  const blocks: MetadataNode[] = [];
  let scope = nodeField(specialized(instruction.debugLocation, 'DILocation'), 'scope');
  while (scope !== undefined && blocks.length < maximumChain) {
    const body = specialized(scope, 'DILexicalBlock', 'DILexicalBlockFile');
    if (body?.tag === 'DILexicalBlock') blocks.push(scope);
    scope = nodeField(body, 'scope');
  }
  return blocks;
}

/** The `DISubprogram` attached to a function. */
export function subprogram(target: IrFunction): MetadataNode | undefined {
  return target.metadata?.find(attachment => attachment.name === 'dbg')?.node;
}

/** Where a function is defined, under the name that the source gives it. */
export function functionLocation(target: IrFunction): SourceLocation | undefined {
  const node = subprogram(target);
  const body = specialized(node, 'DISubprogram');
  return body === undefined ? undefined : locationIn(node, numberField(body, 'line'), undefined);
}

// --------------------------------------------------------------------------------------- variables

/** The variable of a debug record. The record itself has the column that its description lacks. */
export function recordVariable(record: DebugRecord): SourceVariable | undefined {
  const variable = describeVariable(specialized(record.variable, 'DILocalVariable'));
  const place = specialized(record.debugLocation, 'DILocation');
  if (variable === undefined || numberField(place, 'line') !== variable.location.line) return variable;
  return { ...variable, location: { ...variable.location, column: numberField(place, 'column') ?? 0 } };
}

/** Whether the type of a variable is `restrict` itself, as in `char *restrict p`. */
export function isDeclaredRestrict({ variable }: DebugRecord): boolean {
  const qualifiers = ['DW_TAG_const_type', 'DW_TAG_volatile_type', 'DW_TAG_typedef'];
  for (let type = nodeField(specialized(variable, 'DILocalVariable'), 'type'); type !== undefined; ) {
    const body = specialized(type);
    const tag = textField(body, 'tag') ?? '';
    if (tag === 'DW_TAG_restrict_type') return true;
    type = qualifiers.includes(tag) ? nodeField(body, 'baseType') : undefined;
  }
  return false;
}

/** The variable that a global is, with the function around it in case of a static local. */
export function globalVariable(global: GlobalVariable): SourceVariable | undefined {
  for (const { name, node } of global.metadata ?? []) {
    if (name !== 'dbg') continue;
    const expression = specialized(node, 'DIGlobalVariableExpression');
    const variable = expression === undefined ? node : nodeField(expression, 'var');
    return describeVariable(specialized(variable, 'DIGlobalVariable'));
  }
  return undefined;
}

function describeVariable(body: SpecializedBody | undefined): SourceVariable | undefined {
  const name = textField(body, 'name');
  if (body === undefined || name === undefined) return undefined;
  const type = nodeField(body, 'type');
  const location = locationIn(nodeField(body, 'scope'), numberField(body, 'line'), undefined);
  const file = nameOfFile(specialized(nodeField(body, 'file'), 'DIFile'));
  return {
    name,
    type: typeName(type),
    bytes: typeBytes(type),
    isParameter: numberField(body, 'arg') !== undefined,
    isOfWholeFunction: specialized(nodeField(body, 'scope'), 'DISubprogram') !== undefined,
    location: file === undefined ? location : { ...location, file },
  };
}

/** The variables of a function by the memory that holds them: a local, or an argument `byval`. */
export function variablesOf(target: IrFunction): Map<AllocaInstruction | Argument, SourceVariable> {
  const variables = new Map<AllocaInstruction | Argument, SourceVariable>();
  for (const block of target.blocks) {
    for (const record of block.instructions) {
      if (record.op !== 'debug-record' || record.record !== 'declare') continue;
      const [value] = record.values;
      const isMemory = value?.kind === 'argument' || (value?.kind === 'instruction' && value.op === 'alloca');
      if (!isMemory || variables.has(value)) continue;
      const variable = recordVariable(record);
      if (variable !== undefined) variables.set(value, variable);
    }
  }
  return variables;
}

// ------------------------------------------------------------------------------------------- types

/** How C would spell the type: `const char *`, `struct node[3]`, `int (*)(void)`. */
export function typeName(type: MetadataNode | undefined): string {
  return declare(type, '', 0).trim();
}

/** C spells a type around what is declared, so the spelling is built from the inside out. */
function declare(type: MetadataNode | undefined, inner: string, depth: number): string {
  if (type === undefined || depth > maximumTypeDepth) return `void${inner === '' ? '' : ` ${inner}`}`;
  const body = specialized(type);
  const base = nodeField(body, 'baseType');
  const tag = textField(body, 'tag') ?? body?.tag ?? '';
  const name = textField(body, 'name');
  switch (tag) {
    case 'DW_TAG_pointer_type':
      return declare(base, needsParentheses(base) ? `(*${inner})` : `*${inner}`, depth + 1);
    case 'DW_TAG_array_type':
      return declare(base, inner + dimensions(body), depth + 1);
    case 'DISubroutineType':
      return declareFunction(body, inner, depth);
    case 'DW_TAG_const_type':
      return qualify('const', base, inner, depth);
    case 'DW_TAG_volatile_type':
      return qualify('volatile', base, inner, depth);
    case 'DW_TAG_restrict_type':
      return declare(base, inner, depth + 1);
    case 'DW_TAG_atomic_type':
      return qualify('_Atomic', base, inner, depth);
    case 'DW_TAG_structure_type':
      return spaced(`struct ${name ?? '{...}'}`, inner);
    case 'DW_TAG_union_type':
      return spaced(`union ${name ?? '{...}'}`, inner);
    case 'DW_TAG_enumeration_type':
      return spaced(`enum ${name ?? '{...}'}`, inner);
    default:
      return spaced(name ?? 'void', inner);
  }
}

function spaced(name: string, inner: string): string {
  return inner === '' || inner.startsWith('[') ? name + inner : `${name} ${inner}`;
}

/** `*const` after a star, `const int` before a name. */
function qualify(word: string, base: MetadataNode | undefined, inner: string, depth: number): string {
  const isPointer = textField(specialized(base), 'tag') === 'DW_TAG_pointer_type';
  if (isPointer) return declare(base, spaced(word, inner), depth + 1);
  return `${word} ${declare(base, inner, depth + 1)}`;
}

function needsParentheses(base: MetadataNode | undefined): boolean {
  const body = specialized(base);
  return body?.tag === 'DISubroutineType' || textField(body, 'tag') === 'DW_TAG_array_type';
}

function operandsOf(node: MetadataNode | undefined): readonly (MetadataNode | undefined)[] {
  const body = node?.body;
  if (body?.kind !== 'tuple') return [];
  return body.operands.map(operand => (operand?.kind === 'node' ? operand : undefined));
}

function dimensions(body: SpecializedBody | undefined): string {
  return operandsOf(nodeField(body, 'elements'))
    .map(range => `[${numberField(specialized(range, 'DISubrange'), 'count') ?? ''}]`)
    .join('');
}

function declareFunction(body: SpecializedBody | undefined, inner: string, depth: number): string {
  const [returns, ...parameters] = operandsOf(nodeField(body, 'types'));
  const list = parameters.map(parameter =>
    parameter === undefined ? '...' : declare(parameter, '', depth + functionDepth),
  );
  return declare(returns, `${inner}(${list.length === 0 ? 'void' : list.join(', ')})`, depth + functionDepth);
}

/**
 * The type of a function, or of the functions that a variable points to, spelled so that compatible
 * types have the same text: typedefs are resolved, an enum is its integer type, and qualifiers of
 * the parameters themselves are left out. Undefined if it is unknown, or if a function was declared
 * without its parameters.
 */
export function comparableFunctionType(of: IrFunction | GlobalVariable): string | undefined {
  const attached = of.metadata?.find(({ name }) => name === 'dbg')?.node;
  const expression = specialized(attached, 'DIGlobalVariableExpression');
  const description = specialized(expression === undefined ? attached : nodeField(expression, 'var'));
  let body = specialized(nodeField(description, 'type'));
  for (let i = 0; body !== undefined && body.tag !== 'DISubroutineType' && i < maximumChain; i++)
    body = specialized(nodeField(body, 'baseType'));
  const types = operandsOf(nodeField(body, 'types'));
  if (types.length === 0 || (types.length === 2 && types[1] === undefined)) return undefined;
  return comparableFunction(types, 0);
}

function comparableFunction(types: readonly (MetadataNode | undefined)[], depth: number): string {
  const [returns, ...parameters] = types;
  const list = parameters.map(parameter =>
    parameter === undefined ? '...' : comparable(unqualified(parameter), depth),
  );
  return `(${list.join(', ')}) -> ${comparable(returns, depth)}`;
}

/** Written from the outside in: `*const char` is a pointer to constant characters. */
function comparable(type: MetadataNode | undefined, depth: number): string {
  if (type === undefined || depth > maximumTypeDepth) return 'void';
  const body = specialized(type);
  const base = nodeField(body, 'baseType');
  const inner = (): string => comparable(base, depth + 1);
  const tag = textField(body, 'tag') ?? body?.tag ?? '';
  const name = textField(body, 'name') ?? '';
  switch (tag) {
    case 'DW_TAG_pointer_type':
      return `*${inner()}`;
    case 'DW_TAG_array_type':
      return `${dimensions(body)}${inner()}`;
    case 'DISubroutineType':
      return `(${comparableFunction(operandsOf(nodeField(body, 'types')), depth + functionDepth)})`;
    case 'DW_TAG_const_type':
      return `const ${inner()}`;
    case 'DW_TAG_volatile_type':
      return `volatile ${inner()}`;
    case 'DW_TAG_atomic_type':
      return `_Atomic ${inner()}`;
    case 'DW_TAG_typedef':
    case 'DW_TAG_restrict_type':
    case 'DW_TAG_enumeration_type':
      return inner();
    case 'DW_TAG_structure_type':
      return `struct ${name}`;
    case 'DW_TAG_union_type':
      return `union ${name}`;
    default:
      return name;
  }
}

function unqualified(type: MetadataNode): MetadataNode | undefined {
  const body = specialized(type);
  const isQualifier = /^DW_TAG_(const|volatile|restrict)_type$/.test(textField(body, 'tag') ?? '');
  const base = nodeField(body, 'baseType');
  return isQualifier && base !== undefined ? unqualified(base) : type;
}

/** The size of a variable of this type, if it is known. */
export function typeBytes(type: MetadataNode | undefined): number | undefined {
  let body = specialized(type);
  for (let i = 0; body !== undefined && i < maximumChain; i++) {
    const bits = numberField(body, 'size');
    if (bits !== undefined) return bits / 8;
    body = specialized(nodeField(body, 'baseType'));
  }
  return undefined;
}
