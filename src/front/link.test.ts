import { expect, test } from 'vitest';
import { forEachReference } from '../ir/global-references.js';
import type { GlobalValue, Module } from '../ir/model.js';
import { writeModule } from '../ir/writer.js';
import { globalsOf, linkModules } from './link.js';
import { dropUnreachable, readIr } from './link-program.js';
import { type Outcome, valueOrThrow } from './step-outcome.js';

const read = (text: string, file: string): Module => valueOrThrow(readIr(text, file));

/** Links modules given as text, named a.c, b.c, …; the last ones, marked, are of a library. */
function link(...texts: (string | { library: string })[]): Outcome<Module> {
  return linkModules(
    texts.map((text, i) => {
      const isLibrary = typeof text !== 'string';
      const file = `${'abcdef'[i]}.c`;
      return { module: read(isLibrary ? text.library : text, file), isLibrary };
    }),
  );
}

function globalNamed(module: Module, name: string): GlobalValue {
  const found = [...globalsOf(module)].filter(global => global.name === name);
  expect(found).toHaveLength(1);
  return found[0]!;
}

/** The invariants of a linked module, and that its text can be read again. */
function checked(outcome: Outcome<Module>): Module {
  const module = valueOrThrow(outcome);
  const members = new Set(globalsOf(module));
  expect(new Set([...members].map(({ name }) => name)).size).toBe(members.size);
  for (const member of members) forEachReference(member, target => expect(members).toContain(target));
  read(writeModule(module), 'linked.ll');
  return module;
}

const messages = (outcome: Outcome<unknown>) => (outcome.ok ? [] : outcome.diagnostics.map(d => d.message));

test('a declaration becomes the definition, whichever module has it', () => {
  const user = 'declare i32 @f(i32)\ndefine i32 @main() {\n  %r = call i32 @f(i32 1)\n  ret i32 %r\n}';
  const definition = 'define i32 @f(i32 %x) {\n  ret i32 %x\n}';
  for (const texts of [
    [user, definition],
    [definition, user],
  ]) {
    const module = checked(link(...texts));
    const f = globalNamed(module, 'f');
    expect(f.kind === 'function' && f.blocks.length).toBe(1);
    const callees: string[] = [];
    forEachReference(globalNamed(module, 'main'), target => callees.push(target.name));
    expect(callees).toEqual(['f']);
  }
});

test('references inside initialisers and constant expressions are followed', () => {
  const module = checked(
    link(
      `@cell = external global [4 x i32]
       @table = global [2 x { ptr, i64 }] [{ ptr, i64 } { ptr getelementptr (i8, ptr @cell, i64 4), i64 ptrtoint (ptr @cell to i64) }, { ptr, i64 } zeroinitializer]
       @again = alias [2 x { ptr, i64 }], ptr @table`,
      '@cell = global [4 x i32] [i32 1, i32 2, i32 3, i32 4]',
    ),
  );
  expect(writeModule(module)).toContain('@cell = global [4 x i32] [i32 1');
});

test('static names are renamed if they collide with visible ones or with each other', () => {
  const module = checked(
    link(
      `@counter = internal global i32 1
       @.str = private constant [2 x i8] c"a\\00"
       define i32 @first() {\n  %v = load i32, ptr @counter\n  ret i32 %v\n}`,
      `@counter = internal global i32 2
       @.str = private constant [2 x i8] c"b\\00"
       define ptr @second() {\n  ret ptr @.str\n}`,
      '@counter = global i32 3\n@counter.1 = global i32 4',
    ),
  );
  const names = module.variables.map(({ name }) => name).sort();
  expect(names).toEqual(['.str', '.str.1', 'counter', 'counter.1', 'counter.2', 'counter.3']);
  const visible = globalNamed(module, 'counter');
  expect(visible.linkage).toBe('external');
  const referred: string[] = [];
  forEachReference(globalNamed(module, 'first'), target => referred.push(target.name));
  expect(referred[0]).toMatch(/^counter\.[23]$/);
});

