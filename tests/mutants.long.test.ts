/**
 * 20,000 mutants of command lines, models, IR and C go through the library in this one process:
 * each is accepted or refused with a message. An InternalError or any other exception is a defect.
 * Most mutants go through the fast parsers, some hundreds through the whole pipeline.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { parseArguments } from '../src/cli/arguments.js';
import { UsageError } from '../src/cli/usage-error.js';
import { check, compileToIr, explore, InputError } from '../src/index.js';
import { readMcmt } from '../src/modelcheck/read/mcmt.js';
import { readSal } from '../src/modelcheck/read/sal.js';
import { type CommandSpec, commands } from '../src/options/commands.js';
import { filesBelow } from '../src/platform/files.js';
import { Random } from '../src/support/random.js';

const seed = Number(process.env.REDZONE_SEED ?? 1);
const root = join(import.meta.dirname, '..');
const source = (name: string): string => readFileSync(join(root, name), 'utf8');

const odd = [
  '',
  '(',
  ')',
  '{',
  '}',
  '[',
  ']',
  ';',
  ',',
  '*',
  '&',
  '0',
  '-1',
  '2147483648',
  '18446744073709551615',
];
const strange = [
  '\u001b',
  '\u0000',
  '\ufffd',
  '"',
  "'",
  '\\',
  '/*',
  '*/',
  '//@',
  '%',
  '@',
  '#',
  '|',
  '\n',
  '\r',
];

/** The text with a few of its words removed, repeated, exchanged, or replaced by something odd. */
function mutated(text: string, random: Random): string {
  const words = text.split(/(\s+|\b)/);
  const any = (): number => random.below(words.length);
  for (let i = 1 + random.below(3); i > 0; i--) {
    const at = any();
    const kinds: (() => void)[] = [
      () => words.splice(at, 1),
      () => words.splice(at, 0, words[any()]!),
      () => words.splice(at, 1, words[any()]!),
      () => words.splice(at, 1, odd[random.below(odd.length)]!),
      () => words.splice(at, 0, strange[random.below(strange.length)]!),
      () => words.splice(at),
    ];
    // Only one mutation in 48 cuts off the rest of the text.
    kinds[random.below(random.below(8) === 0 ? 6 : 5)]!();
  }
  return words.join('');
}

const counts = { tried: 0, refused: 0 };
afterAll(() => console.log(`mutants: ${counts.tried} tried, ${counts.refused} refused; seed ${seed}`));

/** Runs `attempt` on this many mutants, and lists those that are neither accepted nor refused. */
async function campaign(
  count: number,
  sources: readonly string[],
  attempt: (text: string, i: number) => unknown,
): Promise<void> {
  const random = new Random(seed);
  const defects: string[] = [];
  for (let i = 0; i < count; i++) {
    const text = mutated(sources[i % sources.length]!, random);
    counts.tried++;
    try {
      await attempt(text, i);
    } catch (error) {
      if (error instanceof InputError || error instanceof UsageError) counts.refused++;
      else defects.push(`${(error as Error).stack ?? error}\n---- mutant ${i} ----\n${text}`);
    }
  }
  expect(defects).toEqual([]);
}

const specs = Object.entries(commands).flatMap(([name, spec]): [string, CommandSpec][] =>
  spec.subcommands === undefined
    ? [[name, spec]]
    : Object.entries(spec.subcommands).map(([sub, own]) => [`${name} ${sub}`, own]),
);

test('9,000 command lines', async () => {
  const lines = specs.map(([, { options, output }]) => {
    const flags = Object.values({ ...options, ...output }).flatMap(option => option.flags);
    return flags.map(flag => `${flag} 10s a.c ${flag}=3GB -- x`).join(' ');
  });
  await campaign(9000, lines, (text, i) => {
    const [name, spec] = specs[i % specs.length]!;
    const words = text.split(' ');
    const start = (i * 7) % words.length;
    parseArguments(name, spec, words.slice(start, start + 8));
  });
});

test('6,000 models', async () => {
  const models = filesBelow(join(root, 'examples/models'));
  const texts = models.map(name => source(`examples/models/${name}`));
  await campaign(6000, texts, (text, i) => {
    const name = models[i % models.length]!;
    const read = name.endsWith('.sal') ? readSal(name, text) : readMcmt(name, text);
    if (read.kind === 'invalid') throw new InputError(read.diagnostic);
  });
});

const module = source('tests/ir/programs/every-construct.ll');
const program = `%S = type { i32, [3 x i16], ptr }
@g = global %S { i32 1, [3 x i16] zeroinitializer, ptr @h }
@h = internal constant [4 x i8] c"abc\\00"
@k = alias i32, ptr @g
declare ptr @malloc(i64)
declare void @free(ptr)
define internal i32 @f(i32 %n, ptr %p) {
entry:
  %local = alloca [4 x i32], align 16
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr inbounds [4 x i32], ptr %local, i64 0, i32 %i
  store i32 %n, ptr %at, align 4
  %next = add nsw i32 %i, 1
  %more = icmp slt i32 %next, 4
  br i1 %more, label %loop, label %done
done:
  %member = getelementptr %S, ptr @g, i32 0, i32 1, i64 2
  %old = load i16, ptr %member, align 2
  %wide = sext i16 %old to i32
  ret i32 %wide
}
define i32 @main() {
  %block = call ptr @malloc(i64 16)
  %sum = call i32 @f(i32 3, ptr %block)
  call void @free(ptr %block)
  %code = select i1 true, i32 %sum, i32 1
  switch i32 %code, label %end [ i32 7, label %end ]
end:
  ret i32 %code
}
`;
const asIr = (text: string) => ({ inputs: [{ name: 'mutant.ll', text }], maxTimeMs: 20_000 });

test('4,400 modules are read, verified, instrumented and written', async () => {
  await campaign(1400, [module], text => compileToIr(asIr(text)));
  await campaign(3000, [program], (text, i) => compileToIr({ ...asIr(text), instrumented: i % 2 === 0 }));
});

test('200 modules are run by both engines', async () => {
  await campaign(200, [program], (text, i) =>
    i % 2 === 0 ? check({ ...asIr(text) }) : explore({ ...asIr(text), maxInstructions: 100_000 }),
  );
});

test('400 sources are woven, compiled, and run by both engines', async () => {
  const texts = ['examples/all-zeros.c', 'examples/use-after-free.c', 'tests/golden/acsl-contracts.c'].map(
    source,
  );
  await campaign(400, texts, (text, i) => {
    const inputs = [{ name: 'mutant.c', text }];
    const options = { inputs, clangFlags: ['-w'], maxTimeMs: 20_000 };
    if (i % 4 === 0) return compileToIr({ ...options, woven: true });
    if (i % 4 === 1) return explore({ ...options, maxInstructions: 100_000, maxPaths: 20 });
    return check({ ...options, keepGoing: i % 4 === 2 });
  });
});
