/** `redzone serve`: the page, on this machine. */
import { serveOptions } from '../options/serve-options.js';
import { settingsOf } from '../options/settings.js';
import { isSiteBuilt, serveSite } from '../platform/serve-folder.js';
import { runProgram } from '../platform/spawn-program.js';
import { exitCodes } from './exit-codes.js';
import type { Invocation } from './invocation.js';
import { UsageError } from './usage-error.js';

const largestPort = 65_535;

export async function run({
  operands,
  options,
  io,
  signal,
}: Invocation<typeof serveOptions, object>): Promise<number> {
  const { port, open } = settingsOf(serveOptions, options);
  if (operands.length > 0) throw new UsageError('serve takes no files: the page has an editor');
  if (port > largestPort) throw new UsageError(`--port needs a number up to ${largestPort}, not '${port}'`);
  if (!isSiteBuilt())
    throw new UsageError('the page is not built', 'run `npm run build:site` in the checkout first');
  const serving = await serveSite(port);
  if (serving.kind === 'taken')
    throw new UsageError(`port ${port} is in use by another program`, 'choose another with `--port N`');
  if (serving.kind === 'refused') throw new UsageError(`cannot serve on port ${port}: ${serving.reason}`);
  io.stdout.write(`the page is at ${serving.url}; Ctrl-C ends it\n`);
  if (open === 'yes' && io.stdout.isTerminal) void openInBrowser(serving.url);
  await new Promise<void>(resolve => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  await serving.close();
  return exitCodes.clean;
}

/** A failure is ignored: the address is printed as well. */
async function openInBrowser(url: string): Promise<void> {
  const [command, ...args] = { darwin: ['open'], win32: ['cmd', '/c', 'start', ''] }[
    process.platform as string
  ] ?? ['xdg-open'];
  await runProgram(command!, [...args, url]);
}
