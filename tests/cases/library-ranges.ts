/**
 * The functions of the C library that read or write memory which the program gives them: which
 * bytes, by which argument, and whether they must have been written. One line for each function:
 *
 * ```
 *   memcpy >$3 ~$3 5 apart           argument 1 is written, as many bytes as argument 3 says; argument 2 is copied
 *   strcat =text+#2-1 <text apart    argument 1 is a text that is read, and written after its end
 *
 *   <N   N bytes are read and decide something: they must have been written
 *   ~N   N bytes are copied: some may never have been written
 *   >N   N bytes are written
 *   =N   both: they are read, and written as well
 *   !    after N: null is as good as an object
 *   "…"  after `text` or `wide`: the text of the test, `abcd` unless told otherwise
 *
 *   text, wide   up to the zero that ends the text, with it
 *   $3           the value of argument 3
 *   #2           the bytes of the text that argument 2 is
 *   result       the value that the function returns: `result:4` tells what it is for the arguments of the line
 *   apart        the ranges must not overlap
 * ```
 *
 * Null is allowed where C or POSIX says so (`perror`, `setlocale`, `freopen`, `realpath`,
 * `dirname`, states of conversions), or where the machine's library answers EINVAL (`setenv`,
 * `unsetenv`, `newlocale`). Elements of `qsort` are moved, and `bsearch` passes them on: only the
 * program's function reads them, so they may have padding.
 *
 * All else is an argument as the test passes it, in C without spaces, and N is C as well. Lengths
 * are written by arguments and not as the numbers of the test wherever there is a rule, so that a
 * monitor can check ranges where the library is called, and leave the accesses inside it alone.
 */

