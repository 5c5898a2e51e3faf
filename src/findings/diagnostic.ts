/**
 * A Diagnostic describes an error in the *input* as plain data; a Finding describes an error of the
 * program.
 *
 * Examples are a missing file, C that does not compile, IR that cannot be read, an unresolved
 * symbol. Rooms either return Diagnostics or, deep inside a reader, throw an `InputError` that
 * carries them; the command line prints them and exits 2. Defects of Redzone are `InternalError`s.
 */
import type { Note, Severity, SourceLocation } from './finding.js';

export interface Diagnostic {
  readonly severity: Severity;
  /** One lowercase sentence without a final period that can be understood alone. */
  readonly message: string;
  readonly location?: SourceLocation;
  readonly notes?: readonly Note[];
  readonly help?: string;
  /** The input is right, but exceeds a limit of Redzone, so the answer is inconclusive. */
  readonly isLimit?: true;
  /** The text as another tool (clang) wrote it: printed as it is, in place of our own rendering. */
  readonly verbatim?: string;
}

/**
 * Carries Diagnostics out of a computation that cannot continue without its input. At least one is
 * an error.
 */
export class InputError extends Error {
  override readonly name = 'InputError';
  readonly diagnostics: readonly Diagnostic[];

  constructor(...diagnostics: readonly Diagnostic[]) {
    super(diagnostics.map(formatDiagnostic).join('\n'));
    this.diagnostics = diagnostics;
  }
}

/** The error with one Diagnostic that has no place. */
export function inputError(message: string, help?: string): InputError {
  return new InputError({ severity: 'error', message, ...(help !== undefined && { help }) });
}

/** `a.c:3:7: error: message`, the one-line form that editors and scripts read. */
export function formatDiagnostic(diagnostic: Diagnostic): string {
  if (diagnostic.verbatim !== undefined) return diagnostic.verbatim;
  const at = diagnostic.location === undefined ? '' : `${formatLocation(diagnostic.location)}: `;
  return `${at}${diagnostic.severity}: ${diagnostic.message}`;
}

/** `a.c:3:7`, without the parts that are unknown (0). */
export function formatLocation({ file, line, column }: SourceLocation): string {
  if (line === 0) return file;
  return column === 0 ? `${file}:${line}` : `${file}:${line}:${column}`;
}
