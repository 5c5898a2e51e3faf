/** `redzone ir`: the program as LLVM IR, read into our model, linked, and written again. */
import type { Module } from '../ir/model.js';
import { irOptions } from '../options/ir-options.js';
import type { Given, Settings } from '../options/schema.js';
import { settingsOf } from '../options/settings.js';
import { apart, isApart } from './apart.js';
import { readModules, weaveInputs } from './read-program.js';
import { type ProgramOptions, programIn, type RunControl } from './run-control.js';
import { orRejected } from './supervise.js';

export interface IrOptions extends ProgramOptions, Given<typeof irOptions> {}

export interface IrResult {
  /** The module, or the woven C, as text. */
  readonly text: string;
}

/**
 * With a flag `-O…` clang optimises; without it, the IR is what the engines read. The C library is
 * not linked. Throws InputError when the program does not compile, cannot be read or does not link.
 */
export async function compileToIr(given: IrOptions, control: RunControl = {}): Promise<IrResult> {
  const options = settingsOf(irOptions, given);
  return orRejected(control, options.maxTimeMs, async signal => {
    if (isApart()) return apart<IrOptions, IrResult>('ir', given, { ...control, signal });
    return irOf(options, { ...control, signal });
  });
}

async function irOf(
  options: Settings<typeof irOptions> & ProgramOptions,
  control: RunControl,
): Promise<IrResult> {
  if (options.woven) return { text: await weaveInputs(programIn(options), control) };
  const [{ makeChecksFatal }, { checkFlags }, { checkInnerArrays }, { checkFarPointers }] = await Promise.all(
    [
      import('./fatal-checks.js'),
      import('./check-flags.js'),
      import('../passes/inner-arrays.js'),
      import('../passes/far-pointers.js'),
    ],
  );
  const { clangFlags: flags = [] } = options;
  const optimise = !options.instrumented && flags.some(flag => flag.startsWith('-O'));
  const clangFlags = options.instrumented ? checkFlags({ arithmetic: true, bounds: true }, flags) : flags;
  const modules = await readModules({ ...programIn(options), clangFlags, optimise }, control);
  if (options.instrumented) {
    makeChecksFatal(modules);
    modules.forEach(checkInnerArrays);
    modules.forEach(checkFarPointers);
  }
  const [{ linkModules }, { valueOrThrow }, { writeModule }] = await Promise.all([
    import('../front/link.js'),
    import('../front/step-outcome.js'),
    import('../ir/writer.js'),
  ]);
  const linked =
    modules.length === 1 ? modules[0]! : valueOrThrow(linkModules(modules.map(module => ({ module }))));
  return { text: options.instrumented ? await instrumentedText(linked) : writeModule(linked) };
}

/** The instrumented code, and the definitions of the globals, which are a separate module. */
async function instrumentedText(module: Module): Promise<string> {
  const [{ instrument }, { writeModule }, { contentHash }] = await Promise.all([
    import('../monitor/instrument/instrument.js'),
    import('../ir/writer.js'),
    import('../platform/files.js'),
  ]);
  const id = contentHash([writeModule(module)]).slice(0, 16);
  const { code, data } = instrument(module, {
    id,
    temporal: true,
    init: true,
    keepGoing: false,
    optimise: true,
    preAnalysis: true,
    alignment: true,
  });
  return `${code.map(writeModule).join('\n')}\n; ---- the globals, in a module of their own ----\n\n${writeModule(data)}`;
}
