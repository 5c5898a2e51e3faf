/**
 * Real projects with their own build files and test suites, as in Debian's source packages and in
 * npm packages.
 *
 * - `configure`, `build`, `clean` and `test` are commands of a shell, run in the folder of the
 *   sources with `CC` set. `build` follows `configure` or `clean`.
 * - `findings` are the expected ones, each with the result of reading the source or of running
 *   another tool. Any other finding is new.
 * - `work` runs a program of the project for longer than its tests do natively; the slowdown is
 *   measured with it. `input` makes its files before that, and is not measured.
 * - `fails` names the step that fails, for a known reason.
 * - `npm`: the folder of the sources in `bench/real/node_modules`, and their version.
 * - `isQuick`: the long test builds it, too.
 *
 * @typedef {{
 *   name: string, by: string, configure?: string, build: string, clean: string, test: string,
 *   npm?: { folder: string, version: string }, input?: string, work?: string, isQuick?: boolean, findings?: { code: string, at: string, verified: string }[], fails?: string,
 * }} Project
 */

const cmake = (flags = '') =>
  `cmake -S . -B rz-build -DCMAKE_C_COMPILER="$CC_ONE" -DCMAKE_BUILD_TYPE=Release ${flags}`;

/**
 * Writes the sources of the project to `rz.txt`, again and again.
 *
 * @param {number} bytes
 */
const text = bytes =>
  `cat $(find . -name "*.[ch]") > rz.one && while [ $(wc -c < rz.one) -lt ${bytes} ]; do cat rz.one rz.one > rz.txt && mv rz.txt rz.one; done && head -c ${bytes} rz.one > rz.txt`;

