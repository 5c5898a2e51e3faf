/**
 * Reads the archives of every `ar`: GNU archives with a table of long names, BSD archives with the
 * names in front of the contents, and thin archives, whose members are separate files.
 *
 *     !<arch>\n   then for each member   name(16) date(12) owner(12) mode(8) bytes(10) `\n   contents, padded to 2
 */

export interface ArchiveMember {
  readonly name: string;
  /** Undefined in a thin archive, where the member is the file of that name. */
  readonly contents: Uint8Array | undefined;
}

const usual = '!<arch>\n';
const thin = '!<thin>\n';
const headerBytes = 60;

const latin = (bytes: Uint8Array): string => String.fromCharCode(...bytes);

export function isArchive(bytes: Uint8Array): boolean {
  const start = latin(bytes.subarray(0, usual.length));
  return start === usual || start === thin;
}

/** Requires an archive; undefined if it is damaged. */
export function membersOf(bytes: Uint8Array): ArchiveMember[] | undefined {
  const isThin = latin(bytes.subarray(0, thin.length)) === thin;
  const members: ArchiveMember[] = [];
  let longNames = '';
  let at = usual.length;
  while (at + headerBytes <= bytes.length) {
    const header = latin(bytes.subarray(at, at + headerBytes));
    const length = Number.parseInt(header.slice(48, 58), 10);
    if (!header.endsWith('`\n') || Number.isNaN(length)) return undefined;
    const spelt = header.slice(0, 16).trimEnd();
    const start = at + headerBytes;
    const isTable = spelt === '/' || spelt === '//' || spelt === '/SYM64/' || spelt.startsWith('__.SYMDEF');
    const hasContents = isTable || !isThin;
    const end = hasContents ? start + length : start;
    if (end > bytes.length) return undefined;
    const contents = bytes.subarray(start, end);
    at = end + (end % 2);
    if (spelt === '//') longNames = new TextDecoder().decode(contents);
    if (isTable) continue;
    const bsd = /^#1\/(\d+)$/.exec(spelt);
    if (bsd !== null) {
      const nameBytes = Number(bsd[1]);
      const name = new TextDecoder().decode(contents.subarray(0, nameBytes)).replace(/\0+$/, '');
      if (!name.startsWith('__.SYMDEF')) members.push({ name, contents: contents.subarray(nameBytes) });
      continue;
    }
    const long = /^\/(\d+)$/.exec(spelt);
    const name =
      long === null
        ? spelt.replace(/\/$/, '')
        : longNames.slice(Number(long[1])).split('\n')[0]!.replace(/\/$/, '');
    members.push({ name, contents: isThin ? undefined : contents });
  }
  return members;
}
