/**
 * The text of one part of a program before it is instrumented, with everything on which its object
 * depends: an object of an earlier build is used again if the text is the same (record 0263).
 *
 * ```
 *   the functions of the part, as IR        places as lines relative to the first one in their file
 *   for each call, alloca and argument      what analyses of the whole program say of it
 *   for each global that is mentioned       its declaration, and its number
 * ```
 *
 * Lines are relative, so that a line that is inserted above a part does not change its text;
 * `bases` has what was subtracted.
 *
 * Invariant: whatever `FunctionInstrumenter` and the emitter read of a function, of its `Context`
 * or of a global is in the text. The declaration of a name that begins with `__rz_` or `llvm.`
 * depends only on the version, which is in the key.
 */
import { locationStack, nameOfFile, nodeField, numberField, specialized, textField } from '../../ir/debug.js';
import type { MetadataNode, SpecializedBody } from '../../ir/metadata.js';
import type { GlobalValue, Instruction, IrFunction } from '../../ir/model.js';
import { ModuleText } from '../../ir/write/module-text.js';
import { functionText } from '../../ir/writer.js';
import type { Context } from './function.js';
import { mayBeAnother } from './signature-numbers.js';

/** The usual form of a location. */
const usualLocation = /^!DILocation\(line: (\d+)(?:, column: (\d+))?, scope: !(\d+)\)$/;

type PartFacts = Pick<
  Context,
  'module' | 'globals' | 'functions' | 'signatureOf' | 'isAskedAbout' | 'mayUnsettle' | 'readAtEntry'
>;

export interface PartDescription {
  readonly text: string;
  /** By file, the line from which the others are counted. */
  readonly bases: ReadonlyMap<string, number>;
}

/** Undefined if the part mentions something without a name. */
export function describePart(group: readonly IrFunction[], facts: PartFacts): PartDescription | undefined {
  const text = new PartText();
  const out: string[] = [];
  for (const target of group) {
    functionText(text, target, out);
    out.push(answersAbout(target, facts), '\n');
    for (const alias of facts.module.aliases) if (alias.aliasee === target) text.global(alias);
  }
  for (const global of text.mentioned) {
    if (global.name === '') return undefined;
    out.push(declarationOf(global, text, facts), '\n');
  }
  out.push(...text.groupDefinitions(), ...text.structDefinitions(), ...text.nodeDefinitions());
  return { text: out.join(''), bases: text.bases };
}

/** The facts on which instrumenting the function depends, one character for each. */
function answersAbout(target: IrFunction, facts: PartFacts): string {
  let answers = '';
  for (const argument of target.arguments) answers += facts.readAtEntry.has(argument) ? 'e' : '-';
  for (const { instructions } of target.blocks)
    for (const instruction of instructions) answers += answerAbout(instruction, facts);
  return answers;
}

function answerAbout(instruction: Instruction, facts: PartFacts): string {
  if (instruction.op === 'alloca') return facts.isAskedAbout(instruction) ? 'a' : '-';
  if (instruction.op !== 'call') return '';
  const isHidden = mayBeAnother(instruction, facts.functions);
  return (isHidden ? 'h' : '-') + (facts.mayUnsettle(instruction) ? 'u' : '-');
}

function declarationOf(global: GlobalValue, t: PartText, facts: PartFacts): string {
  const start = `${t.global(global)} ${global.kind} ${global.linkage} ${global.visibility}`;
  switch (global.kind) {
    case 'function': {
      const attributes = [global.returnAttributes, ...global.arguments.map(each => each.attributes)];
      const passing = attributes.map(set => `[${t.valueAttributes(set)}]`).join('');
      const isDefined = global.blocks.length > 0 ? 'defined' : 'declared';
      const type = `${t.type(global.functionType)} ${passing}${t.group(global.attributes)}`;
      return `${start} ${isDefined} ${global.callingConvention} ${type} ${facts.signatureOf(global)}`;
    }
    case 'variable': {
      const isDefined = facts.globals.isDefined(global) ? 'defined' : 'declared';
      const word = global.isConstant ? 'constant' : 'global';
      const tagged = t.constant(facts.globals.tagged(global));
      return `${start} ${isDefined} ${word} ${t.type(global.valueType)} ${global.align} ${tagged}`;
    }
    case 'alias':
      return `${start} ${t.type(global.valueType)} ${t.constant(facts.globals.tagged(global))}`;
    case 'ifunc':
      return start;
  }
}

