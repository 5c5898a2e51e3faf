/** The mallocs by name, and where each keeps its metadata. This module loads none of them. */

export type MallocName =
  | 'dlmalloc'
  | 'ptmalloc2'
  | 'dnmalloc'
  | 'dsmalloc'
  | 'psmalloc2'
  | 'sri'
  | 'elfpa'
  | 'bibop'
  | 'kdalloc';

export interface MallocInfo {
  readonly metadata: 'inline' | 'apart';
  /** Joins neighbouring free blocks of any sizes. */
  readonly coalesces: boolean;
  /** Can be used from several workers at once. */
  readonly isShareable: boolean;
  readonly summary: string;
}

export const mallocInfo: Readonly<Record<MallocName, MallocInfo>> = {
  dlmalloc: info('inline', true, false, 'Lea 2.6: boundary tags, bins, nothing checked'),
  ptmalloc2: info('inline', true, true, 'glibc 2.3.4: arenas, fast, unsorted, small and large bins'),
  dnmalloc: info('apart', true, false, 'Lea with a lookup table over the address space'),
  dsmalloc: info('apart', true, false, 'Lea with linear hashing'),
  psmalloc2: info('apart', true, true, 'ptmalloc2 with an arena number before each block, the rest apart'),
  sri: info(
    'apart',
    true,
    true,
    'ptmalloc2 with everything apart: address to arena without a lock, then hashing',
  ),
  elfpa: info('apart', false, true, "Michael's lock-free superblocks"),
  bibop: info('apart', false, false, "OpenBSD's bag of pages: random placement, guard pages, delayed free"),
  kdalloc: info('apart', false, false, "the explorer's deterministic allocator"),
};

function info(
  metadata: MallocInfo['metadata'],
  coalesces: boolean,
  isShareable: boolean,
  summary: string,
): MallocInfo {
  return { metadata, coalesces, isShareable, summary };
}

export const mallocNames: readonly MallocName[] = Object.keys(mallocInfo) as MallocName[];

export function isMallocName(text: string): text is MallocName {
  return Object.hasOwn(mallocInfo, text);
}
