/**
 * Texts with one character for each byte, whatever their encoding is.
 *
 * The decoder of UTF-16 does this fastest; `latin1` of a `TextDecoder` is Windows' code page.
 */

const decoder = new TextDecoder('utf-16le', { ignoreBOM: true });

export function charactersOf(bytes: Uint8Array): string {
  return decoder.decode(new Uint16Array(bytes));
}

export function bytesOfCharacters(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}
