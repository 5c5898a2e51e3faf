/**
 * The lifetime of a finding's object: where it was allocated and freed, with the label for each
 * site.
 */
import { plural } from '../support/plural.js';
import type { AnyCode } from './codes.js';
import {
  allocaMemory,
  type Finding,
  type MemoryObject,
  ownFrame,
  type SourceLocation,
  type Stack,
  temporary,
} from './finding.js';

export interface Site {
  readonly title: 'allocated' | 'freed';
  readonly label: string;
  /** The innermost frame of `stack` in the program's own code. */
  readonly location: SourceLocation;
  readonly stack: Stack;
  /** The number of frames that are missing from its middle. */
  readonly omittedFrames: number;
}

/** In the order of time. */
export function sitesOf({ code, object }: Finding): Site[] {
  const sites: Site[] = [];
  const { allocated = [], freed = [] } = object ?? {};
  const omittedFrames = object?.omitsFrames ? Number.POSITIVE_INFINITY : 0;
  const [made, ended] = [ownFrame(allocated), ownFrame(freed)];
  if (object !== undefined && made !== undefined) {
    const isAllocated = object.kind === 'heap' || object.name === allocaMemory;
    const ofLocal = object.name === temporary ? 'computed' : 'declared';
    const label = `${describe(object)} is ${isAllocated ? 'allocated' : ofLocal} here`;
    sites.push({ title: 'allocated', label, location: made, stack: allocated, omittedFrames });
  }
  if (ended !== undefined) {
    const label = endings[code] ?? 'it is freed here';
    sites.push({ title: 'freed', label, location: ended, stack: freed, omittedFrames });
  }
  return sites;
}

const endings: Partial<Record<AnyCode, string>> = {
  'use-after-return': 'its function returns here',
  'use-after-scope': 'its scope ends here',
  'double-free': 'it is freed here first',
};

/** "the 8-byte block", "`buffer` (8 bytes)", "the compound literal (8 bytes)". */
function describe({ kind, name, bytes }: MemoryObject): string {
  if (name === undefined) return `the ${bytes}-byte ${kind === 'heap' ? 'block' : 'object'}`;
  const named = name.includes(' ') ? `the ${name}` : `\`${name}\``;
  return `${named} (${plural(bytes, 'byte')})`;
}
