/**
 * The journal of an exploration: everything that it learns, in an append-only file
 * (`platform/journal-file.ts`).
 *
 *     start        what the exploration is of
 *     learned      entries, many in one record: answers, forks, ends of paths with their tests
 *     task         the entries of a task of a search in rounds, as its worker has written them
 *     checkpoint   counts, live states, the order of search: where a run can resume; and the nodes
 *                  of the tree of forks since the last one
 *     result       the findings as they were reported
 *
 * A run writes a checkpoint when it stops, and a long run also from time to time. A resumed run
 * begins at the last one and repeats what follows it, with the recorded answers instead of the
 * solver. So no written record is lost, and checkpoints may be rare.
 *
 * Paths and queries are named by fingerprints and do not refer to each other by their order, so
 * entries of several writers can be mixed. Texts that occur often are entries of their own,
 * numbered in the order of the file, or of the task. Within a record, an entry leaves out what
 * follows from those before it: where its path continues (`open-sides.ts`), and what ends share. A
 * task numbers its tests from 1 and does not know what other tasks have covered; its record begins
 * with what is different in the exploration (`TaskEntries`), so that merging a task does not need
 * its paths one by one.
 */

import type { Print } from '../../expr/term-print.js';
import type { Finding } from '../../findings/finding.js';
import { deflated, inflated } from '../../platform/compression.js';
import { readFileIfAny } from '../../platform/files.js';
import {
  JOURNAL_FORMAT,
  type JournalContents,
  type JournalPosition,
  JournalWriter,
  journalFormat,
  parseJournal,
} from '../../platform/journal-file.js';
import { assert } from '../../support/assert.js';
import { PackedReader, PackedWriter } from '../../support/packed-bytes.js';
import type { TestInput } from '../inputs/test-input.js';
import type { Meaning } from '../memory/origin.js';
import type { EndedPath, Line, NewBlock, RecordedFork } from '../search/path-memo.js';
import type { NewEnd } from '../search/subtree.js';
import type { Remembered } from '../state/answer-memo.js';
import type { Answer } from '../state/history.js';
import type { Ending } from '../state/path-end.js';
import { OpenSides } from './open-sides.js';

export const journalFile = 'journal';

/** Kinds of records. Zeros on a disk are not a record. */
const START = 1;
const LEARNED = 2;
const CHECKPOINT = 3;
const RESULT = 4;
const TASK = 5;

/** Kinds of entries. */
const TEXT = 1;
const ANSWER = 2;
const FORK = 3;
const END = 4;
const FUNCTION = 5;
/** The bits of a kind; the others are flags. */
const KIND = 7;

/** Flags of forks and ends: the path continues at the side that is on top (`OpenSides`). */
const ON_TOP = 8;
/** The trail is still that of the last fork. */
const SAME_TRAIL = 16;
/**
 * A flag of ends: an ordinary end, which does not differ from the last one of the record except in
 * what each path has of its own. Most paths end so, and take 18 bytes instead of 40.
 */
const LIKE_LAST = 32;

/**
 * Entries are buffered up to this many bytes, or until `flush`. The buffer and the record that is
 * written stay in the processor's nearest caches; a system call for 16 KB costs a path 20 ns.
 */
const MOST_WAITING = 1 << 14;

/** At a checkpoint, everything older than this has been synchronised to the disk. */
const SYNC_MS = 2000;

/** Receives the entries in the order of the file. */
export interface JournalVisitor {
  answer?(query: Print, answer: Remembered): void;
  fork?(from: Print, fork: RecordedFork): void;
  end?(end: EndedPath): void;
  /** A called function, with the fingerprint of its code. */
  function?(name: string, code: Print): void;
}

/** An end of a task that is different in the exploration: notable, or with fewer news. */
export interface NotableEnd {
  /** Its place among the ends of the task. */
  readonly at: number;
  readonly isNotable: boolean;
  /** The indices of the blocks that no earlier task has executed first. */
  readonly news: readonly number[];
}

/** What a task has learned, and how the exploration sees it. */
export interface TaskEntries {
  readonly entries: readonly Uint8Array[];
  /** The number of tests before the first one of the task. */
  readonly testsBefore: number;
  /** All other ends are not notable and have no news. */
  readonly notable: readonly NotableEnd[];
}

/** No text has this number. */
const NO_INPUTS = { inputs: [], shape: -1 };

