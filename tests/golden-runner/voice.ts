/**
 * One voice: the text of a finding is the same whichever engine found it, so it has one golden
 * file, `NAME.stderr`, for all engines.
 *
 * What is about one run and not about the error is taken out by these rules, and by no others:
 *
 *     note: happens when …, reproduce with …, not confirmed …   the explorer's path and its test
 *     note: `--seed N` repeats this schedule                    the schedule of one run of check
 *     note: the address now belongs to …                        where an engine has laid out its objects
 *     0x7ffff8                 →  0x…                           the same
 *     after 50000 calls, 49989 more frames  →  after … calls    how deep an engine's stack is
 *
 * The text of every code is compared under both engines (and `tests/explore/golden.ts` compares
 * those of all golden programs), with one exception: `acsl-violation`,
 * because explore treats annotations as comments. Which thread completes a data race depends on the
 * schedule, so its text is that of one schedule, which both engines run.
 */
import { type Finding, renderFinding } from '../../src/index.js';

const notesOfRuns =
  /^(happens when|reproduce with|not confirmed|the address now belongs to|`--seed \d+` repeats this)\b/;

/** The findings as text, in the order of their places. */
export function goldenText(
  findings: readonly Finding[],
  readSource: (file: string) => string | undefined,
): string {
  return findings
    .toSorted((a, b) => a.location.line - b.location.line || (a.code < b.code ? -1 : 1))
    .map(({ notes = [], ...finding }) => {
      const kept = notes.filter(({ message }) => !notesOfRuns.test(message));
      const text = renderFinding({ ...finding, notes: kept }, { readSource, color: false });
      return text
        .replaceAll(/\b0x[0-9a-f]+/g, '0x…')
        .replaceAll(/\bafter \d+ calls/g, 'after … calls')
        .replaceAll(/… \d+ more frames …/g, '… more frames …');
    })
    .join('\n');
}
