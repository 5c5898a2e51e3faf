/**
 * The target, and the flags of clang's front end (`clang -cc1`) for it.
 *
 * The driver is not used: it would spawn processes, and runs the front end only to parse its own
 * output. These are the flags that it would pass for `--target=wasm64-unknown-unknown`, and why
 * some differ:
 * - `-fmath-errno`: `sin` stays a call to `sin`, which libc defines, and does not become an
 *   intrinsic that the code generator turns into a call after linking.
 * - `-ffp-contract=off`: `a * b + c` rounds twice, as on common machines.
 * - `-fno-optimize-sibling-calls`: LLVM 22 miscompiles a self-recursive call that becomes a loop
 *   when a struct is passed by value (the copy for the next round overwrites an argument that is
 *   still needed; `tests/wasm-lowering.test.ts` has one). Infinite recursion must also remain
 *   visible.
 * - `__unix__`, `__linux__`: the C library is that of a POSIX system with extensions of Linux, and
 *   programs test for these macros. The others are glibc's: every header of it defines
 *   `__WORDSIZE`, and gcc reads its `stdc-predef.h` first.
 * - `-fdebug-compilation-dir=.` and `-source-date-epoch 0`: the result depends on the source alone.
 */
import { runtimeMount } from './includes.js';

/**
 * Exceptions carry setjmp (docs/decisions/0007); each function's IR names its features, so C must
 * have them too.
 */
const features = [
  '+bulk-memory',
  '+nontrapping-fptoint',
  '+sign-ext',
  '+mutable-globals',
  '+exception-handling',
].flatMap(feature => ['-target-feature', feature]);

const target = [
  ...['-triple', 'wasm64-unknown-unknown', '-target-cpu', 'generic', ...features],
  ...['-mrelocation-model', 'static', '-mframe-pointer=none', '-fvisibility=hidden'],
  ...['-disable-free', '-clear-ast-before-backend'],
];

/**
 * Diagnostics that are warnings in gcc 12 and errors in clang: old programs have many. Their
 * consequences are found at run time. `-Werror=int-conversion` turns it into an error again,
 * `-Wno-int-conversion` silences it. Clangs before 19 do not know `return-mismatch`.
 */
const relaxed = [
  'implicit-function-declaration',
  'implicit-int',
  'incompatible-function-pointer-types',
  'incompatible-pointer-types',
  'int-conversion',
].map(name => `-Wno-error=${name}`);

/**
 * clang has intrinsics for these, which explore does not support and WebAssembly has no code for.
 */
const calls = [
  ...['modf', 'modff', 'modfl', 'fmaximuml', 'fminimuml'],
  ...['fmaximum_num', 'fmaximum_numf', 'fmaximum_numl'],
  ...['fminimum_num', 'fminimum_numf', 'fminimum_numl'],
].map(name => `-fno-builtin-${name}`);

/**
 * Rounds a `va_list` up. In a statement expression it is not a second write for `-Wunsequenced`,
 * where a program has two `va_arg` in one expression.
 */
const toNextSlot = '__extension__({(l)=(void*)((char*)(l)+(-(__UINTPTR_TYPE__)(l)&7));(void)0;})';

/**
 * The address of a new local, as programs compare the depth of their stack by it: without the
 * number of the object, and as far above 0 as on Linux, since they subtract megabytes.
 */
const ownFrame = '(void*)((__extension__(__UINTPTR_TYPE__)&(volatile char){0}&0xffffffff)|0x7ffd00000000)';

/**
 * Builtins that clang has only for other targets. The buffer of `__builtin_setjmp` has five words,
 * of which ours uses no more (runtime/include/setjmp.h); it is declared by names that do not
 * conflict with that header. A return address is the same for every call of a function, and
 * addresses and frames of its callers are unknown. Variable arguments lie in slots of eight bytes
 * (`ir/variadic-slots.ts`), where `__builtin_va_arg` would step by four after an `int`.
 */