class PartText extends ModuleText {
  /** In the order of the text. */
  readonly mentioned = new Set<GlobalValue>();
  readonly bases = new Map<string, number>();
  readonly #debug = new Map<MetadataNode, string>();
  readonly #scopes = new Map<MetadataNode, { readonly file: string; readonly text: string }>();
  readonly #inlined = new Map<MetadataNode, number>();

  constructor() {
    super([]);
  }

  override global(global: GlobalValue): string {
    this.mentioned.add(global);
    return super.global(global);
  }

  override node(node: MetadataNode): string {
    let text = this.#debug.get(node);
    if (text === undefined) {
      text = this.#debugText(node) ?? super.node(node);
      this.#debug.set(node, text);
    }
    return text;
  }

  /** What instrumentation reads of debug information. */
  #debugText(node: MetadataNode): string | undefined {
    const { source, space } = node;
    if (source !== undefined && !source.startsWith('!DI')) return undefined;
    const usual = source === undefined ? null : usualLocation.exec(source);
    if (usual !== null) {
      const scope = space!.nodes.get(Number(usual[3]))!;
      return this.#place(scope, node, Number(usual[1]), usual[2] ?? '0');
    }
    const body = specialized(node);
    switch (body?.tag) {
      case 'DILocation':
        return this.#location(node, body);
      case 'DILocalVariable':
      case 'DISubprogram':
      case 'DILabel':
        return this.#described(node, body);
      default:
        return undefined;
    }
  }

  #line(file: string, line: number): string {
    if (line === 0) return '0';
    let base = this.bases.get(file);
    if (base === undefined) {
      base = line;
      this.bases.set(file, base);
    }
    return `${line - base}L`;
  }

  #place(scope: MetadataNode, location: MetadataNode, line: number, column: string): string {
    let known = this.#scopes.get(scope);
    if (known === undefined) {
      const [frame] = locationStack(location);
      const file = frame?.file ?? '';
      known = { file, text: JSON.stringify([file, frame?.function]) };
      this.#scopes.set(scope, known);
    }
    return `!(${this.#line(known.file, line)}:${column}${known.text})`;
  }

  #location(node: MetadataNode, body: SpecializedBody): string {
    const frames = locationStack(node).map(
      ({ file, line, column, function: name }) =>
        `${this.#line(file, line)}:${column}${JSON.stringify([file, name])}`,
    );
    const outer = nodeField(body, 'inlinedAt');
    // Passes compare the calls that were inlined by identity.
    if (outer !== undefined && !this.#inlined.has(outer)) this.#inlined.set(outer, this.#inlined.size);
    return `!(${frames.join(' in ')} ${outer === undefined ? '' : this.#inlined.get(outer)})`;
  }

  #described(node: MetadataNode, body: SpecializedBody): string {
    const scope = body.tag === 'DISubprogram' ? node : nodeField(body, 'scope');
    const file = nameOfFile(specialized(nodeField(body, 'file'), 'DIFile')) ?? '';
    const isOfFunction = specialized(scope, 'DISubprogram') !== undefined;
    const line = this.#line(file, numberField(body, 'line') ?? 0);
    const described = [body.tag, textField(body, 'name'), numberField(body, 'arg'), isOfFunction, file];
    return `!(${line}${JSON.stringify(described)})`;
  }
}
