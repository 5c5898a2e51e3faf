/**
 * Compiles WebAssembly that comes with the package (clang), with machine code that V8 made of it
 * when Redzone was installed (docs/decisions/0350).
 *
 *     installation  | each function is optimised when it is first called | save ─▶ dist/library/<name>-code
 *     every command | load the code | other functions are compiled as before
 *
 * Whether code is found changes nothing but the time. It is a part of the package like the binary,
 * so its file has a hash of the version and the length only, and not of 20 MB in each command.
 *
 * REDZONE_CLANG_CODE names another file, which is made if V8 does not accept what it has.
 */
import { contentHash, readFileIfAny, writeFileAtomically } from './files.js';
import {
  dependencyVersion,
  loadWasmCode,
  maySetV8Flags,
  packageRoot,
  processEnvironment,
  saveWasmCode,
  setV8Flags,
  v8Version,
} from './node.js';

export interface TrustedWasm {
  readonly module: WebAssembly.Module;
  /** Code is made in this process, and to be saved by `saveTrustedCode`. */
  readonly savesCode: boolean;
}

const budgetOfClang = 130_000_000;
/** V8's default, which it does not report. */
const usualBudget = v8Version < 12 ? 1_800_000 : 13_000_000;

/**
 * The module need not be validated as a whole first, because it came with the package: functions
 * are checked when they are first called, of which most never are. For clang's 75 MB this takes a
 * tenth of the time.
 *
 * V8 of Node 20 optimises a function after 1.8 MB of executed code, later versions after 13 MB. For
 * clang this is too soon: the optimiser takes more of the second processor than it gives back,
 * unless clang runs for half a minute (docs/decisions/0082). A module keeps the budget that it was
 * compiled with; the program under test, in another one, is to have the usual one.
 */
const flags = [`--wasm-tiering-budget=${budgetOfClang}`, '--wasm-lazy-validation'];
const usualFlags = [`--wasm-tiering-budget=${usualBudget}`, '--no-wasm-lazy-validation'];

/** Without the baseline compiler V8 has no use for tiers, and switches them off. */
const flagsOfMaking = ['--no-liftoff', '--no-wasm-dynamic-tiering'];
const flagsOfUsing = ['--liftoff', '--wasm-dynamic-tiering'];

/** `name` is that of the package. */
export async function compileTrustedWasm(bytes: Uint8Array, name: string): Promise<TrustedWasm> {
  if (!maySetV8Flags()) return { module: await WebAssembly.compile(bytes as BufferSource), savesCode: false };
  const code = readCodeOf(name);
  setV8Flags(...flags);
  try {
    const known = code && loadWasmCode(code, bytes);
    if (known !== undefined) return { module: known, savesCode: false };
    const savesCode = chosenFile() !== undefined && v8Version < 12;
    if (savesCode) setV8Flags(...flagsOfMaking);
    return { module: await WebAssembly.compile(bytes as BufferSource), savesCode };
  } finally {
    setV8Flags(...usualFlags);
  }
}

/** To be called when functions of a module with `savesCode` have run. */
export function saveTrustedCode(module: WebAssembly.Module, name: string): void {
  setV8Flags(...flags, ...flagsOfUsing);
  const code = saveWasmCode(module);
  setV8Flags(...usualFlags, ...flagsOfMaking);
  if (code === undefined) return;
  const bytes = new Uint8Array(hashBytes + code.length);
  bytes.set(new TextEncoder().encode(headOf(name, code)));
  bytes.set(code, hashBytes);
  writeFileAtomically(fileOfCode(), bytes);
}

/** The size of a hash that is written as hexadecimal digits. */
const hashBytes = 64;

function readCodeOf(name: string): Uint8Array | undefined {
  const bytes = readFileIfAny(fileOfCode());
  const code = bytes?.subarray(hashBytes);
  const isOfVersion =
    code !== undefined && headOf(name, code) === new TextDecoder().decode(bytes!.subarray(0, hashBytes));
  return isOfVersion ? code : undefined;
}

function headOf(name: string, code: Uint8Array): string {
  return contentHash(['trusted code', name, dependencyVersion(name), String(code.length)]);
}

function fileOfCode(): string {
  return chosenFile() ?? `${packageRoot}dist/library/clang-code`;
}

function chosenFile(): string | undefined {
  return processEnvironment().REDZONE_CLANG_CODE;
}
