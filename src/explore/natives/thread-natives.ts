/**
 * The engine interface of threads (`runtime/libc/internal/thread-engine.h`).
 *
 * With `--threads` a path has a stack for each thread, and forks over the thread that runs next
 * (`state/path-threads.ts`). Without it a path has one stack: a thread is called on top of its
 * creator's, and there is no choice.
 */

import type { WaitingThread } from '../../findings/facts.js';
import { threadWaits } from '../../findings/thread-waits.js';
import { load } from '../access/access.js';
import { endLocals } from '../access/activation-locals.js';
import { lockName, noteAtomic, threadFacts, traceOf } from '../access/shared-access.js';
import { type Native, SWITCHED } from '../state/decoded.js';
import { makeFinding, userStack } from '../state/make-finding.js';
import { operations, PathThreads } from '../state/path-threads.js';
import type { Failures, Running } from '../state/running.js';
import { isSameState } from '../state/same-state.js';
import { NO_SPIN, type Thread, type Threads } from '../state/state.js';

const NO_THREADS = 0;
const TOO_MANY_THREADS = 0xffff_ffff;
const NO_THREAD = 0xffff_ffff;

/** `kind` of `__rz_thread_atomic`. */
const AtomicKind = { load: 0, store: 1 };

/** `enum __rz_choice`. */
const Choice = { next: 0, other: 1, waiter: 2 };

/** A program that calls none of these can notice the release of a lock only by acquiring it. */
const lockTries = [
  'pthread_mutex_trylock',
  'pthread_mutex_timedlock',
  'pthread_rwlock_tryrdlock',
  'pthread_rwlock_trywrlock',
  'pthread_rwlock_timedrdlock',
  'pthread_rwlock_timedwrlock',
  'pthread_spin_trylock',
];

/** Undefined if threads are not explored. */
function threadsOf({ state, exploresThreads }: Running): Threads | undefined {
  if (exploresThreads === undefined) return undefined;
  state.threads ??= new PathThreads();
  return state.threads;
}

/** Performs an operation on the threads, if there are any. */
const told =
  (tell: (threads: Threads, args: number[], machine: Running) => void): Native =>
  (machine, args) => {
    const threads = threadsOf(machine);
    if (threads !== undefined) tell(threads, args.map(Number), machine);
    return undefined;
  };

/** Stacks belong to the interpreter: compiled code has only one. */
function interpret({ runner }: Running): void {
  if (runner.isRunning) runner.abandon();
  runner.isSuspended = true;
}

const create: Native = (machine, [id, begin]) => {
  const threads = threadsOf(machine);
  if (threads === undefined) {
    machine.state.calledThreads++;
    return NO_THREADS;
  }
  interpret(machine);
  const target = machine.program.functionAt(Number(begin))!;
  return threads.create(Number(id), target, machine.trace()) ?? TOO_MANY_THREADS;
};

const choose: Native = (machine, [what, list, count, running]) => {
  const threads = threadsOf(machine);
  if (threads === undefined) return 0;
  const handles = Array.from({ length: Number(count) }, (_, i) =>
    Number(load(machine, Number(list) + 4 * i, 4)),
  );
  if (Number(what) === Choice.waiter) {
    const woken = forkOver(machine, threads, handles);
    threads.note(woken);
    return handles.indexOf(woken);
  }
  const current = handles[Number(running)];
  if (threads.refused === 0) leaveIfBack(machine, threads, handles);
  if (machine.exploresThreads === 'every schedule') {
    const any = forkOver(machine, threads, handles);
    threads.note(any);
    return handles.indexOf(any);
  }
  const triesLocks = lockTries.some(name => machine.program.isDefined(name));
  const open = threads.open(handles, current, Number(what) === Choice.other, triesLocks);
  // All continuations are explored on other paths.
  if (open.length === 0) return machine.end({ kind: 'unwanted' });
  const chosen = forkOver(machine, threads, open);
  threads.choose(chosen, open.slice(0, open.indexOf(chosen)));
  return handles.indexOf(chosen);
};

/** Continues with one of them on this path, and with the others on forks. */
function forkOver(machine: Running, threads: Threads, ways: readonly number[]): number {
  const { refused } = threads;
  if (refused < ways.length - 1) {
    machine.forkFreely(other => {
      other.threads!.refused = refused + 1;
    });
  }
  return ways[refused]!;
}

/**
 * A thread that has returned to an earlier state while nothing else ran is spinning. All other
 * continuations are on the paths that left the loop earlier.
 */
function leaveIfBack(machine: Running, threads: Threads, handles: readonly number[]): void {
  const { state } = machine;
  const { spin } = state;
  // A step that is executed again is not an iteration.
  if (spin.earlier !== undefined && spin.at === threads.choices) return;
  if (spin.earlier !== undefined && isSameState(state, spin.earlier)) {
    if (handles.length > 1) {
      machine.spins++;
      machine.end({ kind: 'unwanted' });
    }
    return;
  }
  const visits = spin.visits + 1;
  if (visits < spin.mostVisits) state.spin = { ...spin, visits };
  else {
    const earlier = state.fork(-1);
    earlier.watch = undefined;
    earlier.spin = NO_SPIN;
    state.spin = { at: threads.choices, earlier, visits: 0, mostVisits: 2 * spin.mostVisits };
  }
}