const text = `
memcpy >$3 ~$3 5 apart
mempcpy >$3 ~$3 5 apart
memmove >$3 ~$3 5
memset >$3 7 5
memset_explicit >$3 7 5
bzero >$2 5
explicit_bzero >$2 5
bcopy ~$3 >$3 5
memcmp <$3 <$3 5
bcmp <$3 <$3 5
memchr <$3 'z' 5
memrchr <$3 'z' 5
rawmemchr <text-1"abz" 'z'
memccpy >$4 <$4 'z' 5 apart
memmem <$2 5 <$4 3
swab ~$3 >$3 4
strcpy >#2 <text apart
stpcpy >#2 <text apart
strncpy >$3 <text 8 apart
stpncpy >$3 <text 8 apart
strlcpy >#2 <text 9 apart
strcat =text+#2-1 <text apart
strncat =text+#2-1 <text 9 apart
strlcat =text+#2-1 <text 20 apart
strlen <text
strnlen <text 9
strcmp <text <text
strncmp <text <text 9
strcasecmp <text <text
strncasecmp <text <text 9
strcasecmp_l <text <text LC_GLOBAL_LOCALE
strncasecmp_l <text <text 9 LC_GLOBAL_LOCALE
strcoll <text <text
strcoll_l <text <text LC_GLOBAL_LOCALE
strxfrm >#2 <text 9 apart
strxfrm_l >#2 <text 9 LC_GLOBAL_LOCALE apart
strverscmp <text <text
strchr <text 'z'
strrchr <text 'z'
strchrnul <text 'z'
index <text 'z'
rindex <text 'z'
strspn <text"aaaa" <text"a"
strcspn <text <text"z"
strpbrk <text <text"z"
strstr <text <text"cde"
strcasestr <text <text"cde"
strnstr <text <text"cde" 9
strtok =text! <text","
strtok_r =text! <text"," save()
strdup <text
strndup <text 9
strerror_r 9999 >19 60
wmemcpy >$3*4 ~$3*4 3 apart
wmempcpy >$3*4 ~$3*4 3 apart
wmemmove >$3*4 ~$3*4 3
wmemset >$3*4 L'x' 3
wmemcmp <$3*4 <$3*4 3
wmemchr <$3*4 L'z' 3
wcscpy >#2 <wide apart
wcpcpy >#2 <wide apart
wcsncpy >$3*4 <wide 8 apart
wcpncpy >$3*4 <wide 8 apart
wcslcpy >#2 <wide 9 apart
wcscat =wide+#2-4 <wide apart
wcsncat =wide+#2-4 <wide 9 apart
wcslcat =wide+#2-4 <wide 20 apart
wcslen <wide
wcsnlen <wide 9
wcsdup <wide
wcscmp <wide <wide
wcsncmp <wide <wide 9
wcscasecmp <wide <wide
wcsncasecmp <wide <wide 9
wcscasecmp_l <wide <wide LC_GLOBAL_LOCALE
wcsncasecmp_l <wide <wide 9 LC_GLOBAL_LOCALE
wcscoll <wide <wide
wcscoll_l <wide <wide LC_GLOBAL_LOCALE
wcsxfrm >#2 <wide 9 apart
wcsxfrm_l >#2 <wide 9 LC_GLOBAL_LOCALE apart
wcschr <wide L'z'
wcsrchr <wide L'z'
wcschrnul <wide L'z'
wcsspn <wide-4"aaab" <wide"a"
wcscspn <wide <wide"z"
wcspbrk <wide <wide"z"
wcsstr <wide <wide"cde"
wcswcs <wide <wide"cde"
wcstok =wide! <wide"," save()
wcswidth <wide 9
wcstol <wide"12" >8! 10
wcstoul <wide"12" >8! 10
wcstoll <wide"12" >8! 10
wcstoull <wide"12" >8! 10
wcstoimax <wide"12" >8! 10
wcstoumax <wide"12" >8! 10
wcstod <wide"1.5" >8!
wcstof <wide"1.5" >8!
wcstold <wide"1.5" >8!
atoi <text"12"
atol <text"12"
atoll <text"12"
atof <text"1.5"
strtol <text"12" >8! 10
strtoul <text"12" >8! 10
strtoll <text"12" >8! 10
strtoull <text"12" >8! 10
strtoimax <text"12" >8! 10
strtoumax <text"12" >8! 10
strtod <text"1.5" >8!
strtof <text"1.5" >8!
strtold <text"1.5" >8!
strtol_l <text"12" >8! 10 LC_GLOBAL_LOCALE
strtoul_l <text"12" >8! 10 LC_GLOBAL_LOCALE
strtoll_l <text"12" >8! 10 LC_GLOBAL_LOCALE
strtoull_l <text"12" >8! 10 LC_GLOBAL_LOCALE
strtod_l <text"1.5" >8! LC_GLOBAL_LOCALE
strtof_l <text"1.5" >8! LC_GLOBAL_LOCALE
strtold_l <text"1.5" >8! LC_GLOBAL_LOCALE
a64l <text
rpmatch <text-1"y"
strfromd >result+1 9 <text"%f" 1.5 result:8
ecvt 1.5 3 >4 >4
fcvt 1.5 3 >4 >4
gcvt 1.5 3 >4
qecvt 1.5L 3 >4 >4
qfcvt 1.5L 3 >4 >4
qgcvt 1.5L 3 >4
ecvt_r 1.5 3 >4 >4 >4 9
fcvt_r 1.5 3 >4 >4 >5 9
qecvt_r 1.5L 3 >4 >4 >4 9
qfcvt_r 1.5L 3 >4 >4 >5 9
nan <text"12"
nanf <text"12"
nanl <text"12"
mblen <text-1"a"! 9
mbtowc >4! <text-1"a"! 9
mbrlen <text-1"a"! 9 0
mbrtowc >4! <text-1"a"! 9 0
mbrtoc16 >2! <text-1"a"! 9 0
mbrtoc32 >4! <text-1"a"! 9 0
wctomb >1! L'a'
wcrtomb >1! L'a' 0
c16rtomb >1! u'a' 0
c32rtomb >1! U'a' 0
mbstowcs >#2*4! <text 9
wcstombs >#2/4! <wide 9
mbsinit <sizeof(mbstate_t)!
getenv <text
secure_getenv <text
setenv <text"NAME"! <text 1
unsetenv <text"NAME"!
qsort ~$2*$3 5 4 by_bytes
qsort_r ~$2*$3 5 4 by_bytes_and 0
heapsort ~$2*$3 5 4 by_bytes
mergesort ~$2*$3 5 4 by_bytes
bsearch buffer ~$3*$4 3 4 by_bytes
lfind buffer ~4 one() 4 by_bytes
lsearch buffer ~4 one() 4 by_bytes
rand_r =4
erand48 =6
nrand48 =6
jrand48 =6
seed48 <6
lcong48 <14
seed48_r <6 >24
lcong48_r <14 >24
arc4random_buf >$2 5
getrandom >$2 5 0
getentropy >$2 5
mkdtemp =text"/nowhere/XXXXXX"
mkstemp =text"/nowhere/XXXXXX"
mktemp =text"/nowhere/XXXXXX"
realpath <text"/nowhere"! 0
frexp 1.5 >4
frexpf 1.5f >4
frexpl 1.5L >4
modf 1.5 >8
modff 1.5f >4
modfl 1.5L >16
canonicalize >8 ~8
canonicalizef >4 ~4
canonicalizel >16 ~16
remquo 3.0 2.0 >4
remquof 3.0f 2.0f >4
remquol 3.0L 2.0L >4
lgamma_r 1.5 >4
lgammaf_r 1.5f >4
lgammal_r 1.5L >4
sincos 1.5 >8 >8
sincosf 1.5f >4 >4
sincosl 1.5L >16 >16
fread >$2*$3 1 4 in()
fread_unlocked >$2*$3 1 4 in()
fwrite <$2*$3 1 4 out()
fwrite_unlocked <$2*$3 1 4 out()
fgets >5 9 in_line()
fgets_unlocked >5 9 in_line()
fgetws >5*4 9 in_line()
fputs <text out()
fputs_unlocked <text out()
fputws <wide out()
puts <text""
perror <text""!
fopen <text"/nowhere" <text"r"
freopen <text"/nowhere"! <text"r" in()
fdopen 0 <text"r"
remove <text"/nowhere"
rename <text"/nowhere" <text"/nothing"
sprintf >result+1 <text"%d" 1234 result:4
snprintf >result+1 9 <text"%d" 1234 result:4
asprintf >8 <text"%d" 1234
dprintf 99 <text"%d" 1234
fprintf out() <text"%d" 1234
printf <text""
swprintf >(result+1)*4 9 <wide"%d" 1234 result:4
fwprintf wide_out() <wide"%d" 1234
sscanf <text"12" <text"%d" >4
fscanf in_number() <text"%d" >4
swscanf <wide"12" <wide"%d" >4
fgetpos in() >sizeof(fpos_t)
fsetpos in() <8
fmemopen ~$2! 5 <text"r"
setvbuf in() ~$4! 0 99
open_memstream >8 >8
open_wmemstream >8 >8
time >8!
gmtime <8
localtime <8
ctime <8
gmtime_r <8 >sizeof(struct_tm)
localtime_r <8 >sizeof(struct_tm)
ctime_r <8 >26
asctime <28
asctime_r <28 >26
mktime =sizeof(struct_tm)
timegm =sizeof(struct_tm)
strftime >result+1 9 <text"%Y" moment() result:4
wcsftime >(result+1)*4 9 <wide"%Y" moment() result:4
strptime <text-1"1999" <text"%Y" moment()
timespec_get >16 TIME_UTC
clock_gettime 0 >16
clock_getres 0 >16!
timespec_getres >16! TIME_UTC
gettimeofday >16! 0
times >sizeof(struct_tms)
getrusage 0 >sizeof(struct_rusage)
getrlimit 0 >16
prlimit 0 0 <16! >16!
getresuid >4 >4 >4
getresgid >4 >4 >4
setrlimit 0 <16
read zeroes() >$3 5
write sink() <$3 5
pwrite sink() <$3 5 0
pread zeroes() >$3 5 0
readv zeroes() <sizeof(struct_iovec) 1
writev sink() <sizeof(struct_iovec) 1
pipe >8
readlink <text"/nowhere" buffer 9
access <text"/nowhere" 0
unlink <text"/nowhere"
rmdir <text"/nowhere"
chdir <text"/nowhere"
truncate <text"/nowhere" 0
link <text"/nowhere" <text"/nothing"
symlink <text"/nowhere" <text"/nowhere/x"
open <text"/nowhere" 0
creat <text"/nowhere/x" 0
mkdir <text"/nowhere/x" 0
stat <text"/" >sizeof(struct_stat)
lstat <text"/" >sizeof(struct_stat)
fstat 0 >sizeof(struct_stat)
chmod <text"/nowhere" 0
uname >sizeof(struct_utsname)
opendir <text"/nowhere"
fnmatch <text"a*" <text 0
dirname =text"a/b"!
iconv_open <text"UTF-8" <text"UTF-8"
inet_addr <text"1.2.3.4"
inet_aton <text"1.2.3.4" >4!
inet_pton 2 <text"1.2.3.4" >4
inet_ntop 2 <4 >8 99
regcomp >sizeof(regex_t) <text"a*" 0
regexec pattern() <text 0 0 0
sigemptyset >sizeof(sigset_t)
sigfillset >sizeof(sigset_t)
sigaddset =sizeof(sigset_t) 1
sigdelset =sizeof(sigset_t) 1
sigismember <sizeof(sigset_t) 1
sigprocmask 0 <sizeof(sigset_t)! 0
sigorset >sizeof(sigset_t) <sizeof(sigset_t) <sizeof(sigset_t)
sigandset >sizeof(sigset_t) <sizeof(sigset_t) <sizeof(sigset_t)
sigisemptyset <sizeof(sigset_t)
sigaction 1 <sizeof(struct_sigaction)! 0
sigpending >sizeof(sigset_t)
wctype <text"alpha"
wctrans <text"tolower"
setlocale LC_ALL <text"C"!
newlocale LC_ALL_MASK <text"C"! 0
`;

