/**
 * The flags of gcc and clang that are accepted and ignored: they choose how code is generated,
 * which does not apply here. A flag that is neither here nor handled elsewhere is unknown, and an
 * error as for gcc.
 *
 * The words are those after `-f`, `-fno-`, `-m` and `-mno-`.
 */

/** After `-f` or `-fno-`, up to an `=`. */
const codeGeneration = new Set(
  `PIC pic PIE pie plt lto fat-lto-objects use-linker-plugin linker-plugin whole-program
  stack-protector stack-protector-all stack-protector-strong stack-protector-explicit stack-clash-protection
  stack-check split-stack cf-protection hardened sanitize sanitize-recover sanitize-trap sanitize-address-use-after-scope
  sanitize-undefined-trap-on-error zero-call-used-regs trivial-auto-var-init auto-var-init
  strict-aliasing strict-overflow delete-null-pointer-checks aggressive-loop-optimizations
  omit-frame-pointer omit-leaf-frame-pointer optimize-sibling-calls inline inline-functions inline-small-functions
  inline-functions-called-once inline-limit early-inlining partial-inlining keep-inline-functions keep-static-functions
  keep-static-consts unroll-loops unroll-all-loops peel-loops rename-registers schedule-insns schedule-insns2
  tree-vectorize tree-slp-vectorize tree-loop-vectorize tree-pre tree-ter tree-dce tree-sra vectorize slp-vectorize vect-cost-model
  gcse gcse-las gcse-sm gcse-after-reload crossjumping if-conversion if-conversion2 thread-jumps reorder-blocks
  reorder-blocks-and-partition reorder-functions reorder-blocks-algorithm toplevel-reorder unit-at-a-time
  ivopts prefetch-loop-arrays move-loop-invariants web ipa-cp ipa-cp-clone ipa-sra ipa-icf ipa-pta ipa-ra ipa-modref
  merge-constants merge-all-constants section-anchors function-sections data-sections
  align-functions align-jumps align-loops align-labels
  fast-math finite-math-only unsafe-math-optimizations associative-math reciprocal-math signed-zeros trapping-math
  math-errno rounding-math signaling-nans excess-precision float-store fp-contract cx-limited-range
  single-precision-constant fp-model fp-int-builtin-inexact
  exceptions non-call-exceptions unwind-tables asynchronous-unwind-tables rtti dwarf2-cfi-asm
  visibility visibility-inlines-hidden semantic-interposition common tls-model emulated-tls leading-underscore
  asm gnu-tm openmp openmp-simd openacc profile-arcs test-coverage profile-use profile-generate profile-correction
  profile-update profile-dir branch-probabilities coverage-mapping profile-instr-generate profile-instr-use
  diagnostics-color diagnostics-show-option diagnostics-show-caret diagnostics-format diagnostics-show-location
  diagnostics-absolute-paths diagnostics-urls diagnostics-generate-patch diagnostics-parseable-fixits color-diagnostics message-length
  max-errors error-limit macro-backtrace-limit track-macro-expansion show-column caret-diagnostics ansi-escape-codes
  debug-prefix-map macro-prefix-map file-prefix-map canon-prefix-map record-gcc-switches record-command-line ident verbose-asm
  debug-types-section eliminate-unused-debug-types eliminate-unused-debug-symbols var-tracking var-tracking-assignments
  debug-compilation-dir standalone-debug limit-debug-info
  working-directory directives-only preprocessed input-charset exec-charset extended-identifiers
  builtin freestanding hosted signed-char unsigned-char short-enums short-wchar signed-bitfields unsigned-bitfields pack-struct
  ms-extensions plan9-extensions gnu89-inline strict-flex-arrays wrapv wrapv-pointer trapv blocks
  permissive strict-volatile-bitfields isolate-erroneous-paths-dereference isolate-erroneous-paths-attribute
  analyzer function-cse caller-saves forward-propagate expensive-optimizations stdarg-opt devirtualize
  code-hoisting tree-tail-merge tree-switch-conversion jump-tables allow-store-data-races conserve-stack
  integrated-as integrated-cc1 use-init-array assume-sane-operator-new spell-checking pch-preprocess pch-deps
  time-report mem-report stack-usage callgraph-info instrument-functions patchable-function-entry dump-rtl-all
  save-optimization-record optimization-record-file new-infallible modules crash-diagnostics
  assumptions random-seed compare-debug checking plugin live-patching ira-loop-pressure ira-region sched-pressure no-threadsafe-statics
  threadsafe-statics gnu-unique zero-initialized-in-bss ctor-dtor-reorder stack-reuse store-merging
  tree-loop-distribute-patterns tree-loop-distribution tree-loop-im tree-loop-ivcanon split-loops unswitch-loops predictive-commoning
  printf-return-value optimize-strlen tree-vrp tree-fre tree-ccp sched-interblock modulo-sched cse-follow-jumps`.split(
    /\s+/,
  ),
);

