/**
 * The engines that golden programs are run under. An engine joins with a row here when its command
 * is built.
 */
import { check, type ProgramInput, type RunReport } from '../../src/index.js';
import type { EngineName, GoldenProgram } from './annotations.js';

export interface GoldenEngine {
  run(input: ProgramInput, program: GoldenProgram): Promise<RunReport>;
}

export const goldenEngines: Partial<Readonly<Record<EngineName, GoldenEngine>>> = {
  check: {
    run: (input, { flags, args, taint, secret, checks, expectations }) =>
      check({
        inputs: [input],
        clangFlags: flags,
        arguments: args,
        taint,
        secret,
        checks,
        // What a program does after its one error means nothing, and may look like more of them.
        keepGoing: expectations.filter(one => one.kind === 'ERROR').length !== 1,
        // Far more than any takes alone: a busy machine must not fail a test.
        maxTimeMs: 240_000,
      }),
  },
};
