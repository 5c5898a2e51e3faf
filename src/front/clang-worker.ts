/**
 * The worker that holds the embedded LLVM tools (clang, wasm-ld, …): one WebAssembly module,
 * compiled to it by YoWASP, and instantiated anew for each request, because a tool does not clean
 * up its memory.
 *
 * It knows neither C nor Redzone: it takes arguments and files, and returns the exit code, the
 * output and the requested files. clang's own headers (`stddef.h`, …) are mounted at `/usr/include`
 * in every run. Further workers get the module from the first, and with it the code that V8 has
 * made of it so far, which takes most of the time of clang's first run.
 */
import { readFileIfAny } from '../platform/files.js';
import { dependencyFile } from '../platform/node.js';
import { serve, share, sharedByAnother } from '../platform/service.js';
import { compileTrustedWasm, saveTrustedCode, type TrustedWasm } from '../platform/trusted-wasm.js';
import { assert } from '../support/assert.js';
import { growInLargeSteps } from './clang-memory.js';
import { tarEntries } from './tar.js';
import { runWasi } from './wasi.js';

export interface ToolRequest {
  /** The tool's name (`clang`, `wasm-ld`, …) and its arguments. */
  readonly args: readonly string[];
  /** Absolute virtual paths. */
  readonly files: readonly (readonly [path: string, bytes: Uint8Array])[];
  readonly stdin?: Uint8Array;
  /** The virtual files to return, in addition to stdout. */
  readonly outputs?: readonly string[];
}

export interface ToolReply {
  readonly exitCode: number;
  readonly stdout: Uint8Array;
  readonly stderr: string;
  /** Undefined for those that the tool did not write. */
  readonly outputs: readonly (Uint8Array | undefined)[];
}

interface Llvm extends TrustedWasm {
  readonly headers: readonly (readonly [path: string, bytes: Uint8Array])[];
}

const clangPackage = '@yowasp/clang';

async function load(): Promise<Llvm> {
  const read = (name: string) => {
    const bytes = readFileIfAny(dependencyFile(clangPackage, `gen/${name}`));
    assert(bytes !== undefined, `${clangPackage} has no ${name}`);
    return bytes;
  };
  const known = sharedByAnother<TrustedWasm>();
  // V8 decodes the module in another thread while the archive is read.
  const compiling = known ?? compileClang(read('llvm.core.wasm'));
  const headers = tarEntries(read('llvm-resources.tar')).filter(([path]) => /^include\/[^/]+$/.test(path));
  const compiled = await compiling;
  if (known === undefined) share(compiled);
  return {
    ...compiled,
    headers: headers.map(([path, bytes]) => [`/usr/${path}`, bytes]),
  };
}

function compileClang(binary: Uint8Array): Promise<TrustedWasm> {
  growInLargeSteps(binary);
  return compileTrustedWasm(binary, clangPackage);
}

let llvm: Promise<Llvm> | undefined;

serve<ToolRequest, ToolReply>(async ({ args, files, stdin, outputs = [] }) => {
  llvm ??= load();
  const { module, headers, savesCode } = await llvm;
  const result = runWasi(module, {
    args: ['llvm', ...args],
    files: [...headers, ...files],
    ...(stdin === undefined ? {} : { stdin }),
  });
  if (savesCode) saveTrustedCode(module, clangPackage);
  return {
    exitCode: result.exitCode,
    stdout: result.stdout,
    stderr: new TextDecoder().decode(result.stderr),
    outputs: outputs.map(result.read),
  };
});
