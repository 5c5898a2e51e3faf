/**
 * The language server: findings as diagnostics in an editor. It implements the few LSP messages
 * that it needs, with the framing of the protocol:
 *
 *     Content-Length: 52\r\n\r\n{"jsonrpc":"2.0","method":"textDocument/didSave",…}
 *
 * A source is checked when it is saved, with the flags of the workspace's `compile_commands.json`
 * if there is one. Its findings stay published until its next check; the sites of allocation and
 * free are related information.
 *
 * It does not use `vscode-languageserver`, of whose twenty thousand lines only the framing would be
 * needed.
 */
import { fileURLToPath, pathToFileURL } from 'node:url';
import { check, type Finding, InputError, type SourceLocation, version } from '../index.js';
import { absolutePath, kindOf, readFileIfAny, workingFolder } from '../platform/files.js';

interface Message {
  readonly id?: number | string | null;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
}

/** A time limit, because a program that waits for input must not block the editor. */
const longestCheckMs = 20_000;

/** Runs until the input ends or the client sends `exit`; returns the exit code. */
export async function serveEditor(
  input: AsyncIterable<Uint8Array>,
  write: (text: string) => void,
): Promise<number> {
  const server = new LanguageServer(write);
  let buffer: Buffer = Buffer.alloc(0);
  for await (const chunk of input) {
    buffer = Buffer.concat([buffer, chunk]);
    for (;;) {
      const end = buffer.indexOf('\r\n\r\n');
      if (end < 0) break;
      const length = Number(/content-length: *(\d+)/i.exec(buffer.toString('latin1', 0, end))?.[1]);
      if (Number.isNaN(length)) return 1;
      if (buffer.length < end + 4 + length) break;
      const text = buffer.toString('utf8', end + 4, end + 4 + length);
      buffer = buffer.subarray(end + 4 + length);
      const status = await server.receive(text);
      if (status !== undefined) return status;
    }
  }
  return 0;
}

class LanguageServer {
  readonly #write: (text: string) => void;
  readonly #published = new Map<string, Set<string>>();
  #root: string | undefined;
  #isShutDown = false;

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  /** The exit code, once the server has ended. */
  async receive(text: string): Promise<number | undefined> {
    let message: Message;
    try {
      message = JSON.parse(text) as Message;
    } catch {
      this.#send({ id: null, error: { code: -32_700, message: 'the message is not JSON' } });
      return undefined;
    }
    const { id, method = '', params = {} } = message;
    switch (method) {
      case 'initialize':
        this.#root = pathOf(params.rootUri) ?? (params.rootPath as string | undefined);
        this.#send({
          id,
          result: {
            capabilities: { textDocumentSync: { openClose: true, change: 0, save: {} } },
            serverInfo: { name: 'redzone', version: version() },
          },
        });
        return undefined;
      case 'shutdown':
        this.#isShutDown = true;
        this.#send({ id, result: null });
        return undefined;
      case 'exit':
        return this.#isShutDown ? 0 : 1;
      case 'textDocument/didSave': {
        const path = pathOf((params.textDocument as { uri?: unknown } | undefined)?.uri);
        if (path?.endsWith('.c')) await this.#check(path);
        return undefined;
      }
      default:
        if (id !== undefined && method !== '')
          this.#send({ id, error: { code: -32_601, message: `redzone has no method '${method}'` } });
        return undefined;
    }
  }

  async #check(path: string): Promise<void> {
    const build = [this.#root, this.#root && `${this.#root}/build`].find(
      folder => folder !== undefined && kindOf(`${folder}/compile_commands.json`) === 'file',
    );
    const program =
      build === undefined ? { inputs: [path] } : { inputs: [], buildFolder: build, target: path };
    try {
      const { findings } = await check({ ...program, keepGoing: true, maxTimeMs: longestCheckMs });
      this.#publish(path, findings.map(diagnosticOf));
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      this.#publish(
        path,
        error.diagnostics.map(({ severity, message, location }) => [
          location?.file ?? path,
          { range: rangeOf(location), severity: severities[severity], source: 'redzone', message },
        ]),
      );
    }
  }

  /** Publishes an empty list for files that had findings before and have none now. */
  #publish(checked: string, diagnostics: readonly (readonly [file: string, diagnostic: object])[]): void {
    const byFile = new Map<string, object[]>([[checked, []]]);
    for (const file of this.#published.get(checked) ?? []) byFile.set(file, []);
    for (const [name, diagnostic] of diagnostics) {
      const file = absolutePath(workingFolder(), name);
      byFile.set(file, [...(byFile.get(file) ?? []), diagnostic]);
    }
    this.#published.set(checked, new Set(byFile.keys()));
    for (const [file, list] of byFile)
      this.#send({
        method: 'textDocument/publishDiagnostics',
        params: { uri: pathToFileURL(file).href, diagnostics: list },
      });
  }

  #send(message: object): void {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message });
    this.#write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  }
}

const severities = { error: 1, warning: 2, note: 3 } as const;

function diagnosticOf({ location, severity, code, message, object }: Finding): readonly [string, object] {
  const sites = [
    [object?.allocated?.find(isOwn), 'allocated here'],
    [object?.freed?.find(isOwn), 'freed here'],
  ] as const;
  const relatedInformation = sites.flatMap(([place, text]) =>
    place === undefined
      ? []
      : [{ location: { uri: pathToFileURL(place.file).href, range: rangeOf(place) }, message: text }],
  );
  return [
    location.file,
    {
      range: rangeOf(location),
      severity: severities[severity],
      source: 'redzone',
      code,
      message,
      relatedInformation,
    },
  ];
}

const isOwn = ({ file }: SourceLocation): boolean => !file.startsWith('/redzone/');

/** The range from the position to the end of its word. LSP counts from 0, in UTF-16 units. */
function rangeOf(location: SourceLocation | undefined): object {
  if (location === undefined || location.line === 0) return { start: at(0, 0), end: at(0, 0) };
  const bytes = readFileIfAny(location.file) ?? new Uint8Array();
  const line = Buffer.from(bytes).toString('utf8').split('\n')[location.line - 1] ?? '';
  const start = Buffer.from(line).toString('utf8', 0, Math.max(0, location.column - 1)).length;
  const word = /^\w*/.exec(line.slice(start))![0].length;
  return { start: at(location.line - 1, start), end: at(location.line - 1, start + Math.max(1, word)) };
}

const at = (line: number, character: number): object => ({ line, character });

function pathOf(uri: unknown): string | undefined {
  return typeof uri === 'string' && uri.startsWith('file:') ? fileURLToPath(uri) : undefined;
}