export interface LibraryRange {
  readonly use: 'read' | 'copied' | 'written' | 'both';
  /** In C, with `$3`, `#2`, `text`, `wide` and `result`. */
  readonly bytes: string;
  /** What the test passes for a text. */
  readonly content: string | undefined;
  readonly mayBeNull: boolean;
}

export interface LibraryFunction {
  readonly name: string;
  /** A range, or the text of another argument. */
  readonly arguments: readonly (LibraryRange | string)[];
  readonly isApart: boolean;
  readonly result: string | undefined;
}

const uses = { '<': 'read', '~': 'copied', '>': 'written', '=': 'both' } as const;

function parseArgument(word: string): LibraryRange | string {
  const use = uses[word[0] as keyof typeof uses];
  if (use === undefined) return word;
  const mayBeNull = word.endsWith('!');
  const [, bytes = '', content] = /^.([^"]*)(?:"(.*)")?$/.exec(mayBeNull ? word.slice(0, -1) : word)!;
  const isText = /\b(text|wide)\b/.test(bytes);
  return { use, bytes, content: isText ? (content ?? 'abcd') : undefined, mayBeNull };
}

function parseLine(line: string): LibraryFunction {
  const [name, ...words] = line.split(' ');
  const isOption = (word: string): boolean => word === 'apart' || word.startsWith('result:');
  return {
    name: name!,
    arguments: words.filter(word => !isOption(word)).map(parseArgument),
    isApart: words.includes('apart'),
    result: words.find(word => word.startsWith('result:'))?.slice('result:'.length),
  };
}

export const libraryFunctions: readonly LibraryFunction[] = text.trim().split('\n').map(parseLine);
