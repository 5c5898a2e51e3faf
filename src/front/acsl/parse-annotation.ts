/**
 * Parses a comment into annotations: contracts, assertions, loop annotations, global definitions.
 * Annotations without a run-time meaning (lemmas, axioms, `allocates`) are skipped and listed in
 * `ignored`.
 */
import { AcslError } from './acsl-error.js';
import type { PlacedAnnotation } from './annotated-text.js';
import type { SourceToken } from './mark.js';
import { suggestion, TermParser } from './parse-term.js';
import type {
  Annotation,
  AssignsClause,
  Behavior,
  BehaviorSet,
  Binder,
  Clause,
  Contract,
  LogicDefinition,
  LoopAnnotation,
  Node,
  TypeName,
} from './syntax.js';

const contractWords = [
  ...[
    'requires',
    'ensures',
    'assigns',
    'assumes',
    'behavior',
    'complete',
    'disjoint',
    'terminates',
    'decreases',
  ],
  ...['allocates', 'frees', 'breaks', 'continues', 'returns', 'exits'],
];
const knownWords = [
  ...contractWords,
  ...[
    'assert',
    'check',
    'admit',
    'loop',
    'for',
    'ghost',
    'logic',
    'predicate',
    'lemma',
    'axiomatic',
    'inductive',
  ],
  ...['type', 'global', 'strong', 'weak', 'invariant', 'variant', 'include'],
];
const notExecutable = new Set(['reads', 'writes', 'model', 'volatile', 'slice', 'impact']);

export interface ParsedAnnotations {
  readonly annotations: readonly Annotation[];
  /** The annotations that were skipped because they cannot be executed. */
  readonly ignored: readonly { readonly what: string; readonly place: SourceToken }[];
}

/** Throws AcslError. */
export function parseAnnotation(
  { tokens, place }: PlacedAnnotation,
  isTypedef: (name: string) => boolean,
): ParsedAnnotations {
  const parser = new AnnotationParser(tokens, place, isTypedef);
  return { annotations: parser.all(), ignored: parser.ignored };
}

/** A behavior whose clauses are being collected. */
interface OpenBehavior {
  name: string | undefined;
  assumes: Clause[];
  requires: Clause[];
  ensures: Clause[];
  exits: Clause[];
  abrupt: Behavior['abrupt'][number][];
  assigns: AssignsClause | undefined;
}

class AnnotationParser extends TermParser {
  readonly ignored: { what: string; place: SourceToken }[] = [];

