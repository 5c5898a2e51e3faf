/**
 * Reads and links the module that `explore` runs.
 *
 *     worker        | start clang | compile the program ...... |
 *     main thread   | load the engine, the solver, the library | read, link | explore
 *
 * The engine is loaded after clang has been started, because clang takes at least half a second;
 * the main thread meanwhile does everything that does not depend on its result. The members of the
 * library that will be needed are guessed from the text of the sources.
 */

import type { SnippetProgram } from '../explore/output/c-snippet.js';
import { handlerNames } from '../findings/undefined-arithmetic.js';
import type { Members } from '../front/members.js';
import { valueOrThrow } from '../front/step-outcome.js';
import type { Toolchain } from '../front/toolchain.js';
import type { Module } from '../ir/model.js';
import { requireValid, verifyModule } from '../ir/verify.js';
import { defaultChecks } from '../monitor/check-kinds.js';
import { allocationFunctions } from '../passes/allocation-functions.js';
import { checkAssumedAlignment } from '../passes/assumed-alignment.js';
import { checkFarPointers } from '../passes/far-pointers.js';
import { innerArrayHandlers } from '../passes/inner-array-handlers.js';
import { checkInnerArrays } from '../passes/inner-arrays.js';
import { forgiveUnusedResults } from '../passes/missing-results.js';
import { expectAlignment } from '../passes/natural-alignment.js';
import { checkNullOffsets } from '../passes/null-offsets.js';
import { makeArithmeticPlain } from '../passes/plain-arithmetic.js';
import { promiseHandlers } from '../passes/promise-handlers.js';
import { markRestrictLocals } from '../passes/restrict-locals.js';
import { makeArithmeticWrap } from '../passes/wrapping-arithmetic.js';
import { readFileIfAny } from '../platform/files.js';
import { verifiesIr } from '../platform/node.js';
import { checkFlags } from './check-flags.js';
import type { ExploreSettings } from './explore.js';
import { makeChecksFatal } from './fatal-checks.js';
import { refuseLargeGlobals } from './large-globals.js';
import { readModules } from './read-program.js';
import {
  isCompiled,
  type ProgramInput,
  type ProgramOptions,
  programIn,
  type RunControl,
} from './run-control.js';
import { sharedToolchain } from './shared-toolchain.js';

/** The functions that the explorer implements itself. */
const providedByExplorer: ReadonlySet<string> = new Set([
  ...allocationFunctions,
  ...['setjmp', 'longjmp'],
  ...handlerNames,
  ...innerArrayHandlers,
  ...promiseHandlers,
]);

/** What a C program that calls this one must know. */
export type ProgramShape = Pick<SnippetProgram, 'called' | 'entry'>;

export interface LinkedProgram {
  readonly module: Module;
  readonly shape: ProgramShape;
  /** The IR of each input. */
  readonly irTexts: readonly string[];
  /** clang's warnings about unsequenced expressions. */
  readonly unsequenced: readonly string[];
}

/** The settings with which every program is linked. */
const linking = {
  roots: ['__rz_start'],
  library: 'engine',
  provided: providedByExplorer,
  mayMissFunctions: true,
} as const;

/** The options that determine the program. */
export type ExploredProgramOptions = ProgramOptions &
  Pick<ExploreSettings, 'checks' | 'entryPoint' | 'threads'> & {
    /** clang's warnings about unsequenced expressions of compiled inputs. */
    readonly unsequenced?: readonly string[];
  };

/** The scheduling point is called before atomic operations, although no symbol refers to it. */
function linkingOf({ threads }: ExploredProgramOptions) {
  return threads ? { ...linking, roots: [...linking.roots, '__rz_thread_point'] } : linking;
}

/** V8 has no larger buffers, and an object is one. */
const mostGlobalBytes = 2 ** 32;

