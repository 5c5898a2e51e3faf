/**
 * The worker that holds the embedded LLVM tools (clang, wasm-ld, …), compiled to WebAssembly by YoWASP.
 *
 * It knows nothing of C or of Redzone: arguments and a virtual file system in, exit code, output and the files that
 * were asked for out. Results leave through stdout (`-o -`) wherever a tool allows it, because a write to a
 * virtual file copies the whole file each time.
 */
import { Exit, runLLVM, type Tree } from '@yowasp/clang';
import { serve } from '../platform/service.js';
import { concatenate } from '../support/bytes.js';

export interface ToolRequest {
  /** The tool's name (`clang`, `wasm-ld`, …) and its arguments. */
  readonly args: readonly string[];
  /** Absolute virtual paths; an empty folder is written as a path that ends in a slash. */
  readonly files: readonly (readonly [path: string, bytes: Uint8Array])[];
  readonly stdin?: Uint8Array;
  /** The virtual files to hand back, besides stdout. */
  readonly outputs?: readonly string[];
}

export interface ToolReply {
  readonly exitCode: number;
  readonly stdout: Uint8Array;
  readonly stderr: string;
  readonly outputs: readonly (Uint8Array | undefined)[];
}

serve<ToolRequest, ToolReply>(async ({ args, files, stdin, outputs = [] }) => {
  const root: Tree = {};
  for (const [path, bytes] of files) mount(root, path, bytes);
  const stdout: Uint8Array[] = [];
  const stderr: Uint8Array[] = [];
  const collect = (chunks: Uint8Array[]) => (bytes: Uint8Array | null) => {
    if (bytes !== null) chunks.push(bytes.slice());
  };
  let exitCode = 0;
  let after: Tree = {};
  try {
    after =
      (await runLLVM([...args], root, {
        stdin: stdin === undefined ? null : reader(stdin),
        stdout: collect(stdout),
        stderr: collect(stderr),
        fetchProgress() {},
        decodeASCII: false,
      })) ?? {};
  } catch (error) {
    if (!(error instanceof Exit)) throw error;
    exitCode = error.code;
    after = error.files;
  }
  return {
    exitCode,
    stdout: concatenate(stdout),
    stderr: new TextDecoder().decode(concatenate(stderr)),
    outputs: outputs.map(path => lookUp(after, path)),
  };
});

function mount(root: Tree, path: string, bytes: Uint8Array): void {
  const names = path.split('/').slice(1);
  const last = names.pop()!;
  let folder = root;
  for (const name of names) {
    folder[name] ??= {};
    folder = folder[name] as Tree;
  }
  if (last !== '') folder[last] = bytes;
}

function lookUp(root: Tree, path: string): Uint8Array | undefined {
  let entry: Tree[string] | undefined = root;
  for (const name of path.split('/').slice(1)) {
    if (entry === undefined || typeof entry === 'string' || entry instanceof Uint8Array) return undefined;
    entry = entry[name];
  }
  return entry instanceof Uint8Array ? entry : undefined;
}

/** A stream over `bytes` as the runtime wants it: at most so many bytes a call, null at the end. */
function reader(bytes: Uint8Array): (byteLength: number) => Uint8Array | null {
  let position = 0;
  return byteLength => {
    if (position === bytes.length) return null;
    const chunk = bytes.subarray(position, position + byteLength);
    position += chunk.length;
    return chunk;
  };
}
