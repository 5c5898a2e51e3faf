/**
 * Records the files that a command of `redzone cc` has read and written, and its output, as a
 * script that reproduces the result. `bin/redzone-cc` runs the script before it starts Node.
 *
 * ```
 *   for f in /p/src/config.h …; do [ -e "$f" ] && return; done      was looked for and not found
 *   sha256sum --status -c cc/KEY.3fa9… || return                    every file that was read
 *   cp cc/KEY.77b1… a.o || return                                   every file that was written
 *   cat cc/KEY.e020… >&2                                            the warnings
 *   exit 0
 * ```
 *
 * Invariant: a record falls through unless everything that the command depended on is unchanged.
 * The files that it refers to are named by their content, so two processes can write records at the
 * same time.
 */
import { shellWords } from '../support/shell-words.js';

export interface CommandTrace {
  /** Absolute paths, with the SHA-256 of the contents; undefined for a missing file. */
  readonly read: ReadonlyMap<string, string | undefined>;
  readonly written: readonly WrittenFile[];
  readonly said: string;
}

export interface WrittenFile {
  /** The path as on the command line. */
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly isExecutable: boolean;
}

/** Stores bytes next to the record, and returns the name of their file. */
export type Keep = (bytes: Uint8Array, isExecutable: boolean) => string;

/** The text of a record; undefined if a path has characters that `sha256sum` escapes. */
export function recordOf({ read, written, said }: CommandTrace, keep: Keep): string | undefined {
  const names = [...read.keys(), ...written.map(({ path }) => path)];
  if (names.some(name => /[\\\n\r]/.test(name) || name.startsWith('-'))) return undefined;
  const absent = [...read].filter(([, sum]) => sum === undefined).map(([name]) => name);
  const sums = [...read].flatMap(([name, sum]) => (sum === undefined ? [] : `${sum}  ${name}\n`)).join('');
  const encoder = new TextEncoder();
  const copies = written.flatMap(({ path, bytes, isExecutable }) => {
    const name = shellWords([path]);
    // A running program keeps its old file.
    return [
      `[ -f ${name} ] && rm -f ${name}`,
      `cp ${shellWords([keep(bytes, isExecutable), path])} || return`,
    ];
  });
  return [
    ...(absent.length === 0 ? [] : [`for f in ${shellWords(absent)}; do [ -e "$f" ] && return; done`]),
    `sha256sum --status -c ${shellWords([keep(encoder.encode(sums), false)])} 2>/dev/null || return`,
    ...copies,
    ...(said === '' ? [] : [`cat ${shellWords([keep(encoder.encode(said), false)])} >&2`]),
    'exit 0\n',
  ].join('\n');
}
