/** An unwritable folder is reported before the work, not after it. */
import { inputError } from '../../findings/diagnostic.js';
import { whyUnwritable } from '../../platform/files.js';

/** Throws InputError if no file can be written into the folder. */
export function requireWritable(folder: string): void {
  const why = whyUnwritable(folder);
  if (why !== undefined)
    throw inputError(`cannot write to '${folder}': ${why}`, '`-o DIR` names another folder');
}
