/**
 * Reads a tar archive: a sequence of 512-byte headers, each followed by the file's bytes, filled up
 * to 512.
 *
 *     0         100        124           136     156      157      512
 *     │ name    │ …        │ size, octal │ …     │ kind   │ …      │ bytes …
 */

const blockBytes = 512;

/**
 * The kinds of a file: `0`, or a zero byte in archives older than kinds. Folders and links have
 * others.
 */
const fileKinds: ReadonlySet<number> = new Set([0, '0'.charCodeAt(0)]);

/** The files and their bytes, which are views of the archive. */
export function tarEntries(archive: Uint8Array): [path: string, bytes: Uint8Array][] {
  const decoder = new TextDecoder();
  const text = (start: number, end: number) => {
    const field = archive.subarray(start, end);
    const zero = field.indexOf(0);
    return decoder.decode(zero < 0 ? field : field.subarray(0, zero));
  };
  const entries: [string, Uint8Array][] = [];
  for (let header = 0; header + blockBytes <= archive.length && archive[header] !== 0; ) {
    const size = Number.parseInt(text(header + 124, header + 136), 8);
    const start = header + blockBytes;
    const path = text(header, header + 100);
    if (fileKinds.has(archive[header + 156]!)) entries.push([path, archive.subarray(start, start + size)]);
    header = start + Math.ceil(size / blockBytes) * blockBytes;
  }
  return entries;
}
