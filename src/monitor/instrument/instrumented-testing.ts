/** Instruments a module that has one part, for tests. */
import { readModule } from '../../ir/reader.js';
import { verifyModule } from '../../ir/verify.js';
import { writeFunction } from '../../ir/writer.js';
import { assert } from '../../support/assert.js';
import { instrument } from './instrument.js';
import type { InstrumentOptions } from './options.js';

const options: InstrumentOptions = {
  ...{ id: '0123456789abcdef', temporal: true, init: true, keepGoing: false, optimise: true },
  preAnalysis: true,
};

/** The text of a function after instrumentation. */
export function instrumentedFunction(
  text: string,
  name: string,
  changes: Partial<InstrumentOptions> = {},
): string {
  const read = readModule(text, `${name}.ll`);
  assert(read.kind === 'module', 'the text is IR');
  const {
    code: [code],
  } = instrument(read.module, { ...options, ...changes });
  assert(code !== undefined, 'there is one part');
  assert(verifyModule(code).length === 0, 'the result is valid IR');
  return writeFunction(code.functions.find(each => each.name === name)!);
}
