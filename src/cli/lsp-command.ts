/** `redzone lsp`: the language server, on standard input and output. */
import type { Invocation } from './invocation.js';
import { serveEditor } from './language-server.js';

export function run({ io }: Invocation): Promise<number> {
  return serveEditor(process.stdin, text => io.stdout.write(text));
}
