/** The meaning of names at a position, and the context that the translation of a term needs. */

import type { CType } from './c-types.js';
import type { Interval } from './integers.js';
import type { Term } from './logic-types.js';
import type { SourceToken } from './mark.js';
import type { ProgramTree } from './program-tree.js';
import type { LogicDefinition, Node, Span } from './syntax.js';

/** The values of a quantifier's variable. */
export interface BinderRange {
  readonly low: Node;
  readonly lowIncluded: boolean;
  readonly high: Node;
  readonly highIncluded: boolean;
  /** The values of its type, if it is a type of C. */
  readonly ofType?: Interval;
  /** The type of a variable that is a pointer: its values are the elements between two others. */
  readonly pointer?: CType & { readonly kind: 'pointer' };
}

export type Binding =
  /** A variable of C. */
  | { readonly kind: 'variable'; readonly type: CType; readonly code: string }
  | { readonly kind: 'term'; readonly term: Term }
  /** The variable of a quantifier: a captured value may depend on it. */
  | { readonly kind: 'binder'; readonly term: Term; readonly range: BinderRange }
  /** A parameter of the function in its postcondition: its value at the start. */
  | { readonly kind: 'formal'; readonly label: string }
  /** A parameter of a predicate that is replaced by its argument. */
  | { readonly kind: 'tree'; readonly node: Node; readonly scope: Scope };

export class Scope {
  constructor(
    readonly bindings: ReadonlyMap<string, Binding>,
    readonly outer?: Scope,
  ) {}

  find(name: string): Binding | undefined {
    return this.bindings.get(name) ?? this.outer?.find(name);
  }

  with(name: string, binding: Binding): Scope {
    return new Scope(new Map([[name, binding]]), this);
  }

  *names(): Iterable<string> {
    yield* this.bindings.keys();
    if (this.outer !== undefined) yield* this.outer.names();
  }
}

/** Values of earlier states, as the woven function keeps them. */
export interface Captures {
  /** The value of the term at the label. Throws AcslError if the label is unknown here. */
  capture(node: Node, label: string, scope: Scope, place: SourceToken): Term;
  /** The count of blocks when the function, or statement, began. */
  captureNow(place: SourceToken): string;
}

/** Definitions made once for the whole program: notes, and functions for recursive definitions. */
export interface AnnotatedProgram {
  readonly tree: ProgramTree;
  readonly logic: ReadonlyMap<string, LogicDefinition>;
  /** C that names a note about the term or annotation. */
  note(span: Span, kind?: string): string;
  text(span: Span): string;
  unique(prefix: string): string;
  /** Called for each term that is a real, because reals are computed with limited precision. */
  sawReal(): void;
  /** The C function that computes a recursive definition, and how it is called. */
  recursive(definition: LogicDefinition): RecursiveFunction | undefined;
}

export interface RecursiveFunction {
  readonly code: string;
  readonly result: Term;
  readonly parameters: readonly Term[];
}