/** The parts of an end that the next one of the record mostly shares; texts by their numbers. */
interface SharedPart {
  readonly number: number;
  readonly shape: number;
  readonly notes: number;
}

/** No end is like this one. */
const NO_END: SharedPart = { number: -2, shape: -1, notes: -1 };

/** An object, and the number of the text that describes it. */
interface LastText {
  readonly key: object | undefined;
  readonly number: number;
}

const NO_TEXT: LastText = { key: undefined, number: -1 };

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The destination of records. */
type RecordWriter = Pick<JournalWriter, 'append' | 'sync' | 'close' | 'failure'>;

export class Journal {
  readonly #writer: RecordWriter;
  readonly #out = new PackedWriter();
  readonly #texts: Map<string, number>;
  /** The numbers of texts, by the set of functions, inputs or notes that they describe. */
  readonly #known = new WeakMap<object, number>();
  /** Functions whose fingerprints have been written. */
  readonly #functions = new Set<string>();
  /** The inputs of the last test, and the number of the text that describes them. */
  #last: { readonly inputs: readonly TestInput[]; readonly shape: number } = NO_INPUTS;
  /** The functions and the notes of the last path, which the next one mostly shares. */
  #lastFunctions: LastText = NO_TEXT;
  #lastNotes: LastText = NO_TEXT;
  #synced = performance.now();
  /** The number of buffered tests. */
  #waitingTests = 0;
  /** What entries of the buffer refer to: each record can be read by itself. */
  readonly #sides = new OpenSides();
  #lastEnd = NO_END;
  /** The number of tests that could not be written. */
  lostTests = 0;

  private constructor(writer: RecordWriter, texts: readonly string[]) {
    this.#writer = writer;
    this.#texts = new Map(texts.map((text, i) => [text, i]));
  }

  /** Throws the system's error if the file cannot be created. */
  static begin(folder: string, start: object): Journal {
    const writer = JournalWriter.begin(`${folder}/${journalFile}`);
    writer.append(START, encoder.encode(JSON.stringify(start)));
    return new Journal(writer, []);
  }

  static goOn(folder: string, earlier: EarlierJournal): Journal {
    const writer = JournalWriter.goOn(`${folder}/${journalFile}`, earlier.position);
    return new Journal(writer, earlier.texts());
  }

  /** Keeps no file: `onLearned` receives the entries, which `visitLearned` reads. */
  static inMemory(onLearned: (entries: Uint8Array) => void): Journal {
    // The writer's buffer is reused, so it is copied.
    const append = (_kind: number, entries: Uint8Array): void => onLearned(entries.slice());
    return new Journal({ append, sync: () => {}, close: () => {}, failure: undefined }, []);
  }

  get failure(): Error | undefined {
    return this.#writer.failure;
  }

  answer({ print1, print2 }: Print, { answer, max, reason, queries }: Remembered): void {
    const out = this.#out;
    out.byte(ANSWER);
    out.words(print1, print2);
    out.number(queries);
    if (typeof answer === 'string') {
      out.byte(words.indexOf(answer));
      if (answer === 'unknown') out.text(reason ?? '');
    } else {
      out.byte(max === undefined ? VALUE : RANGE);
      this.#value(answer);
      if (max !== undefined) this.#value(max);
    }
    this.#flushIfLong();
  }

  fork(from: Print, { at, place }: RecordedFork): void {
    this.#onPath(FORK, from, at);
    this.#sides.add(at);
    this.#print(place);
    this.#flushIfLong();
  }

