/** A text as a string literal of C, in UTF-8 whatever encodes the file around it. */
export function cString(text: string): string {
  const bytes = new TextEncoder().encode(text);
  const quoted = Array.from(bytes, byte => {
    const character = String.fromCharCode(byte);
    if (character === '"' || character === '\\') return `\\${character}`;
    const isPlain = byte >= 0x20 && byte < 0x7f && character !== '?';
    return isPlain ? character : `\\${byte.toString(8).padStart(3, '0')}`;
  });
  return `"${quoted.join('')}"`;
}
