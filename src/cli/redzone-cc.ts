/** The command `redzone-cc`, for build tools that accept only a single word as the compiler. */
import { startCompiler } from './cc-command.js';
import { defectReport } from './defect.js';
import { exitCodes } from './exit-codes.js';
import { processIo } from './io.js';

export async function start(): Promise<void> {
  const args = process.argv.slice(2);
  try {
    process.exitCode = await startCompiler(args, processIo());
  } catch (error) {
    process.stderr.write(defectReport(error, ['cc', ...args]));
    process.exitCode = exitCodes.defect;
  }
}
