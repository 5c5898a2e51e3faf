/**
 * Finds the lines of a module that a pass inserted or changed: those that are not part of a longest
 * common subsequence with the module before it, function by function.
 *
 * Functions are compared one by one, so that a line is never matched with one of another function,
 * and the quadratic table stays small; a function that is too large for one is compared as a set.
 */

/** Cells of a table. */
const mostCells = 16_000_000;

/** For each line of `after`. */
export function insertedLines(before: readonly string[], after: readonly string[]): boolean[] {
  const known = new Map(parts(before).map(part => [part.name, part]));
  return parts(after).flatMap(({ name, lines }) => {
    const old = (known.get(name)?.lines ?? []).map(normal);
    const now = lines.map(normal);
    const isKept = old.length * now.length > mostCells ? inSet(old, now) : inCommon(old, now);
    return now.map((line, i) => line !== '' && !isKept[i]);
  });
}

interface Part {
  /** The name of the function; the lines between functions are one part each. */
  readonly name: string;
  readonly lines: string[];
}

function parts(lines: readonly string[]): Part[] {
  const all: Part[] = [{ name: '', lines: [] }];
  for (const line of lines) {
    const name = /^define .*?@("[^"]*"|[\w.$-]+)\(/.exec(line)?.[1];
    if (name !== undefined) all.push({ name, lines: [] });
    all.at(-1)!.lines.push(line);
    if (line === '}') all.push({ name: `after ${all.at(-1)!.name}`, lines: [] });
  }
  return all;
}

const inSet = (old: readonly string[], now: readonly string[]): boolean[] => {
  const set = new Set(old);
  return now.map(line => set.has(line));
};

function inCommon(old: readonly string[], now: readonly string[]): boolean[] {
  const width = now.length + 1;
  const longest = new Uint16Array((old.length + 1) * width);
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = now.length - 1; j >= 0; j--)
      longest[i * width + j] =
        old[i] === now[j]
          ? longest[(i + 1) * width + j + 1]! + 1
          : Math.max(longest[(i + 1) * width + j]!, longest[i * width + j + 1]!);
  const isKept = now.map(() => false);
  for (let i = 0, j = 0; i < old.length && j < now.length; ) {
    if (old[i] === now[j]) {
      isKept[j] = true;
      i++;
      j++;
    } else if (longest[(i + 1) * width + j]! >= longest[i * width + j + 1]!) i++;
    else j++;
  }
  return isKept;
}

/** Removes the numbers of unnamed values and of metadata, which passes change. */
function normal(line: string): string {
  return line
    .replace(/,? ![a-z]+ !\d+/g, '')
    .replace(/ #\d+/g, '')
    .replace(/%\d+/g, '%')
    .trim();
}
