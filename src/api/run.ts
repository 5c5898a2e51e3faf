/**
 * `redzone run -- COMMAND`: runs a build or a test suite with Redzone as the compiler. The findings
 * of its processes become one report.
 */
import type { ProjectReport } from '../findings/report.js';
import type { projectOptions } from '../options/project-options.js';
import type { Given } from '../options/schema.js';
import type { RunControl } from './run-control.js';

export interface RunOptions extends Given<typeof projectOptions> {
  /** The command and its arguments. */
  readonly command: readonly string[];
  /** The command's standard output goes to standard error. */
  readonly writesToStderr?: boolean;
}

/** The command shares the streams of this process. Throws InputError when it cannot be started. */
export async function run(options: RunOptions, control: RunControl = {}): Promise<ProjectReport> {
  const { runProject } = await import('./run-pipeline.js');
  return runProject(options, control);
}
