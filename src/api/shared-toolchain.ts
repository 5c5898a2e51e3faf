/**
 * The tool chain that all calls of the library in this process share. clang takes a second to
 * start, so it is kept between calls. Its worker does not keep the process alive.
 */
import type { Toolchain } from '../front/toolchain.js';

const toolchains = new Map<string | undefined, Promise<Toolchain>>();

/** `clang` is the path of a clang on this machine; without it, the embedded one is used. */
export function sharedToolchain(clang?: string): Promise<Toolchain> {
  let toolchain = toolchains.get(clang);
  if (toolchain === undefined) {
    toolchain = import('../front/toolchain.js').then(
      front => new front.Toolchain(clang === undefined ? {} : { clang }),
    );
    toolchains.set(clang, toolchain);
  }
  return toolchain;
}
