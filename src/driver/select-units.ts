/**
 * Selects the units of the program as a linker of ELF files does: all objects, and the members of
 * archives that define missing symbols, repeatedly until none is missing. The C library is not
 * among the inputs; its symbols are `supplied`.
 */
import type { Unit } from './units.js';

export interface Candidate {
  readonly unit: Unit;
  /** The file of the unit as errors name it: `libx.a(b.o)`. */
  readonly from: string;
}

/** An object, whose units are all linked, or an archive, of which only needed units are. */
export interface LinkerInput {
  readonly candidates: readonly Candidate[];
  readonly isTakenWhole: boolean;
}

export interface Selection {
  readonly chosen: readonly ChosenUnit[];
  readonly undefined: readonly { readonly name: string; readonly from: string }[];
  readonly duplicates: readonly { readonly name: string; readonly from: string; readonly first: string }[];
}

export interface ChosenUnit extends Candidate {
  /** Definitions of a shared library, which those of the program replace. */
  readonly weakened: readonly string[];
}

export function selectUnits(
  inputs: readonly LinkerInput[],
  needed: readonly string[],
  isSupplied: (name: string) => boolean,
): Selection {
  const taken = new Set<Candidate>();
  /** The defined symbols, and the units that define them. */
  const definitions = new Map<string, { readonly candidate: Candidate; readonly isStrong: boolean }>();
  const missing = new Map<string, string>(needed.map(name => [name, '']));
  const duplicates: Selection['duplicates'][number][] = [];
  const weakened = new Map<Candidate, string[]>();

  const define = (candidate: Candidate, name: string): void => {
    const known = definitions.get(name);
    if (known?.isStrong) {
      const isShared = candidate.unit.head.isShared === true;
      const [loser] = isShared ? [candidate] : known.candidate.unit.head.isShared ? [known.candidate] : [];
      if (loser === undefined) duplicates.push({ name, from: candidate.from, first: known.candidate.from });
      else weakened.set(loser, [...(weakened.get(loser) ?? []), name]);
      if (loser !== known.candidate) return;
    }
    definitions.set(name, { candidate, isStrong: true });
    missing.delete(name);
  };
  const take = (candidate: Candidate): void => {
    if (taken.has(candidate)) return;
    taken.add(candidate);
    const { strong, weak, common, undefined: used } = candidate.unit.head.symbols;
    for (const name of strong) define(candidate, name);
    for (const name of [...weak, ...common]) {
      if (!definitions.has(name)) definitions.set(name, { candidate, isStrong: false });
      missing.delete(name);
    }
    for (const name of used)
      if (!definitions.has(name) && !missing.has(name)) missing.set(name, candidate.from);
  };

  for (const { candidates, isTakenWhole } of inputs) if (isTakenWhole) candidates.forEach(take);
  const archives = inputs
    .filter(({ isTakenWhole }) => !isTakenWhole)
    .map(({ candidates }) => definedBy(candidates));
  for (let isChanged = true; isChanged; ) {
    isChanged = false;
    for (const byName of archives) {
      // A map may grow during its iteration: the symbols that a member needs are searched in its
      // own archive before the others, as by `ld`.
      for (const name of missing.keys()) {
        const candidate = byName.get(name);
        if (candidate === undefined || taken.has(candidate)) continue;
        take(candidate);
        isChanged = true;
      }
    }
  }
  return {
    chosen: [...taken].map(candidate => ({ ...candidate, weakened: weakened.get(candidate) ?? [] })),
    undefined: [...missing].filter(([name]) => !isSupplied(name)).map(([name, from]) => ({ name, from })),
    duplicates,
  };
}

/** The first member that defines a name is linked. */
function definedBy(candidates: readonly Candidate[]): Map<string, Candidate> {
  const byName = new Map<string, Candidate>();
  for (const candidate of candidates) {
    const { strong, weak, common } = candidate.unit.head.symbols;
    for (const name of [...strong, ...weak, ...common]) if (!byName.has(name)) byName.set(name, candidate);
  }
  return byName;
}
