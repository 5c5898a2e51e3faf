/**
 * The unique parts of a woven program: its notes, its unique names, and a C function for each
 * recursive definition of the logic.
 */

import { AcslError } from './acsl-error.js';
import { cString } from './c-string.js';
import { ofBits, unbounded } from './integers.js';
import {
  booleanTerm,
  childNodes,
  cTerm,
  declared,
  inRepresentation,
  integerTerm,
  realTerm,
  representation,
  type Term,
} from './logic-types.js';
import type { MarkTable } from './mark.js';
import { Translator } from './predicates.js';
import type { ProgramTree } from './program-tree.js';
import type { LogicDefinition, Node, Span, TypeName } from './syntax.js';
import {
  type AnnotatedProgram,
  type Binding,
  type Captures,
  type RecursiveFunction,
  Scope,
} from './term-scope.js';
import { intervalOfTypeName, logicTypeOf } from './translate-term.js';

/** For code without an earlier state: in a definition, and at the end of the program. */
export const noCaptures: Captures = {
  capture: (_node, label, _scope, place) => {
    throw new AcslError(`the state '${label}' is not available here`, place);
  },
  captureNow: place => {
    throw new AcslError('\\fresh has a meaning only in a postcondition', place);
  },
};

export class WovenProgram implements AnnotatedProgram {
  readonly logic: Map<string, LogicDefinition> = new Map();
  readonly #notes = new Map<string, number>();
  readonly #recursive = new Map<LogicDefinition, RecursiveFunction | undefined>();
  /** C at file scope: recursive definitions, wrappers. */
  readonly functions: { readonly definition: LogicDefinition; readonly prototype: string; code: string }[] =
    [];
  #names = 0;
  #hasSeenReal = false;

  constructor(
    readonly tree: ProgramTree,
    private readonly marks: MarkTable,
  ) {}

  unique(prefix: string): string {
    return `__rz_${prefix.replace(/^__rz_(.*?)_\d+$/, '$1')}_${this.#names++}`;
  }

  sawReal(): void {
    this.#hasSeenReal = true;
  }

  /** Whether the code depends on reals. */
  watchReals(translate: () => string): [code: string, usesReals: boolean] {
    this.#hasSeenReal = false;
    const code = translate();
    return [code, this.#hasSeenReal];
  }

  /** The source of a tree, in one line. */
  text({ first, last }: Span): string {
    const source = this.marks.sources.get(first.file);
    if (source === undefined || first.file !== last.file || last.end < first.offset) return '';
    const end = closingOffset(source, first.offset, last.end);
    const bytes = source.slice(first.offset, end).replace(/\s+@?\s*/g, ' ');
    return new TextDecoder().decode(Uint8Array.from(bytes, character => character.charCodeAt(0)));
  }

  note(span: Span, kind?: string): string {
    const { file, line, column } = span.first;
    const code = `{ ${kind === undefined ? '0' : cString(kind)}, ${cString(this.text(span))}, ${cString(file)}, ${line}, ${column} }`;
    let index = this.#notes.get(code);
    if (index === undefined) {
      index = this.#notes.size;
      this.#notes.set(code, index);
    }
    return `(&__rz_notes[${index}])`;
  }

  /** The notes, which must precede everything that refers to them. */
  notes(): string {
    return `static const struct __rz_note __rz_notes[] = { ${[...this.#notes.keys()].join(', ')} };`;
  }

  recursive(definition: LogicDefinition): RecursiveFunction | undefined {
    if (this.#recursive.has(definition)) return this.#recursive.get(definition);
    const made = this.#isRecursive(definition) ? this.#declare(definition) : undefined;
    this.#recursive.set(definition, made);
    // Registered before it is translated, because its body calls it.
    if (made !== undefined) this.#define(definition, made);
    return made;
  }

  /** Whether the definition is recursive, directly or through others. */
  #isRecursive(definition: LogicDefinition): boolean {
    const seen = new Set<LogicDefinition>();
    const reaches = (from: LogicDefinition): boolean =>
      [...calledIn(from.body)].some(name => {
        const target = this.logic.get(name);
        if (target === undefined) return false;
        if (target === definition) return true;
        if (seen.has(target)) return false;
        seen.add(target);
        return reaches(target);
      });
    return reaches(definition);
  }

  #declare(definition: LogicDefinition): RecursiveFunction {
    const parameters = definition.parameters.map(({ type }) => this.#declared(type));
    const result = definition.result === undefined ? booleanTerm('') : this.#declared(definition.result);
    return { code: `__rz_logic_${definition.name}`, result, parameters };
  }

  #cType(name: TypeName): ReturnType<Translator['cTypeOf']> {
    return new Translator(this, noCaptures).cTypeOf(name);
  }

