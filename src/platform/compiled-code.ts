/**
 * A module of the script (`load-script.ts`) calls this to keep its compiled code. It does nothing
 * where modules are loaded one by one: in tests, and in programs that import Redzone.
 */
let keep = (): void => undefined;

export function onKeepCompiledCode(given: () => void): void {
  keep = given;
}

/** For a worker, which may be terminated after its last message. */
export function keepCompiledCode(): void {
  keep();
}
