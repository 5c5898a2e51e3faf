/** Quotes the words of a command for a shell, where a character requires it. */
export function shellWords(words: readonly string[]): string {
  const plain = /^[\w@%+=:,./-]+$/;
  return words.map(word => (plain.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(' ');
}
