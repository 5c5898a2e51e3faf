/** Puts downloaded files where the engines expect them. */
import { filesOf, loadAsset } from './assets.js';
import { mountFile } from './memory-files.js';
import { clangFolder, packageRoot } from './node.js';

/** The C library, its headers, and the compiled parts that most programs need. */
export async function mountPackage(): Promise<void> {
  for (const [path, bytes] of filesOf(await loadAsset('package'))) mountFile(packageRoot + path, bytes);
}

/** The compiler's headers, and the compiler itself unless another worker shares it. */
export async function mountClang(isShared: boolean): Promise<void> {
  const [headers, compiler] = await Promise.all([
    loadAsset('headers'),
    isShared ? undefined : loadAsset('clang'),
  ]);
  mountFile(`${clangFolder}/gen/llvm-resources.tar`, headers);
  if (compiler !== undefined) mountFile(`${clangFolder}/gen/llvm.core.wasm`, compiler);
}
