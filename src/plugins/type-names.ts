/**
 * The type of an access by which the optimiser distinguishes accesses, from clang's `!tbaa`.
 * Characters and members of unions are `char`, which may alias every type. All pointers are one
 * type here, because many programs use `void **` for other pointers, which works in practice.
 *
 * ```
 *   store i32 1, ptr %p, !tbaa !5      !5 = !{!6, !6, i64 0}      !6 = !{!"int", !7, i64 0}
 * ```
 */
import type { Metadata } from '../ir/metadata.js';
import type { Instruction } from '../ir/model.js';

export function typeNameOf({ metadata }: Instruction): string | undefined {
  const tag = metadata?.find(({ name }) => name === 'tbaa')?.node;
  const [, access] = partsOf(tag);
  const [name] = partsOf(access);
  if (name?.kind !== 'string') return undefined;
  if (name.text === 'omnipotent char') return 'char';
  return /^p\d+ |^any pointer$/.test(name.text) ? 'pointer' : name.text;
}

function partsOf(node: Metadata | undefined): readonly (Metadata | undefined)[] {
  return node?.kind === 'node' && node.body.kind === 'tuple' ? node.body.operands : [];
}
