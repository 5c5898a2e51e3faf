/**
 * A linked program: a shell script that starts Redzone on itself, followed by the units, which the
 * shell never reads.
 *
 *     #!/bin/sh
 *     # redzone program {"key": …}
 *     …exec node …/start-program.js "$0" "$@"
 *     units
 *
 * The second line has everything that a run from the cache needs. Code is generated when the
 * program first runs, with the checks that are then requested, and cached: most programs that
 * `configure` links are never run.
 */
import { concatenate } from '../support/concatenate.js';
import { shellWords } from '../support/shell-words.js';
import type { ChosenUnit } from './select-units.js';
import { readUnits, type Unit, writeUnit } from './units.js';

export interface ProgramHead {
  readonly version: 1;
  /** The name under which the program was linked. */
  readonly name: string;
  /** The cache folder, unless `REDZONE_CACHE` is set. */
  readonly cache: string;
  readonly units: readonly {
    readonly name: string;
    readonly key: string;
    readonly weakened: readonly string[];
    readonly hasIgnoreComments?: true;
  }[];
  /** The offset of the units. */
  readonly offset: number;
}

/** How the script starts Redzone. */
export interface Launcher {
  readonly node: string;
  /** The module that runs a program. */
  readonly module: string;
}

const firstLine = '#!/bin/sh\n';
const mark = '# redzone program ';

export function writeExecutable(
  name: string,
  cache: string,
  chosen: readonly ChosenUnit[],
  { node, module }: Launcher,
): Uint8Array {
  const units = chosen.map(({ unit: { head }, weakened }) => ({
    ...{ name: head.name, key: head.key, weakened },
    ...(head.hasIgnoreComments && { hasIgnoreComments: true as const }),
  }));
  const start = `r=${shellWords([module])}; n=${shellWords([node])}
[ -x "$n" ] || n=node
[ -f "$r" ] || { echo "$0: this program was linked by redzone cc, which is no longer at $r" >&2; exit 127; }
exec "$n" "$r" "$0" "$@"
`;
  const bodyOf = (offset: number): Uint8Array => {
    const head: ProgramHead = { version: 1, name, cache, units, offset };
    return new TextEncoder().encode(`${firstLine}${mark}${JSON.stringify(head)}\n${start}`);
  };
  // The script contains its own length, so it is computed until the length no longer changes.
  let script = bodyOf(0);
  for (let offset = 0; offset !== script.length; ) {
    offset = script.length;
    script = bodyOf(offset);
  }
  return concatenate([script, ...chosen.map(({ unit }) => writeUnit(unit))]);
}

/** Reads the file or its first kilobytes; undefined if the head is incomplete. */
export function readProgramHead(bytes: Uint8Array): ProgramHead | undefined {
  const start = `${firstLine}${mark}`;
  const length = bytes.indexOf(0x0a, start.length);
  if (length < 0) return undefined;
  const text = new TextDecoder().decode(bytes.subarray(0, length));
  return text.startsWith(start) ? (JSON.parse(text.slice(start.length)) as ProgramHead) : undefined;
}

export function isProgram(bytes: Uint8Array): boolean {
  const start = new TextEncoder().encode(`${firstLine}${mark}`);
  return start.every((byte, i) => bytes[i] === byte);
}

export function unitsOfProgram(bytes: Uint8Array): Unit[] | undefined {
  const head = readProgramHead(bytes);
  return head && readUnits(bytes.subarray(head.offset));
}
