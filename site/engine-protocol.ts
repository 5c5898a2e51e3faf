/** The messages between the page and its engine worker. */
import type { RunEvent } from '../src/api/run-control.js';
import type { SavedTree } from '../src/explore/output/fork-tree.js';
import type { Diagnostic } from '../src/findings/diagnostic.js';
import type { CallName, Calls } from './engine-calls.js';

export interface EngineCall<Name extends CallName = CallName> {
  readonly kind: 'call';
  readonly id: number;
  /** Identifies the page, which receives the progress of downloads. */
  readonly session: string;
  readonly name: Name;
  readonly options: Parameters<Calls[Name]>[0];
}

export type EngineMessage = EngineCall | { readonly kind: 'stop' };

/** Events of a call before it ends. */
export type CallEvent =
  | RunEvent
  /** For an exploration: the current tree. */
  | { readonly kind: 'forks'; readonly tree: SavedTree };

export type EngineAnswer =
  | { readonly id: number; readonly kind: 'event'; readonly event: CallEvent }
  | { readonly id: number; readonly kind: 'value'; readonly value: unknown }
  | { readonly id: number; readonly kind: 'bad input'; readonly diagnostics: readonly Diagnostic[] }
  | { readonly id: number; readonly kind: 'stopped' }
  | { readonly id: number; readonly kind: 'defect'; readonly message: string };

export interface CallControl {
  readonly signal: AbortSignal;
  readonly onEvent: (event: CallEvent) => void;
}
