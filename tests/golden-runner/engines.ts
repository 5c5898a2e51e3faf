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
        // After its one error the behaviour of a program is undefined, and may cause further
        // findings.
        keepGoing: expectations.filter(one => one.kind === 'ERROR').length !== 1,
        // Far more than any program takes, so that no test fails on a busy machine.
        maxTimeMs: 240_000,
      }),
  },
};
