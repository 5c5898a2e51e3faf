/**
 * Builds a program without instrumentation, on the C library without an engine: IR modules become a
 * binary that imports its memory.
 */
import { handlerNames } from '../findings/undefined-arithmetic.js';
import { linkObjects } from '../front/build.js';
import { linkSeparately } from '../front/link-program.js';
import { valueOrThrow } from '../front/step-outcome.js';
import type { Toolchain } from '../front/toolchain.js';
import type { Module } from '../ir/model.js';
import { writeModule } from '../ir/writer.js';
import { allocationFunctions } from '../passes/allocation-functions.js';
import { innerArrayHandlers } from '../passes/inner-array-handlers.js';
import { makeAllocationOpaque } from '../passes/opaque-allocation.js';
import { promiseHandlers } from '../passes/promise-handlers.js';
import { removeHandlers } from '../passes/removed-handlers.js';
import { lowerMemory64 } from '../wasm/lower.js';
import { addTierHints } from '../wasm/tier-hints.js';

export const stackBytes: number = 8 << 20;
export const memoryBytes: number = 2 ** 32;

const handlers: ReadonlySet<string> = new Set([...handlerNames, ...innerArrayHandlers, ...promiseHandlers]);

/** The functions that `runtime/malloc/bridge.c` defines. */
const bridged: ReadonlySet<string> = new Set(allocationFunctions);

/** `isBridged`: malloc is not the library's; its calls go to one of the mallocs in TypeScript. */
export async function buildPlain(
  toolchain: Toolchain,
  modules: readonly Module[],
  isBridged: boolean,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  // A linked program was compiled with the checks of clang.
  for (const module of modules) removeHandlers(module, handlers);
  const provided = isBridged ? bridged : new Set<string>();
  const linked = { roots: ['__rz_start'], library: 'plain', provided, signal } as const;
  const separate = valueOrThrow(await linkSeparately(toolchain, modules, linked));
  const { program, members, library, objectMembers } = separate;
  if (isBridged) makeAllocationOpaque(program);
  const bridge = isBridged ? ['/redzone/malloc/bridge.c'] : [];
  const objects = [
    valueOrThrow(await toolchain.compileIrToObject(writeModule(program), { signal })),
    ...(await library.plainObjects(members)),
    ...(await toolchain.compileRuntimeObjects(bridge, { flags: ['-O2'], signal })).map(valueOrThrow),
  ];
  const binary = await linkObjects(toolchain, objects, {
    members: objectMembers,
    memory: 'import',
    stackBytes,
    maximumMemoryBytes: memoryBytes,
    signal,
  });
  return addTierHints(lowerMemory64(valueOrThrow(binary)));
}
