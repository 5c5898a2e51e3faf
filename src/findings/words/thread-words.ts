/** Messages for errors between threads: races, deadlocks, lock-order inversions, leaked threads. */
import type { Diagnostic } from '../diagnostic.js';
import type {
  DeadlockFacts,
  LeftThreadFacts,
  LiveThread,
  LockOrderFacts,
  RaceAccess,
  RaceFacts,
  ThreadFacts,
  WaitingThread,
} from '../facts.js';
import { type Note, ownFrame } from '../finding.js';
import type { Description } from './description.js';
import { amount } from './numbers.js';
import { withoutSize, withSize } from './object-words.js';

export function threadName({ id }: Pick<ThreadFacts, 'id'>): string {
  return id === 1 ? 'the main thread' : `thread ${id}`;
}

/** Notes that say where the named threads were created. */
function creations(threads: readonly ThreadFacts[]): Note[] {
  const known = new Map(threads.map(thread => [thread.id, thread]));
  return [...known.values()].flatMap(thread => {
    const location = ownFrame(thread.created ?? []);
    if (location === undefined) return [];
    return [{ message: `${threadName(thread)} was created here`, location }];
  });
}

function holding(locks: readonly string[]): string {
  if (locks.length === 0) return 'holding no lock';
  return `holding ${locks.join(' and ')}`;
}

const past = { read: 'read', write: 'wrote', free: 'freed' } as const;

export function describeRace({ object, offset, bytes, now, earlier, seed }: RaceFacts): Description {
  const ofLocal = object?.kind === 'stack';
  const what = (access: RaceAccess): string =>
    ofLocal && access.operation === 'free'
      ? 'end of a local variable'
      : `${access.isAtomic ? 'atomic ' : ''}${access.operation}`;
  const does = ofLocal && now.operation === 'free' ? 'ends' : `${now.operation}s`;
  const size = now.operation === 'free' ? '' : ` of ${amount(bytes, 'byte')}`;
  const it = object === undefined ? 'the memory' : withoutSize(object);
  const part =
    object !== undefined && offset !== undefined && offset > 0
      ? `, ${offset} bytes into ${withSize(object)}`
      : '';
  const location = ownFrame(earlier.stack);
  return {
    code: 'data-race',
    message: `${what(now)}${size} by ${threadName(now.thread)} races with ${article(what(earlier))} by ${threadName(earlier.thread)}`,
    access: { kind: now.operation, bytes },
    ...(object && { object }),
    label: `${threadName(now.thread)} ${does} ${it} here, ${holding(now.locks)}${part}`,
    notes: [
      {
        message: `${threadName(earlier.thread)} ${past[earlier.operation]} it here before, ${holding(earlier.locks)}; nothing orders the two`,
        ...(location && { location }),
      },
      ...creations([now.thread, earlier.thread]),
      ...repeating(seed),
    ],
    help:
      does === 'ends'
        ? 'let the function wait until the thread no longer uses the variable, or allocate it'
        : now.isAtomic || earlier.isAtomic
          ? 'make both accesses atomic, or protect both with one mutex'
          : 'protect both accesses with one mutex, make the object atomic, or join the thread first',
    accesses: [now, earlier].map(({ operation, thread, stack }) => ({
      kind: operation,
      thread: thread.id,
      stack,
    })),
  };
}

function article(noun: string): string {
  return `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;
}

/** How to repeat a run with threads. */
export function repeating(seed: number | undefined): Note[] {
  return seed === undefined ? [] : [{ message: `\`--seed ${seed}\` repeats this schedule` }];
}

