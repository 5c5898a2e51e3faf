/**
 * Findings and input errors as text for users, in the style of rustc and clang.
 *
 *     error[use-after-free]: read of 4 bytes from a block that was freed
 *       --> list.c:14:10 in main
 *        |
 *      9 |   int *p = malloc(8);
 *        |            --------- the 8-byte block is allocated here
 *     ...
 *     14 |   return *p;
 *        |          ^^ offset 0 of the block
 *        = stack: main  list.c:14:10
 *     note: …
 *     help: …
 *
 * The sites of allocation and free are drawn in the same excerpt if they are in the file of the
 * error, otherwise in a note with a separate excerpt. A stack is printed only if it adds something
 * to the location.
 */

import picocolors from 'picocolors';
import type { Colors } from 'picocolors/types.js';
import { printableIn } from '../support/printable.js';
import { type Diagnostic, formatLocation } from './diagnostic.js';
import { drawExcerpt, type ExcerptStyle, gutterOf, type Mark, type Paint } from './excerpt.js';
import {
  type Finding,
  isInLibrary,
  type Note,
  type Severity,
  type SourceLocation,
  type Stack,
} from './finding.js';
import { sitesOf } from './object-sites.js';
import { type ReadSource, SourceFiles } from './source-text.js';

export interface TextOptions {
  readonly readSource: ReadSource;
  readonly color: boolean;
  /** The width of the terminal in cells; 100 by default. */
  readonly width?: number;
  /**
   * Show frames inside the C library; otherwise a stack only names the library function that was
   * called.
   */
  readonly showsLibrary?: boolean;
}

/** Ends with a newline. */
export function renderFinding(finding: Finding, options: TextOptions): string {
  const { value, readSource } = shown(finding, options);
  return new TextRenderer({ ...options, readSource }, finding.severity).finding(value);
}

/** Ends with a newline. */
export function renderDiagnostic(diagnostic: Diagnostic, options: TextOptions): string {
  const { value, readSource } = shown(diagnostic, options);
  if (value.verbatim !== undefined) return `${value.verbatim.trimEnd()}\n`;
  return new TextRenderer({ ...options, readSource }, diagnostic.severity).diagnostic(value);
}

/** Removes control characters; files are still read under their original names. */
function shown<Value>(value: Value, { readSource }: TextOptions): { value: Value; readSource: ReadSource } {
  const originals = new Map<string, string>();
  const clean = printableIn(value, (text, original) => originals.set(text, original));
  return { value: clean, readSource: file => readSource(originals.get(file) ?? file) };
}

/** The largest number of frames shown; others are left out in the middle. */
const framesShown = 12;

class TextRenderer {
  readonly #sources: SourceFiles;
  readonly #style: ExcerptStyle;
  readonly #colors: Colors;
  readonly #showsLibrary: boolean;
  readonly #lines: string[] = [];

  constructor({ readSource, color, width = 100, showsLibrary = false }: TextOptions, severity: Severity) {
    this.#showsLibrary = showsLibrary;
    this.#sources = new SourceFiles(readSource);
    this.#colors = picocolors.createColors(color);
    this.#style = { colors: this.#colors, primary: this.#paintOf(severity), width: width - 8 };
  }

  finding(finding: Finding): string {
    this.#header(finding.severity, finding.message, finding.code);
    const primary: Mark = {
      location: finding.location,
      primary: true,
      ...(finding.label !== undefined && { label: finding.label }),
      ...(finding.access !== undefined && { access: finding.access.kind }),
    };
    const sites = sitesOf(finding);
    const { file } = finding.location;
    const here = sites.filter(({ location }) => location.file === file && this.#isReadable(location));
    const gutter = this.#excerpt([primary, ...here.map(site => ({ ...site, primary: false }))]);
    this.#stack(gutter, 'stack', finding.stack, finding.omittedFrames);
    for (const site of here)
      if (!isSameStack(site.stack, finding.stack))
        this.#stack(gutter, site.title, site.stack, site.omittedFrames);
    for (const site of sites) {
      if (here.includes(site)) continue;
      const noteGutter = this.#note({ message: site.label, location: site.location });
      this.#stack(noteGutter, site.title, site.stack, site.omittedFrames);
    }
    this.#notesAndHelp(finding);
    return this.#text();
  }

  diagnostic(diagnostic: Diagnostic): string {
    this.#header(diagnostic.severity, diagnostic.message);
    if (diagnostic.location !== undefined) {
      this.#excerpt([{ location: diagnostic.location, primary: true, extent: 'token' }]);
    }
    this.#notesAndHelp(diagnostic);
    return this.#text();
  }

  #header(severity: Severity, message: string, code?: string): void {
    const kind = code === undefined ? severity : `${severity}[${code}]`;
    this.#lines.push(`${this.#paintOf(severity)(kind)}${this.#colors.bold(`: ${message}`)}`);
  }

