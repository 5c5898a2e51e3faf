/** Starts `api/apart-worker.ts` from the script; the last argument is the command's name. */
import { runWorkerFromScript } from './load-script.js';

await runWorkerFromScript(process.argv.at(-1)!);
