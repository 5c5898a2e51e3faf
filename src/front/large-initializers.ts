/**
 * Finds variables whose initial values are too large for clang in its syntax tree: clang keeps each
 * byte of a value in its memory of 4 GiB, and crashes when that is exhausted. Used only after such
 * a crash.
 */
import type { Diagnostic } from '../findings/diagnostic.js';

interface Node {
  readonly kind?: string;
  readonly name?: string;
  readonly init?: string;
  readonly type?: { readonly qualType?: string };
  readonly loc?: Place & { readonly expansionLoc?: Place };
  readonly inner?: readonly Node[];
}

interface Place {
  readonly file?: string;
  readonly line?: number;
  readonly col?: number;
}

/** In elements; clang can handle slightly more. */
const mostElements = 1 << 27;

/**
 * One diagnostic for each variable. clang writes a file or a line only where it differs from the
 * one before.
 */
export function largeInitializers(tree: string, file: string): Diagnostic[] {
  const found: Diagnostic[] = [];
  let here: Place = { file };
  const visit = (node: Node): void => {
    const place = node.loc?.expansionLoc ?? node.loc;
    here = { ...here, ...(place?.file && { file: place.file }), ...(place?.line && { line: place.line }) };
    const counts = [...(node.type?.qualType ?? '').matchAll(/\[(\d+)\]/g)].map(([, count]) => Number(count));
    const elements = counts.reduce((product, count) => product * count, 1);
    if (node.kind === 'VarDecl' && node.init !== undefined && elements >= mostElements)
      found.push({
        severity: 'error',
        message: `the initial value of '${node.name}' has ${elements} elements: clang has no memory for it`,
        location: { file: here.file ?? file, line: here.line ?? 1, column: place?.col ?? 1 },
        help: 'leave the array without an initial value, and set its elements as the program starts',
      });
    for (const child of node.inner ?? []) visit(child);
  };
  visit(JSON.parse(tree));
  return found;
}

/**
 * The same without a tree, because clang crashed while making it: the positions of large numbers in
 * brackets.
 */
export function largeNumbers(text: string, file: string): Diagnostic[] {
  const found: Diagnostic[] = [];
  for (const [i, line] of text.split('\n').entries())
    for (const { index, 1: bracket, 2: digits } of line.matchAll(/(\[\s*)(0[xX][\da-fA-F]+|\d+)/g))
      if (Number(digits) >= mostElements)
        found.push({
          severity: 'error',
          message: `an array of ${Number(digits)} elements is too large for clang`,
          location: { file, line: i + 1, column: index + bracket!.length + 1 },
        });
  return found.slice(0, 1);
}
