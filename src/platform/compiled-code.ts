/**
 * How a module of the script (`load-script.ts`) asks for its compiled code to be kept. Where the
 * modules were loaded one by one, by who imports Redzone and by tests, this does nothing.
 */
let keep = (): void => undefined;

export function onKeepCompiledCode(given: () => void): void {
  keep = given;
}

/** For a worker, which may be terminated after its last message. */
export function keepCompiledCode(): void {
  keep();
}
