/**
 * The editor: CodeMirror with marks for findings.
 *
 * Marks refer to the text that was checked. When a line is edited they move with the surrounding
 * text, and they are removed when the next call begins.
 */
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { cpp } from '@codemirror/lang-cpp';
import {
  bracketMatching,
  HighlightStyle,
  indentOnInput,
  indentUnit,
  syntaxHighlighting,
} from '@codemirror/language';
import {
  Compartment,
  EditorState,
  type Extension,
  RangeSet,
  StateEffect,
  StateField,
} from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  drawSelection,
  EditorView,
  GutterMarker,
  gutter,
  highlightActiveLine,
  highlightActiveLineGutter,
  hoverTooltip,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { tags } from '@lezer/highlight';
import type { AccessKind } from '../src/findings/finding.js';
import { indexOfColumn } from '../src/findings/source-text.js';
import { smallestSpan, tokenSpan } from '../src/findings/span.js';
import { element } from './dom.js';

/** A message of an engine about a location. */
export interface Mark {
  readonly line: number;
  /** 1-based, in bytes, as in findings; 0 marks the whole line. */
  readonly column: number;
  readonly kind: 'error' | 'warning' | 'allocated' | 'freed';
  readonly text: string;
  /** The underlined part: the expression at the column (the default), or only its token. */
  readonly extent?: 'token';
  readonly access?: AccessKind | undefined;
}

const setMarks = StateEffect.define<readonly Mark[]>();
const setCoverage = StateEffect.define<ReadonlyMap<number, boolean>>();

const setFollowed = StateEffect.define<readonly number[]>();

interface Placed extends Mark {
  readonly from: number;
  readonly to: number;
}

/** Underlines the same span as the carets of the command line. */
function place(state: EditorState, mark: Mark): Placed | undefined {
  if (mark.line < 1 || mark.line > state.doc.lines) return undefined;
  const line = state.doc.line(mark.line);
  const indent = line.text.length - line.text.trimStart().length;
  if (mark.column === 0) return { ...mark, from: line.from + indent, to: line.to };
  const index = indexOfColumn(line.text, mark.column);
  const { start, end } =
    mark.extent === 'token' ? tokenSpan(line.text, index) : smallestSpan(line.text, index, mark.access);
  return { ...mark, from: Math.min(line.from + start, line.to), to: Math.min(line.from + end, line.to) };
}

const marks = StateField.define<{ readonly placed: readonly Placed[]; readonly shown: DecorationSet }>({
  create: () => ({ placed: [], shown: Decoration.none }),
  update(value, transaction) {
    for (const effect of transaction.effects)
      if (effect.is(setMarks))
        return decorated(effect.value.flatMap(mark => place(transaction.state, mark) ?? []));
    if (!transaction.docChanged) return value;
    const placed = value.placed
      .map(mark => ({
        ...mark,
        from: transaction.changes.mapPos(mark.from),
        to: transaction.changes.mapPos(mark.to),
      }))
      .filter(({ from, to }) => to > from);
    return decorated(placed);
  },
  provide: field => EditorView.decorations.from(field, ({ shown }) => shown),
});

function decorated(placed: readonly Placed[]): { placed: readonly Placed[]; shown: DecorationSet } {
  const ranges = placed
    .filter(({ from, to }) => to > from)
    .map(({ from, to, kind, text }) =>
      Decoration.mark({ class: `mark-${kind}`, attributes: { 'data-mark': text } }).range(from, to),
    );
  return { placed, shown: Decoration.set(ranges, true) };
}

class Dot extends GutterMarker {
  constructor(
    readonly kind: string,
    readonly label: string,
  ) {
    super();
  }

  override eq(other: Dot): boolean {
    return other.kind === this.kind && other.label === this.label;
  }

  override toDOM(): Node {
    return element('span', {
      class: `dot dot-${this.kind}`,
      title: this.label,
      role: 'img',
      'aria-label': this.label,
    });
  }
}

const weights = ['error', 'warning', 'freed', 'allocated'];

const markGutter = gutter({
  class: 'gutter-marks',
  markers(view) {
    const byLine = new Map<number, Placed>();
    for (const mark of view.state.field(marks).placed) {
      const { from } = view.state.doc.lineAt(mark.from);
      const other = byLine.get(from);
      if (other === undefined || weights.indexOf(mark.kind) < weights.indexOf(other.kind))
        byLine.set(from, mark);
    }
    const sorted = [...byLine].sort(([a], [b]) => a - b);
    return RangeSet.of(sorted.map(([from, { kind, text }]) => new Dot(kind, text).range(from)));
  },
});

const coverage = StateField.define<RangeSet<GutterMarker>>({
  create: () => RangeSet.empty,
  update(value, transaction) {
    for (const effect of transaction.effects) {
      if (!effect.is(setCoverage)) continue;
      const { doc } = transaction.state;
      const lines = [...effect.value].filter(([line]) => line <= doc.lines).sort(([a], [b]) => a - b);
      return RangeSet.of(
        lines.map(([line, isRun]) =>
          new Dot(
            isRun ? 'run' : 'missed',
            isRun ? 'some path runs this line' : 'no path runs this line',
          ).range(doc.line(line).from),
        ),
      );
    }
    return transaction.docChanged ? value.map(transaction.changes) : value;
  },
});

const coverageGutter = gutter({ class: 'gutter-coverage', markers: view => view.state.field(coverage) });

