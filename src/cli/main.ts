/** The command line's entry: arguments in, exit code out. */
export async function main(args: readonly string[]): Promise<number> {
  if (args[0] === '--version') {
    console.log('0.1.0');
    return 0;
  }
  console.error('error: no command is built yet');
  return 2;
}
