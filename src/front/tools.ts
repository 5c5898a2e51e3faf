/**
 * Runs the embedded LLVM tools, or answers from the cache without starting them.
 *
 * A tool is a function from arguments and mounted files to bytes and notes (its stderr). Its key in
 * the cache hashes all of them with the version of the tools. Only successes are cached by default:
 * most failures are shown once and repaired.
 */

import { dependencyVersion } from '../platform/node.js';
import { workersThatFit } from '../platform/process-memory.js';
import { type Service, startService } from '../platform/service.js';
import { InternalError } from '../support/assert.js';
import { Cache } from './cache.js';
import type { ToolReply, ToolRequest } from './clang-worker.js';

/** The memory of a worker that compiles sources of a few thousand lines. */
const bytesOfClang = 256 << 20;

export type ToolResult =
  | { readonly ok: true; readonly output: Uint8Array; readonly notes: string }
  | { readonly ok: false; readonly notes: string };

export interface ToolRun extends Omit<ToolRequest, 'outputs'> {
  /**
   * The inputs on which the result depends, if these are not simply the arguments and the files: an
   * absolute folder in them need not count. Undefined: never cached.
   */
  readonly identity: Iterable<string | Uint8Array> | undefined;
  /** Failures are cached, too. */
  readonly keepsFailures?: boolean;
}

/** One input of a run on many. */
export interface ToolJob {
  readonly input: string;
  /** The file that the tool writes for it. */
  readonly output: string;
  /** Undefined: not cached. */
  readonly key: string | undefined;
}

export class Tools {
  readonly #cache: Cache | undefined;
  readonly #service: Service<ToolRequest, ToolReply> = startService('front/clang-worker', () =>
    workersThatFit(bytesOfClang),
  );
  readonly version: string = dependencyVersion('@yowasp/clang');

  constructor(cache: Cache | undefined) {
    this.#cache = cache;
  }

  /** Runs a tool that writes its result to stdout. */
  async run(
    { identity, keepsFailures = false, ...request }: ToolRun,
    signal?: AbortSignal,
  ): Promise<ToolResult> {
    const key = identity && this.keyOf(identity);
    const known = this.lookUp(key);
    if (known !== undefined) return known;
    const failureKey = keepsFailures && key !== undefined ? Cache.keyOf(['failure', key]) : undefined;
    const failed = failureKey === undefined ? undefined : this.#cache?.get(failureKey);
    if (failed !== undefined) return { ok: false, notes: failed.notes };
    const reply = await this.#call(request, signal);
    if (reply.exitCode !== 0) {
      if (failureKey !== undefined)
        this.#cache?.put(failureKey, { result: new Uint8Array(), notes: reply.stderr });
      return { ok: false, notes: reply.stderr };
    }
    return this.#keep(key, reply.stdout, reply.stderr);
  }

  /**
   * Runs a tool on many inputs, each with its own output and key. If it fails, each input gets its
   * own run, so that the diagnostics belong to that input, and an incomplete file is never used.
   */
  async runMany(
    { args, files }: Omit<ToolRequest, 'outputs'>,
    jobs: readonly ToolJob[],
    signal?: AbortSignal,
  ): Promise<ToolResult[]> {
    const outputs = jobs.map(({ output }) => output);
    const request = { args: [...args, ...jobs.map(({ input }) => input)], files, outputs };
    const reply = await this.#call(request, signal);
    if (reply.exitCode === 0) {
      // The warnings of all inputs are one text, which is stored with the first.
      return jobs.map(({ key }, i) => this.#keep(key, reply.outputs[i]!, i === 0 ? reply.stderr : ''));
    }
    if (jobs.length === 1) return [{ ok: false, notes: reply.stderr }];
    const results: ToolResult[] = [];
    for (const job of jobs) results.push(...(await this.runMany({ args, files }, [job], signal)));
    return results;
  }

  keyOf(identity: Iterable<string | Uint8Array>): string {
    return Cache.keyOf([this.version, ...identity]);
  }

  lookUp(key: string | undefined): ToolResult | undefined {
    const entry = key === undefined ? undefined : this.#cache?.get(key);
    return entry && { ok: true, output: entry.result, notes: entry.notes };
  }

  close(): Promise<void> {
    return this.#service.close();
  }

  /**
   * A tool that crashes (out of memory, after many runs in one worker) is tried once more in
   * another worker.
   */
  async #call(request: ToolRequest, signal: AbortSignal | undefined): Promise<ToolReply> {
    try {
      return await this.#service.call(request, signal);
    } catch (error) {
      if (!(error instanceof InternalError)) throw error;
      return this.#service.call(request, signal);
    }
  }

  #keep(key: string | undefined, output: Uint8Array, notes: string): ToolResult {
    if (key !== undefined) this.#cache?.put(key, { result: output, notes });
    return { ok: true, output, notes };
  }
}
