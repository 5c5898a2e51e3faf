/** Positions in open files, the same for the real host and the model. */
import { errno } from './errno.js';
import { whence } from './wire.js';

/** Moves the position, as `lseek` does, and returns it, or a negative errno. */
export function seekTo(
  file: { position: number },
  sizeOf: () => number,
  offset: number,
  from: number,
): number {
  const base = from === whence.SEEK_SET ? 0 : from === whence.SEEK_CUR ? file.position : sizeOf();
  if (from < 0 || from > whence.SEEK_END || base + offset < 0) return -errno.EINVAL;
  file.position = base + offset;
  return file.position;
}