/** @type {Project[]} */
export const projects = [
  {
    name: 'zlib',
    by: 'its own configure, make',
    configure: './configure --static',
    build: 'make -j2',
    clean: 'make clean',
    test: 'make teststatic',
    input: text(16e6),
    work: './minigzip < rz.txt > rz.gz && ./minigzip -d < rz.gz | cmp - rz.txt',
    findings: [
      {
        code: 'uninitialized-read',
        at: 'deflate.c:215',
        verified: 'the comment there says that `prev[n]` is garbage and that its value is never used',
      },
    ],
  },
  {
    name: 'bzip2',
    by: 'make',
    isQuick: true,
    build: 'make -j2 CC="$CC" bzip2 bzip2recover',
    clean: 'make clean',
    test: 'make CC="$CC" test',
    input: text(2e6),
    work: './bzip2 < rz.txt > rz.bz2 && ./bzip2 -d < rz.bz2 | cmp - rz.txt',
  },
  {
    name: 'lua5.4',
    by: 'make',
    build: 'make -j2 -C src CC="$CC -std=gnu99" linux-noreadline',
    clean: 'make -C src clean',
    test: 'src/lua -v && src/lua "$RZ_LISTS/sort.lua"',
    work: 'src/lua "$RZ_LISTS/sort.lua" 100000',
  },
  {
    name: 'cjson',
    by: 'CMake',
    configure: cmake('-DENABLE_CJSON_UTILS=On'),
    build: 'cmake --build rz-build -j2',
    clean: 'cmake --build rz-build --target clean',
    test: 'cd rz-build && ctest --output-on-failure',
  },
  {
    name: 'http-parser',
    by: 'make',
    build: 'make CC="$CC" test_g',
    clean: 'make clean',
    test: './test_g',
  },
  {
    name: 'libyaml',
    by: 'CMake',
    configure: cmake('-DBUILD_SHARED_LIBS=Off'),
    build: 'cmake --build rz-build -j2',
    clean: 'cmake --build rz-build --target clean',
    test: 'cd rz-build && ctest --output-on-failure',
    findings: [
      {
        code: 'memory-leak',
        at: 'api.c:33',
        verified: 'a test initializes 42 parsers and deletes none; LeakSanitizer reports the same blocks',
      },
    ],
  },
  {
    name: 'expat',
    by: 'CMake',
    configure: `cd expat && ${cmake('-DEXPAT_SHARED_LIBS=Off -DEXPAT_BUILD_DOCS=Off -DEXPAT_BUILD_PKGCONFIG=Off')}`,
    build: 'cmake --build expat/rz-build -j2 --target runtests',
    clean: 'cmake --build expat/rz-build --target clean',
    test: 'expat/rz-build/tests/runtests',
  },
  {
    name: 'utf8proc',
    by: 'CMake',
    isQuick: true,
    configure: cmake('-DUTF8PROC_ENABLE_TESTING=Off'),
    build:
      'cmake --build rz-build -j2 && for t in custom iterate misc valid; do $CC -O2 -I. test/$t.c test/tests.c rz-build/libutf8proc.a -o rz-build/$t || exit; done',
    clean: 'cmake --build rz-build --target clean',
    test: 'for t in custom iterate misc valid; do rz-build/$t || exit; done',
  },
  {
    name: 'lz4',
    by: 'make',
    build: 'make -j2 -C programs CC="$CC" lz4',
    clean: 'make clean',
    test: 'programs/lz4 -9 -f lib/lz4hc.c rz.lz4 && programs/lz4 -d -f rz.lz4 rz.out && cmp lib/lz4hc.c rz.out && programs/lz4 -t rz.lz4',
    input: text(2e6),
    work: 'programs/lz4 -9 -f rz.txt rz.lz4 && programs/lz4 -d -f rz.lz4 rz.out && cmp rz.txt rz.out',
  },
  {
    name: 'jansson',
    by: 'CMake',
    configure: cmake('-DJANSSON_BUILD_DOCS=Off'),
    build: 'cmake --build rz-build -j2',
    clean: 'cmake --build rz-build --target clean',
    test: 'cd rz-build && ctest --output-on-failure',
  },
  {
    name: 'json-c',
    by: 'CMake',
    configure: cmake('-DBUILD_SHARED_LIBS=Off -DDISABLE_WERROR=On'),
    build: 'cmake --build rz-build -j2',
    clean: 'cmake --build rz-build --target clean',
    test: 'cd rz-build && ctest --output-on-failure',
  },
  {
    name: 'cmark',
    by: 'CMake',
    configure: cmake('-DCMARK_SHARED=Off -DCMARK_TESTS=Off'),
    build: 'cmake --build rz-build -j2',
    clean: 'cmake --build rz-build --target clean',
    test: 'rz-build/src/cmark changelog.txt > rz.html && rz-build/src/cmark -t latex README.md > rz.tex',
    input: 'for i in $(seq 500); do cat README.md changelog.txt; done > rz.md',
    work: 'rz-build/src/cmark rz.md > rz.html',
  },
  {
    name: 'libtommath',
    by: 'make',
    build: 'make -j2 CC="$CC" test_standalone',
    clean: 'make clean',
    test: './test mp_add mp_sub mp_mul mp_div mp_gcd mp_exptmod',
  },
  {
    name: 'gzip',
    by: 'autoconf, automake',
    configure: './configure --disable-dependency-tracking',
    build: 'make -j2',
    clean: 'make clean',
    test: 'make check',
  },
  {
    name: 'libogg',
    by: 'autoconf, automake, libtool',
    configure: './configure --disable-shared',
    build: 'make -j2',
    clean: 'make clean',
    test: 'make check',
    findings: [291, 293, 316, 396, 398, 433].map(line => ({
      code: 'shift-out-of-bounds',
      at: `bitwise.c:${line}`,
      verified: 'a byte is shifted into the sign bit; gcc -fsanitize=undefined reports the same line',
    })),
  },
  {
    name: 'lzo2',
    by: 'autoconf, automake, libtool',
    configure: './configure --disable-asm',
    build: 'make -j2',
    clean: 'make clean',
    test: 'make check',
  },
  {
    name: 'libconfig',
    by: 'autoconf, automake, libtool',
    configure: './configure --disable-cxx --disable-shared',
    build: 'make -j2',
    clean: 'make clean',
    test: 'make check',
  },
  {
    name: 'mawk',
    by: 'autoconf',
    configure: './configure --with-builtin-srand --with-builtin-regex',
    build: 'make',
    clean: 'make clean',
    test: 'make check',
  },
  {
    name: 'giflib',
    by: 'make',
    build:
      'make -j2 CC="$CC" libgif.a libutil.a gif2rgb gifbuild giffix giftext giftool gifclrmp gifecho giffilter gifinto gifsponge gifwedge',
    clean: 'make clean',
    test: 'make -C tests',
  },
  {
    name: 'libonig',
    by: 'CMake',
    configure: cmake('-DBUILD_SHARED_LIBS=Off -DBUILD_TEST=On'),
    build: 'cmake --build rz-build -j2',
    clean: 'cmake --build rz-build --target clean',
    test: 'cd rz-build && ctest --output-on-failure',
  },
  {
    name: 'yajl',
    by: 'CMake',
    configure: cmake(),
    build: 'cmake --build rz-build -j2',
    clean: 'cmake --build rz-build --target clean',
    test: 'cd test/parsing && ./run_tests.sh ../../rz-build/test/parsing/yajl_test',
  },
  {
    name: 'jsmn',
    by: 'make',
    isQuick: true,
    build: 'make CC="$CC -O2" jsondump',
    clean: 'make clean && rm -f jsondump',
    test: 'make CC="$CC" test && ./jsondump < library.json',
    input: `seq 8000 | sed 's/.*/{"a": [1, &], "b": null}/' > rz.json`,
    work: './jsondump < rz.json > rz.out',
    findings: [
      {
        code: 'memory-leak',
        at: 'jsondump.c:15',
        verified: 'the example ends without freeing its tokens; LeakSanitizer reports the same blocks',
      },
    ],
  },
  {
    name: 'liblzf',
    by: 'autoconf',
    isQuick: true,
    configure: './configure',
    build: 'make',
    clean: 'make clean',
    test: './lzf -c < lzf.c > rz.lzf && ./lzf -d < rz.lzf | cmp - lzf.c',
    input: text(16e6),
    work: './lzf -c < rz.txt > rz.lzf && ./lzf -d < rz.lzf | cmp - rz.txt',
    findings: [153, 154].map(line => ({
      code: 'uninitialized-read',
      at: `lzf_c.c:${line}`,
      verified: 'the hash table is not cleared, on purpose (INIT_HTAB); Valgrind reports the same lines',
    })),
  },
  {
    name: 'tinycdb',
    by: 'make',
    isQuick: true,
    build: 'make CC="$CC" LD="$CC" cdb',
    clean: 'make realclean',
    test: 'make CC="$CC" LD="$CC" check',
    input: 'seq 200000 | sed "s/$/ value/" > rz.txt',
    work: './cdb -c -m rz.cdb rz.txt && ./cdb -d -m rz.cdb | cmp - rz.txt',
    findings: [
      {
        code: 'memory-leak',
        at: 'cdb.c:394',
        verified: 'a file name is never freed; LeakSanitizer reports the same block',
      },
    ],
  },
  {
    name: 'figlet',
    by: 'make',
    isQuick: true,
    build: 'make CC="$CC" LD="$CC" figlet',
    clean: 'make clean',
    test: 'for t in "003 -w80" "007 -r" "009 -k" "011 -o" "022 -w5"; do set -- $t; f=tests/input.txt; [ $1 = 003 ] && f=tests/longtext.txt; cat $f | ./figlet -d fonts $2 | cmp - tests/res$1.txt || exit; done',
    input: 'for i in $(seq 200); do cat tests/longtext.txt; done > rz.txt',
    work: './figlet -d fonts < rz.txt > rz.out',
  },
  {
    name: 'par',
    by: 'make',
    isQuick: true,
    build: 'make -f protoMakefile CC="$CC -c" LINK1="$CC" LINK2=-o O=.o E= RM="rm -f" JUNK=',
    clean: 'make -f protoMakefile clean RM="rm -f" O=.o E= JUNK=',
    test: './test-par ./par',
    // Three of its 39 tests make a locale of ISO 8859; the C library has C and C.UTF-8.
    fails: 'test',
    findings: [
      {
        code: 'memory-leak',
        at: 'charset.c:102',
        verified: 'sets of characters are not freed at the end; LeakSanitizer reports the same blocks',
      },
    ],
    input: 'for i in $(seq 20); do cat par.doc; done > rz.txt',
    work: './par < rz.txt > rz.out',
  },
  {
    name: 'ncompress',
    by: 'make',
    isQuick: true,
    build: 'make CC="$CC"',
    clean: 'make clean',
    test: 'make check',
    input: text(16e6),
    work: './compress -c rz.txt > rz.Z && ./compress -dc < rz.Z | cmp - rz.txt',
  },
  {
    name: 'libscrypt',
    by: 'make, with a shared library',
    build: 'make CC="$CC" CFLAGS="-O2 -Wall -g -fPIC" reference',
    clean: 'make clean',
    test: './reference',
  },
  {
    name: 'zopfli',
    by: 'make',
    build: 'make -j2 CC="$CC" zopfli',
    clean: 'make clean',
    test: './zopfli -c --i1 src/zopfli/util.c | gzip -d | cmp - src/zopfli/util.c',
    input: 'cat src/zopfli/*.c > rz.txt',
    work: './zopfli -c rz.txt | gzip -d | cmp - rz.txt',
    findings: [
      {
        code: 'misaligned-access',
        at: 'lz77.c:304',
        verified: 'bytes are compared as size_t at any address; gcc -fsanitize=undefined reports the line',
      },
    ],
  },
  {
    name: 'brotli',
    by: 'CMake',
    configure: cmake('-DBUILD_SHARED_LIBS=Off'),
    build: 'cmake --build rz-build -j2',
    clean: 'cmake --build rz-build --target clean',
    test: 'cd rz-build && ctest --output-on-failure',
  },
  {
    name: 'tinyscheme',
    by: 'make',
    build: 'make CC="$CC" scheme',
    clean: 'make clean',
    test: `echo '(define (f n) (if (< n 2) n (+ (f (- n 1)) (f (- n 2))))) (display (f 15))' > rz.scm && ./scheme rz.scm | grep -q 610`,
    work: `echo '(define (f n) (if (< n 2) n (+ (f (- n 1)) (f (- n 2))))) (display (f 21))' > rz.scm && ./scheme rz.scm | grep -q 10946`,
    findings: [
      {
        code: 'uninitialized-read',
        at: 'scheme.c:214',
        verified: 'the flags of a sink are read before they are set; Valgrind reports its caller, line 2580',
      },
      {
        code: 'memory-leak',
        at: 'scheme.c:971',
        verified: 'the name of a loaded file is not freed; LeakSanitizer reports the same block',
      },
    ],
  },
  {
    name: 'mujs',
    by: 'make',
    build: 'make HAVE_READLINE=no CC="$CC" build/release/mujs',
    clean: 'make clean',
    test: `echo 'function f(n) { return n < 2 ? n : f(n-1) + f(n-2) } print(f(15), [3,1,2].sort(), "abc".replace(/b/, "x"), JSON.stringify([{a: /x/g}]))' > rz.js && build/release/mujs rz.js | grep -q '610 1,2,3 axc'`,
    work: `echo 'function f(n) { return n < 2 ? n : f(n-1) + f(n-2) } print(f(25))' > rz.js && build/release/mujs rz.js | grep -q 75025`,
  },
  {
    name: 'byacc',
    by: 'autoconf',
    configure: './configure',
    build: 'make',
    clean: 'make clean',
    test: './yacc -b rz test/calc.y && gcc -fsyntax-only -w rz.tab.c && ./yacc -g -o rz.tab.c test/grammar.y',
    findings: [
      {
        code: 'use-after-free',
        at: 'main.c:827',
        verified: 'with -o and -g a freed file name is printed; AddressSanitizer reports the same line',
      },
    ],
  },
  {
    name: 'npm-lz4',
    by: 'make, from the npm package lz4',
    npm: { folder: 'lz4/deps/lz4', version: '1.9.2' },
    isQuick: true,
    build: 'make -j2 -C programs CC="$CC" lz4',
    clean: 'make clean',
    test: 'programs/lz4 -9 -f lib/lz4hc.c rz.lz4 && programs/lz4 -d -f rz.lz4 rz.out && cmp lib/lz4hc.c rz.out && programs/lz4 -t rz.lz4',
    input: text(2e6),
    work: 'programs/lz4 -9 -f rz.txt rz.lz4 && programs/lz4 -d -f rz.lz4 rz.out && cmp rz.txt rz.out',
  },
  {
    name: 'npm-lz4-meson',
    by: 'Meson, from the npm package lz4',
    npm: { folder: 'lz4/deps/lz4', version: '1.9.2' },
    configure: 'CC="$CC_ONE" meson setup rz-build contrib/meson -Dbin_programs=true -Dbin_tests=true',
    build: 'ninja -C rz-build',
    clean: 'ninja -C rz-build -t clean',
    test: 'rz-build/tests/datagen -g100000 > rz.txt && rz-build/programs/lz4 -f rz.txt rz.lz4 && rz-build/programs/lz4 -d -f rz.lz4 rz.out && cmp rz.txt rz.out',
  },
  {
    name: 'npm-zopfli',
    by: 'make, from the npm package node-zopfli-es',
    npm: { folder: 'node-zopfli-es/zopfli', version: '1.0.3' },
    isQuick: true,
    build: 'make -j2 CC="$CC" zopfli',
    clean: 'make clean',
    test: './zopfli -c --i1 src/zopfli/util.c | gzip -d | cmp - src/zopfli/util.c',
    input: 'cat src/zopfli/*.c > rz.txt',
    work: './zopfli -c rz.txt | gzip -d | cmp - rz.txt',
    findings: [
      {
        code: 'misaligned-access',
        at: 'lz77.c:304',
        verified: 'bytes are compared as size_t at any address; gcc -fsanitize=undefined reports the line',
      },
    ],
  },
  {
    name: 'npm-expat',
    by: 'autoconf, from the npm package node-expat',
    npm: { folder: 'node-expat/deps/libexpat', version: '2.2.1' },
    configure: 'sh configure --disable-shared',
    build: 'make -j2 buildlib tests/runtests',
    clean: 'make clean',
    test: 'tests/runtests',
    findings: [
      'minicheck.c:29',
      'runtests.c:2797',
      'xmlparse.c:886',
      'xmlparse.c:4929',
      'xmlparse.c:6799',
    ].map(at => ({
      code: 'memory-leak',
      at,
      verified: 'its tests do not free what they make; LeakSanitizer reports the same five lines',
    })),
  },
  {
    name: 'npm-lua',
    by: 'make, from the npm package lua.vm.js',
    npm: { folder: 'lua.vm.js/lua', version: '5.2.4' },
    build: 'make -j2 -C src CC="$CC" generic',
    clean: 'make -C src clean',
    test: 'src/lua -v && src/lua "$RZ_LISTS/sort.lua"',
    work: 'src/lua "$RZ_LISTS/sort.lua" 100000',
  },
  {
    name: 'npm-duktape',
    by: 'make, from the npm package duktape',
    npm: { folder: 'duktape/lib/duktape', version: '1.3.0' },
    build: 'make -f Makefile.cmdline CC="$CC" duk',
    clean: 'rm -f duk',
    test: './duk mandel.js',
    findings: [
      {
        code: 'shift-out-of-bounds',
        at: 'duk_hthread_builtins.c:139',
        verified: '31 << 27 has a one in the sign bit of an int, which C11 6.5.7 leaves undefined',
      },
    ],
  },
];
