/** `src/platform/trusted-wasm.ts` in the page: a browser keeps compiled code by itself. */
export async function compileTrustedWasm(
  bytes: Uint8Array,
  _name: string,
): Promise<{ readonly module: WebAssembly.Module; readonly savesCode: boolean }> {
  return { module: await WebAssembly.compile(bytes as BufferSource), savesCode: false };
}

export function saveTrustedCode(): void {}
