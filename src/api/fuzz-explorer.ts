/**
 * The white-box part of `fuzz`: the explorer computes inputs that reach uncovered code.
 *
 * It first follows the paths of corpus entries (`explore/search/seed-paths.ts`). When all entries
 * have been tried, it explores the program on a few symbolic bytes, which also finds errors that
 * need many steps in the right order. Both are limited by counts and not by time.
 */
import type { TestInput } from '../explore/inputs/test-input.js';
import { Explorer } from '../explore/search/explorer.js';
import { SeedPaths } from '../explore/search/seed-paths.js';
import type { SymbolicStart } from '../explore/state/state.js';
import type { ModelHostOptions } from '../host/model-host.js';
import type { Module } from '../ir/model.js';
import { nextTurn } from '../platform/next-turn.js';
import { concatenate } from '../support/concatenate.js';
import { linkedProgram } from './explore-program.js';
import type { RunControl } from './run-control.js';

export interface WhiteBoxOptions {
  readonly program: Parameters<typeof linkedProgram>[0];
  readonly host: ModelHostOptions;
  readonly input: 'stdin' | 'file' | 'arguments';
  /** The largest size of an input. */
  readonly maxLength: number;
  readonly isOver: () => boolean;
}

/** How many bytes are symbolic in an exploration. */
const symbolicBytes = 24;
/**
 * The planted errors of `tests/fuzz/targets` take at most 1.4 million lookups; programs that copy
 * within symbolic memory (LZ decoders) ask for thousands of terms at each read.
 */
const limits = {
  ...{ instructions: 40_000_000, states: 4000, paths: 20_000 },
  ...{ lookups: 10_000_000, work: 20_000_000 },
};
const conflicts = 20_000;
const sliceMs = 40;

export class WhiteBox {
  #seeds: SeedPaths | undefined;
  queries = 0;

  constructor(
    private readonly options: WhiteBoxOptions,
    private readonly control: RunControl,
  ) {}

  /** Computes inputs that branch off the path of this one. */
  async alongside(bytes: Uint8Array): Promise<readonly Uint8Array[]> {
    const { host, input, isOver } = this.options;
    // The path of given arguments cannot be followed, because their number and lengths would be
    // fixed.
    if (input === 'arguments') return [];
    this.control.onEvent?.({ kind: 'progress', text: 'exploring from an input', counts: {} });
    this.#seeds ??= await SeedPaths.create(await this.#link(), { host, input });
    const following = this.#seeds.follow(bytes);
    let waitUntil = performance.now() + sliceMs;
    for (let step = following.next(); ; step = following.next()) {
      if (step.done) {
        this.queries = this.#seeds.queries;
        return step.value;
      }
      if (performance.now() < waitUntil) continue;
      await nextTurn();
      if (isOver()) return [];
      waitUntil = performance.now() + sliceMs;
    }
  }

  /**
   * Explores the whole program and returns the inputs of paths that cover something new or end in
   * an error.
   */
  async everywhere(): Promise<readonly Uint8Array[]> {
    const { host, input, maxLength, isOver } = this.options;
    this.control.onEvent?.({ kind: 'progress', text: 'exploring the program', counts: {} });
    const bytes = Math.min(symbolicBytes, maxLength);
    const found: Uint8Array[] = [];
    const explorer = await Explorer.create(
      await this.#link(),
      {
        host,
        symbolic: symbolicStart(input, bytes),
        limits,
        solver: { backend: 'cadical', limits: { milliseconds: 0, conflicts } },
        unchecked: new Set(['uninitialized-read', 'memory-leak']),
      },
      {
        onPath: ({ inputs, state, ending }) => {
          if (inputs === undefined || !(state.coveredNew || ending.kind !== 'exit')) return;
          const made = input === 'arguments' ? joinedArguments(inputs) : inputs[0]?.bytes;
          if (made !== undefined) found.push(made);
        },
      },
    );
    while (!explorer.runFor(sliceMs)) {
      await nextTurn();
      if (isOver()) explorer.stop('interrupted');
    }
    explorer.dispose();
    return found;
  }

  dispose(): void {
    this.#seeds?.dispose();
  }

  async #link(): Promise<Module> {
    return (await linkedProgram(this.options.program, { ...this.control, onEvent: () => undefined })).module;
  }
}

/** The number of symbolic arguments and the size of each. */
const symbolicArguments = { min: 0, max: 2, bytes: 8 };

function symbolicStart(input: WhiteBoxOptions['input'], bytes: number): SymbolicStart {
  switch (input) {
    case 'stdin':
      return { stdinBytes: bytes };
    case 'file':
      return { files: { count: 1, bytes } };
    case 'arguments':
      return { arguments: symbolicArguments };
  }
}

/** The inverse of `argumentsIn` of `fuzz-target.ts`: zeros separate the arguments. */
function joinedArguments(inputs: readonly TestInput[]): Uint8Array {
  const bytesOf = (name: string): Uint8Array | undefined => inputs.find(each => each.name === name)?.bytes;
  const count = bytesOf('n_args')?.[0] ?? 0;
  const texts = Array.from({ length: count }, (_, i) => {
    const bytes = bytesOf(`arg${String(i).padStart(2, '0')}`) ?? new Uint8Array(0);
    const end = bytes.indexOf(0);
    return end < 0 ? bytes : bytes.subarray(0, end);
  });
  return concatenate(texts.flatMap((text, i) => (i === 0 ? [text] : [Uint8Array.of(0), text])));
}
