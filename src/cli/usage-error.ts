/** The command line cannot be understood; exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly help: string | undefined;

  constructor(message: string, help?: string) {
    super(message);
    this.help = help;
  }
}
