/** `redzone cc`: a C compiler driver whose programs run under the monitor. */

/** The parts of its process that the driver uses. */
export interface DriverIo {
  writeStdout(text: string | Uint8Array): void;
  writeStderr(text: string): void;
  readStdin(): Promise<string>;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Takes the arguments of gcc or clang, and returns the exit status: 0 or 1. */
export async function cc(args: readonly string[], io: DriverIo): Promise<number> {
  const { runDriver } = await import('./cc-pipeline.js');
  return runDriver(args, io);
}
