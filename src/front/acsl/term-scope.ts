/** What names mean at a place, and what the translation of a term needs from its surroundings. */

import type { CType } from './c-types.js';
import type { Interval } from './integers.js';
import type { Term } from './logic-types.js';
import type { SourceToken } from './mark.js';
import type { ProgramTree } from './program-tree.js';
import type { LogicDefinition, Node, Span } from './syntax.js';

/** The values that the variable of a quantifier runs through. */
export interface BinderRange {
  readonly low: Node;
  readonly lowIncluded: boolean;
  readonly high: Node;
  readonly highIncluded: boolean;
  /** The values that its type has, when it is one of C. */
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

/** Values from earlier states, as the function that is woven keeps them. */
export interface Captures {
  /**
   * The value that the term had at the label. Throws AcslError when the label is not known here.
   */
  capture(node: Node, label: string, scope: Scope, place: SourceToken): Term;
  /** The number that blocks had before which the function, or statement, began. */
  captureNow(place: SourceToken): string;
}

/** Things made once for the whole program: notes, and functions for recursive definitions. */
export interface AnnotatedProgram {
  readonly tree: ProgramTree;
  readonly logic: ReadonlyMap<string, LogicDefinition>;
  /** C that names a note about the term or annotation. */
  note(span: Span, kind?: string): string;
  text(span: Span): string;
  unique(prefix: string): string;
  /** Told whenever a term is a real, which is computed with less than what it stands for. */
  sawReal(): void;
  /** The C function that computes a recursive definition, and how it is called. */
  recursive(definition: LogicDefinition): RecursiveFunction | undefined;
}

export interface RecursiveFunction {
  readonly code: string;
  readonly result: Term;
  readonly parameters: readonly Term[];
}
