/** Thrown when the command line cannot be parsed; exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly help: string | undefined;

  constructor(message: string, help?: string) {
    super(message);
    this.help = help;
  }
}
