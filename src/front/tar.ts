/**
 * Reads a tar archive: a sequence of 512-byte headers, each followed by the file's bytes, filled up to 512.
 *
 *     0         100        124         136                   512
 *     │ name    │ …        │ size, octal │ …                  │ bytes …
 */

const blockBytes = 512;

/** The files and their bytes, which are views of the archive. Folders have no bytes and are left out. */
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
    if (!path.endsWith('/')) entries.push([path, archive.subarray(start, start + size)]);
    header = start + Math.ceil(size / blockBytes) * blockBytes;
  }
  return entries;
}
