/**
 * The shared parts of the writer: the text of types, constants, attributes and metadata, and the
 * numbers that are assigned while writing.
 *
 * Numbers are given in the order in which things are first mentioned, so that writing what was read
 * from our own text gives the same text again. Structs and attribute groups that turn up on the way
 * are collected here and written where they belong.
 */
import type { Attribute, AttributeSet } from '../attributes.js';
import { signedValue } from '../constants.js';
import type { MetadataBody, MetadataField, MetadataNode } from '../metadata.js';
import {
  type Block,
  type Constant,
  type ConstantExpression,
  Flag,
  type GlobalValue,
  type IrFunction,
  type Value,
} from '../model.js';
import { floatTextFromBits } from '../read/float-text.js';
import type { StructType, Type } from '../types.js';
import { type Local, spellLocals, spellName, spellString } from './spelling.js';

export class ModuleText {
  readonly #types = new Map<Type, string>();
  /**
   * By the text `%name`; two structs of one name and body share it, as after linking two modules.
   */
  readonly #structs = new Map<string, { readonly struct: StructType; readonly definition: string }>();
  readonly #globalNumbers = new Map<GlobalValue, number>();
  readonly #groups = new Map<AttributeSet, number>();
  /** The number of a node, or the whole text of one that is written where it is used. */
  readonly #nodes = new Map<MetadataNode, string>();
  readonly #nodeQueue: MetadataNode[] = [];
  readonly #blockNames = new Map<IrFunction, Map<Local, string>>();
  /** The names in the function that is being written. */
  locals: Map<Local, string> = new Map();

  /** Unnamed globals are numbered in this order. */
  constructor(globals: Iterable<GlobalValue>) {
    for (const global of globals) {
      if (global.name === '') this.#globalNumbers.set(global, this.#globalNumbers.size);
    }
  }

  // ----------------------------------------------------------------------------------------- types

  type(type: Type): string {
    let text = this.#types.get(type);
    if (text === undefined) {
      text = this.#makeType(type);
      this.#types.set(type, text);
    }
    return text;
  }

