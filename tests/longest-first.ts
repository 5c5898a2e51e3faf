/**
 * The order of test files: the longest first, so that the last ones end at the same time on all
 * threads.
 */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** A sequencer that begins with these files, in their order. */
export function longestFirst(first: readonly string[]): typeof BaseSequencer {
  const rank = ({ moduleId }: TestSpecification): number => {
    const at = first.findIndex(file => moduleId.endsWith(file));
    return at < 0 ? first.length : at;
  };
  return class extends BaseSequencer {
    override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
      const sorted = await super.sort(files);
      return sorted.toSorted((a, b) => rank(a) - rank(b));
    }
  };
}
