/**
 * The file format of a schedule: the program, and the thread that ran after each scheduling choice.
 *
 * ```
 *   redzone schedule 1
 *   program 5e884898da28…
 *   0x12 1 0x3 2x40
 * ```
 *
 * The last lines list the chosen slots in order; `2x40` means slot 2 forty times. Slot 0 is the
 * main thread's.
 */
import { inputError } from '../findings/diagnostic.js';
import { contentHash, readFileIfAny } from '../platform/files.js';
import { isCompiled, type ProgramInput } from './run-control.js';

const firstLine = 'redzone schedule 1';
const runsPerLine = 16;

/** Identifies a program by the text of its files. */
export function programKey(inputs: readonly ProgramInput[]): string {
  return contentHash(
    inputs.map(input => {
      if (typeof input === 'string') return readFileIfAny(input) ?? input;
      return isCompiled(input) ? input.key : input.text;
    }),
  );
}

export function writeSchedule(choices: Uint8Array, program: string): string {
  const runs: string[] = [];
  for (let i = 0; i < choices.length; ) {
    const start = i;
    while (i < choices.length && choices[i] === choices[start]) i++;
    runs.push(i - start === 1 ? `${choices[start]}` : `${choices[start]}x${i - start}`);
  }
  const lines: string[] = [];
  for (let i = 0; i < runs.length; i += runsPerLine) lines.push(runs.slice(i, i + runsPerLine).join(' '));
  return `${[firstLine, `program ${program}`, ...lines].join('\n')}\n`;
}

/** Throws InputError when the text is not a schedule, or is a schedule of another program. */
export function readSchedule(text: string, program: string): Uint8Array {
  const [first, owner, ...lines] = text.trimEnd().split('\n');
  if (first !== firstLine || !owner?.startsWith('program '))
    throw inputError(
      'the file given with --schedule is not a schedule',
      '`check -o DIR` writes one to DIR/schedule',
    );
  if (owner !== `program ${program}`)
    throw inputError(
      'the schedule is of another program',
      'a schedule fits the sources that it was made with; `--schedules N` searches for the error again',
    );
  const runs = lines.join(' ').split(/\s+/).filter(Boolean);
  const chosen: Uint8Array[] = runs.map(run => {
    const [, slot, count = '1'] = /^(\d{1,3})(?:x(\d{1,8}))?$/.exec(run) ?? [];
    if (slot === undefined || Number(slot) > 255)
      throw inputError(`the schedule is damaged: '${run}' is not a choice`);
    return new Uint8Array(Number(count)).fill(Number(slot));
  });
  const all = new Uint8Array(chosen.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of chosen) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
