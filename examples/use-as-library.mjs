// Redzone as a library: compile C from a string, receive events, be able to abort, and read the
// errors of the input.
//
//     node examples/use-as-library.mjs
import { compileToIr, InputError, renderDiagnostic } from 'redzone';

const stop = AbortSignal.timeout(60_000);

async function functionsOf(name, text) {
  const control = {
    signal: stop,
    onEvent(event) {
      if (event.kind === 'phase') console.log(`${event.text} ...`);
      if (event.kind === 'warning') console.log(`a warning: ${event.diagnostic.message}`);
    },
  };
  const ir = await compileToIr({ inputs: [{ name, text }], clangFlags: ['-DANSWER=42', '-Wall'] }, control);
  return [...ir.text.matchAll(/^define .*@(\w+)\(/gm)].map(match => match[1]);
}

console.log(await functionsOf('answer.c', 'int answer(void) { int unused; return ANSWER; }'));

try {
  await functionsOf('broken.c', 'int broken(void) { return ANSWER }');
} catch (error) {
  if (!(error instanceof InputError)) throw error;
  for (const diagnostic of error.diagnostics) {
    console.log(renderDiagnostic(diagnostic, { readSource: () => undefined, color: false }));
  }
}
