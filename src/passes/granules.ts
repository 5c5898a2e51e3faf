/**
 * Merges the members of local structures that are only accessed together (`split-structs.ts`).
 *
 * ```
 *   struct { int a, b; double c; } t           t = *p; *p = *q; *q = t;         members: i64, double
 * ```
 *
 * The members of a granule of eight bytes become one integer unless an instruction accesses only
 * some of them. Where structures are copied to each other, this holds for both or for neither.
 */
import { integerType } from '../ir/types.js';
import type { Member, Structure, Use } from './split-structs.js';

const granule = 8;

/** The members of a structure that begin in the same granule. */
interface Group {
  readonly structure: Structure;
  readonly members: Member[];
  isCut: boolean;
}

export class GranuleMembers {
  readonly #groups = new Map<Member, Group>();

  constructor(
    structures: Iterable<Structure>,
    private readonly uses: Iterable<Use>,
  ) {
    for (const structure of structures) {
      let group: Group | undefined;
      for (const member of structure.members) {
        const place = Math.floor(member.offset / granule);
        if (group === undefined || Math.floor(group.members[0]!.offset / granule) !== place)
          group = { structure, members: [], isCut: false };
        group.members.push(member);
        this.#groups.set(member, group);
      }
    }
    for (const group of this.#groups.values()) group.isCut = !isInteger(group);
  }

  merge(): void {
    const pairs: [Group, Group][] = [];
    for (const { reads, writes } of this.uses) {
      this.#cut(reads);
      this.#cut(writes);
      for (const [i, member] of reads.entries()) {
        const written = writes[i];
        if (written === undefined) continue;
        const [from, to] = [this.#groups.get(member), this.#groups.get(written)];
        const isAlike = (member.offset - written.offset) % granule === 0;
        // A structure that stays in memory keeps its members.
        if (from !== undefined && to !== undefined && isAlike) pairs.push([from, to]);
        else for (const group of [from, to]) if (group !== undefined) group.isCut = true;
      }
    }
    for (let isChanged = true; isChanged; ) {
      isChanged = false;
      for (const [one, other] of pairs) {
        if (one.isCut === other.isCut) continue;
        one.isCut = other.isCut = isChanged = true;
      }
    }
    for (const structure of new Set([...this.#groups.values()].map(group => group.structure)))
      structure.members = structure.members.flatMap(member => this.#merged(member));
  }

  /** Cuts the groups of which a use has only some members. */
  #cut(used: readonly Member[]): void {
    const all = new Set(used);
    for (const member of used) {
      const group = this.#groups.get(member);
      if (group?.members.some(each => !all.has(each))) group.isCut = true;
    }
  }

  #merged(member: Member): Member[] {
    const { members, isCut } = this.#groups.get(member)!;
    if (isCut) return [member];
    const bytes = bytesOf(members);
    return member === members[0]
      ? [{ type: integerType(8 * bytes), offset: member.offset, bytes, local: undefined }]
      : [];
  }
}

/** Whether there are several members, which have the bytes of an integer. */
function isInteger({ members }: Group): boolean {
  const bytes = bytesOf(members);
  return members.length > 1 && [2, 4, 8].includes(bytes) && members[0]!.offset % bytes === 0;
}

function bytesOf(members: readonly Member[]): number {
  const last = members.at(-1)!;
  return last.offset + last.bytes - members[0]!.offset;
}
