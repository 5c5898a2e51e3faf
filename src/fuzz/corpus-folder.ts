/**
 * Inputs as files: the folder of the corpus is read, and new inputs are added to it. A file that
 * the fuzzer writes is named by its contents, so writing an input twice has no effect, and only
 * such files are ever removed.
 */

import { requireWritable } from '../explore/output/require-writable.js';
import type { Diagnostic } from '../findings/diagnostic.js';
import {
  contentHash,
  entriesOf,
  fileStatus,
  kindOf,
  readFileStart,
  removeFile,
  resolvedPath,
  writeFileAtomically,
} from '../platform/files.js';

/** The default limit of an input's length. */
const longestInput: number = 1 << 20;
/** The limit without inputs, and for short ones. */
const usualLength = 4096;

export interface GivenInputs {
  readonly inputs: readonly Uint8Array[];
  readonly warnings: readonly Diagnostic[];
  /** The largest length of an input. */
  readonly maxLength: number;
}

/**
 * Reads the inputs in these folders, those in folders below them, and single files; short ones
 * first.
 */
export function readInputs(paths: readonly string[], limit: number | undefined): GivenInputs {
  const most = limit ?? longestInput;
  const warnings: Diagnostic[] = [];
  const warn = (message: string): void => void warnings.push({ severity: 'warning', message });
  const read: Uint8Array[] = [];
  let cut = 0;
  const readOne = (path: string): void => {
    const bytes = readFileStart(path, most);
    if (bytes === undefined) warn(`'${path}' cannot be read: the input is ignored`);
    else {
      if ((fileStatus(path)?.bytes ?? 0) > most) cut++;
      read.push(bytes);
    }
  };
  const walked = new Set<string | undefined>();
  const walk = (folder: string): void => {
    // A link may lead back to a folder above it.
    const real = resolvedPath(folder);
    if (walked.has(real)) return;
    walked.add(real);
    const entries = entriesOf(folder);
    if (entries === undefined) warn(`'${folder}' cannot be read: its inputs are ignored`);
    for (const { name, kind } of entries ?? []) {
      const path = `${folder}/${name}`;
      if (kind === 'folder') walk(path);
      else if (kind === 'file') readOne(path);
      else warn(`'${path}' is not a file and is ignored`);
    }
  };
  for (const path of paths)
    if (kindOf(path) === 'file') readOne(path);
    else walk(path);
  if (cut > 0)
    warn(
      `${cut === 1 ? 'an input is' : `${cut} inputs are`} longer than ${most} bytes: only the beginning is used`,
    );
  const inputs = read.sort((a, b) => a.length - b.length);
  const longest = inputs.at(-1)?.length ?? 0;
  return { inputs, warnings, maxLength: limit ?? Math.max(usualLength, longest) };
}

export function nameOf(bytes: Uint8Array): string {
  return contentHash([bytes]).slice(0, 40);
}

export class CorpusFolder {
  /** Throws InputError if nothing can be written there. */
  constructor(readonly path: string) {
    requireWritable(path);
  }

  write(bytes: Uint8Array): void {
    const file = `${this.path}/${nameOf(bytes)}`;
    if (fileStatus(file) === undefined) writeFileAtomically(file, bytes);
  }

  remove(bytes: Uint8Array): void {
    removeFile(`${this.path}/${nameOf(bytes)}`);
  }
}
