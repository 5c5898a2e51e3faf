/**
 * The engine without checks: the end of the program becomes an exception that unwinds the wasm
 * frames, and the range functions of `engine.h` are empty (a build with RZ_NO_ENGINE does not even
 * call them).
 */
import type { ImportFunctions } from './bind.js';

/** Thrown through the program's frames when it ends by itself. */
export class ProgramEnd extends Error {
  override readonly name = 'ProgramEnd';

  constructor(readonly end: ProgramEndReason) {
    super(end.kind === 'exit' ? `exit ${end.status}` : end.message);
  }
}

export type ProgramEndReason =
  | { kind: 'exit'; status: number }
  | { kind: 'abort'; code: string; message: string };

/**
 * The signal that ended the program: the one that the library's message names, else that of
 * `abort`.
 */
export function signalOf(end: Extract<ProgramEndReason, { kind: 'abort' }>): string {
  return /\bended by (SIG[A-Z0-9]+)/.exec(end.message)?.[1] ?? 'SIGABRT';
}

/**
 * The thread functions of an engine with one stack: see `runtime/libc/internal/thread-engine.h`.
 */
const oneStack: ImportFunctions = {
  __rz_thread_new: () => 0,
  __rz_thread_explores: () => 0,
  __rz_thread_about: () => {},
  __rz_thread_choose: () => 0,
  __rz_thread_switch: () => {},
  __rz_thread_end: () => {},
  __rz_thread_returned: () => {},
  __rz_thread_forget: () => {},
  __rz_thread_release: () => {},
  __rz_thread_acquire: () => {},
  __rz_thread_joined: () => {},
  __rz_thread_atomic: () => {},
  __rz_thread_holds: () => {},
  __rz_thread_waits: () => {},
  __rz_thread_deadlock: () => {},
  __rz_thread_left: () => {},
};

export function plainEngine(memory: WebAssembly.Memory): ImportFunctions {
  return {
    __rz_range_read: () => {},
    __rz_range_output: () => {},
    __rz_range_scan: (_pointer: bigint, bytes: bigint) => bytes,
    __rz_range_write: () => {},
    __rz_range_is_written: () => 1,
    __rz_range_takes_write: () => 1,
    __rz_range_copy: () => {},
    ...oneStack,
    __rz_exit: (status: number) => {
      throw new ProgramEnd({ kind: 'exit', status });
    },
    __rz_abort: (kind: bigint, message: bigint) => {
      const text = (at: bigint) => stringAt(memory, Number(BigInt.asUintN(32, at)));
      throw new ProgramEnd({ kind: 'abort', code: text(kind), message: text(message) });
    },
  };
}

function stringAt(memory: WebAssembly.Memory, at: number): string {
  const bytes = new Uint8Array(memory.buffer);
  const end = bytes.indexOf(0, at);
  return new TextDecoder().decode(bytes.slice(at, end < 0 ? undefined : end));
}
