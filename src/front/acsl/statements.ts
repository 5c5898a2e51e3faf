/**
 * Statements of a function by position: the statement to which an annotation belongs, and its end.
 */
import { beginOf, childrenOf, endOf, type TreeNode } from './program-tree.js';
import type { AbruptWay } from './syntax.js';

export interface FoundStatement {
  /** The statement that follows; undefined at the end of a block. */
  readonly statement: TreeNode | undefined;
  /** Whether other statements can be inserted next to it without braces. */
  readonly inBlock: boolean;
}

const statementKinds =
  /^(CompoundStmt|IfStmt|ForStmt|WhileStmt|DoStmt|SwitchStmt|CaseStmt|DefaultStmt|LabelStmt|AttributedStmt|StmtExpr)$/;

/**
 * The statement before which an annotation at the offset is placed; undefined inside an
 * expression or declaration.
 */
export function statementAfter(body: TreeNode, offset: number): FoundStatement | undefined {
  let node = body;
  for (;;) {
    const inside: TreeNode | undefined = childrenOf(node).find(
      child => beginOf(child) < offset && offset < endOf(child),
    );
    if (inside === undefined) break;
    node = inside;
  }
  if (!statementKinds.test(node.kind ?? '')) return undefined;
  const next = childrenOf(node).find(child => beginOf(child) >= offset);
  const inBlock = node.kind === 'CompoundStmt';
  return next === undefined && !inBlock ? undefined : { statement: next, inBlock };
}

/** The offset after the statement and its semicolon. */
export function statementEnd(node: TreeNode, text: string): number {
  switch (node.kind) {
    case 'CompoundStmt':
    case 'NullStmt':
    case 'DeclStmt':
      return endOf(node);
    case 'IfStmt':
    case 'ForStmt':
    case 'WhileStmt':
    case 'SwitchStmt':
    case 'CaseStmt':
    case 'DefaultStmt':
    case 'LabelStmt':
    case 'AttributedStmt':
      return statementEnd(childrenOf(node).at(-1)!, text);
    default:
      // clang's tree ends other statements before their semicolon.
      return semicolonAfter(endOf(node), text);
  }
}

/** The offset after the colon of the label that begins at the offset. */
export function colonAfter(offset: number, text: string): number {
  return text.indexOf(':', offset) + 1;
}

export function semicolonAfter(offset: number, text: string): number {
  const found = /^(?:\s|# \d+ ".*\n)*;/.exec(text.slice(offset, offset + 4096));
  return found === null ? offset : offset + found[0].length;
}

const loops = /^(ForStmt|WhileStmt|DoStmt)$/;

/** The statements by which a statement is left before its end. */
export function* waysOut(
  node: TreeNode,
  inLoop = false,
  inSwitch = false,
): Iterable<{ way: AbruptWay; node: TreeNode }> {
  const isLoop = loops.test(node.kind ?? '');
  if (node.kind === 'BreakStmt' && !inLoop && !inSwitch) yield { way: 'breaks', node };
  if (node.kind === 'ContinueStmt' && !inLoop) yield { way: 'continues', node };
  if (node.kind === 'ReturnStmt') yield { way: 'returns', node };
  for (const child of childrenOf(node))
    yield* waysOut(child, inLoop || isLoop, inSwitch || node.kind === 'SwitchStmt');
}

const assignments = /^(=|[-+*/%&|^]=|<<=|>>=)$/;

/** The variables that are assigned below a node, by their ids, with the expression that does it. */
export function* assignedVariables(
  node: TreeNode,
): Iterable<{ id: string; name: string; expression: TreeNode }> {
  for (const child of childrenOf(node)) yield* assignedVariables(child);
  const isAssignment =
    (/^(BinaryOperator|CompoundAssignOperator)$/.test(node.kind ?? '') &&
      assignments.test(node.opcode ?? '')) ||
    (node.kind === 'UnaryOperator' && /^(\+\+|--)$/.test(node.opcode ?? ''));
  if (!isAssignment) return;
  const target = variableOf(childrenOf(node)[0]);
  if (target !== undefined) yield { ...target, expression: node };
}

/** The variable of which an lvalue is a part, without a pointer in between. */
export function variableOf(node: TreeNode | undefined): { id: string; name: string } | undefined {
  switch (node?.kind) {
    case 'DeclRefExpr': {
      const { referencedDecl } = node;
      return referencedDecl === undefined
        ? undefined
        : { id: referencedDecl.id, name: referencedDecl.name ?? '' };
    }
    case 'ParenExpr':
      return variableOf(childrenOf(node)[0]);
    default:
      return undefined;
  }
}

/**
 * Whether there are writes below the node other than assignments to variables, or calls that could
 * make them.
 */
export function mayWriteMemory(node: TreeNode): boolean {
  if (/^(CallExpr|GCCAsmStmt|AtomicExpr)$/.test(node.kind ?? '')) return true;
  const isAssignment =
    (/^(BinaryOperator|CompoundAssignOperator)$/.test(node.kind ?? '') &&
      assignments.test(node.opcode ?? '')) ||
    (node.kind === 'UnaryOperator' && /^(\+\+|--)$/.test(node.opcode ?? ''));
  if (isAssignment && variableOf(childrenOf(node)[0]) === undefined) return true;
  return childrenOf(node).some(mayWriteMemory);
}

/** The variables whose address is taken below the node, by their ids. */
export function* addressTaken(node: TreeNode): Iterable<string> {
  if (node.kind === 'UnaryOperator' && node.opcode === '&') {
    const target = variableOf(childrenOf(node)[0]);
    if (target !== undefined) yield target.id;
  }
  for (const child of childrenOf(node)) yield* addressTaken(child);
}
