/** The steps of weaving that need clang: see `weave.ts` for an overview. */
import { absolutePath, workingFolder } from '../../platform/files.js';
import { bytesOfCharacters, charactersOf } from '../../support/latin1.js';
import { withoutPreprocessing } from '../flags.js';
import { failure, type Outcome, success } from '../step-outcome.js';
import type { CompileOptions, CSource, Toolchain } from '../toolchain.js';
import { filesIn, readAnnotatedText } from './annotated-text.js';
import { MarkTable, markFile, mayBeAnnotated } from './mark.js';
import type { TreeNode } from './program-tree.js';
import { weaveProgram } from './weave.js';

/** A woven source, and the flags to compile it with. */
export interface WovenSource {
  readonly source: CSource;
  readonly flags: readonly string[];
}

/**
 * Weaves the annotations of a source and of its headers. Undefined if there are none, or if clang
 * reports an error in the program, which is better reported for the original source.
 */
export async function weaveSource(
  toolchain: Toolchain,
  source: CSource,
  options: CompileOptions,
  isLenient = false,
): Promise<Outcome<WovenSource> | undefined> {
  const folder = options.folder ?? workingFolder();
  const marks = new MarkTable();
  const edit = (path: string, content: Uint8Array): Uint8Array | undefined => {
    const text = charactersOf(content);
    const marked = mayBeAnnotated(text) ? markFile(path, text, marks) : undefined;
    return marked === undefined ? undefined : bytesOfCharacters(marked);
  };
  const flags = [...(options.flags ?? []), '-include', '/redzone/acsl/acsl.h'];
  const preprocessed = await toolchain.preprocess(source, { ...options, flags }, edit);
  if (preprocessed === undefined) return undefined;
  if (!preprocessed.ok)
    return (await toolchain.compileToIr(source, options)).ok ? inAnnotation(preprocessed) : undefined;
  const text = charactersOf(preprocessed.value);
  const names = new Map([...filesIn(text)].map(name => [absolutePath(folder, name), name]));
  marks.rename(file => names.get(file) ?? (source.path === '-' ? '<stdin>' : file));
  const annotated = readAnnotatedText(text, marks);

  const rest = withoutPreprocessing(options.flags ?? []);
  const plain: CSource = {
    path: source.path,
    content: bytesOfCharacters(annotated.text),
    preprocessed: true,
  };
  const tree = await toolchain.syntaxTree(plain, { ...options, flags: rest });
  if (!tree.ok) {
    return (await toolchain.compileToIr(source, options)).ok ? tree : undefined;
  }
  const { code, errors, warnings } = weaveProgram(
    annotated,
    JSON.parse(tree.value) as TreeNode,
    marks,
    isLenient,
  );
  if (errors.length > 0) return failure(...errors);
  const woven = { source: { ...plain, content: bytesOfCharacters(code) }, flags: [...rest, '-w'] };
  return success(woven, [...tree.warnings, ...warnings]);
}

/** The preprocessor's diagnostics about macros in annotations, without the generated text. */
function inAnnotation(outcome: Outcome<unknown> & { ok: false }): Outcome<never> {
  return failure(
    ...outcome.diagnostics.map(({ severity, message, location }) => ({
      severity,
      message: `in an annotation: ${message}`,
      ...(location === undefined ? {} : { location: { ...location, column: 0 } }),
    })),
  );
}
