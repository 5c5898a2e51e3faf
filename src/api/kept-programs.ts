/**
 * The cache of programs that `check` has built. A program is found in two steps:
 *
 *     inputs     sources, headers, flags, choices       ──▶  the key of the program, and what clang has warned of
 *     program    IR as clang wrote it, names, choices   ──▶  binary, sites
 *
 * The first step looks at sources only, so an unchanged program is run without reading its IR,
 * which takes seconds for a large one. The second finds programs whose sources have changed without
 * changing the IR, or have moved.
 *
 * Invariant: both keys contain the stamp of this installation and all choices. Nothing is stored
 * under a key of inputs if a source was read again after the key was computed, or if clang has read
 * a file that the key does not contain.
 */
import type { Diagnostic } from '../findings/diagnostic.js';
import { Cache } from '../front/cache.js';
import type { ProbeTable } from '../monitor/instrument/probes.js';
import { installationStamp } from '../platform/installation-stamp.js';
import type { HookSite } from '../plugins/hook-points.js';
import { concatenate } from '../support/concatenate.js';
import type { BuildPlan } from './check-build.js';

export interface BuiltProgram {
  readonly binary: Uint8Array;
  /** `ObjectSites[]` as JSON, for the run of the program; absent without instrumentation. */
  readonly sites?: Uint8Array;
  /** Built for a first run by our own emitter; an optimised build is still worthwhile. */
  readonly isQuick?: true;
  /** The files of the program that a finding may name. */
  readonly files: readonly string[];
  /** Only with annotations: whether one of them uses `\initialized`. */
  readonly tracksInit?: boolean;
  /** Whether races are detected. Set for programs that create threads. */
  readonly threads?: { readonly races: boolean };
  /** Whether values carry labels. */
  readonly hasLabels?: boolean;
  /** The meaning of the hooks' indices. Set for programs with plug-ins. */
  readonly hooks?: readonly HookSite[];
  /** Present in programs that are fuzzed. */
  readonly fuzz?: TargetNotes & { readonly probes: ProbeTable };
}

/** The properties of a program that decide how it can be fuzzed. */
export interface TargetNotes {
  /** Whether its inputs are the arguments of LLVMFuzzerTestOneInput. */
  readonly isTarget: boolean;
  /** Whether it has LLVMFuzzerInitialize. */
  readonly hasStart: boolean;
  /** Whether it calls `pthread_create` or `thrd_create`. */
  readonly hasThreads: boolean;
}

/** The metadata that is stored with the binary and the sites. */
interface ProgramNotes extends Omit<BuiltProgram, 'binary' | 'sites'> {
  readonly binaryBytes: number;
}

interface InputNotes {
  readonly program: string;
  readonly warnings: readonly Diagnostic[];
}

export class KeptPrograms {
  readonly #cache = Cache.ofUser();
  readonly #choices: string;
  readonly #inputsKey: string | undefined;

  /** `inputs` is the result of `keyOfInputs`. */
  constructor({ checks, ...plan }: BuildPlan, inputs: string | undefined) {
    this.#choices = JSON.stringify([installationStamp(), [...checks], plan]);
    this.#inputsKey = inputs && Cache.keyOf(['check inputs', this.#choices, inputs]);
  }

  /** Looks up the program of these inputs. */
  find(): { readonly program: BuiltProgram; readonly warnings: readonly Diagnostic[] } | undefined {
    const known = this.#inputsKey && this.#cache.get(this.#inputsKey);
    if (!known) return undefined;
    const { program: key, warnings } = JSON.parse(known.notes) as InputNotes;
    const program = this.get(key);
    return program && { program, warnings };
  }

  /** Records that these inputs lead to the program with that key. */
  remember(programKey: string, warnings: readonly Diagnostic[]): void {
    if (this.#inputsKey === undefined) return;
    const notes: InputNotes = { program: programKey, warnings };
    this.#cache.put(this.#inputsKey, { result: new Uint8Array(), notes: JSON.stringify(notes) });
  }

  keyOfProgram(names: readonly string[], irTexts: readonly string[]): string {
    return Cache.keyOf(['check', this.#choices, ...names, ...irTexts]);
  }

  get(programKey: string): BuiltProgram | undefined {
    const known = this.#cache.get(programKey);
    if (known === undefined) return undefined;
    const { binaryBytes, ...notes } = JSON.parse(known.notes) as ProgramNotes;
    const [binary, sites] = [known.result.subarray(0, binaryBytes), known.result.subarray(binaryBytes)];
    return { ...notes, binary, ...(sites.length > 0 && { sites }) };
  }

  put(programKey: string, { binary, sites = new Uint8Array(), ...rest }: BuiltProgram): void {
    const notes: ProgramNotes = { ...rest, binaryBytes: binary.length };
    this.#cache.put(programKey, { result: concatenate([binary, sites]), notes: JSON.stringify(notes) });
  }
}
