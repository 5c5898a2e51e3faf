/** The outcome of a step of the front end: a value, perhaps with warnings, or the errors. */
import { type Diagnostic, InputError } from '../findings/diagnostic.js';

export type Outcome<Value> =
  | { readonly ok: true; readonly value: Value; readonly warnings: readonly Diagnostic[] }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

export function success<Value>(value: Value, warnings: readonly Diagnostic[] = []): Outcome<Value> {
  return { ok: true, value, warnings };
}

export function failure(...diagnostics: readonly Diagnostic[]): Outcome<never> {
  return { ok: false, diagnostics };
}

/** For callers that cannot continue without the value: throws the diagnostics as an InputError. */
export function valueOrThrow<Value>(outcome: Outcome<Value>): Value {
  if (!outcome.ok) throw new InputError(...outcome.diagnostics);
  return outcome.value;
}

/** clang's output, verbatim: one Diagnostic for the whole text, none if it is empty. */
export function fromClang(text: string, severity: 'error' | 'warning'): Diagnostic[] {
  if (text.trim() === '') return [];
  const line = new RegExp(`^(?:(.+?):(\\d+):(\\d+): )?(?:fatal )?${severity}: (.*)$`, 'm').exec(text);
  const [, file, lineNumber, column, message = text.trim()] = line ?? [];
  return [
    {
      severity,
      message,
      verbatim: text.trimEnd(),
      ...(file === undefined ? {} : { location: { file, line: Number(lineNumber), column: Number(column) } }),
    },
  ];
}
