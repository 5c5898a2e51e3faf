/** What the reports about threads (`thread-reports.ts`) read from a monitored run. */

import type { CodeSite } from '../sites.js';
import type { CallStack } from './call-stack.js';
import type { Explainer } from './explain-report.js';
import type { FindingLog } from './finding-log.js';
import type { ProgramMemory } from './program-memory.js';
import type { ProgramSites } from './program-sites.js';
import type { ThreadRequest } from './run-request.js';
import type { RuntimeExports } from './runtime-exports.js';
import type { ThreadSurroundings } from './thread-reports.js';
import { callsBelow, ThreadTables } from './thread-tables.js';

export interface RunWithThreads {
  readonly program: ProgramMemory;
  readonly sites: ProgramSites;
  readonly stack: CallStack;
  readonly explainer: Explainer;
  readonly log: FindingLog;
  readonly exports: () => RuntimeExports;
}

export function threadSurroundings(
  { program, sites, stack, explainer, log, exports }: RunWithThreads,
  { choices, seed }: ThreadRequest,
): ThreadSurroundings {
  const current = (): number => program.variable(exports().__rz_thread);
  const callersOf = (slot: number, depth: number): readonly CodeSite[] =>
    slot === current() ? stack.callers() : sites.stack(callsBelow(depth, at => program.word(at)));
  const isLibrarysBlock = (address: number): boolean => {
    for (const { address: start, bytes, allocated } of program.heapBlocks())
      if (address >= start && address < start + bytes)
        return sites.stack(program.stack(allocated))[0]?.inLibrary !== false;
    return false;
  };
  return {
    tables: threadTables(program, exports),
    seed: choices === undefined ? seed : undefined,
    current,
    stackOf: id => sites.stack(program.stack(id)),
    site: address => sites.site(address),
    callersOf,
    objectAt: address => explainer.objectAt(address),
    isLibrarysVariable: address => sites.isLibraryGlobal(program.ownerAt(address)),
    isLibrarysBlock,
    writerAt: address => exports().__rz_race_writer(address) >>> 0,
    found: (facts, at) => log.found(facts, at),
    warns: (facts, at) => log.warn(facts, at),
    ends: (facts, at) => log.fatal(facts, at),
  };
}

export function threadTables(program: ProgramMemory, exports: () => RuntimeExports): ThreadTables {
  return new ThreadTables(address => program.word(address), {
    threads: () => Number(exports().__rz_threads.value),
    count: () => program.variable(exports().__rz_thread_count),
  });
}
