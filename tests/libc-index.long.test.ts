/** The committed index of the C library is what its sources give. */
import { expect, test } from 'vitest';
import { librarySymbols, makeSymbolIndex } from '../src/front/library.js';
import { Toolchain } from '../src/front/toolchain.js';

test('runtime/libc/symbols.json is up to date; otherwise run `npm run libc:index`', async () => {
  const toolchain = new Toolchain();
  try {
    expect([...(await makeSymbolIndex(toolchain))]).toEqual([...librarySymbols()]);
  } finally {
    await toolchain.close();
  }
});