export async function linkedProgram(
  options: ExploredProgramOptions,
  control: RunControl,
): Promise<LinkedProgram> {
  const toolchain = await sharedToolchain(options.clang);
  const { checks = defaultChecks, clangFlags: given = [], entryPoint } = options;
  const checksArithmetic = checks.includes('undefined');
  const checksBounds = checks.includes('spatial');
  // The same flags as for `check`, so that both engines share the cached results of clang.
  const clangFlags = checkFlags({ arithmetic: checksArithmetic, bounds: checksBounds }, given);
  const irTexts: string[] = [];
  let unsequenced: readonly string[] = [];
  const [modules, members] = await Promise.all([
    readModules(
      {
        ...programIn(options),
        ...{ entryPoint, clangFlags, marksUnsequenced: checksArithmetic },
        onIr: text => irTexts.push(text),
        unsequenced: options.unsequenced,
        onUnsequenced: texts => {
          unsequenced = texts;
        },
      },
      control,
    ),
    prepare(toolchain, options, control.signal),
  ]);
  makeChecksFatal(modules);
  if (checksArithmetic) modules.forEach(makeArithmeticPlain);
  if (checksBounds) modules.forEach(checkInnerArrays);
  refuseLargeGlobals(modules, mostGlobalBytes, 'under `explore` a program has 4 GiB for globals');
  if (checksArithmetic) modules.forEach(checkFarPointers);
  if (checks.includes('restrict')) modules.forEach(markRestrictLocals);
  if (checks.includes('null-offset')) modules.forEach(checkNullOffsets);
  if (checks.includes('alignment')) {
    modules.forEach(expectAlignment);
    modules.forEach(checkAssumedAlignment);
  }
  control.onEvent?.({ kind: 'phase', text: 'linking' });
  const shape = shapeOf(modules, entryPoint);
  const { linkProgram } = await import('../front/link-program.js');
  const linked = await linkProgram(toolchain, modules, {
    ...linkingOf(options),
    members,
    signal: control.signal,
  });
  const module = valueOrThrow(linked);
  if (!checksArithmetic) makeArithmeticWrap(module);
  forgiveUnusedResults(module);
  if (verifiesIr()) requireValid(verifyModule(module));
  return { module, shape, irTexts, unsequenced };
}

/** Does everything that does not need the program. */
async function prepare(
  toolchain: Toolchain,
  options: ExploredProgramOptions,
  signal: AbortSignal | undefined,
): Promise<Members> {
  const [{ prepareCadicalModule }, { expectMembers }] = await Promise.all([
    import('../solver/cadical.js'),
    import('../front/link-program.js'),
    import('./explore-pipeline.js'),
  ]);
  prepareCadicalModule();
  return expectMembers(toolchain, options.inputs.flatMap(calledNames), { ...linkingOf(options), signal });
}

/** The functions that a source seems to call, judged by its text. */
function calledNames(input: ProgramInput): string[] {
  if (isCompiled(input)) return [];
  const text =
    typeof input === 'string'
      ? new TextDecoder().decode(readFileIfAny(input) ?? new Uint8Array())
      : input.text;
  return Array.from(text.matchAll(/\b([a-z_]\w*)\s*\(/g), ([, name]) => name!);
}

/** The kind of `main`, by its number of parameters. */
const entries: Readonly<Record<number, SnippetProgram['entry']>> = {
  0: 'main()',
  2: 'main(argc, argv)',
  3: 'main(argc, argv, environ)',
};

function shapeOf(modules: readonly Module[], entryPoint: string | undefined): ProgramShape {
  const functions = modules.flatMap(module => module.functions);
  const defined = new Set(functions.filter(({ blocks }) => blocks.length > 0).map(({ name }) => name));
  const called = new Set(functions.map(({ name }) => name).filter(name => !defined.has(name)));
  const main = functions.find(
    ({ name, blocks }) => /^(main|__main_\w+|__original_main)$/.test(name) && blocks.length > 0,
  );
  const entry = main === undefined ? 'LLVMFuzzerTestOneInput' : entries[main.arguments.length];
  return { called, entry: entryPoint === undefined ? (entry ?? 'main()') : undefined };
}
