/** The example programs, which `scripts/site-examples.mjs` takes from the repository. */
import type { Settings } from './page.js';

declare const REDZONE_EXAMPLES: readonly ExampleGroup[];

export interface Example {
  readonly id: string;
  readonly title: string;
  /** The name of the file; models end in `.mcmt` or `.sal`. */
  readonly name: string;
  readonly text: string;
  readonly tab: string;
  readonly settings?: Settings;
}

export interface ExampleGroup {
  readonly title: string;
  readonly examples: readonly Example[];
}

export const exampleGroups: readonly ExampleGroup[] = REDZONE_EXAMPLES;

export function exampleOf(id: string): Example | undefined {
  return exampleGroups.flatMap(({ examples }) => examples).find(example => example.id === id);
}
