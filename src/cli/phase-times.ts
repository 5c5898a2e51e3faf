/** Measures how long each phase of a command took, for `-v`. */
export class PhaseTimes {
  readonly #times = new Map<string, number>();
  #phase: string | undefined;
  #since = performance.now();

  /** Ends the previous phase. Sources are compiled in parallel, so they count as one phase. */
  begin(text: string): void {
    this.#end();
    this.#phase = text.replace(/^(compiling|confirming) .*/, '$1');
  }

  #end(): void {
    const now = performance.now();
    if (this.#phase !== undefined)
      this.#times.set(this.#phase, (this.#times.get(this.#phase) ?? 0) + now - this.#since);
    this.#since = now;
    this.#phase = undefined;
  }

  /** Empty if there were no phases. */
  line(): string {
    this.#end();
    const parts = [...this.#times].map(([phase, ms]) => `${phase} ${(ms / 1000).toFixed(2)} s`);
    return parts.length === 0 ? '' : `phases: ${parts.join(', ')}\n`;
  }
}