  /** The kind and the flags of an entry, and where its path has forked last and is now. */
  #onPath(kind: number, from: Print, trail: Print): void {
    const isOnTop = this.#sides.takeIfTop(from);
    const isSame = trail.print1 === from.print1 && trail.print2 === from.print2;
    this.#out.byte(kind | (isOnTop ? ON_TOP : 0) | (isSame ? SAME_TRAIL : 0));
    if (!isOnTop) {
      this.#print(from);
      this.#sides.take(from);
    }
    if (!isSame) this.#print(trail);
  }

  /** `code` returns the fingerprint of a function. */
  end(end: EndedPath, code: (name: string) => Print | undefined): void {
    const { ending, inputs, notes, functions, news } = end;
    const out = this.#out;
    // Texts come first, because they are separate entries.
    if (functions !== this.#lastFunctions.key)
      this.#lastFunctions = this.#text(functions, () => {
        for (const name of functions) this.#function(name, code);
        return [...functions];
      });
    if (notes !== this.#lastNotes.key) this.#lastNotes = this.#text(notes, () => notes);
    const shape = inputs && this.#shapeOf(inputs);
    for (const { name, lines } of news) {
      this.#plain(name);
      for (const [file] of lines) this.#plain(file);
    }
    const { number } = end;
    const last = this.#lastEnd;
    const now = { number, shape: shape === undefined ? 0 : shape + 1, notes: this.#lastNotes.number };
    const isLikeLast =
      number === last.number + 1 && now.shape === last.shape && now.notes === last.notes && isOrdinary(end);
    this.#lastEnd = now;
    this.#onPath(isLikeLast ? END | LIKE_LAST : END, end.from, end.trail);
    if (number > 0) this.#waitingTests++;
    if (isLikeLast) out.word((ending as ExitEnding).status);
    else {
      out.number(number);
      out.byte(end.isNotable ? 1 : 0);
      this.#ending(ending);
      out.number(now.shape);
      out.number(now.notes);
      out.bytes(end.stdout);
      out.bytes(end.stderr);
      this.#news(news);
    }
    for (const { bytes } of inputs ?? []) out.bytes(bytes);
    out.number(end.instructions);
    out.number(end.forks);
    out.number(end.allocations);
    out.number(this.#lastFunctions.number);
    this.#flushIfLong();
  }

  #news(news: readonly NewBlock[]): void {
    const out = this.#out;
    out.number(news.length);
    for (const { name, index, lines } of news) {
      out.number(this.#plain(name));
      out.number(index);
      out.number(lines.length);
      for (const [file, line] of lines) {
        out.number(this.#plain(file));
        out.number(line);
      }
    }
  }

  /** Writes what a task has learned, with the fingerprints of the functions that it has called. */
  task(
    { entries, testsBefore, notable }: TaskEntries,
    { tests, functions }: { readonly tests: number; readonly functions: readonly string[] },
    code: (name: string) => Print | undefined,
  ): void {
    for (const name of functions) this.#function(name, code);
    this.flush();
    const out = this.#out;
    out.number(testsBefore);
    out.number(notable.length);
    for (const { at, isNotable, news } of notable) {
      out.number(at);
      out.byte(isNotable ? 1 : 0);
      out.number(news.length);
      for (const index of news) out.number(index);
    }
    for (const chunk of entries) out.bytes(chunk);
    this.#writer.append(TASK, out.take());
    if (this.failure !== undefined) this.lostTests += tests;
  }

  /** Writes a checkpoint, at which a run can be resumed. */
  checkpoint(state: object, newForks: Uint8Array): void {
    this.flush();
    this.#out.bytes(deflated(encoder.encode(JSON.stringify(state))));
    this.#out.bytes(newForks);
    this.#writer.append(CHECKPOINT, this.#out.take());
    this.#sync();
  }

  result(result: object): void {
    this.flush();
    this.#writer.append(RESULT, encoder.encode(JSON.stringify(result)));
    this.#sync();
  }

  /** Repeating the work of less than `SYNC_MS` takes no longer than synchronising the disk. */
  #sync(): void {
    if (performance.now() - this.#synced < SYNC_MS) return;
    this.#writer.sync();
    this.#synced = performance.now();
  }

  /** Writes buffered entries. */
  flush(): void {
    if (this.#out.length === 0) return;
    this.#writer.append(LEARNED, this.#out.take());
    if (this.failure !== undefined) this.lostTests += this.#waitingTests;
    this.#waitingTests = 0;
    this.#sides.clear();
    this.#lastEnd = NO_END;
  }

  close(): void {
    this.flush();
    this.#writer.close();
  }

  #flushIfLong(): void {
    if (this.#out.length >= MOST_WAITING) this.flush();
  }

  #print({ print1, print2 }: Print): void {
    this.#out.words(print1, print2);
  }

  #value(value: Answer): void {
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) {
      this.#out.byte(0);
      this.#out.number(value);
    } else {
      this.#out.byte(1);
      this.#out.text(String(value));
    }
  }

  #ending(ending: Ending): void {
    const out = this.#out;
    out.byte(endings.indexOf(ending.kind));
    switch (ending.kind) {
      case 'exit':
        out.word(ending.status);
        out.text(ending.leaks.length === 0 ? '' : JSON.stringify(ending.leaks));
        break;
      case 'finding':
        out.text(JSON.stringify(ending.finding));
        break;
      case 'partial':
        out.text(ending.reason);
        break;
      case 'unwanted':
        break;
    }
  }

  /** The names and meanings of a test's inputs, which many tests share. */
  #shapeOf(inputs: readonly TestInput[]): number {
    const last = this.#last;
    let isSame = inputs.length === last.inputs.length && last.shape >= 0;
    for (let i = 0; isSame && i < inputs.length; i++) {
      const [now, before] = [inputs[i]!, last.inputs[i]!];
      isSame = now.name === before.name && now.meaning === before.meaning;
    }
    if (isSame) return last.shape;
    const shape = this.#plain(JSON.stringify(inputs.map(({ name, meaning }) => [name, meaning])));
    this.#last = { inputs, shape };
    return shape;
  }

  #function(name: string, code: (name: string) => Print | undefined): void {
    if (this.#functions.has(name)) return;
    this.#functions.add(name);
    const print = code(name);
    if (print === undefined) return;
    const text = this.#plain(name);
    this.#out.byte(FUNCTION);
    this.#out.number(text);
    this.#print(print);
  }

  /** An immutable object with the number of its JSON. */
  #text(key: object, make: () => unknown): LastText {
    let number = this.#known.get(key);
    if (number === undefined) {
      number = this.#plain(JSON.stringify(make()));
      this.#known.set(key, number);
    }
    return { key, number };
  }

  #plain(text: string): number {
    let number = this.#texts.get(text);
    if (number === undefined) {
      number = this.#texts.size;
      this.#texts.set(text, number);
      this.#out.byte(TEXT);
      this.#out.text(text);
    }
    return number;
  }
}

