/**
 * A test as a C program: it sets the input and calls the program under test.
 *
 * The file includes the program's sources with `main` renamed, and defines the functions through
 * which the program requests inputs (`klee_make_symbolic`, `__VERIFIER_nondet_int`, ...), so that
 * any compiler can build it; only the called ones are defined. The definitions have names that are
 * unlikely to occur in the program, which comes first. Symbolic arguments become an `argv`,
 * symbolic files and standard input real files.
 */
import { shellWords } from '../../support/shell-words.js';
import { isText, scheduleObject, type TestInput } from '../inputs/test-input.js';
import type { SymbolicStart } from '../state/state.js';

export interface SnippetProgram {
  /** Source files, as the user named them. */
  readonly sources: readonly string[];
  /** The flags with which clang compiles them. */
  readonly flags: readonly string[];
  /** `argv`, before the symbolic ones. */
  readonly arguments: readonly string[];
  /** The folder with `klee/klee.h` and `redzone.h`. */
  readonly headers: string;
  /** Names of the functions that the program calls and does not define. */
  readonly called: ReadonlySet<string>;
  readonly symbolic: SymbolicStart;
  /**
   * Undefined if another function replaces `main` (`--entry-point`): then no C program is
   * written.
   */
  readonly entry:
    | 'main()'
    | 'main(argc, argv)'
    | 'main(argc, argv, environ)'
    | 'LLVMFuzzerTestOneInput'
    | undefined;
}

/** The inputs by purpose, judged by their names and by the requesting function. */
interface Sorted {
  readonly symbolicArguments: readonly TestInput[];
  readonly stdin: TestInput | undefined;
  readonly files: readonly TestInput[];
  readonly values: readonly TestInput[];
}

