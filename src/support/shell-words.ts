/**
 * Words of a command as a shell reads them back: those with a character that has a meaning there
 * are put between quotes.
 */
export function shellWords(words: readonly string[]): string {
  const plain = /^[\w@%+=:,./-]+$/;
  return words.map(word => (plain.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(' ');
}
