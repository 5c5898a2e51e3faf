/**
 * Transforms an annotated program into one that checks its annotations: p′ of the hybrid-monitoring
 * paper.
 *
 * ```
 *   source ──mark──▶ ──clang -E──▶ ──annotated-text──▶ C and annotations ──clang -ast-dump=json──▶ types and places
 *                                                              └──parse──▶ ──translate──▶ edits of the C ──▶ woven C
 * ```
 *
 * Invariant: lines and columns of the woven C are those of the source, by line markers.
 */
import type { Diagnostic } from '../../findings/diagnostic.js';
import { isInLibrary } from '../../findings/finding.js';
import { AcslError, diagnosticAt } from './acsl-error.js';
import type { AnnotatedText, PlacedAnnotation } from './annotated-text.js';
import type { CType } from './c-types.js';
import { Edits } from './edits.js';
import type { MarkTable, SourceToken } from './mark.js';
import { parseAnnotation } from './parse-annotation.js';
import { Translator } from './predicates.js';
import { beginOf, childrenOf, type FunctionInfo, ProgramTree, type TreeNode, walk } from './program-tree.js';
import { semicolonAfter } from './statements.js';
import type { Annotation, Clause } from './syntax.js';
import { FunctionWeaver, type PlacedContract } from './weave-function.js';
import { weaveLoop } from './weave-loop.js';
import { noCaptures, WovenProgram } from './woven-program.js';

export interface WeaveResult {
  readonly code: string;
  readonly errors: readonly Diagnostic[];
  readonly warnings: readonly Diagnostic[];
}

/**
 * With `isLenient`, a comment that cannot be parsed as an annotation is a comment: those of Splint,
 * Doxygen and licences begin with `@`, too. All of them together are one warning.
 */
export function weaveProgram(
  text: AnnotatedText,
  root: TreeNode,
  marks: MarkTable,
  isLenient = false,
): WeaveResult {
  return new ProgramWeaver(text, root, marks).weave(isLenient);
}

/** Requires at least one. */
export function notAnnotations([first, ...others]: readonly Diagnostic[]): Diagnostic {
  const rest = others.length === 0 ? '' : `; so are ${others.length} others in this program`;
  return {
    ...first!,
    severity: 'warning',
    message: `this is treated as a comment, since it is not an annotation: ${first!.message}${rest}`,
    help: '`--acsl on` makes an error of it, `--acsl off` silences it',
  };
}

/** The last line of runtime/acsl/acsl.h. */
const placeOfNotes = 'struct __rz_notes_here;';

/** An annotation of the body of a function. */
interface InBody {
  readonly placed: PlacedAnnotation;
  readonly annotation: Annotation;
}

class ProgramWeaver {
  readonly #tree: ProgramTree;
  readonly #program: WovenProgram;
  readonly #edits: Edits;
  readonly #errors: Diagnostic[] = [];
  readonly #warnings: Diagnostic[] = [];
  readonly #contracts = new Map<string, PlacedContract[]>();
  readonly #inBodies = new Map<FunctionInfo, InBody[]>();
  readonly #globals: { clause: Clause; offset: number }[] = [];
  readonly #types: { clause: Clause; type: CType; parameter: string; offset: number }[] = [];
  readonly #definitions = new Map<string, number>();

  constructor(
    private readonly text: AnnotatedText,
    private readonly root: TreeNode,
    marks: MarkTable,
  ) {
    this.#tree = new ProgramTree(root, text);
    this.#program = new WovenProgram(this.#tree, marks);
    this.#edits = new Edits(text);
  }

