/**
 * Z3's answers of all explorations, stored in the cache folder: one entry each, next to compiled
 * results and within the same size limit (`front/cache.ts`).
 */
import { Cache } from '../front/cache.js';
import { ownVersion } from '../platform/own-version.js';
import type { AnswerStore } from '../solver/stored-layer.js';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export function storedAnswers(): AnswerStore {
  const cache = Cache.ofUser();
  const keyOf = (query: string): string => Cache.keyOf(['answer', ownVersion(), query]);
  return {
    get: query => {
      const entry = cache.get(keyOf(query));
      return entry && decoder.decode(entry.result);
    },
    put: (query, answer) => cache.put(keyOf(query), { result: encoder.encode(answer), notes: '' }),
  };
}
