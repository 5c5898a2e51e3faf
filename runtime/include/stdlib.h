/* <stdlib.h>: C11, POSIX, and the GNU and BSD functions in common use. */
#ifndef _STDLIB_H
#define _STDLIB_H

#include <alloca.h>
#include <bits/locale-types.h>
#include <stddef.h>

#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 0x7fffffff
#define MB_CUR_MAX ((size_t)4)

typedef struct {
  int quot;
  int rem;
} div_t;

typedef struct {
  long quot;
  long rem;
} ldiv_t;

typedef struct {
  long long quot;
  long long rem;
} lldiv_t;

/* Numbers from text. */
int atoi(const char *text);
long atol(const char *text);
long long atoll(const char *text);
double atof(const char *text);
long strtol(const char *restrict text, char **restrict end, int base);
unsigned long strtoul(const char *restrict text, char **restrict end, int base);
long long strtoll(const char *restrict text, char **restrict end, int base);
unsigned long long strtoull(const char *restrict text, char **restrict end, int base);
double strtod(const char *restrict text, char **restrict end);
float strtof(const char *restrict text, char **restrict end);
long double strtold(const char *restrict text, char **restrict end);
long strtol_l(const char *restrict text, char **restrict end, int base, locale_t locale);
unsigned long strtoul_l(const char *restrict text, char **restrict end, int base, locale_t locale);
long long strtoll_l(const char *restrict text, char **restrict end, int base, locale_t locale);
unsigned long long strtoull_l(const char *restrict text, char **restrict end, int base, locale_t locale);
double strtod_l(const char *restrict text, char **restrict end, locale_t locale);
float strtof_l(const char *restrict text, char **restrict end, locale_t locale);
long double strtold_l(const char *restrict text, char **restrict end, locale_t locale);
long a64l(const char *text);
char *l64a(long value);
int getsubopt(char **option, char *const *tokens, char **value);

/* Memory. */
void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *realloc(void *block, size_t size);
void *reallocarray(void *block, size_t count, size_t size);
void free(void *block);
void *aligned_alloc(size_t alignment, size_t size);
int posix_memalign(void **block, size_t alignment, size_t size);
void *memalign(size_t alignment, size_t size);
void *valloc(size_t size);

/* The program and its environment. */
__attribute__((__noreturn__)) void abort(void);
__attribute__((__noreturn__)) void exit(int status);
__attribute__((__noreturn__)) void _Exit(int status);
__attribute__((__noreturn__)) void quick_exit(int status);
int atexit(void (*function)(void));
int at_quick_exit(void (*function)(void));
int on_exit(void (*function)(int status, void *argument), void *argument);
char *getenv(const char *name);
char *secure_getenv(const char *name);
int setenv(const char *name, const char *value, int overwrite);
int unsetenv(const char *name);
int putenv(char *assignment);
int clearenv(void);
int system(const char *command);

/* Searching, sorting, integers. */
void *bsearch(const void *key, const void *base, size_t count, size_t size, int (*compare)(const void *, const void *));
void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *));
void qsort_r(void *base, size_t count, size_t size, int (*compare)(const void *, const void *, void *), void *argument);
int heapsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *));
int mergesort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *));
int abs(int value);
long labs(long value);
long long llabs(long long value);
div_t div(int numerator, int denominator);
ldiv_t ldiv(long numerator, long denominator);
lldiv_t lldiv(long long numerator, long long denominator);

/* Random numbers. */
int rand(void);
void srand(unsigned int seed);
int rand_r(unsigned int *seed);
long random(void);
void srandom(unsigned int seed);
char *initstate(unsigned int seed, char *state, size_t size);
char *setstate(char *state);
double drand48(void);
double erand48(unsigned short state[3]);
long lrand48(void);
long nrand48(unsigned short state[3]);
long mrand48(void);
long jrand48(unsigned short state[3]);
void srand48(long seed);
unsigned short *seed48(unsigned short state[3]);
void lcong48(unsigned short parameters[7]);
unsigned int arc4random(void);
unsigned int arc4random_uniform(unsigned int bound);
void arc4random_buf(void *memory, size_t n);

/* Multibyte characters. */
int mblen(const char *text, size_t n);
int mbtowc(wchar_t *restrict wide, const char *restrict text, size_t n);
int wctomb(char *text, wchar_t wide);
size_t mbstowcs(wchar_t *restrict wide, const char *restrict text, size_t n);
size_t wcstombs(char *restrict text, const wchar_t *restrict wide, size_t n);

/* Files. */
int mkstemp(char *pattern);
int mkostemp(char *pattern, int flags);
int mkstemps(char *pattern, int suffix_length);
int mkostemps(char *pattern, int suffix_length, int flags);
char *mkdtemp(char *pattern);
char *mktemp(char *pattern);
char *realpath(const char *restrict path, char *restrict resolved);
char *canonicalize_file_name(const char *path);
int getloadavg(double *averages, int count);
const char *getprogname(void);
void setprogname(const char *name);

#define WNOHANG 1
#define WUNTRACED 2
#define WEXITSTATUS(status) (((status) >> 8) & 0xff)
#define WTERMSIG(status) ((status) & 0x7f)
#define WSTOPSIG(status) WEXITSTATUS(status)
#define WIFEXITED(status) (WTERMSIG(status) == 0)
#define WIFSIGNALED(status) (((status) & 0xffff) - 1u < 0xffu)
#define WIFSTOPPED(status) (((status) & 0xff) == 0x7f)

#endif
