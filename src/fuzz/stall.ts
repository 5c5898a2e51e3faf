/** Explains why a search finds nothing new: the branches that inputs reach but never take. */

import { formatLocation } from '../findings/diagnostic.js';
import type { SourceLocation } from '../findings/finding.js';
import type { ProbeTable } from '../monitor/instrument/probes.js';
import { inThousands, plural } from '../support/plural.js';

const shownPlaces = 4;

/**
 * Branches with a side that no input takes although the branch is reached, each line once, in
 * program order.
 */
function untakenBranches({ edges }: ProbeTable, isTaken: (edge: number) => boolean): SourceLocation[] {
  const reached = new Set<number>();
  edges.forEach(({ branch }, edge) => {
    if (branch !== undefined && isTaken(edge)) reached.add(branch.number);
  });
  const places = new Map<string, SourceLocation>();
  edges.forEach(({ branch }, edge) => {
    if (branch === undefined || isTaken(edge) || !reached.has(branch.number)) return;
    const { file, line } = branch.location;
    places.set(`${file}:${line}`, branch.location);
  });
  return [...places.values()];
}

/** `quietRuns` is the number of runs without anything new. */
export function whyNothingNew(
  probes: ProbeTable,
  isTaken: (edge: number) => boolean,
  quietRuns: number,
): string {
  const runs = `nothing new in the last ${inThousands(quietRuns)} runs`;
  const taken = probes.edges.filter((_, edge) => isTaken(edge)).length;
  if (taken === probes.edges.length) return `${runs}: every edge of the program is covered`;
  const places = untakenBranches(probes, isTaken);
  if (places.length === 0) return `${runs}: no branch is left that an input reaches`;
  const shown = places.slice(0, shownPlaces).map(place => {
    const inside = place.function === undefined ? '' : ` in \`${place.function}\``;
    return `${formatLocation(place)}${inside}`;
  });
  const others = places.length - shown.length;
  const rest = others === 0 ? '' : ` and at ${plural(others, 'other line')}`;
  return `${runs}: no input takes one of the branches at ${shown.join(', ')}${rest}`;
}