  all(): Annotation[] {
    const annotations: Annotation[] = [];
    if (this.word === undefined) throw this.error('the annotation is empty');
    while (this.word !== undefined) annotations.push(...this.#one());
    return annotations;
  }

  #one(): Annotation[] {
    const onlyFor = this.#behaviorsBefore();
    const { word } = this;
    const next = this.peek(1) ?? '';
    const isMode =
      (word === 'check' || word === 'admit') && /^(requires|ensures|loop|invariant|lemma)$/.test(next);
    const start = isMode ? next : word;
    switch (start) {
      case 'assert':
      case 'check':
      case 'admit':
        return [{ kind: 'assertion', clause: this.#assertion(start), onlyFor }];
      case 'loop':
        return [{ kind: 'loop', loop: this.#loop(onlyFor) }];
      case 'invariant':
        return [this.#generalInvariant(onlyFor)];
      case 'predicate':
      case 'logic':
        return [{ kind: 'logic', definitions: [this.#definition()] }];
      case 'axiomatic':
        return [this.#axiomatic()];
      case 'lemma':
      case 'axiom':
        return [this.#skipped(start)];
      case 'inductive':
        return [this.#inductive()];
      case 'type':
      case 'global':
      case 'strong':
      case 'weak':
        return [this.#dataInvariant()];
      default:
        if (contractWords.includes(start ?? ''))
          return [{ kind: 'contract', contract: this.#contract(onlyFor) }];
        throw this.#unknown();
    }
  }

  #unknown(): AcslError {
    const { word = '' } = this;
    if (notExecutable.has(word)) return this.error(`'${word}' is not part of the executable subset`);
    const help = suggestion(word, knownWords);
    return this.error(
      `expected an annotation, not ${this.found()}`,
      help ?? '--acsl=off ignores all annotations, if these comments are not ACSL',
    );
  }

  #behaviorsBefore(): string[] {
    if (!this.accept('for')) return [];
    const names = [this.identifier('the name of a behavior')];
    while (this.accept(',')) names.push(this.identifier('the name of a behavior'));
    this.expect(':', 'after the names of behaviors');
    return names;
  }

  // --------------------------------------------------------------------------------------- clauses

  #mode(): Clause['mode'] {
    if (this.accept('check')) return 'check';
    if (this.accept('admit')) return 'admit';
    return 'assert';
  }

  #assertion(keyword: 'assert' | 'check' | 'admit'): Clause {
    this.at++;
    return this.#clause(keyword, keyword);
  }

  #clause(keyword: string, mode: Clause['mode']): Clause {
    const name = /^[A-Za-z_]\w*$/.test(this.word ?? '') && this.peek(1) === ':' ? this.word : undefined;
    const condition = this.expression();
    this.#semicolon(keyword);
    return { keyword, condition, name, mode };
  }

  #semicolon(keyword: string): void {
    this.expect(';', `after '${keyword}'`);
  }

  #contract(onlyFor: readonly string[]): Contract {
    const behaviors: OpenBehavior[] = [openBehavior(undefined)];
    const sets: BehaviorSet[] = [];
    let terminates: Clause | undefined;
    let decreases: Contract['decreases'];
    for (;;) {
      const current = behaviors.at(-1)!;
      const start = this.at;
      const mode = this.#mode();
      if (this.accept('requires')) current.requires.push(this.#clause('requires', mode));
      else if (this.accept('ensures')) current.ensures.push(this.#clause('ensures', mode));
      else if (mode !== 'assert') {
        this.at = start;
        break;
      } else if (this.accept('assumes')) {
        if (current.name === undefined) {
          this.at--;
          throw this.error("'assumes' belongs into a behavior");
        }
        current.assumes.push(this.#clause('assumes', 'assert'));
      } else if (this.word === 'assigns') current.assigns = this.#assigns(current.assigns);
      else if (this.accept('behavior')) {
        const isKnown = behaviors.some(({ name }) => name !== undefined && name === this.word);
        if (isKnown) throw this.error(`the contract has a behavior ${this.found()} already`);
        behaviors.push(openBehavior(this.identifier('the name of the behavior')));
        this.expect(':', 'after the name of a behavior');
      } else if (this.word === 'complete' || this.word === 'disjoint')
        sets.push(this.#behaviorSet(this.word));
      else if (this.accept('exits')) current.exits.push(this.#clause('exits', 'assert'));
      else if (this.word === 'breaks' || this.word === 'continues' || this.word === 'returns') {
        const keyword = this.word;
        this.at++;
        current.abrupt.push({ ...this.#clause(keyword, 'assert'), keyword });
      } else if (this.accept('terminates')) terminates = this.#clause('terminates', 'assert');
      else if (this.accept('decreases')) decreases = this.#measure('decreases');
      else if (this.word === 'allocates' || this.word === 'frees') this.#ignoreClause(this.word);
      else break;
    }
    return { behaviors: behaviors as Behavior[], sets, terminates, decreases, onlyFor };
  }

  #behaviorSet(word: 'complete' | 'disjoint'): BehaviorSet {
    const first = this.place;
    this.at++;
    this.expect('behaviors', `after '${word}'`);
    const names: string[] = [];
    if (this.word !== ';') {
      do names.push(this.identifier('the name of a behavior'));
      while (this.accept(','));
    }
    this.#semicolon(`${word} behaviors`);
    return { keyword: `${word} behaviors`, names, span: { first, last: this.lastPlace } };
  }

  #assigns(before: AssignsClause | undefined): AssignsClause {
    const first = this.place;
    this.expect('assigns', 'here');
    const places: Node[] = [...(before?.places ?? [])];
    do {
      const place = this.expression();
      if (this.accept('\\from'))
        while (this.word !== undefined && this.word !== ';') {
          // `assigns a \from b, c` lists sources up to the end, which do not restrict writes.
          this.at++;
        }
      places.push(place);
    } while (this.accept(','));
    this.#semicolon('assigns');
    return { places, span: { first: before?.span.first ?? first, last: this.lastPlace } };
  }

  #measure(keyword: string): { measure: Node; relation: string | undefined } {
    const measure = this.expression();
    const relation = this.accept('for') ? this.identifier('the name of a relation') : undefined;
    this.#semicolon(keyword);
    return { measure, relation };
  }

  #ignoreClause(what: string): void {
    this.ignored.push({ what: `'${what}'`, place: this.place });
    while (this.word !== undefined && this.word !== ';') this.at++;
    this.#semicolon(what);
  }

  // ----------------------------------------------------------------------------------------- loops

  #loop(outerFor: readonly string[]): LoopAnnotation {
    const invariants: (Clause & { onlyFor: readonly string[] })[] = [];
    let variant: LoopAnnotation['variant'];
    let assigns: AssignsClause | undefined;
    let onlyFor = outerFor;
    for (;;) {
      if (this.word === 'for') onlyFor = this.#behaviorsBefore();
      const start = this.at;
      const mode = this.#mode();
      if (!this.accept('loop')) {
        this.at = start;
        break;
      }
      if (this.accept('invariant')) invariants.push({ ...this.#clause('loop invariant', mode), onlyFor });
      else if (this.accept('variant')) {
        if (variant !== undefined) {
          this.at--;
          throw this.error('a loop has one variant');
        }
        variant = this.#measure('loop variant');
      } else if (this.word === 'assigns') assigns = this.#assigns(assigns);
      else if (/^(allocates|frees|unroll|pragma)$/.test(this.word ?? '')) this.#ignoreClause(this.word!);
      else {
        const help = suggestion(this.word ?? '', ['invariant', 'variant', 'assigns']);
        throw this.error(`expected invariant, variant or assigns after 'loop', not ${this.found()}`, help);
      }
      onlyFor = outerFor;
    }
    return { invariants, variant, assigns };
  }

  /** `invariant P;` in the middle of a loop holds whenever it is reached: an assertion. */
  #generalInvariant(onlyFor: readonly string[]): Annotation {
    const mode = this.#mode();
    this.expect('invariant', 'here');
    return { kind: 'assertion', clause: this.#clause('invariant', mode), onlyFor };
  }

  // ---------------------------------------------------------------------------- global annotations

  /** `predicate name{L}(parameters) = p;` and `logic type name{L}(parameters) = t;` */
  #definition(): LogicDefinition {
    const isPredicate = this.word === 'predicate';
    this.at++;
    const result: TypeName | undefined = isPredicate ? undefined : this.typeName();
    const { place } = this;
    const name = this.identifier(`the name of a ${isPredicate ? 'predicate' : 'logic function'}`);
    const labels: string[] = [];
    if (this.accept('{')) {
      do labels.push(this.identifier('a label'));
      while (this.accept(','));
      this.expect('}', 'after labels');
    }
    const parameters: Binder[] = [];
    if (this.accept('(')) {
      if (this.word !== ')') parameters.push(...this.binders());
      this.expect(')', 'after parameters');
    }
    if (this.accept('reads')) while (this.word !== undefined && !/^[=;]$/.test(this.word)) this.at++;
    const body = this.accept('=') ? this.expression() : undefined;
    this.#semicolon(name);
    return { name, labels, parameters, result, body, place };
  }

  /** Definitions inside count, axioms do not. */
  #axiomatic(): Annotation {
    this.at++;
    this.identifier('the name of the axiomatic');
    this.expect('{', 'after the name of an axiomatic');
    const definitions: LogicDefinition[] = [];
    while (this.word !== undefined && this.word !== '}') {
      if (this.word === 'logic' || this.word === 'predicate') definitions.push(this.#definition());
      else if (this.word === 'axiom' || this.word === 'lemma' || this.word === 'type')
        this.#skipped(this.word);
      else throw this.error(`expected a definition or an axiom, not ${this.found()}`);
    }
    this.expect('}', 'after an axiomatic');
    return { kind: 'logic', definitions };
  }

  /** Recorded by name, so that the message for a use can say what is missing. */
  #inductive(): Annotation {
    const [name = '', place] = [this.peek(1), this.place];
    this.#skipped('inductive');
    const definition = { name, labels: [], parameters: [], result: undefined, body: undefined, place };
    return { kind: 'logic', definitions: [definition] };
  }

  #skipped(what: string): Annotation {
    const { place } = this;
    this.ignored.push({ what: `'${what}'`, place });
    let depth = 0;
    // The semicolon after the variables of a binder is not the end.
    let binders = 0;
    for (; this.word !== undefined; this.at++) {
      if (/^\\(forall|exists|let)$/.test(this.word)) binders++;
      if (this.word === ';' && binders > 0) {
        binders--;
        continue;
      }
      if (this.word === '{') depth++;
      if (this.word === '}' && --depth === 0 && what === 'inductive') {
        this.at++;
        break;
      }
      if (this.word === ';' && depth === 0) {
        this.at++;
        break;
      }
    }
    return { kind: 'ignored', what, place };
  }

  /** `[strong|weak] global invariant NAME: P;` and `[strong|weak] type invariant NAME(T x) = P;` */
  #dataInvariant(): Annotation {
    const strong = this.accept('strong');
    if (!strong) this.accept('weak');
    const isGlobal = this.word === 'global';
    if (!isGlobal && this.word !== 'type')
      throw this.error(`expected 'global' or 'type', not ${this.found()}`);
    this.at++;
    this.expect('invariant', `after '${isGlobal ? 'global' : 'type'}'`);
    const name = this.identifier('the name of the invariant');
    if (isGlobal) {
      this.expect(':', 'after the name of an invariant');
      return {
        kind: 'global-invariant',
        name,
        clause: { ...this.#clause('global invariant', 'assert'), name },
        strong,
      };
    }
    this.expect('(', 'before the parameter of a type invariant');
    const [parameter, ...more] = this.binders();
    if (more.length > 0) throw new AcslError('a type invariant has one parameter', more[0]!.place);
    this.expect(')', 'after the parameter');
    this.expect('=', 'before the condition');
    const clause = { ...this.#clause('type invariant', 'assert'), name };
    return { kind: 'type-invariant', name, parameter: parameter!, clause };
  }
}

function openBehavior(name: string | undefined): OpenBehavior {
  return { name, assumes: [], requires: [], ensures: [], exits: [], abrupt: [], assigns: undefined };
}