/** How a thread waits, after "waits". */
export function waitFor({ waits, lock, holder }: Pick<WaitingThread, 'waits' | 'lock' | 'holder'>): string {
  const named = lock === undefined ? '' : ` ${lock}`;
  const held = holder === undefined ? '' : `, which ${threadName({ id: holder })} holds`;
  switch (waits) {
    case 'own mutex':
      return `for the mutex${named}, which it holds itself`;
    case 'mutex':
      return `for the mutex${named}${held}`;
    case 'condition':
      return `for a signal of the condition${named}`;
    case 'read lock':
      return `to read under the lock${named}${held}`;
    case 'write lock':
      return `to write under the lock${named}${held}`;
    case 'readers':
      return `for the readers of the lock${named}`;
    case 'barrier':
      return `at the barrier${named}`;
    case 'semaphore':
      return `for the semaphore${named}`;
    case 'spin lock':
      return `for the spin lock${named}${held}`;
    case 'once':
      return 'for the routine of `pthread_once`';
    case 'thread':
      return holder === undefined ? 'for a thread to end' : `for ${threadName({ id: holder })} to end`;
    case 'time':
      return 'for time to pass';
    case 'all threads':
      return 'for all other threads to end';
    case 'pipe':
      return 'for data in a pipe';
    case 'nothing':
      return 'for nothing that Redzone knows';
  }
}

export function describeDeadlock({ threads, seed }: DeadlockFacts): Description {
  const [first, ...others] = threads;
  // Whether another thread would have to signal, not release.
  const isForSignal = threads.some(({ waits }) => /^(condition|barrier|semaphore|pipe)$/.test(waits));
  const all = `all ${threads.length} threads wait`;
  return {
    code: 'deadlock',
    message:
      others.length === 0
        ? 'the only thread waits for an event that no other thread can cause'
        : isForSignal
          ? `${all}, and no thread can continue`
          : `${all} for each other`,
    ...(first && { label: `${threadName(first.thread)} waits ${waitFor(first)}` }),
    notes: [
      ...others.map(waiting => {
        const location = ownFrame(waiting.stack);
        return {
          message: `${threadName(waiting.thread)} waits ${waitFor(waiting)}`,
          ...(location && { location }),
        };
      }),
      ...threads.flatMap(({ thread, holds }) =>
        holds.flatMap(({ lock, stack }) => {
          const location = ownFrame(stack);
          return location ? [{ message: `${threadName(thread)} took ${lock} here`, location }] : [];
        }),
      ),
      ...creations(threads.map(({ thread }) => thread)),
      ...repeating(seed),
    ],
    help: threads.some(({ waits }) => waits === 'condition')
      ? 'change what a condition waits for under its mutex, and signal after the change'
      : 'take locks in the same order everywhere, and wait for nothing while holding one',
  };
}

/** A thread of a run that was stopped. */
export function describeLiveThread(thread: LiveThread): Diagnostic {
  const [location] = thread.stack;
  const state = thread.waits === 'nothing' ? 'it was here' : `it waited ${waitFor(thread)}`;
  return {
    severity: 'note',
    message: `${threadName(thread)} had not ended: ${state}`,
    ...(location && { location }),
    notes: creations([thread]),
  };
}

export function describeLockOrder({ first, second, now, earlier, seed }: LockOrderFacts): Description {
  const location = ownFrame(earlier.stack);
  const held = ownFrame(now.held);
  const before = ownFrame(earlier.held);
  const { asked } = earlier;
  const other = threadName(earlier.thread);
  const opposite =
    asked === first
      ? `${other} took them in the other order`
      : `${other} took ${asked} while it held ${second}, which leads back to ${first}`;
  return {
    code: 'deadlock',
    severity: 'warning',
    message: `${threadName(now.thread)} takes ${second} while it holds ${first}, and ${opposite}`,
    label: `${second} is taken here while ${first} is held`,
    notes: [
      ...(held ? [{ message: `${threadName(now.thread)} took ${first} here`, location: held }] : []),
      ...(before ? [{ message: `${other} took ${second} here`, location: before }] : []),
      ...(location ? [{ message: `and then ${asked} here`, location }] : []),
      ...creations([now.thread, earlier.thread]),
      ...repeating(seed),
    ],
    help: 'take the locks in the same order everywhere: other timing makes each thread wait for the other',
  };
}

export function describeLeftThread({ thread, isRunning }: LeftThreadFacts): Description {
  return {
    code: 'memory-leak',
    message: isRunning
      ? `the program ends while ${threadName(thread)} still runs`
      : `${threadName(thread)} has ended, and was neither joined nor detached`,
    label: `${threadName(thread)} is created here`,
    help: isRunning ? 'join the thread before the program ends' : 'join the thread, or create it detached',
  };
}
