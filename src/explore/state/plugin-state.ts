/**
 * The data of plug-ins on a path: their states, which are plain data, and their shadows.
 *
 * A fork shares both. A state is cloned when a hook next runs on one of the two paths, because a
 * hook may change it; a shadow is a persistent map from cell numbers, one map for each 4 G cells.
 */
import type { Shadow } from '../../plugins/plugin.js';
import { PersistentMap } from '../../support/persistent-map.js';

export class PluginState {
  #states: readonly unknown[];
  #isShared = false;
  readonly #shadows: Map<number, PersistentMap<number>>[];

  constructor(states: readonly unknown[], shadows: number | Map<number, PersistentMap<number>>[]) {
    this.#states = states;
    this.#shadows = typeof shadows === 'number' ? Array.from({ length: shadows }, () => new Map()) : shadows;
  }

  fork(): PluginState {
    const shadows = this.#shadows.map(
      maps => new Map(Array.from(maps, ([high, cells]) => [high, cells.fork()])),
    );
    const copy = new PluginState(this.#states, shadows);
    this.#isShared = true;
    copy.#isShared = true;
    return copy;
  }

  /** The state of a plug-in, for this path alone. Throws if it cannot be cloned. */
  state(plugin: number): unknown {
    if (this.#isShared) {
      this.#states = this.#states.map(state => structuredClone(state));
      this.#isShared = false;
    }
    return this.#states[plugin];
  }

  /** `cellBytes` is the number of bytes per cell, `bits` the size of a cell. */
  shadow(number: number, cellBytes: number, bits: number): Shadow {
    const maps = this.#shadows[number]!;
    const place = (address: number): [number, number] => {
      const cell = Math.floor(address / cellBytes);
      return [Math.floor(cell / 2 ** 32), cell % 2 ** 32];
    };
    return {
      get: address => {
        const [high, low] = place(address);
        return maps.get(high)?.get(low) ?? 0;
      },
      set: (address, bytes, value) => {
        const kept = bits === 32 ? value >>> 0 : value & (2 ** bits - 1);
        for (let at = address - (address % cellBytes); at < address + bytes; at += cellBytes) {
          const [high, low] = place(at);
          let cells = maps.get(high);
          if (cells === undefined) {
            cells = new PersistentMap<number>();
            maps.set(high, cells);
          }
          if (kept === 0) cells.delete(low);
          else cells.set(low, kept);
        }
      },
    };
  }
}
