/**
 * The syntax trees of annotations. Terms and predicates share one grammar, as in ACSL itself, where
 * only types distinguish them, which is left to the translation. `TypeName` is a type as it is
 * written, in C or in logic.
 */
import type { SourceToken } from './mark.js';

export type UnaryOperator = '-' | '+' | '~' | '!' | '*' | '&';
export type RelationOperator = '<' | '<=' | '>' | '>=' | '==' | '!=';
export type BinaryOperator =
  | '+'
  | '-'
  | '*'
  | '/'
  | '%'
  | '<<'
  | '>>'
  | '&'
  | '|'
  | '^'
  | '-->'
  | '<-->'
  | '&&'
  | '||'
  | '^^'
  | '==>'
  | '<==>'
  | '\\in';

/** Where a tree stands, from its first to its last token. */
export interface Span {
  readonly first: SourceToken;
  readonly last: SourceToken;
}

export type Node = { readonly span: Span } & (
  | { readonly kind: 'integer'; readonly value: bigint }
  | { readonly kind: 'real'; readonly text: string }
  | { readonly kind: 'string'; readonly text: string }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'unary'; readonly op: UnaryOperator; readonly operand: Node }
  | { readonly kind: 'binary'; readonly op: BinaryOperator; readonly left: Node; readonly right: Node }
  | {
      readonly kind: 'relation';
      readonly first: Node;
      readonly rest: readonly (readonly [RelationOperator, Node])[];
    }
  | { readonly kind: 'conditional'; readonly test: Node; readonly whenTrue: Node; readonly whenFalse: Node }
  | { readonly kind: 'index'; readonly base: Node; readonly index: Node }
  | { readonly kind: 'member'; readonly base: Node; readonly field: string; readonly arrow: boolean }
  | {
      readonly kind: 'call';
      readonly name: string;
      readonly labels: readonly string[];
      readonly args: readonly Node[];
    }
  | { readonly kind: 'cast'; readonly type: TypeName; readonly operand: Node }
  | { readonly kind: 'sizeof'; readonly type: TypeName | undefined; readonly operand: Node | undefined }
  | {
      readonly kind: 'quantifier';
      readonly every: boolean;
      readonly binders: readonly Binder[];
      readonly body: Node;
    }
  | { readonly kind: 'lambda'; readonly binders: readonly Binder[]; readonly body: Node }
  | { readonly kind: 'let'; readonly name: string; readonly value: Node; readonly body: Node }
  | { readonly kind: 'at'; readonly operand: Node; readonly label: string; readonly labelPlace?: SourceToken }
  | { readonly kind: 'range'; readonly low: Node | undefined; readonly high: Node | undefined }
  | { readonly kind: 'set'; readonly elements: readonly Node[] }
  | {
      readonly kind: 'comprehension';
      readonly element: Node;
      readonly binders: readonly Binder[];
      readonly condition: Node | undefined;
    }
);

export type NodeOf<Kind extends Node['kind']> = Extract<Node, { readonly kind: Kind }>;

/**
 * `unsigned long`, `struct node *`, `int[4]`, `integer`: the specifiers, then what the declarator
 * adds, outermost last.
 */
export interface TypeName {
  readonly specifiers: string;
  readonly derivations: readonly (
    | '*'
    | { readonly count: Node | undefined }
    | { readonly parameters: string }
  )[];
  readonly place: SourceToken;
}

export interface Binder {
  readonly name: string;
  readonly type: TypeName;
  readonly place: SourceToken;
}

/** A predicate clause: `requires`, `ensures`, … */
export interface Clause {
  /** As it is reported: `requires`, `ensures`, `loop invariant`, … */
  readonly keyword: string;
  readonly condition: Node;
  /** `requires NAME: …` */
  readonly name: string | undefined;
  /** `check requires`, `admit requires`. */
  readonly mode: 'assert' | 'check' | 'admit';
}

export interface AssignsClause {
  readonly places: readonly Node[];
  readonly span: Span;
}

/** The ways to leave a statement other than reaching its end. */
export type AbruptWay = 'breaks' | 'continues' | 'returns';

export interface Behavior {
  readonly name: string | undefined;
  readonly assumes: readonly Clause[];
  readonly requires: readonly Clause[];
  readonly ensures: readonly Clause[];
  /** Conditions that hold if the program is ended meanwhile. */
  readonly exits: readonly Clause[];
  /** The clauses of a statement contract for each way of leaving the statement. */
  readonly abrupt: readonly (Clause & { readonly keyword: AbruptWay })[];
  readonly assigns: AssignsClause | undefined;
}

export interface BehaviorSet {
  readonly keyword: 'complete behaviors' | 'disjoint behaviors';
  /** Empty: all. */
  readonly names: readonly string[];
  readonly span: Span;
}

export interface Contract {
  readonly behaviors: readonly Behavior[];
  readonly sets: readonly BehaviorSet[];
  readonly terminates: Clause | undefined;
  readonly decreases: { readonly measure: Node; readonly relation: string | undefined } | undefined;
  /** `for NAME, …:` before a statement contract. */
  readonly onlyFor: readonly string[];
}

export interface LoopAnnotation {
  readonly invariants: readonly (Clause & { readonly onlyFor: readonly string[] })[];
  readonly variant: { readonly measure: Node; readonly relation: string | undefined } | undefined;
  readonly assigns: AssignsClause | undefined;
}

export interface LogicDefinition {
  readonly name: string;
  readonly labels: readonly string[];
  readonly parameters: readonly Binder[];
  /** Undefined for a predicate. */
  readonly result: TypeName | undefined;
  /** Undefined when it is only declared. */
  readonly body: Node | undefined;
  readonly place: SourceToken;
}

export type Annotation =
  | { readonly kind: 'contract'; readonly contract: Contract }
  | { readonly kind: 'assertion'; readonly clause: Clause; readonly onlyFor: readonly string[] }
  | { readonly kind: 'loop'; readonly loop: LoopAnnotation }
  | { readonly kind: 'logic'; readonly definitions: readonly LogicDefinition[] }
  | {
      readonly kind: 'global-invariant';
      readonly name: string;
      readonly clause: Clause;
      readonly strong: boolean;
    }
  | {
      readonly kind: 'type-invariant';
      readonly name: string;
      readonly parameter: Binder;
      readonly clause: Clause;
    }
  /** Nothing to execute: a lemma, an axiom. */
  | { readonly kind: 'ignored'; readonly what: string; readonly place: SourceToken };
