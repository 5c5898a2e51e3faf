/**
 * Z3 in a worker: each request is an SMT-LIB script, each reply what Z3 prints for it. Every script
 * begins with an empty context.
 */
import { serveSync } from '../platform/sync-service.js';
import { Z3Module } from './z3-module.js';

/**
 * The first query pays for the compilation of what every query needs; the caller's clock does
 * not run yet.
 */
const WARM_UP = `(set-logic QF_ABV)(declare-const x (_ BitVec 8))(declare-const y (_ BitVec 8))
  (assert (= (bvadd x y) #x07))(assert (bvult x y))(check-sat)(get-value (x y))`;

await serveSync<string, string>(async () => {
  const z3 = await Z3Module.load();
  const run = (script: string): string => {
    const context = z3.newContext();
    try {
      return z3.run(context, script);
    } finally {
      z3.deleteContext(context);
    }
  };
  run(WARM_UP);
  return async script => run(script);
});
