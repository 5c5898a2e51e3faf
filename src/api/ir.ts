/** `redzone ir`: the program as LLVM IR. */
import type { ProgramOptions, RunControl } from './control.js';
import { sharedToolchain } from './shared-toolchain.js';

export interface IrResult {
  /** The module as text. */
  readonly text: string;
}

/** Throws InputError when the program does not compile. Warnings of clang are events. */
export async function compileToIr(
  options: ProgramOptions,
  { signal, onEvent }: RunControl = {},
): Promise<IrResult> {
  const [toolchain, { valueOrThrow }, { InputError }] = await Promise.all([
    sharedToolchain(options.clang),
    import('../front/outcome.js'),
    import('../findings/diagnostic.js'),
  ]);
  const [input, ...rest] = options.inputs;
  if (input === undefined || rest.length > 0)
    throw new InputError({ severity: 'error', message: 'one file at a time, so far' });
  const { clangFlags: flags = [] } = options;
  const optimise = flags.some(flag => flag.startsWith('-O'));
  const source =
    typeof input === 'string'
      ? { path: input }
      : { path: input.name, content: new TextEncoder().encode(input.text) };
  onEvent?.({ kind: 'phase', text: `compiling ${source.path}` });
  const outcome = await toolchain.compileToIr(source, { flags, optimise, signal });
  const text = valueOrThrow(outcome);
  if (outcome.ok) for (const diagnostic of outcome.warnings) onEvent?.({ kind: 'warning', diagnostic });
  return { text };
}