export function cSnippet(program: SnippetProgram, inputs: readonly TestInput[], title: string): string {
  const { symbolicArguments, stdin, files, values } = sort(program, inputs);
  const body = [
    ...files.map(
      ({ name }) => `  redzone_put(${quoted(name)}, ${identifier(name)}, sizeof ${identifier(name)});`,
    ),
    ...(stdin === undefined
      ? []
      : [
          '  redzone_put("stdin.bin", standard_input, sizeof standard_input);',
          '  if (!freopen("stdin.bin", "rb", stdin)) return 1;',
        ]),
    ...callOf(program, symbolicArguments, stdin),
  ];
  const arrays = [
    ...files.map(input => array(identifier(input.name), input.bytes)),
    ...(stdin === undefined ? [] : [array('standard_input', stdin.bytes)]),
    ...symbolicArguments.map((input, i) => array(`argument_${i}`, [...input.bytes, 0])),
    ...values.map((input, i) => array(`input_${i}`, input.bytes, isText(input))),
  ];
  const build = shellWords(['cc', '-I.', ...program.flags, '-idirafter', program.headers]);
  return `/*
 * ${title.replaceAll('*/', '* /')}
 *
 * Build and run where the sources are:   ${build} THIS_FILE -o replay && ./replay
 */
#define main program_main
${program.sources.map(source => `#include ${quoted(source)}`).join('\n')}
#undef main

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

${[...arrays, ...inputFunctions(program, values)].join('\n')}
${files.length > 0 || stdin !== undefined ? putFunction : ''}
int main(void) {
${body.join('\n')}
}
`;
}

function sort({ symbolic }: SnippetProgram, inputs: readonly TestInput[]): Sorted {
  const named = (isWanted: boolean, pattern: RegExp): TestInput[] =>
    isWanted ? inputs.filter(({ name }) => pattern.test(name)) : [];
  const symbolicArguments = named(symbolic.arguments !== undefined, /^arg\d\d$/);
  const counts = named(symbolic.arguments !== undefined, /^n_args$/);
  const stdin = named(symbolic.stdinBytes !== undefined, /^stdin$/);
  const files = named(symbolic.files !== undefined, /^[A-Z]$/);
  const special = new Set<TestInput>([...symbolicArguments, ...counts, ...stdin, ...files]);
  return {
    symbolicArguments,
    stdin: stdin[0],
    files,
    // A compiled program cannot follow a schedule.
    values: inputs.filter(input => !special.has(input) && input.name !== scheduleObject),
  };
}

function callOf(
  { entry, arguments: given }: SnippetProgram,
  symbolicArguments: readonly TestInput[],
  stdin: TestInput | undefined,
): string[] {
  if (entry === 'main()') return ['  return program_main();'];
  if (entry === 'LLVMFuzzerTestOneInput') {
    const data = stdin === undefined ? '(const uint8_t *)"", 0' : 'standard_input, sizeof standard_input';
    return [`  return LLVMFuzzerTestOneInput(${data});`];
  }
  const all = [
    ...given.map(text => `(char[]){${quoted(text)}}`),
    ...symbolicArguments.map((_, i) => `(char *)argument_${i}`),
  ];
  const environment = entry === 'main(argc, argv, environ)' ? ', (char *[]){0}' : '';
  return [
    `  char *argv[] = {${[...all, '0'].join(', ')}};`,
    `  return program_main(${all.length}, argv${environment});`,
  ];
}

const putFunction = `
static void redzone_put(const char *name, const void *bytes, size_t size) {
  FILE *file = fopen(name, "wb");
  if (!file || fwrite(bytes, 1, size, file) != size || fclose(file)) exit(2);
}
`;

// ---------------------------------------------------------------------- functions that give inputs

function inputFunctions({ called }: SnippetProgram, values: readonly TestInput[]): string[] {
  const wanted = [...called].flatMap(name => definitionOf(name) ?? []);
  if (wanted.length === 0) return [];
  const rows = values.map(({ name }, i) => `  {${quoted(name)}, input_${i}, sizeof input_${i}, 0},`);
  return [
    '',
    'static struct { const char *name; const void *bytes; size_t size; int is_used; } redzone_inputs[] = {',
    ...rows,
    '  {0, 0, 0, 0}};',
    '',
    '/* The next input of this name. */',
    'static inline void redzone_input(void *to, size_t size, const char *name) {',
    '  memset(to, 0, size);',
    '  for (size_t i = 0; redzone_inputs[i].name; i++) {',
    '    if (redzone_inputs[i].is_used || strcmp(redzone_inputs[i].name, name)) continue;',
    '    redzone_inputs[i].is_used = 1;',
    '    memcpy(to, redzone_inputs[i].bytes, size < redzone_inputs[i].size ? size : redzone_inputs[i].size);',
    '    return;',
    '  }',
    '}',
    '',
    ...wanted,
  ];
}

const nondetTypes: Readonly<Record<string, string>> = {
  char: 'char',
  schar: 'signed char',
  uchar: 'unsigned char',
  short: 'short',
  ushort: 'unsigned short',
  int: 'int',
  uint: 'unsigned',
  unsigned: 'unsigned',
  long: 'long',
  ulong: 'unsigned long',
  longlong: 'long long',
  ulonglong: 'unsigned long long',
  float: 'float',
  double: 'double',
  size_t: 'size_t',
  int128: '__int128',
  uint128: 'unsigned __int128',
  u8: 'unsigned char',
  u16: 'unsigned short',
  u32: 'unsigned',
  loff_t: 'long long',
  sector_t: 'unsigned long',
  pthread_t: 'unsigned long',
  pchar: 'char *',
  pointer: 'void *',
};

/** Functions that have no effect outside an exploration. */
const hints: readonly string[] = [
  'klee_prefer_cex(void *object, uintptr_t condition)',
  'klee_posix_prefer_cex(void *object, uintptr_t condition)',
  'klee_check_memory_access(const void *address, size_t bytes)',
  'klee_define_fixed_object(void *address, size_t bytes)',
  'klee_mark_global(void *object)',
  'klee_print_expr(const char *message, ...)',
  'klee_warning(const char *message)',
  'klee_warning_once(const char *message)',
  'klee_set_forking(unsigned enable)',
  'klee_open_merge(void)',
  'klee_close_merge(void)',
  'klee_stack_trace(void)',
  'klee_alias_function(const char *name, const char *new_name)',
  '__VERIFIER_atomic_begin(void)',
  '__VERIFIER_atomic_end(void)',
];

/** Functions that return one of the values of their argument, by the suffix of their name. */
const valueTypes: Readonly<Record<string, string>> = {
  f: 'float',
  d: 'double',
  l: 'long',
  ll: 'long long',
  _i32: 'int32_t',
  _i64: 'int64_t',
};

const definitions: Readonly<Record<string, string>> = {
  klee_make_symbolic:
    'void klee_make_symbolic(void *object, size_t bytes, const char *name) { redzone_input(object, bytes, name); }',
  redzone_symbolic:
    'void redzone_symbolic(void *object, size_t bytes, const char *name) { redzone_input(object, bytes, name); }',
  klee_int:
    'int klee_int(const char *name) { int value; redzone_input(&value, sizeof value, name); return value; }',
  klee_range:
    'int klee_range(int begin, int end, const char *name) { int value = begin; if (begin + 1 < end) redzone_input(&value, sizeof value, name); return value; }',
  klee_choose:
    'uintptr_t klee_choose(uintptr_t count) { uintptr_t value; (void)count; redzone_input(&value, sizeof value, "klee_choose"); return value; }',
  klee_assume: 'void klee_assume(uintptr_t condition) { if (!condition) exit(3); }',
  redzone_assume: 'void redzone_assume(int condition) { if (!condition) exit(3); }',
  __VERIFIER_assume: 'void __VERIFIER_assume(int condition) { if (!condition) exit(3); }',
  __VERIFIER_error: 'void __VERIFIER_error(void) { abort(); }',
  reach_error: 'void reach_error(void) { abort(); }',
  __VERIFIER_assert: 'void __VERIFIER_assert(int condition) { if (!condition) abort(); }',
  redzone_fail: 'void redzone_fail(const char *message) { fputs(message, stderr); abort(); }',
  klee_report_error:
    'void klee_report_error(const char *file, int line, const char *message, const char *suffix) { fprintf(stderr, "%s:%d: %s (%s)\\n", file, line, message, suffix); abort(); }',
  klee_abort: 'void klee_abort(void) { abort(); }',
  klee_silent_exit: 'void klee_silent_exit(int status) { exit(status); }',
  klee_is_symbolic: 'unsigned klee_is_symbolic(uintptr_t value) { (void)value; return 0; }',
  klee_is_replay: 'unsigned klee_is_replay(void) { return 1; }',
  klee_get_obj_size: 'size_t klee_get_obj_size(void *object) { return __builtin_object_size(object, 0); }',
  __VERIFIER_nondet_bool:
    '_Bool __VERIFIER_nondet_bool(void) { unsigned char byte; redzone_input(&byte, sizeof byte, "bool"); return byte & 1; }',
  __VERIFIER_nondet_memory:
    'void __VERIFIER_nondet_memory(void *object, size_t bytes) { redzone_input(object, bytes, "memory"); }',
  redzone_is_symbolic: 'int redzone_is_symbolic(uintptr_t value) { (void)value; return 0; }',
  // A native program has no labels.
  redzone_label:
    'void redzone_label(const void *object, size_t bytes, const char *name) { (void)object, (void)bytes, (void)name; }',
  redzone_has_label:
    'int redzone_has_label(const void *object, size_t bytes, const char *name) { (void)object, (void)bytes, (void)name; return 0; }',
  redzone_labels_of:
    'const char *redzone_labels_of(const void *object, size_t bytes) { (void)object, (void)bytes; return ""; }',
  redzone_expect_no_label:
    'void redzone_expect_no_label(const void *object, size_t bytes, const char *name) { (void)object, (void)bytes, (void)name; }',
  redzone_unlabel: 'void redzone_unlabel(const void *object, size_t bytes) { (void)object, (void)bytes; }',
  redzone_secret: 'void redzone_secret(const void *object, size_t bytes) { (void)object, (void)bytes; }',
};

function definitionOf(name: string): string | undefined {
  const [, suffix = ''] = /^__VERIFIER_nondet_(\w+)$/.exec(name) ?? [];
  const type = nondetTypes[suffix];
  if (type !== undefined)
    return `${type} ${name}(void) { ${type} value; redzone_input(&value, sizeof value, "${suffix}"); return value; }`;
  const same = valueTypes[/^klee_get_value(\w+)$/.exec(name)?.[1] ?? ''];
  if (same !== undefined) return `${same} ${name}(${same} value) { return value; }`;
  const hint = hints.find(each => each.startsWith(`${name}(`));
  return hint === undefined ? definitions[name] : `void ${hint} {}`;
}

// -------------------------------------------------------------------------------------------- text

/** Printable characters are shown next to their numbers. */
function array(name: string, bytes: Iterable<number>, isText = false): string {
  const list = Array.from(bytes, byte => `0x${byte.toString(16).padStart(2, '0')}`);
  const characters = Array.from(bytes, byte =>
    byte > 32 && byte < 127 && byte !== 42 ? String.fromCharCode(byte) : '.',
  ).join('');
  const comment = isText ? ` /* ${characters} */` : '';
  return `static unsigned char ${name}[] = {${list.length === 0 ? '0' : list.join(', ')}};${comment}`;
}

const identifier = (file: string): string => `file_${file}`;

/** A string literal of C. */
function quoted(text: string): string {
  const escaped = Array.from(new TextEncoder().encode(text), byte =>
    byte < 32 || byte > 126 || byte === 34 || byte === 92 || byte === 63
      ? `\\${byte.toString(8).padStart(3, '0')}`
      : String.fromCharCode(byte),
  );
  return `"${escaped.join('')}"`;
}