type ExitEnding = Extract<Ending, { readonly kind: 'exit' }>;

/** Whether an end consists of only a status, inputs and counts. */
function isOrdinary({ ending, isNotable, stdout, stderr, news }: EndedPath): boolean {
  return (
    ending.kind === 'exit' &&
    ending.leaks.length === 0 &&
    !isNotable &&
    stdout.length === 0 &&
    stderr.length === 0 &&
    news.length === 0
  );
}

const words: readonly string[] = ['both', 'true', 'false', 'always', 'never', 'yes', 'no', 'unknown'];
/** The offset after the words. */
const VALUE = 16;
const RANGE = 17;
const endings: readonly Ending['kind'][] = ['exit', 'finding', 'unwanted', 'partial'];

/** An existing journal. Reads no more of it than is needed. */
export class EarlierJournal {
  readonly #contents: JournalContents;
  /**
   * The numbers of the records after which a run can be resumed; the first may be that of `start`.
   */
  readonly #lastCheckpoint: number;

  private constructor(contents: JournalContents, lastCheckpoint: number) {
    this.#contents = contents;
    this.#lastCheckpoint = lastCheckpoint;
  }

  /** Undefined if there is no journal. */
  static read(folder: string): EarlierJournal | undefined {
    const file = readFileIfAny(`${folder}/${journalFile}`);
    return file && EarlierJournal.of(file);
  }

  static of(file: Uint8Array): EarlierJournal | undefined {
    const contents = parseJournal(file);
    if (contents?.records[0]?.kind !== START) return undefined;
    return new EarlierJournal(
      contents,
      contents.records.findLastIndex(({ kind }) => kind === CHECKPOINT),
    );
  }

  get position(): JournalPosition {
    return this.#contents;
  }

  /**
   * The offset of the first damaged record; undefined if there is none, or the file was only cut
   * while it was written.
   */
  get damagedAt(): number | undefined {
    return this.#contents.end === 'damaged' ? this.#contents.bytes : undefined;
  }

