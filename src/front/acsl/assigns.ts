/**
 * `assigns`: the locations that a call, a loop or a statement may write.
 *
 * Memory is checked at run time: a frame lists the bytes that may be written, and every
 * instrumented store checks the open frames (runtime/monitor/acsl-frames.c,
 * src/monitor/assigns-hooks.ts). Local variables are mostly in registers, where there are no
 * stores; the assignments of a loop to them are found in its text, and one that is not allowed is
 * replaced by a report.
 */
import { cString } from './c-string.js';
import { childNodes } from './logic-types.js';
import type { Translator } from './predicates.js';
import { beginOf, endOf, type TreeNode, walk } from './program-tree.js';
import { assignedVariables } from './statements.js';
import type { AssignsClause, Node } from './syntax.js';
import type { Scope } from './term-scope.js';
import { cleanup, type FunctionWeaver } from './weave-function.js';

/** The code of a loop's frame: before the loop, and at the end of each iteration. */
export interface LoopFrame {
  readonly open: string;
  readonly turn: string;
}

export class AssignsWeaver {
  constructor(private readonly weaver: FunctionWeaver) {}

  /**
   * The frame of a call: everything except locals and blocks that are allocated during the call.
   */
  functionFrame(
    clause: AssignsClause,
    scope: Scope,
    translator: Translator,
    condition: string | undefined,
  ): string {
    const places = this.#checked(clause);
    return places === undefined ? '' : this.#entered(clause, places, scope, translator, condition);
  }

  statementFrame(
    clause: AssignsClause,
    statement: TreeNode,
    scope: Scope,
    translator: Translator,
    condition: string | undefined,
  ): string {
    this.#watchLocals(clause, statement);
    const places = this.#checked(clause)?.filter(place => !this.#isLocal(place, scope));
    return places === undefined ? '' : this.#entered(clause, places, scope, translator, condition);
  }

  /**
   * A loop's frame. If its locations change with the loop, writes are checked at the end of their
   * iteration.
   */
  loopFrame(
    clause: AssignsClause,
    loop: TreeNode,
    outer: Scope,
    scope: Scope,
    translator: Translator,
  ): LoopFrame {
    this.#watchLocals(clause, loop);
    const places = this.#checked(clause)?.filter(place => !this.#isLocal(place, scope));
    if (places === undefined) return { open: '', turn: '' };
    const name = this.weaver.program.unique('frame');
    const allowed = places.map(place => this.#allow(name, place, scope, translator)).join(' ');
    const assigned = new Set([...assignedVariables(loop)].map(variable => variable.name));
    const isInner = (place: Node): boolean =>
      [...namesIn(place)].some(one => scope.find(one) !== undefined && outer.find(one) === undefined);
    const moves = places.some(place => isMoving(place, assigned) || isInner(place));
    if (!moves) {
      const open = this.#opened(name, clause, `${allowed} __rz_frame_enter(&${name});`, undefined);
      return { open, turn: '' };
    }
    const open = this.#opened(name, clause, `__rz_frame_enter(&${name});`, undefined);
    return {
      open: `${open} __rz_frame_defer(&${name});`,
      turn: `__rz_frame_again(&${name}); ${allowed} __rz_frame_settle(&${name});`,
    };
  }

  /** A frame that allows these locations from its beginning on. */
  #entered(
    clause: AssignsClause,
    places: readonly Node[],
    scope: Scope,
    translator: Translator,
    condition: string | undefined,
  ): string {
    const name = this.weaver.program.unique('frame');
    const allowed = places.map(place => this.#allow(name, place, scope, translator)).join(' ');
    return this.#opened(name, clause, `${allowed} __rz_frame_enter(&${name});`, condition);
  }

  #opened(name: string, clause: AssignsClause, body: string, condition: string | undefined): string {
    const note = this.weaver.program.note(clause.span, 'assigns');
    const entered = condition === undefined ? body : `if (${condition}) { ${body} }`;
    return `struct __rz_frame ${name} ${cleanup('__rz_frame_close')} = { ${note} }; __rz_frame_open(&${name}, ${note}); ${entered}`;
  }

  /**
   * The locations without `\result`, which is not memory; undefined if everything may be written.
   */
  #checked(clause: AssignsClause): Node[] | undefined {
    if (clause.places.some(place => place.kind === 'name' && place.name === '\\everything')) return undefined;
    return clause.places.filter(place => !(place.kind === 'name' && place.name === '\\result'));
  }

  #allow(name: string, place: Node, scope: Scope, translator: Translator): string {
    return translator.places(
      place,
      scope,
      ({ pointer, count }) => `__rz_frame_allow(&${name}, ${pointer}, ${count} * (long)sizeof(*${pointer}));`,
    );
  }

  /** A variable of the function itself, as a whole. */
  #isLocal(place: Node, scope: Scope): boolean {
    if (place.kind !== 'name') return false;
    const binding = scope.find(place.name);
    return binding?.kind === 'variable' && binding.type.kind !== 'array';
  }

  /** Reports assignments to outer variables that the clause does not name. */
  #watchLocals(clause: AssignsClause, part: TreeNode): void {
    const named = new Set(clause.places.flatMap(place => [...namesIn(place)]));
    if (named.has('\\everything')) return;
    const { context, target } = this.weaver;
    const inside = new Set([...walk(part)].flatMap(node => (node.kind === 'VarDecl' ? [node.id ?? ''] : [])));
    const own = new Set([
      ...target.parameters.map(({ id }) => id),
      ...[...walk(target.body!)].flatMap(node =>
        node.kind === 'VarDecl' && node.storageClass === undefined ? [node.id ?? ''] : [],
      ),
    ]);
    const note = context.program.note(clause.span, 'assigns');
    for (const { id, name, expression } of assignedVariables(part)) {
      if (inside.has(id) || !own.has(id) || named.has(name)) continue;
      const at = context.text.locate(beginOf(expression));
      const place = `__rz_acsl_place(${cString(`\`${name}\` is written here`)}, ${cString(at.file)}, ${at.line}, ${at.column})`;
      context.edits.insert(beginOf(expression), `(${place}, __rz_acsl_fail(${note}),`, at);
      context.edits.close(endOf(expression), beginOf(expression), ')');
    }
  }
}

function* namesIn(node: Node): Iterable<string> {
  if (node.kind === 'name') yield node.name;
  else for (const child of childNodes(node)) yield* namesIn(child);
}

/** Whether the location could differ after an iteration. */
function isMoving(node: Node, assigned: ReadonlySet<string>): boolean {
  const isVariable = node.kind === 'name' && assigned.has(node.name);
  const reads = (node.kind === 'member' && node.arrow) || (node.kind === 'unary' && node.op === '*');
  if (isVariable) return true;
  const inner = childNodes(node);
  // `*p` itself is fixed while p is; the pointers from which p is read may not be.
  return reads
    ? inner.some(child => child.kind !== 'name' || assigned.has(child.name))
    : inner.some(child => isMoving(child, assigned));
}
