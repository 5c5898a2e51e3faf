/**
 * Z3 in a worker: each request is an SMT-LIB script, each reply what Z3 prints for it. Every script begins with an
 * empty context.
 *
 * The package's own `eval_smtlib2_string` hands the script to another thread by a pointer into the stack, which may be
 * overwritten before that thread reads it: scripts came back with syntax errors now and then. We are in a thread
 * of our own already, so we call the blocking function of the C interface, on a copy of the script in the heap.
 */
import { init } from 'z3-solver';
import { serveSync } from '../platform/sync-service.js';

/** The first question pays for the compilation of what every question needs; the caller's clock does not run yet. */
const WARM_UP = `(set-logic QF_ABV)(declare-const x (_ BitVec 8))(declare-const y (_ BitVec 8))
  (assert (= (bvadd x y) #x07))(assert (bvult x y))(check-sat)(get-value (x y))`;

await serveSync<string, string>(async () => {
  const { Z3, em } = await init();
  const encoder = new TextEncoder();
  const run = (script: string): string => {
    const config = Z3.mk_config();
    const context = Z3.mk_context(config);
    Z3.del_config(config);
    const bytes = encoder.encode(script);
    const text = em._malloc(bytes.length + 1);
    em.HEAPU8.set(bytes, text);
    em.HEAPU8[text + bytes.length] = 0;
    try {
      return em.UTF8ToString(em._Z3_eval_smtlib2_string(context, text));
    } finally {
      em._free(text);
      Z3.del_context(context);
    }
  };
  run(WARM_UP);
  return async script => run(script);
});
