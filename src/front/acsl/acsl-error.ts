/**
 * An error in an annotation, at its place inside the comment. It becomes a Diagnostic, and exit
 * status 2.
 */
import type { Diagnostic } from '../../findings/diagnostic.js';
import type { SourceToken } from './mark.js';

export class AcslError extends Error {
  constructor(
    message: string,
    readonly place: SourceToken,
    readonly help?: string,
  ) {
    super(message);
  }

  toDiagnostic(): Diagnostic {
    return diagnosticAt('error', this.message, this.place, this.help);
  }
}

export function diagnosticAt(
  severity: 'error' | 'warning',
  message: string,
  { file, line, column }: SourceToken,
  help?: string,
): Diagnostic {
  return { severity, message, location: { file, line, column }, ...(help === undefined ? {} : { help }) };
}
