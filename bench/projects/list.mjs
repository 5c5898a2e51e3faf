/**
 * Real projects with their own build files and test suites, as in Debian's source
 * packages.
 *
 * - `configure`, `build`, `clean` and `test` are commands of a shell, run in the folder of the
 *   sources with `CC` set. `build` follows `configure` or `clean`.
 * - `findings` are the expected ones, each with the result of reading the source or of running
 *   another tool. Any other finding is new.
 * - `isQuick`: the long test builds it, too.
 *
 * @typedef {{
 *   name: string, by: string, configure?: string, build: string, clean: string, test: string,
 *   isQuick?: boolean, findings?: { code: string, at: string, verified: string }[], fails?: string,
 * }} Project
 */

const cmake = (flags = '') =>
  `cmake -S . -B rz-build -DCMAKE_C_COMPILER="$CC_ONE" -DCMAKE_BUILD_TYPE=Release ${flags}`;

/** @type {Project[]} */
export const projects = [
  {
    name: 'zlib',
    by: 'its own configure, make',
    configure: './configure --static',
    build: 'make -j2',
    clean: 'make clean',
    test: 'make teststatic',
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
  },
  {
    name: 'lua5.4',
    by: 'make',
    build: 'make -j2 -C src CC="$CC -std=gnu99" linux-noreadline',
    clean: 'make -C src clean',
    test: 'src/lua -v && src/lua "$RZ_LISTS/sort.lua"',
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
    configure: cmake('-DUTF8PROC_ENABLE_TESTING=Off'),
    build:
      'cmake --build rz-build -j2 && for t in custom iterate misc valid; do $CC -O2 -I. test/$t.c test/tests.c rz-build/libutf8proc.a -o rz-build/$t || exit; done',
    clean: 'cmake --build rz-build --target clean',
    test: 'for t in custom iterate misc valid; do rz-build/$t || exit; done',
  },
  {
    name: 'lz4',
    by: 'make',
    isQuick: true,
    build: 'make -j2 -C programs CC="$CC" lz4',
    clean: 'make clean',
    test: 'programs/lz4 -9 -f lib/lz4hc.c rz.lz4 && programs/lz4 -d -f rz.lz4 rz.out && cmp lib/lz4hc.c rz.out && programs/lz4 -t rz.lz4',
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
    isQuick: true,
    configure: cmake('-DCMARK_SHARED=Off -DCMARK_TESTS=Off'),
    build: 'cmake --build rz-build -j2',
    clean: 'cmake --build rz-build --target clean',
    test: 'rz-build/src/cmark changelog.txt > rz.html && rz-build/src/cmark -t latex README.md > rz.tex',
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
];
