/**
 * The functions, and the macros that are called like functions, of the C11 library (ISO/IEC
 * 9899:2011, chapter 7).
 */
const words = (text: string): string[] => text.trim().split(/\s+/);

/** Each in the three real types: `sin`, `sinf`, `sinl`. */
const inThreeTypes = (text: string): string[] => words(text).flatMap(name => [name, `${name}f`, `${name}l`]);

export const c11Functions: Readonly<Record<string, readonly string[]>> = {
  assert: ['assert', 'static_assert'],
  complex: [
    ...words('CMPLX CMPLXF CMPLXL'),
    ...inThreeTypes(`cacos casin catan ccos csin ctan cacosh casinh catanh ccosh csinh ctanh cexp clog cabs cpow csqrt carg
      cimag conj cproj creal`),
  ],
  ctype:
    words(`isalnum isalpha isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit tolower
    toupper`),
  fenv: words(`feclearexcept fegetexceptflag feraiseexcept fesetexceptflag fetestexcept fegetround fesetround fegetenv
    feholdexcept fesetenv feupdateenv`),
  inttypes: words('imaxabs imaxdiv strtoimax strtoumax wcstoimax wcstoumax'),
  locale: words('setlocale localeconv'),
  math: [
    ...words(
      'fpclassify isfinite isinf isnan isnormal signbit isgreater isgreaterequal isless islessequal islessgreater',
    ),
    'isunordered',
    ...inThreeTypes(`acos asin atan atan2 cos sin tan acosh asinh atanh cosh sinh tanh exp exp2 expm1 frexp ilogb ldexp log
      log10 log1p log2 logb modf scalbn scalbln cbrt fabs hypot pow sqrt erf erfc lgamma tgamma ceil floor nearbyint rint
      lrint llrint round lround llround trunc fmod remainder remquo copysign nan nextafter nexttoward fdim fmax fmin fma`),
  ],
  setjmp: words('setjmp longjmp'),
  signal: words('signal raise'),
  stdarg: words('va_start va_arg va_copy va_end'),
  stdatomic: [
    ...words(
      'ATOMIC_VAR_INIT atomic_init kill_dependency atomic_thread_fence atomic_signal_fence atomic_is_lock_free',
    ),
    ...words(`atomic_store atomic_load atomic_exchange atomic_compare_exchange_strong atomic_compare_exchange_weak
      atomic_fetch_add atomic_fetch_sub atomic_fetch_or atomic_fetch_xor atomic_fetch_and atomic_flag_test_and_set
      atomic_flag_clear`).flatMap(name => [name, `${name}_explicit`]),
  ],
  stddef: ['offsetof'],
  stdio:
    words(`remove rename tmpfile tmpnam fclose fflush fopen freopen setbuf setvbuf fprintf fscanf printf scanf snprintf
    sprintf sscanf vfprintf vfscanf vprintf vscanf vsnprintf vsprintf vsscanf fgetc fgets fputc fputs getc getchar putc putchar
    puts ungetc fread fwrite fgetpos fseek fsetpos ftell rewind clearerr feof ferror perror`),
  stdlib:
    words(`atof atoi atol atoll strtod strtof strtold strtol strtoll strtoul strtoull rand srand aligned_alloc calloc
    free malloc realloc abort atexit at_quick_exit exit _Exit getenv quick_exit system bsearch qsort abs labs llabs div ldiv
    lldiv mblen mbtowc wctomb mbstowcs wcstombs`),
  string:
    words(`memcpy memmove strcpy strncpy strcat strncat memcmp strcmp strcoll strncmp strxfrm memchr strchr strcspn
    strpbrk strrchr strspn strstr strtok memset strerror strlen`),
  threads:
    words(`call_once cnd_broadcast cnd_destroy cnd_init cnd_signal cnd_timedwait cnd_wait mtx_destroy mtx_init mtx_lock
    mtx_timedlock mtx_trylock mtx_unlock thrd_create thrd_current thrd_detach thrd_equal thrd_exit thrd_join thrd_sleep
    thrd_yield tss_create tss_delete tss_get tss_set`),
  time: words('clock difftime mktime time timespec_get asctime ctime gmtime localtime strftime'),
  uchar: words('mbrtoc16 c16rtomb mbrtoc32 c32rtomb'),
  wchar:
    words(`fwprintf fwscanf swprintf swscanf vfwprintf vfwscanf vswprintf vswscanf vwprintf vwscanf wprintf wscanf fgetwc
    fgetws fputwc fputws fwide getwc getwchar putwc putwchar ungetwc wcstod wcstof wcstold wcstol wcstoll wcstoul wcstoull
    wcscpy wcsncpy wmemcpy wmemmove wcscat wcsncat wcscmp wcscoll wcsncmp wcsxfrm wmemcmp wcschr wcscspn wcspbrk wcsrchr
    wcsspn wcsstr wcstok wmemchr wcslen wmemset wcsftime btowc wctob mbsinit mbrlen mbrtowc wcrtomb mbsrtowcs wcsrtombs`),
  wctype:
    words(`iswalnum iswalpha iswblank iswcntrl iswdigit iswgraph iswlower iswprint iswpunct iswspace iswupper iswxdigit
    iswctype wctype towlower towupper towctrans wctrans`),
};