/** After `-m` or `-mno-`, up to an `=`. */
const machine =
  /^(arch|tune|cpu|fpu|float-abi|abi|64|little-endian|sse.*|ssse3|avx.*|mmx|3dnow|aes|pclmul|popcnt|abm|bmi2?|lzcnt|fma4?|f16c|sha|sha512|adx|rdrnd|rdseed|movbe|cx16|xsave.*|fxsr|prfchw|rtm|hle|fsgsbase|clflushopt|clwb|crc32|gfni|vaes|vpclmulqdq|red-zone|stackrealign|preferred-stack-boundary|incoming-stack-boundary|accumulate-outgoing-args|omit-leaf-frame-pointer|cmodel|fpmath|hard-float|recip|tls-dialect|tls-direct-seg-refs|ieee-fp|align-double|align-stringops|inline-all-stringops|inline-stringops-dynamically|memcpy-strategy|memset-strategy|general-regs-only|fentry|record-mcount|nop-mcount|indirect-branch.*|function-return|retpoline.*|shstk|direct-extern-access|prefer-vector-width|vzeroupper|branch-protection|outline-atomics|strict-align|unaligned-access|long-double-(64|80|128)|sahf|push-args|stack-protector-guard.*|relax|llvm)$/;

/** Whether gcc or clang knows the flag and it has no effect here. */
export function meansNothing(flag: string): boolean {
  const code = /^-f(?:no-)?([^=]+)/.exec(flag)?.[1];
  if (code !== undefined) return codeGeneration.has(code) || codeGeneration.has(`no-${code}`);
  const target = /^-m(?:no-)?([^=]+)/.exec(flag)?.[1];
  if (target !== undefined) return machine.test(target);
  return others.test(flag);
}

const others =
  /^(-g.*|-pipe|-Q|-s|-rdynamic|-(no-)?(static-)?pie|-static-libgcc|-shared-libgcc|-static-libasan|-p|-pg|-coverage|--coverage|-save-temps(=.*)?|-time|-integrated-as|-no-integrated-cpp|-nostdinc|-nostartfiles|-nodefaultlibs|-nostdlib|-nolibc|-trigraphs|-traditional(-cpp)?|-Qunused-arguments|-no-canonical-prefixes|-symbolic|-EL|-mthreads|-threads|-ftime-report|-remap|-specs=.*|-fuse-ld=.*|--std=.*|--sysroot=.*|--param=.*|--warn-.*|-Xclang=.*|-rtlib=.*|-unwindlib=.*|-stdlib=.*|--gcc-toolchain=.*|-dA|-dp|-dumpdir=.*)$/;

/** `-lNAME`: parts of the C library that other systems keep in files of their own. */
export const builtInLibraries: ReadonlySet<string> = new Set(
  'c m pthread dl rt util crypt resolv nsl anl gcc gcc_s gcc_eh atomic ssp intl xnet bsd-compat bsd'.split(
    ' ',
  ),
);
