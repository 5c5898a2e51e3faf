/** The engines that golden programs are run under. An engine joins with a line here when its command is built. */
import type { ProgramInput, RunReport } from '../../src/index.js';
import type { EngineName, GoldenProgram } from './annotations.js';

/** Runs the program to its end and reports every finding (`keepGoing`). */
export type GoldenEngine = (input: ProgramInput, program: GoldenProgram) => Promise<RunReport>;

export const goldenEngines: Partial<Readonly<Record<EngineName, GoldenEngine>>> = {};