  /** Some term of the type; `integer` has no bounds. */
  #declared(name: TypeName): Term {
    const cType = (one: TypeName) => this.#cType(one);
    const type = logicTypeOf(name, cType);
    switch (type.kind) {
      case 'integer':
        return integerTerm('', name.specifiers === 'integer' ? unbounded : intervalOfTypeName(name, cType));
      case 'real':
        return realTerm('');
      case 'boolean':
        return booleanTerm('');
      case 'c':
        return cTerm('', type.type);
    }
  }

  #define(definition: LogicDefinition, target: RecursiveFunction): void {
    const bindings = new Map<string, Binding>();
    const parameters = definition.parameters.map((parameter, i) => {
      const name = this.unique(parameter.name);
      const term = { ...target.parameters[i]!, code: name };
      bindings.set(parameter.name, { kind: 'term', term });
      return declared(term, name);
    });
    const prototype = `static ${declared(target.result, `${target.code}(${parameters.join(', ') || 'void'})`)}`;
    const entry = { definition, prototype, code: '' };
    this.functions.push(entry);
    const translator = new Translator(
      this,
      noCaptures,
      new Map(definition.labels.map(label => [label, 'Here'])),
    );
    const { body } = definition;
    if (body === undefined) return;
    const term = translator.asDeclared(definition, translator.term(body, new Scope(bindings)), body);
    const value =
      term.type.kind === 'integer' ? inRepresentation(term, representation(target.result)) : term.code;
    const zero = term.type.kind === 'integer' && representation(target.result) === 'big' ? '1' : '0';
    const type = declared(target.result, '__rz_value');
    const note = this.note({ first: definition.place, last: definition.place });
    entry.code = `${prototype} { ${type} = { ${zero} }; if (__rz_raw_logic_enter(${note})) __rz_value = ${value}; __rz_raw_logic_leave(); return __rz_value; }`;
  }

  /** Translates a definition only to report its errors, because it may be unused. */
  checkDefinition(definition: LogicDefinition): void {
    const { body } = definition;
    if (body === undefined || this.recursive(definition) !== undefined) return;
    const bindings = new Map<string, Binding>();
    for (const { name, type } of definition.parameters) {
      const term = this.#declared(type);
      const narrow = term.type.kind === 'integer' ? { ...term, interval: ofBits(64, true) } : term;
      bindings.set(name, { kind: 'term', term: { ...narrow, code: name } });
    }
    const anyState: Captures = {
      capture: (node, _label, scope) => translator.term(node, scope),
      captureNow: () => '0',
    };
    const translator: Translator = new Translator(this, anyState, new Map());
    translator.asDeclared(definition, translator.term(body, new Scope(bindings)), body);
  }
}

function* calledIn(node: Node | undefined): Iterable<string> {
  if (node === undefined) return;
  if (node.kind === 'call' || node.kind === 'name') yield node.name;
  for (const child of childNodes(node)) yield* calledIn(child);
}

/**
 * The last token may come from the middle of a macro's arguments: the text is extended until its
 * parentheses are closed.
 */
function closingOffset(source: string, start: number, end: number): number {
  let depth = 0;
  for (let at = start; at < source.length; at++) {
    if (at >= end && depth <= 0) return at;
    if (source[at] === '(') depth++;
    if (source[at] === ')') depth--;
    if (at >= end && source[at] === ';') return end;
  }
  return end;
}