test('strong symbols win over common over weak ones; of two common ones the larger wins, of two weak ones the first', () => {
  const value = (...texts: string[]) => writeModule(checked(link(...texts))).match(/@x = .*/)![0];
  expect(value('@x = common global i32 0', '@x = global i32 7')).toContain('global i32 7');
  expect(value('@x = weak global i32 1', '@x = common global i32 0')).toContain('= global i32 0');
  expect(value('@x = weak global i32 1', '@x = linkonce_odr global i32 2')).toContain('weak global i32 1');
  expect(
    value('@x = common global [2 x i32] zeroinitializer', '@x = common global [9 x i32] zeroinitializer'),
  ).toContain('[9 x i32]');
  expect(value('@x = common global i32 0, align 4', '@x = common global i32 0, align 16')).toContain(
    'align 16',
  );
  expect(value('@x = extern_weak global i32', '@x = external global i32')).toContain('= external');
  expect(value('@x = extern_weak global i32', '@x = global i32 3')).toContain('= global i32 3');
  expect(value('@x = extern_weak global i32')).toContain('extern_weak');
});

test('an inline copy is used only if no other module defines the function', () => {
  const copy = 'define available_externally i32 @f() {\n  ret i32 1\n}';
  const real = 'define i32 @f() {\n  ret i32 2\n}';
  expect(writeModule(checked(link(copy, real)))).toContain('ret i32 2');
  expect(writeModule(checked(link(copy)))).toMatch(/define linkonce_odr i32 @f.*ret i32 1/s);
});

test('appending arrays are joined in order', () => {
  const entry = (name: string) => `
    define internal void @${name}() {\n  ret void\n}
    @llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @${name}, ptr null }]`;
  const text = writeModule(checked(link(entry('one'), entry('two'), entry('two'))));
  expect(text).toMatch(/@llvm.global_ctors = appending global \[3 x .*ptr @one,.*ptr @two,.*ptr @two.1,/);
});

test('two definitions are an error that names both files', () => {
  const outcome = link('define void @f() {\n  ret void\n}', 'define void @f() {\n  ret void\n}');
  expect(messages(outcome)).toEqual(["'f' is defined in 'b.c' and in 'a.c'"]);
  expect(messages(link('@f = global i32 1', 'declare void @f()'))).toEqual([
    "'f' is a function in 'b.c' but a variable in 'a.c'",
  ]);
});

test('the program may define what the library defines', () => {
  const library = { library: 'define i32 @f() {\n  ret i32 2\n}\ndefine i32 @g() {\n  ret i32 3\n}' };
  const module = checked(link('define i32 @f() {\n  ret i32 1\n}\ndeclare i32 @g()', library));
  expect(writeModule(module)).toContain('ret i32 1');
  expect(writeModule(module)).not.toContain('ret i32 2');
  expect(writeModule(module)).toContain('define weak_odr i32 @g');
});

test('structs of one name stay distinct, module flags and compilers are listed once, compile units are combined', () => {
  const unit = `
%struct.s = type { i32, i32 }
@p = internal global %struct.s zeroinitializer
!llvm.module.flags = !{!0, !1}
!llvm.ident = !{!2}
!llvm.dbg.cu = !{!3}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = !{i32 1, !"wchar_size", i32 4}
!2 = !{!"clang"}
!3 = distinct !DICompileUnit(language: DW_LANG_C11, file: !4, emissionKind: FullDebug)
!4 = !DIFile(filename: "a.c", directory: ".")
`;
  const module = checked(link(unit, unit));
  expect(module.structs.map(({ name }) => name)).toEqual(['struct.s', 'struct.s.1']);
  expect(module.namedMetadata.get('llvm.module.flags')).toHaveLength(2);
  expect(module.namedMetadata.get('llvm.ident')).toHaveLength(1);
  expect(module.namedMetadata.get('llvm.dbg.cu')).toHaveLength(2);
});

test('modules for different targets are rejected', () => {
  const outcome = link('target triple = "wasm64-unknown-unknown"', 'target triple = "x86_64-pc-linux-gnu"');
  expect(messages(outcome)[0]).toContain("the target triple 'x86_64-pc-linux-gnu'");
});

test('symbols that are unreachable from the roots are dropped', () => {
  const module = checked(
    link(`@used = global ptr @deep
          @unused = global ptr @f
          @llvm.used = appending global [1 x ptr] [ptr @kept]
          define void @deep() {\n  ret void\n}
          define void @kept() {\n  ret void\n}
          define void @f() {\n  ret void\n}
          define ptr @main() {\n  ret ptr @used\n}`),
  );
  dropUnreachable(module, ['main']);
  expect([...globalsOf(module)].map(({ name }) => name).sort()).toEqual([
    'deep',
    'kept',
    'llvm.used',
    'main',
    'used',
  ]);
});
