/**
 * Runs attacks against mallocs without the monitor, one after another in the same worker, each with
 * a fresh memory and malloc.
 *
 *     goal reached (exit status 42)                       exploited
 *     the malloc noticed and ended the program            detected
 *     a trap, or the malloc led out of the memory         crashed
 *     anything else                                       harmless
 *
 * The caller stops an attack that never ends: it was announced before, and counts as crashed.
 */
import type { AttackOutcome } from '../findings/report.js';
import { ModelHost } from '../host/model-host.js';
import type { MallocName } from '../malloc/malloc-names.js';
import { type RawEnd, runRaw } from '../run/raw-run.js';
import { importedMemoryPages } from '../wasm/sections.js';

export interface AttackRequest {
  /** One program with all attacks: its first argument names the one to run. */
  readonly binary: Uint8Array;
  readonly pairs: readonly AttackPair[];
  readonly seed: number;
}

export interface AttackPair {
  readonly attack: string;
  readonly malloc: MallocName;
}

export interface AttackEvent extends AttackPair {
  readonly outcome: AttackOutcome;
}

/** The exit status of an attack that has reached its goal. */
const goalReached = 42;
const heapBytes = 64 << 20;

export async function runAttacks(
  { binary, pairs, seed }: AttackRequest,
  emit: (event: AttackEvent) => void,
): Promise<number> {
  const module = await WebAssembly.compile(binary as BufferSource);
  const pages = importedMemoryPages(binary);
  for (const { attack, malloc } of pairs) {
    const host = new ModelHost({ arguments: ['attack', attack], environment: {}, inputs: [], files: {} });
    const result = runRaw(module, host, { pages, malloc, maximumHeapBytes: heapBytes, seed });
    emit({ attack, malloc, outcome: outcomeOf(result) });
  }
  return pairs.length;
}

function outcomeOf({ program, heapProblem }: RawEnd): AttackOutcome {
  if (heapProblem === 'fault') return 'crashed';
  if (heapProblem !== undefined) return 'detected';
  if (program?.exit === goalReached) return 'exploited';
  return program?.exit == null ? 'crashed' : 'harmless';
}