/** The lines of a chosen path. */
const followed = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(value, transaction) {
    for (const effect of transaction.effects) {
      if (!effect.is(setFollowed)) continue;
      const { doc } = transaction.state;
      const lines = effect.value.filter(line => line <= doc.lines);
      return Decoration.set(lines.map(line => onPath.range(doc.line(line).from)));
    }
    return transaction.docChanged ? value.map(transaction.changes) : value;
  },
  provide: field => EditorView.decorations.from(field),
});

const onPath = Decoration.line({ class: 'line-on-path' });

const tooltips = hoverTooltip((view, position) => {
  const found = view.state.field(marks).placed.filter(({ from, to }) => from <= position && position <= to);
  if (found.length === 0) return null;
  return {
    pos: Math.min(...found.map(({ from }) => from)),
    above: true,
    create: () => ({
      dom: element(
        'div',
        { class: 'mark-tooltip' },
        ...found.map(({ text, kind }) => element('div', { class: `tip-${kind}` }, text)),
      ),
    }),
  };
});

const colours = HighlightStyle.define([
  {
    tag: [tags.keyword, tags.controlKeyword, tags.definitionKeyword, tags.modifier],
    color: 'var(--code-keyword)',
  },
  { tag: [tags.string, tags.character], color: 'var(--code-string)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--code-number)' },
  {
    tag: [tags.comment, tags.lineComment, tags.blockComment],
    color: 'var(--code-comment)',
    fontStyle: 'italic',
  },
  { tag: [tags.typeName, tags.standard(tags.typeName)], color: 'var(--code-type)' },
  { tag: [tags.processingInstruction, tags.meta], color: 'var(--code-meta)' },
  { tag: tags.function(tags.variableName), color: 'var(--code-function)' },
]);

const noMarks = [setMarks.of([]), setCoverage.of(new Map()), setFollowed.of([])];

export class Editor {
  readonly #view: EditorView;
  readonly #language = new Compartment();

  /** `onRun` is called for Ctrl-Enter. */
  constructor(parent: HTMLElement, onEdit: () => void, onRun: () => void) {
    const extensions: Extension[] = [
      markGutter,
      lineNumbers(),
      coverage,
      coverageGutter,
      marks,
      followed,
      tooltips,
      history(),
      drawSelection(),
      indentOnInput(),
      indentUnit.of('  '),
      bracketMatching(),
      highlightActiveLine(),
      highlightActiveLineGutter(),
      syntaxHighlighting(colours),
      this.#language.of(cpp()),
      keymap.of([
        {
          key: 'Mod-Enter',
          run: () => {
            onRun();
            return true;
          },
        },
        // Tab leaves the editor after Escape, as CodeMirror documents.
        ...defaultKeymap,
        ...historyKeymap,
        indentWithTab,
      ]),
      EditorView.contentAttributes.of({
        'aria-label': 'program',
        'aria-describedby': 'editor-help',
        tabindex: '0',
        autocapitalize: 'off',
        autocorrect: 'off',
        spellcheck: 'false',
      }),
      EditorView.updateListener.of(update => update.docChanged && onEdit()),
    ];
    this.#view = new EditorView({ parent, state: EditorState.create({ extensions }) });
  }

  get text(): string {
    return this.#view.state.doc.toString();
  }

  /** Replaces the text and removes all marks. */
  open(text: string, isC: boolean): void {
    this.#view.dispatch({
      changes: { from: 0, to: this.#view.state.doc.length, insert: text },
      effects: [this.#language.reconfigure(isC ? cpp() : []), ...noMarks],
      selection: { anchor: 0 },
      scrollIntoView: true,
    });
  }

  /** Removes all marks, before a run. */
  clear(): void {
    this.#view.dispatch({ effects: noMarks });
  }

  mark(all: readonly Mark[]): void {
    this.#view.dispatch({ effects: setMarks.of(all) });
  }

  cover(lines: ReadonlyMap<number, boolean>): void {
    this.#view.dispatch({ effects: setCoverage.of(lines) });
  }

  /** Highlights the lines of a path. */
  follow(lines: readonly number[]): void {
    this.#view.dispatch({ effects: setFollowed.of(lines) });
  }

  /** Scrolls the line into view without moving the cursor. */
  reveal(line: number): void {
    const { doc } = this.#view.state;
    if (line < 1 || line > doc.lines) return;
    const { top, height } = this.#view.lineBlockAt(doc.line(line).from);
    const { scrollDOM } = this.#view;
    const middle = top + height / 2 - scrollDOM.clientHeight / 2;
    const isSeen = top >= scrollDOM.scrollTop && top + height <= scrollDOM.scrollTop + scrollDOM.clientHeight;
    if (!isSeen) scrollDOM.scrollTop = middle;
  }

  /** Puts the cursor there. */
  goTo(line: number, column: number): void {
    const { doc } = this.#view.state;
    if (line < 1 || line > doc.lines) return;
    const { from, text } = doc.line(line);
    const anchor = from + indexOfColumn(text, column);
    this.#view.dispatch({
      selection: { anchor },
      effects: EditorView.scrollIntoView(anchor, { y: 'center' }),
    });
    // On a phone, focusing would show the keyboard.
    if (matchMedia('(pointer: coarse)').matches) this.#view.dom.scrollIntoView({ block: 'nearest' });
    else this.#view.focus();
  }
}
