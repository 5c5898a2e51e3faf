/** `redzone ir`: the program as LLVM IR, read into our model, linked, and written again. */
import type { ProgramOptions, RunControl } from './control.js';
import { readModules } from './program.js';

export interface IrResult {
  /** The module as text. */
  readonly text: string;
}

/**
 * With `-O…` among the flags, clang optimises; without, the IR is as the engines see it. The C library is not linked. Throws InputError
 * when the program does not compile, cannot be read or does not link.
 */
export async function compileToIr(options: ProgramOptions, control: RunControl = {}): Promise<IrResult> {
  const optimise = options.clangFlags?.some(flag => flag.startsWith('-O')) ?? false;
  const modules = await readModules({ ...options, optimise }, control);
  const [{ linkModules }, { valueOrThrow }, { writeModule }] = await Promise.all([
    import('../front/link.js'),
    import('../front/outcome.js'),
    import('../ir/writer.js'),
  ]);
  const linked =
    modules.length === 1 ? modules[0]! : valueOrThrow(linkModules(modules.map(module => ({ module }))));
  return { text: writeModule(linked) };
}