  get start(): unknown {
    return JSON.parse(decoder.decode(this.#contents.records[0]!.payload));
  }

  get checkpoint(): unknown {
    const record = this.#contents.records[this.#lastCheckpoint];
    return record && JSON.parse(decoder.decode(inflated(new PackedReader(record.payload).bytes())));
  }

  /** The nodes of the tree of forks up to the last checkpoint. */
  forks(): Uint8Array[] {
    const checkpoints = this.#contents.records.filter(({ kind }) => kind === CHECKPOINT);
    return checkpoints.map(({ payload }) => {
      const input = new PackedReader(payload);
      input.bytes();
      return input.bytes();
    });
  }

  /** The results at the end of a run, if nothing was learned since. */
  get result(): unknown {
    const record = this.#contents.records.at(-1);
    return record?.kind === RESULT ? JSON.parse(decoder.decode(record.payload)) : undefined;
  }

  texts(): readonly string[] {
    return this.visit({});
  }

  /**
   * Visits everything learned, or only the entries after the last checkpoint. Returns the texts.
   */
  visit(visitor: JournalVisitor, isTail = false): readonly string[] {
    const texts = new Texts();
    for (const [i, { kind, payload }] of this.#contents.records.entries()) {
      const isVisited = !isTail || i > this.#lastCheckpoint;
      if (kind === LEARNED) new Entries(payload, texts).visit(isVisited ? visitor : {});
      else if (kind === TASK && isVisited) visitTask(readTask(payload), visitor);
    }
    return texts.all;
  }
}

/** Reads all entries of a journal in memory. */
function visitLearned(entries: readonly Uint8Array[], visitor: JournalVisitor): void {
  const texts = new Texts();
  for (const payload of entries) new Entries(payload, texts).visit(visitor);
}

/** Why the journal of the folder, which exists, cannot be read. */
export function whyUnreadable(folder: string): string {
  const file = readFileIfAny(`${folder}/${journalFile}`) ?? new Uint8Array();
  const format = journalFormat(file);
  return format === undefined || format === JOURNAL_FORMAT
    ? `'${journalFile}' is damaged at offset 0`
    : `'${journalFile}' has format ${format}, and this Redzone uses format ${JOURNAL_FORMAT}`;
}

function readTask(payload: Uint8Array): TaskEntries {
  const input = new PackedReader(payload);
  const many = <T>(read: () => T): T[] => Array.from({ length: input.number() }, read);
  const testsBefore = input.number();
  const notable = many(
    (): NotableEnd => ({
      at: input.number(),
      isNotable: input.byte() === 1,
      news: many(() => input.number()),
    }),
  );
  const entries: Uint8Array[] = [];
  while (!input.isAtEnd) entries.push(input.bytes());
  return { entries, testsBefore, notable };
}

/** Visits the ends that are new to a task. */
export function visitNewEnds(
  newEnds: readonly NewEnd[],
  visit: (end: EndedPath, place: NewEnd) => void,
): void {
  const texts = new Texts();
  for (const place of newEnds) new Entries(place.entry, texts).visit({ end: end => visit(end, place) });
}

/** Visits what a task has learned; its ends have their numbers and news in the exploration. */
export function visitTask(
  { entries, testsBefore, notable: ends }: TaskEntries,
  visitor: JournalVisitor,
): void {
  const byPlace = new Map(ends.map(end => [end.at, end]));
  let at = 0;
  visitLearned(entries, {
    fork: (from, fork) => visitor.fork?.(from, fork),
    end: end => {
      const notable = byPlace.get(at++);
      visitor.end?.(endOfTask(end, notable, testsBefore));
    },
  });
}

/** An end of a task as an end of the exploration; it is not notable without a `NotableEnd`. */
export function endOfTask(
  end: EndedPath,
  notable: Omit<NotableEnd, 'at'> | undefined,
  testsBefore: number,
): EndedPath {
  const number = end.number > 0 ? testsBefore + end.number : 0;
  const news = (notable?.news ?? []).map(index => end.news[index]!);
  return { ...end, number, isNotable: notable?.isNotable ?? false, news };
}

/** Texts by number, parsed if they are JSON. */
class Texts {
  readonly all: string[] = [];
  readonly #sets = new Map<number, ReadonlySet<string>>();
  readonly #values = new Map<number, unknown>();

  value(number: number): unknown {
    let value = this.#values.get(number);
    if (value === undefined) {
      value = JSON.parse(this.all[number]!);
      this.#values.set(number, value);
    }
    return value;
  }

  set(number: number): ReadonlySet<string> {
    let set = this.#sets.get(number);
    if (set === undefined) {
      set = new Set(this.value(number) as string[]);
      this.#sets.set(number, set);
    }
    return set;
  }
}

const NO_BYTES = new Uint8Array(0);

/** The entries of one record. */
class Entries {
  readonly #in: PackedReader;
  readonly #texts: Texts;
  readonly #sides = new OpenSides();
  #lastEnd = NO_END;

  constructor(payload: Uint8Array, texts: Texts) {
    this.#in = new PackedReader(payload);
    this.#texts = texts;
  }

  visit(visitor: JournalVisitor): void {
    const input = this.#in;
    while (!input.isAtEnd) {
      const flags = input.byte();
      const kind = flags & KIND;
      if (kind === TEXT) this.#texts.all.push(input.text());
      else if (kind === ANSWER) {
        const query = this.#print();
        const answer = this.#answer();
        visitor.answer?.(query, answer);
      } else if (kind === FORK) {
        const { from, trail: at } = this.#onPath(flags);
        this.#sides.add(at);
        const place = this.#print();
        visitor.fork?.(from, { at, place });
      } else if (kind === END) {
        const end = this.#end(flags);
        visitor.end?.(end);
      } else {
        assert(kind === FUNCTION, 'a journal has entries of known kinds');
        const name = this.#text();
        const code = this.#print();
        visitor.function?.(name, code);
      }
    }
  }

  #print(): Print {
    return { print1: this.#in.word(), print2: this.#in.word() };
  }

  #onPath(flags: number): Pick<EndedPath, 'from' | 'trail'> {
    const isOnTop = (flags & ON_TOP) !== 0;
    const from = isOnTop ? this.#sides.takeTop() : this.#print();
    if (!isOnTop) this.#sides.take(from);
    return { from, trail: (flags & SAME_TRAIL) !== 0 ? from : this.#print() };
  }

  #text(): string {
    return this.#texts.all[this.#in.number()]!;
  }

  #answer(): Remembered {
    const queries = this.#in.number();
    const tag = this.#in.byte();
    if (tag === VALUE) return { answer: this.#value(), queries };
    if (tag === RANGE) return { answer: this.#value(), max: this.#value(), queries };
    const answer = words[tag] as Remembered['answer'];
    return answer === 'unknown' ? { answer, reason: this.#in.text(), queries } : { answer, queries };
  }

  #value(): Answer {
    return this.#in.byte() === 0 ? this.#in.number() : BigInt(this.#in.text());
  }

  #end(flags: number): EndedPath {
    const input = this.#in;
    const { from, trail } = this.#onPath(flags);
    const isLikeLast = (flags & LIKE_LAST) !== 0;
    const last = this.#lastEnd;
    const number = isLikeLast ? last.number + 1 : input.number();
    const isNotable = !isLikeLast && input.byte() === 1;
    const ending = isLikeLast ? this.#exit() : this.#ending();
    const shape = isLikeLast ? last.shape : input.number();
    const notes = isLikeLast ? last.notes : input.number();
    const stdout = isLikeLast ? NO_BYTES : input.bytes();
    const stderr = isLikeLast ? NO_BYTES : input.bytes();
    const news = isLikeLast ? [] : this.#many(() => this.#newBlock());
    this.#lastEnd = { number, shape, notes };
    const inputs = shape === 0 ? undefined : this.#inputs(shape - 1);
    const [instructions, forks, allocations] = [input.number(), input.number(), input.number()];
    const functions = this.#texts.set(input.number());
    // A literal without spread is several times as fast, and there is one for each path.
    return {
      from,
      trail,
      number,
      isNotable,
      ending,
      inputs,
      instructions,
      forks,
      allocations,
      notes: this.#texts.value(notes) as readonly string[],
      stdout,
      stderr,
      functions,
      news,
    };
  }

  #exit(): ExitEnding {
    return { kind: 'exit', status: this.#in.word(), leaks: [] };
  }

  #ending(): Ending {
    const kind = endings[this.#in.byte()]!;
    switch (kind) {
      case 'exit': {
        const status = this.#in.word();
        const leaks = this.#in.text();
        return { kind, status, leaks: leaks === '' ? [] : (JSON.parse(leaks) as Finding[]) };
      }
      case 'finding':
        return { kind, finding: JSON.parse(this.#in.text()) as Finding };
      case 'partial':
        return { kind, reason: this.#in.text() };
      case 'unwanted':
        return { kind };
    }
  }

  #inputs(shape: number): TestInput[] {
    const known = this.#texts.value(shape) as [name: string, meaning: Meaning][];
    return known.map(([name, meaning]) => ({ name, meaning, bytes: this.#in.bytes() }));
  }

  #newBlock(): NewBlock {
    const name = this.#text();
    const index = this.#in.number();
    const lines = this.#many((): Line => [this.#text(), this.#in.number()]);
    return { name, index, lines };
  }

  #many<T>(read: () => T): T[] {
    return Array.from({ length: this.#in.number() }, read);
  }
}
