/**
 * Modules that can be read, but that LLVM rejects: refused with the function, the
 * instruction and the line, by every command.
 */
import { expect, test } from 'vitest';
import { check, compileToIr, explore, InputError } from '../../src/index.js';

const withBody = (body: string): string => `%S = type { i32, i32 }
@g = global %S zeroinitializer
define i32 @main() {
${body}
  ret i32 0
}
`;

const good = withBody('  %p = getelementptr %S, ptr @g, i32 0, i32 1');

test.each([
  [withBody('  %p = getelementptr %S, ptr @g, i32 0, i32 5'), 4, 'there is no element 5 in a struct of 2'],
  [
    withBody('  %p = getelementptr %S, ptr @g, i32 0, i32 0, i32 1'),
    4,
    'an index steps into something without elements',
  ],
  [
    withBody('  %n = add i32 0, 1\n  %p = getelementptr %S, ptr @g, i32 0, i32 %n'),
    5,
    'an index into a struct is not a constant',
  ],
  [
    withBody('  %v = load i32, ptr getelementptr (%S, ptr @g, i32 0, i32 2)'),
    4,
    'there is no element 2 in a struct of 2',
  ],
  [
    `${good}@p = global ptr getelementptr (%S, ptr @g, i64 0, i32 7)\n`,
    7,
    'there is no element 7 in a struct of 2',
  ],
  [withBody('  %b = add i32 %a, 1\n  %a = add i32 1, 1'), 4, 'uses a value that may not be defined yet'],
])('module %#', async (text, line, message) => {
  const inputs = [{ name: 'a.ll', text }];
  for (const run of [() => check({ inputs }), () => explore({ inputs }), () => compileToIr({ inputs })]) {
    const error = await run().then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(InputError);
    const [diagnostic] = (error as InputError).diagnostics;
    expect(diagnostic).toMatchObject({ location: { file: 'a.ll', line } });
    expect(diagnostic?.message).toContain(message);
  }
});

test('their correct twin is accepted', async () => {
  expect((await compileToIr({ inputs: [{ name: 'a.ll', text: good }] })).text).toContain('getelementptr');
});
