/**
 * What threads ask of the engine (`runtime/libc/internal/thread-engine.h`). A path has one stack: a
 * thread is called on top of its creator's, and nothing is left to choose.
 */
import type { Native } from '../state/decoded.js';

const nothing: Native = () => undefined;
const zero: Native = () => 0;

export const threadNatives: Record<string, Native> = {
  __rz_thread_new: zero,
  __rz_thread_choose: zero,
  __rz_thread_switch: nothing,
  __rz_thread_end: nothing,
  __rz_thread_forget: nothing,
  __rz_thread_release: nothing,
  __rz_thread_acquire: nothing,
  __rz_thread_joined: nothing,
  __rz_thread_holds: nothing,
  __rz_thread_waits: nothing,
  __rz_thread_deadlock: nothing,
  __rz_thread_left: nothing,
};
