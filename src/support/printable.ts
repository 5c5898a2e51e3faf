/**
 * Makes text safe for a terminal: names of files, symbols and annotations may contain any
 * characters, and those that move the cursor, change colours or change the writing direction are
 * shown as escapes.
 */

/**
 * The controls of C0 but for tab and newline, those of C1, and marks that reorder what is shown.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: those are what it is about
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

export function printable(text: string): string {
  return text.replace(controls, character => {
    const code = character.charCodeAt(0);
    return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16)}`;
  });
}

/** Makes all texts in plain data printable; `onChange` is called for each text that changed. */
export function printableIn<Value>(
  value: Value,
  onChange?: (shown: string, original: string) => void,
): Value {
  const visit = (part: unknown): unknown => {
    if (typeof part === 'string') {
      const shown = printable(part);
      if (shown !== part) onChange?.(shown, part);
      return shown;
    }
    if (Array.isArray(part)) return part.map(visit);
    if (typeof part !== 'object' || part === null || ArrayBuffer.isView(part)) return part;
    return Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, visit(inner)]));
  };
  return visit(value) as Value;
}
