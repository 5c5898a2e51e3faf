/**
 * `--html FILE`: collects what a command reports while it runs, and writes the page at its end.
 *
 * A file that cannot be written is reported before the work begins. The page is written atomically,
 * also when the work is interrupted: an interrupted engine returns its partial report, which
 * becomes the page.
 */
import {
  formatDiagnostic,
  type HtmlOptions,
  type RunEvent,
  type RunReport,
  type RunStats,
  renderHtml,
  version,
} from '../index.js';
import { kindOf, reasonOf, resolvedPath, writeFileAtomically } from '../platform/files.js';
import { Samples } from '../reports/samples.js';
import type { Io } from './io.js';
import { cannotWrite, requireWritableResults, sourceReader, writeTo } from './print.js';

/** The number of bytes of each stream that the page shows. */
const mostOutput = 64 << 10;

export class HtmlReport {
  readonly #file: string;
  readonly #io: Io;
  readonly #start = performance.now();
  readonly #samples = new Samples();
  readonly #warnings: string[] = [];
  readonly #output = { stdout: [] as Uint8Array[], stderr: [] as Uint8Array[] };
  readonly #bytes = { stdout: 0, stderr: 0 };

  /** Throws InputError if the file cannot be written. */
  constructor(file: string, io: Io) {
    requireWritableResults({ file });
    this.#file = file;
    this.#io = io;
  }

  note(event: RunEvent): void {
    if (event.kind === 'progress') this.#samples.add(performance.now() - this.#start, { ...event.counts });
    else if (event.kind === 'warning') this.#warnings.push(formatDiagnostic(event.diagnostic));
    else if (event.kind === 'output') {
      const { stream, bytes } = event;
      if (this.#bytes[stream] < mostOutput) this.#output[stream].push(bytes.slice());
      this.#bytes[stream] += bytes.length;
    }
  }

  async write(
    report: RunReport,
    more: Partial<Pick<HtmlOptions, 'headline' | 'tables' | 'heapMap'>> = {},
  ): Promise<void> {
    const { paths, instructions, solverMs, runs, edges }: RunStats = report.stats;
    const all = paths && paths.completed + paths.error + paths.partial;
    const last = { paths: all, errors: paths?.error, instructions, solverMs, runs, edges };
    if (all !== undefined || runs !== undefined) this.#samples.add(performance.now() - this.#start, last);
    const html = await renderHtml(report, {
      ...more,
      readSource: sourceReader(this.#io),
      version: version(),
      samples: this.#samples.all(),
      warnings: this.#warnings,
      output: { stdout: this.#textOf('stdout'), stderr: this.#textOf('stderr') },
    });
    // A device or a pipe cannot be replaced by renaming a file over it.
    if (kindOf(this.#file) === 'other') return writeTo(this.#file, html);
    try {
      writeFileAtomically(resolvedPath(this.#file) ?? this.#file, new TextEncoder().encode(html));
    } catch (error) {
      throw cannotWrite(this.#file, reasonOf(error as Error));
    }
  }

  #textOf(stream: 'stdout' | 'stderr'): string {
    const decoder = new TextDecoder();
    const text = this.#output[stream].map(bytes => decoder.decode(bytes, { stream: true })).join('');
    const left = this.#bytes[stream] - mostOutput;
    return left > 0 ? `${text.slice(0, mostOutput)}\n… more is not shown` : text;
  }
}
