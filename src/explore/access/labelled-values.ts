/**
 * The labels of values: the labels of a term's leaves on a path (`state/path-labels.ts`), and
 * values with a label that differs from their leaves'.
 */
import type { SymbolicArray, Term } from '../../expr/term.js';
import type { FlowSource } from '../../findings/facts.js';
import { type LabelRequest, noLabels } from '../../labels/flow-rules.js';
import { Supports } from '../../solver/support-set.js';
import { type Label, PathLabels, united } from '../state/path-labels.js';
import type { Flows, Path } from '../state/running.js';
import type { State, SymbolicInput } from '../state/state.js';
import { asTerm, type Scalar } from '../values/register-value.js';

export function labelsOn(state: State): PathLabels {
  state.labels ??= new PathLabels();
  return state.labels;
}

/** A new array, with the label of each byte. */
export function labelledArray({ terms, state }: Path, labels: readonly Label[]): SymbolicArray {
  const onPath = labelsOn(state);
  const array = terms.symbolicArray(`label ${onPath.arrays.length}:${labels.length}`, labels.length);
  onPath.give(array, labels);
  return array;
}

/** The same value, with another label. */
export function withLabel(path: Path, value: Scalar, bits: number, label: Label): Scalar {
  const { terms, state } = path;
  const bytes = Math.ceil(bits / 8);
  const array = labelledArray(path, new Array<Label>(bytes).fill(label));
  let whole = terms.read(array, terms.constant(32, 0));
  for (let i = 1; i < bytes; i++) whole = terms.concat(terms.read(array, terms.constant(32, i)), whole);
  const renamed = terms.extract(whole, 0, bits);
  state.add(terms.eq(renamed, asTerm(terms, bits, value)));
  return renamed;
}

/**
 * A value that is loaded through a labelled pointer has the pointer's label too: `table[x]` depends
 * on x. If the load has not become a term over x, because x has one value, the value is labelled
 * explicitly.
 */
export function labelledByAddress(path: Path, value: Scalar, bits: number, address: Term): Scalar {
  const { state, flows, unwritten } = path;
  if (state.labels === undefined && !flows.isActive) return value;
  const ofAddress = flows.labelOf(state, address);
  if (ofAddress === undefined || (typeof value === 'object' && unwritten.isIn(value))) return value;
  const own = typeof value === 'object' ? flows.labelOf(state, value) : undefined;
  if (ofAddress.names.every(name => own?.names.includes(name))) return value;
  return withLabel(path, value, bits, united(ofAddress, own)!);
}

/** The static label settings, shared by all paths. */
export class PathFlows implements Flows {
  readonly #supports = new Supports();

  constructor(readonly request: LabelRequest = noLabels) {}

  /** Whether anything is labelled besides what the program labels itself. */
  get isActive(): boolean {
    return this.request.taint.length + this.request.secrets.length > 0;
  }

  isNamed(name: string): boolean {
    return this.request.taint.includes(name) || this.request.secrets.includes(name);
  }

  /** The label of a term on a path; undefined if it has none. */
  labelOf(state: State, term: Term): Label | undefined {
    const { leaves, arrays } = this.#supports.of(term);
    let label: Label | undefined;
    for (const leaf of [...leaves].sort((a, b) => a.id - b.id))
      if (leaf.array?.kind === 'symbolic')
        label = united(label, this.#ofByte(state, leaf.array, Number(leaf.a.value)));
    for (const array of arrays)
      for (let i = 0; i < array.byteLength; i++) label = united(label, this.#ofByte(state, array, i));
    return label;
  }

  #ofByte(state: State, array: SymbolicArray, at: number): Label | undefined {
    const given = state.labels?.givenTo(array);
    if (given !== undefined) return given[at];
    const input = state.inputs.find(each => each.array === array);
    const found = input && sourceOf(state, input);
    if (found === undefined || !this.isNamed(found.name)) return undefined;
    const location = state.labels?.arrivalOf(array, at);
    const source = { ...found.source, first: at, last: at, ...(location && { location }) };
    return { names: [found.name], source };
  }
}

/** The name of an input for `--taint`, and its name in reports. */
function sourceOf(
  state: State,
  { name, kind }: SymbolicInput,
): { readonly name: string; readonly source: Pick<FlowSource, 'what' | 'name'> } {
  switch (kind) {
    case 'stdin':
      return { name: 'stdin', source: { what: 'stdin', name: '' } };
    case 'file':
      return { name: 'files', source: { what: 'file', name } };
    case 'argument': {
      const number = state.seenHost.arguments().length + Number(name.slice('arg'.length));
      return { name: 'args', source: { what: 'argument', name: `${number}` } };
    }
    case 'named':
      return { name, source: { what: 'input', name } };
  }
}