  #makeType(type: Type): string {
    switch (type.kind) {
      case 'void':
      case 'label':
      case 'metadata':
      case 'token':
        return type.kind;
      case 'integer':
        return `i${type.bits}`;
      case 'float':
        return type.format;
      case 'pointer':
        return type.addressSpace === 0 ? 'ptr' : `ptr addrspace(${type.addressSpace})`;
      case 'vector':
        return `<${type.length} x ${this.type(type.element)}>`;
      case 'array':
        return `[${type.length} x ${this.type(type.element)}]`;
      case 'struct':
        return type.name === undefined ? this.#structBody(type) : this.#structName(type, type.name);
      case 'function': {
        const parameters = type.parameters.map(parameter => this.type(parameter));
        if (type.variadic) parameters.push('...');
        return `${this.type(type.returns)} (${parameters.join(', ')})`;
      }
      case 'target': {
        const parts = [...type.types.map(part => this.type(part)), ...type.integers];
        return `target(${[spellString(type.name), ...parts].join(', ')})`;
      }
    }
  }

  #structBody(type: StructType): string {
    if (type.elements === undefined) return 'opaque';
    const elements = type.elements.map(element => this.type(element)).join(', ');
    const body = elements === '' ? '{}' : `{ ${elements} }`;
    return type.packed ? `<${body}>` : body;
  }

  #structName(struct: StructType, name: string): string {
    const definition = this.#structBody(struct);
    for (let suffix = 0; ; suffix++) {
      const candidate = suffix === 0 ? name : `${name}.${suffix}`;
      const text = `%${/^[0-9]+$/.test(candidate) ? candidate : spellName(candidate)}`;
      const known = this.#structs.get(text);
      if (known === undefined) this.#structs.set(text, { struct, definition });
      else if (known.definition !== definition) continue;
      return text;
    }
  }

  /** The definitions of all structs that were mentioned. */
  *structDefinitions(): Iterable<string> {
    for (const [name, { definition }] of this.#structs) yield `${name} = type ${definition}\n`;
  }

  // ---------------------------------------------------------------------------------------- values

  global(global: GlobalValue): string {
    return `@${global.name === '' ? this.#globalNumbers.get(global) : spellName(global.name)}`;
  }

  local(local: Local): string {
    return `%${this.locals.get(local) ?? '"not in this function"'}`;
  }

  typedValue(value: Value): string {
    return `${this.type(value.type)} ${this.value(value)}`;
  }

  value(value: Value): string {
    switch (value.kind) {
      case 'argument':
      case 'instruction':
        return this.local(value);
      case 'metadata': {
        const metadata = value.metadata;
        if (metadata.kind === 'node') return this.node(metadata);
        return metadata.kind === 'string'
          ? `!${spellString(metadata.text)}`
          : this.typedValue(metadata.value);
      }
      case 'assembly': {
        const words = [
          'asm',
          value.sideEffect ? 'sideeffect' : '',
          value.alignStack ? 'alignstack' : '',
          value.intelDialect ? 'inteldialect' : '',
          value.mayUnwind ? 'unwind' : '',
        ].filter(word => word !== '');
        return `${words.join(' ')} ${spellString(value.text)}, ${spellString(value.constraints)}`;
      }
      default:
        // `constant` accepts constants only, so the compiler checks that nothing else is left.
        return this.constant(value);
    }
  }

  constant(constant: Constant): string {
    switch (constant.kind) {
      case 'integer':
        if (constant.type.bits === 1) return constant.value === 1n ? 'true' : 'false';
        return String(signedValue(constant));
      case 'float':
        return floatTextFromBits(constant.bits, constant.type.format);
      case 'null':
      case 'undef':
      case 'poison':
      case 'none':
        return constant.kind;
      case 'zero':
        return 'zeroinitializer';
      case 'bytes':
        return `c${spellString(constant.data)}`;
      case 'aggregate':
        return this.#aggregate(constant.type, constant.elements);
      case 'expression':
        return this.#expression(constant);
      case 'blockaddress':
        return `blockaddress(${this.global(constant.function)}, ${this.#blockOf(constant.function, constant.block)})`;
      case 'dso_local_equivalent':
      case 'no_cfi':
        return `${constant.kind} ${this.global(constant.target)}`;
      default:
        // `global` accepts globals only, so the compiler checks that nothing else is left.
        return this.global(constant);
    }
  }

  #blockOf(target: IrFunction, block: Block): string {
    let names = this.#blockNames.get(target);
    if (names === undefined) {
      names = spellLocals(target);
      this.#blockNames.set(target, names);
    }
    return `%${names.get(block)}`;
  }

  #aggregate(type: Type, elements: readonly Constant[]): string {
    const [first] = elements;
    if (type.kind === 'vector' && first !== undefined && elements.every(element => element === first)) {
      if (first.kind === 'integer' || first.kind === 'float') return `splat (${this.typedValue(first)})`;
    }
    const list = elements.map(element => this.typedValue(element)).join(', ');
    if (type.kind === 'array') return `[${list}]`;
    if (type.kind === 'vector') return `<${list}>`;
    const body = list === '' ? '{}' : `{ ${list} }`;
    return type.kind === 'struct' && type.packed ? `<${body}>` : body;
  }

  #expression(expression: ConstantExpression): string {
    const operands = expression.operands.map(operand => this.typedValue(operand)).join(', ');
    switch (expression.op) {
      case 'getelementptr': {
        const range = expression.inRange;
        const inRange = range === undefined ? '' : ` inrange(${range.low}, ${range.high})`;
        const source = expression.sourceType === undefined ? '' : `${this.type(expression.sourceType)}, `;
        return `getelementptr${gepFlags(expression.flags)}${inRange} (${source}${operands})`;
      }
      case 'add':
      case 'sub':
      case 'xor': {
        const nuw = expression.flags & Flag.nuw ? ' nuw' : '';
        const nsw = expression.flags & Flag.nsw ? ' nsw' : '';
        return `${expression.op}${nuw}${nsw} (${operands})`;
      }
      case 'extractelement':
      case 'insertelement':
      case 'shufflevector':
        return `${expression.op} (${operands})`;
      case 'trunc':
      case 'ptrtoint':
      case 'ptrtoaddr':
      case 'inttoptr':
      case 'bitcast':
      case 'addrspacecast':
        return `${expression.op} (${operands} to ${this.type(expression.type)})`;
    }
  }

  // ------------------------------------------------------------------------------------ attributes

  /** ` #7`, or nothing for the empty set. */
  group(set: AttributeSet): string {
    if (set.list.length === 0) return '';
    let number = this.#groups.get(set);
    if (number === undefined) {
      number = this.#groups.size;
      this.#groups.set(set, number);
    }
    return ` #${number}`;
  }

  /** Each followed by a space, as before a value. */
  valueAttributes(set: AttributeSet): string {
    let text = '';
    for (const attribute of set.list) text += `${this.#attribute(attribute, false)} `;
    return text;
  }

  #attribute(attribute: Attribute, inGroup: boolean): string {
    const { name, value, type } = attribute;
    if (attribute.quoted) {
      return value === undefined ? spellString(name) : `${spellString(name)}=${spellString(value)}`;
    }
    if (type !== undefined) return `${name}(${this.type(type)})`;
    if (value === undefined) return name;
    if (inGroup && (name === 'align' || name === 'alignstack')) return `${name}=${value}`;
    return name === 'align' ? `align ${value}` : `${name}(${value})`;
  }

  /** The groups that were mentioned. */
  *groupDefinitions(): Iterable<string> {
    for (const [set, number] of this.#groups) {
      const list = set.list.map(attribute => this.#attribute(attribute, true));
      yield `attributes #${number} = { ${list.join(' ')} }\n`;
    }
  }

  // -------------------------------------------------------------------------------------- metadata

  /** `!7`, or the node itself if it is written in place: that is so for expressions. */
  node(node: MetadataNode): string {
    let text = this.#nodes.get(node);
    if (text === undefined) {
      if (isWrittenInPlace(node)) {
        text = this.#nodeText(node);
      } else {
        text = `!${this.#nodeQueue.length}`;
        this.#nodeQueue.push(node);
      }
      this.#nodes.set(node, text);
    }
    return text;
  }

  /** The nodes that were mentioned, and those that they mention in turn. */
  *nodeDefinitions(): Iterable<string> {
    for (let number = 0; number < this.#nodeQueue.length; number++) {
      const node = this.#nodeQueue[number]!;
      yield `!${number} = ${node.distinct ? 'distinct ' : ''}${this.#nodeText(node)}\n`;
    }
  }

  #nodeText(node: MetadataNode): string {
    const { source, space } = node;
    if (source === undefined || space === undefined) return this.#bodyText(node.body);
    if (!/![0-9]/.test(source)) return source;
    return source.replace(/"[^"]*"|!([0-9]+)/g, (whole, number: string | undefined) => {
      const target = number === undefined ? undefined : space.nodes.get(Number(number));
      return target === undefined ? whole : this.node(target);
    });
  }

  #bodyText(body: MetadataBody): string {
    if (body.kind === 'tuple')
      return `!{${body.operands.map(operand => this.#field(operand, '!')).join(', ')}}`;
    const named = [...body.fields].map(([name, field]) => `${name}: ${this.#field(field, '')}`);
    const positional = body.positional.map(field => this.#field(field, ''));
    return `!${body.tag}(${[...named, ...positional].join(', ')})`;
  }

  /** A string is `!"x"` in a tuple and `"x"` in a field. */
  #field(field: MetadataField, sigil: '!' | ''): string {
    if (field === null) return 'null';
    if (typeof field !== 'object') return String(field);
    switch (field.kind) {
      case 'node':
        return this.node(field);
      case 'string':
        return sigil + spellString(field.text);
      case 'value':
        return this.typedValue(field.value);
      case 'keyword':
        return field.text;
    }
  }
}

function isWrittenInPlace(node: MetadataNode): boolean {
  const source = node.source;
  if (source !== undefined) return source.startsWith('!DIExpression(');
  return node.body.kind === 'specialized' && node.body.tag === 'DIExpression';
}

/** The flags of a getelementptr, each with a space before it. */
export function gepFlags(flags: number): string {
  const bounds = flags & Flag.inbounds ? ' inbounds' : flags & Flag.nusw ? ' nusw' : '';
  return flags & Flag.nuw ? `${bounds} nuw` : bounds;
}