  weave(isLenient: boolean): WeaveResult {
    for (const placed of this.text.annotations) this.#try(() => this.#read(placed));
    if (isLenient && this.#errors.length > 0) {
      this.#warnings.push(notAnnotations(this.#errors));
      this.#errors.length = 0;
    }
    for (const definition of this.#program.logic.values())
      this.#try(() => this.#program.checkDefinition(definition));
    for (const target of this.#tree.functions) if (target.body !== undefined) this.#function(target);
    this.#wrappers();
    this.#emitDefinitions();
    const notes = this.text.text.indexOf(placeOfNotes);
    this.#edits.replace(notes, notes + placeOfNotes.length, this.#program.notes());
    return { code: this.#edits.apply(), errors: this.#errors, warnings: this.#warnings };
  }

  #try(step: () => void): void {
    try {
      step();
    } catch (error) {
      if (!(error instanceof AcslError)) throw error;
      this.#errors.push(error.toDiagnostic());
    }
  }

  // --------------------------------------------------------------------------------------- reading

  #read(placed: PlacedAnnotation): void {
    const { annotations, ignored } = parseAnnotation(placed, name => this.#tree.isTypedef(name));
    for (const { what, place } of ignored)
      this.#warnings.push(
        diagnosticAt('warning', `${what} cannot be checked as the program runs, and is ignored`, place),
      );
    for (const annotation of annotations) this.#place(placed, annotation);
  }

  #place(placed: PlacedAnnotation, annotation: Annotation): void {
    const inside = this.#tree.functionAt(placed.offset);
    switch (annotation.kind) {
      case 'logic':
        for (const definition of annotation.definitions) {
          const known = this.#program.logic.get(definition.name);
          if (known?.body !== undefined && known.place.offset !== definition.place.offset)
            throw new AcslError(`'${definition.name}' is defined twice`, definition.place);
          if (known?.body !== undefined) continue;
          this.#program.logic.set(definition.name, definition);
          this.#definitions.set(definition.name, placed.offset);
        }
        return;
      case 'global-invariant':
        this.#globals.push({ clause: annotation.clause, offset: placed.offset });
        return;
      case 'type-invariant': {
        const type = new Translator(this.#program, noCaptures).cTypeOf(annotation.parameter.type);
        this.#types.push({
          clause: annotation.clause,
          type,
          parameter: annotation.parameter.name,
          offset: placed.offset,
        });
        return;
      }
      case 'ignored':
        return;
      case 'contract':
        if (inside === undefined) {
          this.#contractOf(placed, annotation);
          return;
        }
        break;
    }
    if (inside === undefined)
      throw new AcslError(`this annotation belongs into the body of a function`, placed.place);
    const known = this.#inBodies.get(inside) ?? [];
    this.#inBodies.set(inside, [...known, { placed, annotation }]);
  }

  /** The function that is declared next. */
  #contractOf(placed: PlacedAnnotation, { contract }: Annotation & { kind: 'contract' }): void {
    const next = childrenOf(this.root).find(
      node => node.isImplicit !== true && beginOf(node) >= placed.offset,
    );
    const target = this.#tree.functions.find(one => next !== undefined && one.begin === beginOf(next));
    if (target === undefined || next?.kind !== 'FunctionDecl')
      throw new AcslError('a contract must stand before the declaration of a function', placed.place);
    const parameters = target.parameters.map(({ name }) => name);
    const known = this.#contracts.get(target.name) ?? [];
    // A contract that occurs several times, as in a header that is included twice, counts once.
    if (known.some(({ place }) => place.file === placed.place.file && place.offset === placed.place.offset))
      return;
    this.#contracts.set(target.name, [...known, { contract, parameters, place: placed.place }]);
  }

  // --------------------------------------------------------------------------------------- weaving

  #weaverFor(target: FunctionInfo, wraps?: string): FunctionWeaver {
    const context = {
      program: this.#program,
      edits: this.#edits,
      text: this.text,
      invariants: { globals: this.#globals, types: this.#types },
      warn: (message: string, place: SourceToken) =>
        this.#warnings.push(diagnosticAt('warning', message, place)),
    };
    return new FunctionWeaver(context, target, this.#contracts.get(target.name) ?? [], wraps);
  }

  #function(target: FunctionInfo): void {
    const inside = this.#inBodies.get(target) ?? [];
    const hasContract = this.#contracts.has(target.name);
    const isUsers = !isInLibrary(this.text.locate(target.begin));
    if (inside.length === 0 && !hasContract && !(isUsers && this.#globals.length + this.#types.length > 0))
      return;
    const weaver = this.#weaverFor(target);
    weaver.prepare();
    for (const { placed, annotation } of inside) this.#try(() => this.#inBody(weaver, placed, annotation));
    this.#try(() => weaver.finish());
  }

  #inBody(weaver: FunctionWeaver, placed: PlacedAnnotation, annotation: Annotation): void {
    switch (annotation.kind) {
      case 'assertion':
        weaver.assertion(placed, annotation.clause, annotation.onlyFor);
        break;
      case 'loop':
        weaveLoop(weaver, placed, annotation.loop);
        break;
      case 'contract':
        weaver.statementContract(placed, annotation.contract);
        break;
    }
  }

  /**
   * Functions with a contract and without a body here are called through a wrapper that checks it.
   */
  #wrappers(): void {
    for (const name of this.#contracts.keys()) {
      const declarations = this.#tree.functions.filter(one => one.name === name);
      if (declarations.some(({ body }) => body !== undefined)) continue;
      const target = declarations.at(-1)!;
      if (target.isVariadic) {
        const { place } = this.#contracts.get(name)![0]!;
        this.#warnings.push(
          diagnosticAt(
            'warning',
            `the contract of '${name}' is not checked: it takes a variable number of arguments`,
            place,
          ),
        );
        continue;
      }
      const wrapper = `__rz_contract_${name}`;
      this.#try(() => {
        const weaver = this.#weaverFor(target, wrapper);
        weaver.prepare();
        const code = weaver.finish();
        const end = semicolonAfter(target.end, this.text.text);
        this.#edits.insert(end, code ?? '', this.text.locate(target.begin));
        this.#redirectCalls(name, wrapper, end);
      });
    }
  }

  #redirectCalls(name: string, wrapper: string, from: number): void {
    for (const { body } of this.#tree.functions) {
      if (body === undefined) continue;
      for (const node of walk(body)) {
        if (node.kind !== 'CallExpr') continue;
        let callee = childrenOf(node)[0];
        while (callee?.kind === 'ImplicitCastExpr' || callee?.kind === 'ParenExpr')
          callee = childrenOf(callee)[0];
        if (callee?.kind !== 'DeclRefExpr' || callee.referencedDecl?.name !== name) continue;
        const begin = beginOf(callee);
        if (begin > from) this.#edits.replace(begin, begin + name.length, wrapper);
      }
    }
  }

  /**
   * Emits recursive definitions at their positions; mutually recursive ones need prototypes first.
   */
  #emitDefinitions(): void {
    const { functions } = this.#program;
    if (functions.length === 0) return;
    const offsets = functions.map(({ definition }) => this.#definitions.get(definition.name) ?? 0);
    const prototypes = functions.map(({ prototype }) => `${prototype};`).join(' ');
    const first = Math.max(...offsets);
    const earliest = Math.min(...offsets);
    // Types that a definition needs precede it: prototypes of all can precede the last only if the
    // first needs none.
    this.#edits.insert(earliest, prototypes, this.text.locate(earliest));
    for (const [i, { code }] of functions.entries())
      this.#edits.insert(offsets[i] ?? first, code, this.text.locate(offsets[i] ?? first));
  }
}
