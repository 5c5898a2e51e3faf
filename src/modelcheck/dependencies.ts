/**
 * Computes the table of dependencies: which lemma needs which.
 *
 * Lemmas are proved in rounds, each from all lemmas that earlier rounds proved, by induction over
 * as few steps as possible. Then lemmas that a proof does not need are removed, one at a time,
 * until no more can be. The result is minimal, not unique.
 */
import { type BoolExpr, not } from './expression.js';
import { boundedCheck, type InductionTools, kInduction } from './k-induction.js';
import type { Property } from './model-builder.js';
import { transitionFormula } from './system.js';

export interface Dependency {
  readonly property: string;
  readonly depth: number;
  readonly needs: readonly string[];
}

/** `unproved` are those that no round could prove within `tools.maxDepth` steps. */
export function computeDependencies(
  tools: InductionTools,
  properties: readonly Property[],
): { readonly table: readonly Dependency[]; readonly unproved: readonly string[] } {
  const known: Property[] = [];
  const table = new Map<Property, Dependency>();
  for (const property of tools.system.structural)
    if (kInduction(tools, property, known).status === 'proved') known.push(property);
  let open = [...properties];
  let depth = 1;
  while (open.length > 0 && depth <= tools.maxDepth) {
    const proved = open.filter(property => isInductive(tools, property, known, depth));
    for (const property of proved) table.set(property, minimal(tools, property, known, depth));
    known.push(...proved);
    open = open.filter(property => !proved.includes(property));
    // With more lemmas, fewer steps may do for the rest.
    depth = proved.length > 0 ? 1 : depth + 1;
  }
  return {
    table: properties.flatMap(property => table.get(property) ?? []),
    unproved: open.map(({ name }) => name),
  };
}

function minimal(
  tools: InductionTools,
  property: Property,
  known: readonly Property[],
  depth: number,
): Dependency {
  let needed = known;
  for (const lemma of known) {
    const without = needed.filter(other => other !== lemma);
    if (isInductive(tools, property, without, depth)) needed = without;
  }
  return { property: property.name, depth, needs: needed.map(({ name }) => name) };
}

/** The step of the induction alone, then its base: most lemmas fail the first. */
function isInductive(
  tools: InductionTools,
  property: Property,
  lemmas: readonly Property[],
  depth: number,
): boolean {
  const { system, makeDecider, control } = tools;
  const decider = makeDecider(system, true);
  const everywhere = (formula: BoolExpr, count: number): number[] =>
    Array.from({ length: count }, (_, i) => decider.literal(formula, i));
  for (let i = 1; i < depth; i++) decider.assume(transitionFormula(system), i);
  try {
    const answer = decider.check(
      [
        ...everywhere(property.formula, depth),
        ...lemmas.flatMap(({ formula }) => everywhere(formula, depth + 1)),
        decider.literal(not(property.formula), depth),
      ],
      control.remainingMs(),
    );
    if (answer.kind !== 'unsat') return false;
  } finally {
    decider.close();
  }
  return boundedCheck({ ...tools, maxDepth: depth - 1 }, property, lemmas).status === 'unknown';
}
