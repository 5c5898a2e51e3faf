/** Writing results and errors: text for users, JSON for scripts. */
import { mkdirSync } from 'node:fs';
import { type Diagnostic, InputError, renderDiagnostic, type TextOptions } from '../index.js';
import type { Given } from '../options/schema.js';
import type { resultFile } from '../options/shared.js';
import { readFileIfAny, whyFileUnwritable, whyUnwritable, writeNamedFile } from '../platform/files.js';
import { type Io, type Output, wantsColor } from './io.js';

/** An output together with how to render text for it. */
export interface Terminal extends TextOptions {
  readonly output: Output;
}

export function terminalOf(io: Io, stream: 'stdout' | 'stderr'): Terminal {
  const output = io[stream];
  return {
    output,
    readSource: sourceReader(io),
    color: wantsColor(output, io),
    width: output.columns,
  };
}

/** The text of a source, from its file or from standard input. */
export function sourceReader(io: Io): (file: string) => string | undefined {
  return file => io.sources.get(file) ?? readSource(file);
}

export function readSource(file: string): string | undefined {
  const bytes = readFileIfAny(file);
  return bytes && new TextDecoder().decode(bytes);
}

/**
 * Writes a file that the user named, creating `folder` if necessary. A file that cannot be written
 * is an InputError.
 */
export function writeTo(file: string, contents: string | Uint8Array, folder?: string): void {
  try {
    if (folder !== undefined) mkdirSync(folder, { recursive: true });
    writeNamedFile(file, contents);
  } catch (error) {
    throw cannotWrite(file, (error as Error).message);
  }
}

/** Writes to the file that `-o` names, or to standard output, which is also named `-`. */
export function printResult(
  { output: { outFile = '-' }, io }: { readonly output: Given<typeof resultFile>; readonly io: Io },
  text: string,
): void {
  if (outFile === '-') io.stdout.write(text);
  else writeTo(outFile, text);
}

export function cannotWrite(file: string, why: string): InputError {
  return new InputError({ severity: 'error', message: `cannot write '${file}': ${why}` });
}

/** Where the results of a command are written, besides its output. */
interface ResultPaths {
  readonly file?: string | undefined;
  readonly folder?: string | undefined;
}

/** Throws InputError before the work if its results cannot be written. */
export function requireWritableResults({ file, folder }: ResultPaths): void {
  const whyFile = file === undefined ? undefined : whyFileUnwritable(file);
  if (whyFile !== undefined) throw cannotWrite(file!, whyFile);
  const whyFolder = folder === undefined ? undefined : whyUnwritable(folder);
  if (whyFolder !== undefined) throw cannotWrite(folder!, whyFolder);
}

export function printDiagnostics(diagnostics: readonly Diagnostic[], terminal: Terminal): void {
  for (const diagnostic of diagnostics) terminal.output.write(renderDiagnostic(diagnostic, terminal));
}

/** One JSON document, alone on stdout. */
export function printJson(io: Io, document: object): void {
  io.stdout.write(jsonText(document));
}

export function jsonText(document: object): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

export interface JsonError {
  readonly kind: 'usage' | 'input' | 'interrupted' | 'defect';
  readonly diagnostics: readonly Diagnostic[];
}

/** Printed in place of a report when there is no verdict. */
export function printJsonError(io: Io, command: string, error: JsonError): void {
  printJson(io, { schema: 1, command, error });
}