  /**
   * Draws the arrow with the location of the first mark and then the excerpt. Returns the width of
   * the gutter.
   */
  #excerpt(marks: readonly Mark[], style: ExcerptStyle = this.#style): number {
    const first = marks[0]!;
    const drawable = marks.filter(mark => this.#isReadable(mark.location));
    const gutter = gutterOf(drawable);
    const { location } = first;
    const where = location.function === undefined ? '' : ` in ${location.function}`;
    this.#lines.push(`${' '.repeat(gutter)}${this.#colors.blue('-->')} ${formatLocation(location)}${where}`);
    this.#lines.push(...drawExcerpt(drawable, this.#sources, style, gutter));
    if (!drawable.includes(first) && first.label !== undefined) this.#remark(gutter, first.label);
    return gutter;
  }

  #remark(gutter: number, text: string): void {
    this.#lines.push(`${' '.repeat(gutter)} ${this.#colors.blue('=')} ${text}`);
  }

  /**
   * `omitted` frames in the middle are not part of the finding; the number is infinite if it is
   * unknown.
   */
  #stack(gutter: number, title: string, whole: Stack, omitted = 0): void {
    const stack = this.#showsLibrary ? whole : withoutLibraryInternals(whole);
    if (stack.length < 2) return;
    const left = framesShown - 4;
    const isLong = stack.length > framesShown;
    const shown = isLong ? [...stack.slice(0, left), ...stack.slice(-3)] : stack;
    const nameWidth = Math.max(...shown.map(frame => (frame.function ?? '?').length));
    const rows = shown.map(frame => `${(frame.function ?? '?').padEnd(nameWidth)}  ${this.#placeOf(frame)}`);
    const hidden = stack.length - left - 3 + omitted;
    if (isLong)
      rows.splice(left, 0, Number.isFinite(hidden) ? `… ${hidden} more frames …` : '… more frames …');
    const indent = ' '.repeat(gutter + title.length + 5);
    this.#remark(gutter, `${this.#colors.bold(title)}: ${rows.join(`\n${indent}`)}`);
  }

  #placeOf(frame: SourceLocation): string {
    return isInLibrary(frame) && !this.#showsLibrary ? 'in the C library' : formatLocation(frame);
  }

  #notesAndHelp({ notes = [], help }: { notes?: readonly Note[]; help?: string }): void {
    for (const note of notes) this.#note(note);
    if (help !== undefined) this.#lines.push(`${this.#colors.bold(this.#colors.cyan('help'))}: ${help}`);
  }

  #note({ message, location }: Note): number {
    this.#lines.push(`${this.#paintOf('note')('note')}: ${message}`);
    if (location === undefined) return 0;
    return this.#excerpt([{ location, primary: true }], { ...this.#style, primary: this.#paintOf('note') });
  }

  #isReadable({ file, line }: SourceLocation): boolean {
    return this.#sources.line(file, line) !== undefined;
  }

  #paintOf(severity: Severity): Paint {
    const { bold, red, yellow, green } = this.#colors;
    const hue = { error: red, warning: yellow, note: green }[severity];
    return text => bold(hue(text));
  }

  #text(): string {
    return `${this.#lines.join('\n')}\n`;
  }
}

/** Of consecutive library frames, keeps only the one that the program called. */
function withoutLibraryInternals(stack: Stack): Stack {
  return stack.filter((frame, i) => {
    const caller = stack[i + 1];
    return caller === undefined || !isInLibrary(frame) || !isInLibrary(caller);
  });
}

function isSameStack(a: Stack, b: Stack): boolean {
  const isSame = (frame: SourceLocation, other: SourceLocation | undefined): boolean =>
    other !== undefined &&
    formatLocation(frame) === formatLocation(other) &&
    frame.function === other.function;
  return a.length === b.length && a.every((frame, i) => isSame(frame, b[i]));
}
