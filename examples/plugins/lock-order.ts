/**
 * Lock order: two locks that are taken in both orders can deadlock, even if this run did not.
 *
 * Taking a lock while holding another establishes the order "that one before this one". A cycle of
 * such orders is reported at the lock that closes it, with the locations of the others.
 */
import { definePlugin, type Place } from 'redzone';

interface Order {
  readonly first: number;
  readonly next: number;
  readonly at: Place;
}

export default definePlugin({
  name: 'lock-order',
  state: () => ({ held: [] as number[], orders: [] as Order[] }),
  hooks: {
    call: [
      {
        functions: ['pthread_mutex_lock', 'mtx_lock'],
        before: ({ arguments: [lock] }, { state, report, here }) => {
          for (const first of state.held) {
            if (first === lock) continue;
            const circle = wayFrom(lock, first, state.orders);
            const notes = circle?.map(({ at }) => ({ message: 'the other order is taken here', at }));
            if (notes !== undefined)
              report('circle', 'this lock is taken while one is held that waits for it elsewhere', notes);
            state.orders.push({ first, next: lock, at: here() });
          }
          state.held.push(lock);
        },
      },
      {
        functions: ['pthread_mutex_unlock', 'mtx_unlock'],
        before: ({ arguments: [lock] }, { state }) => {
          const at = state.held.lastIndexOf(lock);
          if (at >= 0) state.held.splice(at, 1);
        },
      },
    ],
  },
});

/** The orders that lead from one lock to another. */
function wayFrom(from: number, to: number, orders: readonly Order[]): Order[] | undefined {
  const ways = new Map<number, Order[]>([[from, []]]);
  for (const [lock, way] of ways) {
    if (lock === to) return way;
    for (const order of orders)
      if (order.first === lock && !ways.has(order.next)) ways.set(order.next, [...way, order]);
  }
  return undefined;
}
