/** The words of a line as a shell divides it: blanks, quotes and backslashes, and nothing else. */
export function shellArguments(line: string): string[] {
  const words: string[] = [];
  for (const match of line.matchAll(/(?:[^\s"'\\]|\\.|"(?:[^"\\]|\\.)*"|'[^']*')+/gs)) {
    const word = match[0].replace(
      /\\(.)|"((?:[^"\\]|\\.)*)"|'([^']*)'/gs,
      (_, escaped, double, single) => escaped ?? double?.replace(/\\(["\\$`])/g, '$1') ?? single,
    );
    words.push(word);
  }
  return words;
}
