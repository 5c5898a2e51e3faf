/** `redzone lsp`: the language server, on standard input and output. */
import type { Invocation } from './invocation.js';
import { serveEditor } from './language-server.js';
import { UsageError } from './usage-error.js';

export function run({ operands, io }: Invocation): Promise<number> {
  if (operands.length > 0) throw new UsageError('lsp takes no files: an editor names them');
  return serveEditor(process.stdin, text => io.stdout.write(text));
}
