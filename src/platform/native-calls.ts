/**
 * Calls of native functions on memory at given addresses, in a child process.
 *
 * ```
 *   caller ──sync──▶ native-worker (thread) ──message──▶ native-child (process): koffi, memory at the very addresses
 *                      ends a child that is late              copies ranges in, calls, reports what has changed
 * ```
 *
 * A function that crashes or hangs only ends its own process: the reply says so, and the next call
 * uses a fresh one.
 */
import { startSyncService } from './sync-service.js';

/** As C passes it. Pointers are `uint64`. */
export type NativeType = 'int8' | 'int16' | 'int32' | 'int64' | 'uint64' | 'float' | 'double';

export interface NativeRange {
  readonly address: number;
  readonly bytes: Uint8Array;
}

export interface NativeRegion {
  readonly base: number;
  readonly size: number;
}

export interface NativeRequest {
  readonly libraries: readonly string[];
  readonly name: string;
  readonly result: NativeType | 'void';
  readonly types: readonly NativeType[];
  readonly values: readonly (number | bigint)[];
  /** Where ranges may lie; mapped once. */
  readonly regions: readonly NativeRegion[];
  /** Copied in before the call, compared after it. */
  readonly ranges: readonly NativeRange[];
  /** Copied in before the first call of a process. */
  readonly constants: readonly NativeRange[];
}

export type NativeReply =
  | {
      readonly kind: 'done';
      readonly value: number | bigint | undefined;
      readonly changed: readonly NativeRange[];
    }
  /** No library has such a function, or there is no koffi. */
  | { readonly kind: 'unavailable'; readonly reason: string }
  | { readonly kind: 'crashed'; readonly signal: string }
  | { readonly kind: 'late' };

export interface NativeCalls {
  call(request: NativeRequest, milliseconds: number): NativeReply;
  close(): void;
}

/** The request of the worker. */
export interface TimedRequest {
  readonly request: NativeRequest;
  readonly milliseconds: number;
}

/** The worker itself is never late, because it ends the child. */
const ALLOWANCE = 30_000;

export function startNativeCalls(): NativeCalls {
  const service = startSyncService<TimedRequest, NativeReply>('platform/native-worker');
  return {
    call(request, milliseconds) {
      const answer = service.call({ request, milliseconds }, milliseconds + ALLOWANCE);
      return answer.kind === 'late' ? answer : answer.reply;
    },
    close: () => service.close(),
  };
}