function switchTo(machine: Running, threads: Threads, handle: number): typeof SWITCHED {
  interpret(machine);
  const { state } = machine;
  state.frame.pc++;
  state.spin = NO_SPIN;
  const next = threads.switchTo(handle, state.frame);
  machine.changeStack(next.frame, next.begin);
  return SWITCHED;
}

function leave(machine: Running, threads: Threads, handle: number): typeof SWITCHED {
  const { state } = machine;
  for (let { frame } = state; ; frame = frame.caller) {
    endLocals(machine, frame.locals);
    if (frame.caller === undefined) break;
  }
  threads.change(threads.current.handle, { isEnded: true });
  state.spin = NO_SPIN;
  const next = threads.switchTo(handle, undefined);
  machine.changeStack(next.frame, next.begin);
  return SWITCHED;
}

function deadlock(machine: Failures, threads: Threads): never {
  const isCause = ({ waits: { what } }: Thread): boolean =>
    threadWaits[what] !== 'thread' && threadWaits[what] !== 'all threads';
  const { alive, current } = threads;
  // A thread that only waits for another's end is not a cause.
  const order = [...alive.filter(isCause), ...alive.filter(thread => !isCause(thread))];
  const place = (thread: Thread) => (thread === current ? machine.trace() : traceOf(thread));
  const described = order.map((thread): WaitingThread => {
    const { what, object, holder } = thread.waits;
    const kind = threadWaits[what] ?? 'nothing';
    const isLock = kind !== 'thread' && kind !== 'all threads' && kind !== 'once' && object !== 0;
    const holding = holder === undefined ? undefined : threads.thread(holder);
    const at = place(thread);
    return {
      thread: threadFacts(machine, thread.handle, thread.id),
      waits: kind,
      ...(isLock && { lock: lockName(machine, object) }),
      ...(holding && { holder: holding.id }),
      stack: at === undefined ? [] : userStack(at),
      holds: thread.locks.map(lock => ({ lock: lockName(machine, lock.address), stack: userStack(lock.at) })),
    };
  });
  return machine.fail({ kind: 'deadlock', threads: described }, place(order[0]!));
}

export const threadNatives: Record<string, Native> = {
  __rz_thread_explores: ({ exploresThreads }) => (exploresThreads === undefined ? 0 : 1),
  __rz_thread_about: told((threads, [handle, what, object, second]) =>
    threads.change(handle!, { about: { what: operations[what!]!, object: object!, second: second! } }),
  ),
  __rz_thread_new: create,
  __rz_thread_choose: choose,
  __rz_thread_switch: (machine, [handle]) => {
    const threads = threadsOf(machine);
    return threads && switchTo(machine, threads, Number(handle));
  },
  __rz_thread_end: (machine, [handle]) => {
    const threads = threadsOf(machine);
    return threads && leave(machine, threads, Number(handle));
  },
  __rz_thread_returned: ({ state }) => {
    state.calledThreads--;
    return undefined;
  },
  __rz_thread_forget: told((threads, [handle]) => threads.change(handle!, { isForgotten: true })),
  __rz_thread_release: told((threads, [object]) => threads.races.released(threads.current.handle, object!)),
  __rz_thread_acquire: told((threads, [object]) => threads.races.acquired(threads.current.handle, object!)),
  __rz_thread_atomic: told((threads, [object, bytes, kind, order], machine) => {
    if (!threads.hasBegun) return;
    const atomic = { loads: kind !== AtomicKind.store, stores: kind !== AtomicKind.load };
    const ordered = { ...atomic, acquires: (order! & 1) !== 0, releases: (order! & 2) !== 0 };
    noteAtomic(machine, object!, bytes!, ordered);
  }),
  __rz_thread_joined: told((threads, [handle]) => threads.races.joinedWith(threads.current.handle, handle!)),
  __rz_thread_holds: told((threads, [lock, mode], machine) => threads.holds(lock!, mode!, machine.trace())),
  __rz_thread_waits: told((threads, [what, object, holder]) =>
    threads.change(threads.current.handle, {
      waits: { what: what!, object: object!, holder: holder === NO_THREAD ? undefined : holder },
    }),
  ),
  __rz_thread_deadlock: told((threads, _args, machine) => deadlock(machine, threads)),
  __rz_thread_left: told((threads, [handle, isRunning], machine) => {
    const thread = threads.thread(handle!)!;
    const facts = threadFacts(machine, thread.handle, thread.id);
    const at = thread.created ?? machine.trace();
    threads.left.push(makeFinding({ kind: 'left-thread', thread: facts, isRunning: isRunning !== 0 }, at));
  }),
};