const builtins: readonly string[] = [
  `-D__builtin_va_arg(l,t)=(${toNextSlot},__builtin_va_arg(l,t))`,
  '-D__builtin_return_address(n)=((n)?(void*)0:(void*)__func__)',
  `-D__builtin_frame_address(n)=((n)?(void*)0:${ownFrame})`,
  '-D__builtin_setjmp(b)=({extern int __rz_setjmp(void*)__asm__("setjmp")__attribute__((__returns_twice__));__rz_setjmp(b);})',
  '-D__builtin_longjmp(b,v)=({extern void __rz_longjmp(void*,int)__asm__("longjmp")__attribute__((__noreturn__));__rz_longjmp(b,v);})',
];

const macros = [
  ...builtins,
  '-D__unix__=1',
  '-D__unix=1',
  '-D__linux__=1',
  '-D__linux=1',
  '-D__gnu_linux__=1',
  '-D__WORDSIZE=64',
  '-D__STDC_IEC_559__=1',
  '-D__STDC_ISO_10646__=201706L',
];

/** The names that gcc and clang define for Linux unless `-std=` selects strict C. */
export function gnuMacros(flags: readonly string[]): string[] {
  const standard = flags.findLast(flag => flag.startsWith('-std=')) ?? '-std=gnu17';
  return standard.startsWith('-std=gnu') ? ['-Dunix=1', '-Dlinux=1'] : [];
}

/** The warning compares with the largest atomic access of WebAssembly, which no program targets. */
const ofWebAssembly = ['-Wno-atomic-alignment'];

/** The flags for C; the input, the output and the user's own flags are added. */
export const cFlags: readonly string[] = [
  ...target,
  ...['-ffp-contract=off', '-fno-rounding-math', '-fmath-errno', '-mconstructor-aliases'],
  ...['-fno-optimize-sibling-calls', ...calls, ...macros, ...relaxed],
  ...['-Wno-error=return-mismatch', ...ofWebAssembly],
  ...[
    '-debug-info-kind=constructor',
    '-dwarf-version=4',
    '-debugger-tuning=gdb',
    '-fdebug-compilation-dir=.',
  ],
  ...['-resource-dir', '/usr', '-nostdsysteminc'],
  ...['-internal-isystem', `${runtimeMount}/include`, '-internal-isystem', '/usr/include'],
  ...['-ferror-limit', '19', '-fgnuc-version=4.2.1', '-source-date-epoch', '0'],
];

/**
 * The code generator rewrites the callers of setjmp: docs/decisions/0007. For everything that
 * becomes an object file.
 */
export const codeFlags: readonly string[] = ['-mllvm', '-wasm-enable-sjlj', '-exception-model=wasm'];

/**
 * The flags from IR to an object file. `-fno-builtin` has no effect here: attributes of the IR say
 * what LLVM may assume about the library.
 */
export const irFlags: readonly string[] = [...target, ...codeFlags];

/** Unoptimised IR that still has lifetime markers, which `-O0` does not give. */
export const analysisFlags: readonly string[] = ['-O1', '-disable-llvm-passes'];

/** The same for the driver of a system clang, which runs on the real files. */
export function driverFlags(runtimeFolder: string): readonly string[] {
  return [
    '--target=wasm64-unknown-unknown',
    // Not by `-mexception-handling`, with which some versions add features that the embedded clang
    // does not use.
    ...features.flatMap(word => ['-Xclang', word]),
    '-fvisibility=hidden',
    ...['-ffp-contract=off', '-fmath-errno', '-fno-optimize-sibling-calls', ...macros, ...relaxed],
    ...['-g', '-gdwarf-4', '-fdebug-compilation-dir=.'],
    ...['-nostdlibinc', '-isystem', `${runtimeFolder}/include`],
    ...[`-ffile-prefix-map=${runtimeFolder}=${runtimeMount}`],
    ...['-S', '-emit-llvm'],
  ];
}
