// Writes runtime/libc/symbols.json, which maps each symbol of the C library to the file that
// defines it. Run by `npm run libc:index`.
import { writeFileSync } from 'node:fs';
import { makeSymbolIndex } from '../dist/front/library.js';
import { Toolchain } from '../dist/front/toolchain.js';

const toolchain = new Toolchain();
try {
  const index = await makeSymbolIndex(toolchain);
  const lines = [...index].map(
    ([symbol, member]) => `  ${JSON.stringify(symbol)}: ${JSON.stringify(member)}`,
  );
  writeFileSync(new URL('../runtime/libc/symbols.json', import.meta.url), `{\n${lines.join(',\n')}\n}\n`);
  console.log(`${index.size} symbols in ${new Set(index.values()).size} files`);
} catch (error) {
  if (error.name !== 'InputError') throw error;
  console.error(error.message);
  process.exitCode = 2;
} finally {
  await toolchain.close();
}
