/**
 * A server of static files on this machine only, for the page (`redzone serve`). It sends the two
 * headers without which browsers give a page no shared memory.
 *
 * The package does not ship the compiler and Z3 twice: where the folder lacks their compressed
 * forms, these are made of the installed ones while they are sent.
 */
import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { createGzip } from 'node:zlib';
import { dependencyFile, packageRoot } from './node.js';

const siteFolder: string = join(packageRoot, 'dist/site');

export function isSiteBuilt(): boolean {
  return existsSync(join(siteFolder, 'index.html'));
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.wasm': 'application/wasm',
};

export type Serving =
  | { readonly kind: 'serving'; readonly url: string; close(): Promise<void> }
  | { readonly kind: 'taken' }
  | { readonly kind: 'refused'; readonly reason: string };

export function serveSite(port: number): Promise<Serving> {
  const server = createServer(({ method, url = '/' }, response) => {
    const path = pathOf(url);
    if (method !== 'GET' && method !== 'HEAD') end(response, 405);
    else if (path === undefined) end(response, 400);
    else answer(path, method === 'HEAD', response);
  });
  return new Promise(resolve => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      resolve(error.code === 'EADDRINUSE' ? { kind: 'taken' } : { kind: 'refused', reason: error.message }),
    );
    server.listen(port, '127.0.0.1', () => {
      const { port: given } = server.address() as AddressInfo;
      resolve({ kind: 'serving', url: `http://localhost:${given}/`, close: () => close(server) });
    });
  });
}

function close(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise(resolve => server.close(() => resolve()));
}

/** The path inside the folder; undefined if it leads out of it, or is invalid. */
function pathOf(url: string): string | undefined {
  try {
    const { pathname } = new URL(url, 'http://localhost');
    const path = normalize(decodeURIComponent(pathname));
    if (path.includes('\0') || path.split(/[\\/]/).includes('..')) return undefined;
    return path.endsWith('/') || path.endsWith('\\') ? `${path}index.html` : path;
  } catch {
    return undefined;
  }
}

function answer(path: string, isHead: boolean, response: ServerResponse): void {
  const file = join(siteFolder, path);
  const status = statSync(file, { throwIfNoEntry: false });
  const installed = installedAsset(path);
  const source = status?.isFile() ? file : installed;
  if (source === undefined) {
    end(response, 404);
    return;
  }
  const isFixed = /[\\/](app-|assets[\\/])/.test(path);
  response.writeHead(200, {
    ...isolation,
    'Content-Type': types[extname(path)] ?? 'application/octet-stream',
    'Cache-Control': isFixed ? 'public, max-age=31536000, immutable' : 'no-cache',
    ...(status?.isFile() && { 'Content-Length': status.size }),
  });
  if (isHead) response.end();
  else if (source === file) createReadStream(source).pipe(response);
  else
    createReadStream(source)
      .pipe(createGzip({ level: 1 }))
      .pipe(response);
}

/** The installed file of which an asset is the compressed form. */
function installedAsset(path: string): string | undefined {
  const [, name] = /[\\/]assets[\\/](clang|z3)-[0-9a-f]+\.bin$/.exec(path) ?? [];
  if (name === undefined) return undefined;
  return name === 'clang'
    ? dependencyFile('@yowasp/clang', 'gen/llvm.core.wasm')
    : dependencyFile('z3-solver', 'build/z3-built.wasm');
}

const isolation = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

function end(response: ServerResponse, status: number): void {
  response.writeHead(status, { ...isolation, 'Content-Type': 'text/plain' });
  response.end(`${status}\n`);
}
