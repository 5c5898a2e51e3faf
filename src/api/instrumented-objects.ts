/**
 * The instrumented objects of a program: its own, made anew, and those of the members of the library that it needs, which are the same
 * for every program and come from the cache.
 *
 * ```
 *   program ───────────────── instrument ──▶ IR ──clang──▶ code, data
 *   member ──── in the cache? ──────────────────────────▶ code, data, sites
 * ```
 *
 * clang alone would be asked from a cache too, but the text to ask for would have to be made first, and instrumenting forty members
 * takes longer than compiling most programs.
 */
import { Cache } from '../front/cache.js';
import { valueOrThrow } from '../front/outcome.js';
import type { Member, SeparateProgram } from '../front/program.js';
import type { Toolchain } from '../front/toolchain.js';
import type { Module } from '../ir/model.js';
import { writeModule } from '../ir/writer.js';
import { instrument } from '../monitor/instrument/instrument.js';
import type { InstrumentOptions } from '../monitor/instrument/options.js';
import type { ObjectSites } from '../monitor/sites.js';
import { cacheFolder, contentHash } from '../platform/files.js';
import { installationStamp } from '../platform/installation-stamp.js';
import { concatenate } from '../support/bytes.js';

export interface InstrumentedObject {
  readonly code: Uint8Array;
  readonly data: Uint8Array;
  readonly sites: ObjectSites;
}

/** What members are instrumented with. */
type MemberOptions = Omit<InstrumentOptions, 'id' | 'annotationsOnly'>;

/** One module on its way. */
interface Work {
  readonly module: Module;
  readonly options: InstrumentOptions;
  /** Under which it is kept; the program is not. */
  readonly key?: string;
}

/** The program's object first. */
export async function instrumentedObjects(
  toolchain: Toolchain,
  { program, members }: SeparateProgram,
  options: MemberOptions,
  { annotationsOnly, signal }: { annotationsOnly: boolean; signal: AbortSignal | undefined },
): Promise<InstrumentedObject[]> {
  const cache = new Cache(cacheFolder());
  const keys = members.map(({ text }) => memberKey(text, options));
  const known = keys.map(key => lookUp(cache, key));
  const id = idOf(writeModule(program));
  const pending: Work[] = [
    { module: program, options: { ...options, id, ...(annotationsOnly && { annotationsOnly }) } },
    ...members.flatMap(({ module, text }: Member, i) =>
      known[i] === undefined ? [{ module, options: { ...options, id: idOf(text) }, key: keys[i]! }] : [],
    ),
  ];
  const [ofProgram, ...made] = await make(toolchain, pending, signal);
  pending.slice(1).forEach(({ key }, i) => {
    keep(cache, key!, made[i]!);
  });
  return [ofProgram!, ...known.map(object => object ?? made.shift()!)];
}

async function make(
  toolchain: Toolchain,
  pending: readonly Work[],
  signal: AbortSignal | undefined,
): Promise<InstrumentedObject[]> {
  const instrumented = pending.map(({ module, options }) => instrument(module, options));
  const parts = instrumented.flatMap(({ code, data }) => [writeModule(code), writeModule(data)]);
  const objects = (await toolchain.compileIrToObjects(parts, { signal })).map(valueOrThrow);
  return instrumented.map(({ sites }, i) => ({ code: objects[2 * i]!, data: objects[2 * i + 1]!, sites }));
}

function idOf(text: string): string {
  return contentHash([text]).slice(0, 16);
}

function memberKey(text: string, options: MemberOptions): string {
  return Cache.keyOf(['member', installationStamp(), JSON.stringify(options), text]);
}

// ------------------------------------------------------------------------------------------ the cache
//
// An entry's result is code and data one after the other; its notes say where the first ends, and hold the sites.

/** What this process has met already. */
const met = new Map<string, InstrumentedObject>();

function lookUp(cache: Cache, key: string): InstrumentedObject | undefined {
  const inMemory = met.get(key);
  if (inMemory !== undefined) return inMemory;
  const entry = cache.get(key);
  if (entry === undefined) return undefined;
  const { codeBytes, sites } = JSON.parse(entry.notes) as { codeBytes: number; sites: ObjectSites };
  const object = { code: entry.result.subarray(0, codeBytes), data: entry.result.subarray(codeBytes), sites };
  met.set(key, object);
  return object;
}

function keep(cache: Cache, key: string, object: InstrumentedObject): void {
  const { code, data, sites } = object;
  met.set(key, object);
  cache.put(key, {
    result: concatenate([code, data]),
    notes: JSON.stringify({ codeBytes: code.length, sites }),
  });
}
