/**
 * The threads of a run that was stopped: which had not ended, where each was, and where it was
 * created. The worker of the run is gone, but its memory is shared and can still be read.
 */
import type { LiveThread } from '../../findings/facts.js';
import type { CodeSite, ObjectSites } from '../sites.js';
import { keptStack } from './program-memory.js';
import { ProgramSites, userStack } from './program-sites.js';
import { callsBelow, type ThreadEntry, ThreadTables } from './thread-tables.js';

/** The data about its memory that a run sends when it starts its first thread. */
export interface ThreadMemory {
  readonly memory: ArrayBufferLike;
  /** The first arguments of `ProgramSites.loaded` for each object. */
  readonly objects: readonly (readonly [id: string, sites: number, globalTable: number])[];
  /** The addresses of the runtime's variables. */
  readonly threads: number;
  readonly count: number;
  readonly running: number;
  readonly depth: number;
}

/** Threads that do not wait come first, and the main thread after others. */
export function liveThreads(
  { memory, objects, ...at }: ThreadMemory,
  program: readonly ObjectSites[],
): LiveThread[] {
  const words = new Uint32Array(memory);
  const word = (address: number): number => words[address >>> 2]!;
  const sites = new ProgramSites(program);
  for (const object of objects) sites.loaded(...object, { word });
  const tables = new ThreadTables(word, { threads: () => at.threads, count: () => word(at.count) });
  const running = word(at.running);
  const calls = (depth: number, end = 0): readonly CodeSite[] => sites.stack(callsBelow(depth, word, end));
  const stackOf = ({ slot, depth, here }: ThreadEntry): readonly CodeSite[] => {
    const top = slot === running ? word(at.depth) : depth;
    const place = here.depth <= top ? sites.site(here.site) : undefined;
    // It is still there if it has called only the library since, which switches threads.
    if (place === undefined || calls(top, here.depth).some(site => !site.inLibrary)) return calls(top);
    return [place, ...calls(place.hasFrame ? here.depth - 4 : here.depth)];
  };
  const rank = ({ waits, slot }: ThreadEntry): number => (waits === 'nothing' ? 0 : 2) + (slot === 0 ? 1 : 0);
  return tables
    .threads()
    .filter(({ isEnded }) => !isEnded)
    .sort((a, b) => rank(a) - rank(b))
    .map(entry => ({
      id: entry.id,
      ...(entry.slot > 0 && { created: userStack(sites.stack(keptStack(words, entry.created))) }),
      stack: userStack(stackOf(entry)),
      waits: entry.waits,
      ...(entry.waitsFor !== undefined && { holder: tables.thread(entry.waitsFor).id }),
    }));
}
