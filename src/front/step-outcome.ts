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

/** A `wint_t` is unsigned here, as on Linux; clang takes WebAssembly's, which is signed. */
const foreignWarning =
  /format specifies type 'wint_t' \(aka 'int'\) but the argument has type '(wint_t' \(aka ')?unsigned int'/;

/** clang's warnings without those that only WebAssembly has. */
function withoutForeign(text: string): string {
  if (!foreignWarning.test(text)) return text;
  const messages = text.split(
    /^(?=(?:In file included from .*\n(?:\s+from .*\n)*)?\S.*?: (?:warning|error): )/m,
  );
  const kept = messages.map(each => each.replace(/^\d+ warnings? generated\.\n?/m, ''));
  const own = kept.filter(each => each.trim() !== '' && !foreignWarning.test(each));
  return own.length === 0
    ? ''
    : `${own.join('')}${own.length} ${own.length === 1 ? 'warning' : 'warnings'} generated.\n`;
}

/** An `#error` for an unknown processor; no macro of one is defined (record 0207). */
const refusesProcessor = /: error: .*\b(architecture|processor|CPU|platform)\b.*\n.*#\s*error/i;

const processorHelp =
  'help: Redzone defines no macro of a processor; `-D__x86_64__` selects the code for that one\n';

/** clang's output, verbatim: one Diagnostic for the whole text, none if it is empty. */
export function fromClang(notes: string, severity: 'error' | 'warning'): Diagnostic[] {
  const own = severity === 'warning' ? withoutForeign(notes) : notes;
  const text = refusesProcessor.test(own) ? `${own.trimEnd()}\n${processorHelp}` : own;
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
