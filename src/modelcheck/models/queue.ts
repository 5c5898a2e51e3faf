/**
 * The non-blocking queue of Michael and Scott: a linked list with a dummy node in front, `head` and
 * `tail` moved by compare-and-swap.
 *
 *     head ─▶ dummy ─▶ node ─▶ node ─▶ null
 *                               ▲
 *                              tail, or one behind: a thread that finds it behind advances it
 *
 * Nodes come from a small pool and are used once. Each thread enqueues one node and then dequeues
 * one. Reads of `tail`, `tail.next` and `head` are separate steps, so everything may have changed
 * before the compare-and-swap.
 *
 * Claims: the list from the dummy on has exactly the nodes that were enqueued and not dequeued, and
 * the tail is near its end. In the broken variant the last step of an enqueue stores `tail.next`
 * without comparing: two threads that read the same tail overwrite each other's link, and a node is
 * lost.
 */
import { array, enumeration, integer } from '../cells.js';
import {
  and,
  type BoolExpr,
  eq,
  ge,
  type IntExpr,
  implies,
  int,
  ite,
  le,
  ne,
  not,
  or,
  sub,
  sum,
} from '../expression.js';
import { type CellAssignment, type Model, ModelBuilder, set } from '../model-builder.js';

/** Node 0 is null, node 1 the first dummy; every thread adds one node. */
export function queueModel(threads: number, isBroken: boolean): Model {
  const nodes = threads + 1;
  const m = new ModelBuilder(isBroken ? 'queue-broken' : 'queue');
  const node = integer(0, nodes);
  const next = m.shared('next', array(1, nodes, node));
  const head = m.shared('head', integer(1, nodes));
  const tail = m.shared('tail', integer(1, nodes));
  const used = m.shared('used', integer(1, nodes));
  const linked = m.shared('linked', integer(0, nodes));
  const dequeued = m.shared('dequeued', integer(0, nodes));
  const pc = m.local('pc', enumeration('start', 'enqueue', 'link', 'swing', 'dequeue', 'take', 'done'));
  const own = m.local('own', node);
  const seen = m.local('seen', node);
  const after = m.local('after', node);

  m.initially(
    ...Array.from({ length: nodes }, (_, i) => eq(next.at(i + 1).value, 0)),
    ...[head, tail, used].map(cell => eq(cell.value, 1)),
    eq(linked.value, 0),
    eq(dequeued.value, 0),
    pc.is('start'),
    ...[own, seen, after].map(cell => eq(cell.value, 0)),
  );
  const go = (state: Parameters<typeof pc.code>[0]): CellAssignment => set(pc, pc.code(state));
  const forget = [set(seen, 0), set(after, 0)];
  const nextOf = (index: IntExpr): IntExpr => next.at(index).value;

  m.command(
    'allocate',
    pc.is('start'),
    set(used, sum(used.value, 1)),
    set(own, sum(used.value, 1)),
    go('enqueue'),
  );
  m.command('read tail', and(pc.is('enqueue'), eq(seen.value, 0)), set(seen, tail.value));
  m.command(
    'read next',
    and(pc.is('enqueue'), ne(seen.value, 0)),
    set(after, nextOf(seen.value)),
    go('link'),
  );
  const isBehind = ne(after.value, 0);
  m.command(
    'help',
    and(pc.is('link'), isBehind, eq(tail.value, seen.value)),
    set(tail, after.value),
    ...forget,
    go('enqueue'),
  );
  m.command(
    'helped already',
    and(pc.is('link'), isBehind, ne(tail.value, seen.value)),
    ...forget,
    go('enqueue'),
  );
  const isStillLast: BoolExpr = eq(nextOf(seen.value), 0);
  m.command(
    'link',
    and(pc.is('link'), not(isBehind), ...(isBroken ? [] : [isStillLast])),
    set(next.at(seen.value), own.value),
    set(linked, sum(linked.value, 1)),
    go('swing'),
  );
  if (!isBroken)
    m.command('link fails', and(pc.is('link'), not(isBehind), not(isStillLast)), ...forget, go('enqueue'));
  m.command(
    'swing tail',
    and(pc.is('swing'), eq(tail.value, seen.value)),
    set(tail, own.value),
    ...forget,
    set(own, 0),
    go('dequeue'),
  );
  m.command(
    'tail was swung',
    and(pc.is('swing'), ne(tail.value, seen.value)),
    ...forget,
    set(own, 0),
    go('dequeue'),
  );

  m.command('read head', and(pc.is('dequeue'), eq(seen.value, 0)), set(seen, head.value));
  m.command(
    'read first',
    and(pc.is('dequeue'), ne(seen.value, 0)),
    set(after, nextOf(seen.value)),
    go('take'),
  );
  m.command('empty', and(pc.is('take'), not(isBehind)), ...forget, go('done'));
  m.command(
    'help dequeue',
    and(pc.is('take'), isBehind, eq(seen.value, tail.value)),
    set(tail, after.value),
    ...forget,
    go('dequeue'),
  );
  const isOpen = and(pc.is('take'), isBehind, ne(seen.value, tail.value));
  m.command(
    'take',
    and(isOpen, eq(head.value, seen.value)),
    set(head, after.value),
    set(dequeued, sum(dequeued.value, 1)),
    ...forget,
    go('done'),
  );
  m.command('take fails', and(isOpen, ne(head.value, seen.value)), ...forget, go('dequeue'));

  const all = Array.from({ length: nodes }, (_, i) => i + 1);
  /** How many nodes follow one on the way to the end; at most as many as there are. */
  const lengthFrom = (from: IntExpr): IntExpr => {
    let at = from;
    let length = int(0);
    for (let i = 0; i < nodes - 1; i++) {
      const here = at;
      const isMore = or(...all.map(n => and(eq(here, n), ne(next.at(n).value, 0))));
      length = sum(length, ite(isMore, 1, 0));
      at = ite(isMore, nextOf(here), here);
    }
    return length;
  };
  m.property('nothing is lost', eq(lengthFrom(head.value), sub(linked.value, dequeued.value)), {
    text: 'the list has every node that was enqueued and not dequeued',
  });
  m.property('tail is near the end', le(lengthFrom(tail.value), 1), {
    text: 'the tail is the last node or the one before it',
  });
  m.property('dequeued at most once', implies(ge(dequeued.value, 1), le(dequeued.value, linked.value)));
  return m.build();
}
