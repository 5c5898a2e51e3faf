/* <stdlib.h>: C11, POSIX, and the GNU and BSD functions in common use. */
#ifndef _STDLIB_H
#define _STDLIB_H

#include <alloca.h>
#include <bits/locale-types.h>
#include <features.h>
#include <stddef.h>

#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 0x7fffffff
#define MB_CUR_MAX __ctype_get_mb_cur_max()

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
int atoi(const char *__text);
long atol(const char *__text);
long long atoll(const char *__text);
double atof(const char *__text);
long strtol(const char *__restrict __text, char **__restrict __end, int __base);
unsigned long strtoul(const char *__restrict __text, char **__restrict __end, int __base);
long long strtoll(const char *__restrict __text, char **__restrict __end, int __base);
unsigned long long strtoull(const char *__restrict __text, char **__restrict __end, int __base);
double strtod(const char *__restrict __text, char **__restrict __end);
float strtof(const char *__restrict __text, char **__restrict __end);
long double strtold(const char *__restrict __text, char **__restrict __end);
long strtol_l(const char *__restrict __text, char **__restrict __end, int __base, locale_t __locale);
unsigned long strtoul_l(const char *__restrict __text, char **__restrict __end, int __base, locale_t __locale);
long long strtoll_l(const char *__restrict __text, char **__restrict __end, int __base, locale_t __locale);
unsigned long long strtoull_l(const char *__restrict __text, char **__restrict __end, int __base, locale_t __locale);
double strtod_l(const char *__restrict __text, char **__restrict __end, locale_t __locale);
float strtof_l(const char *__restrict __text, char **__restrict __end, locale_t __locale);
long double strtold_l(const char *__restrict __text, char **__restrict __end, locale_t __locale);
#if defined _GNU_SOURCE || defined __STDC_WANT_IEC_60559_BFP_EXT__ || __STDC_VERSION__ > 201710L
int strfromd(char *__restrict __text, size_t __n, const char *__restrict __format, double __value);
int strfromf(char *__restrict __text, size_t __n, const char *__restrict __format, float __value);
int strfroml(char *__restrict __text, size_t __n, const char *__restrict __format, long double __value);
#endif
char *ecvt(double __value, int __count, int *__restrict __point, int *__restrict __sign);
char *fcvt(double __value, int __count, int *__restrict __point, int *__restrict __sign);
char *gcvt(double __value, int __count, char *__text);
char *qecvt(long double __value, int __count, int *__restrict __point, int *__restrict __sign);
char *qfcvt(long double __value, int __count, int *__restrict __point, int *__restrict __sign);
char *qgcvt(long double __value, int __count, char *__text);
int ecvt_r(double __value, int __count, int *__restrict __point, int *__restrict __sign, char *__restrict __text, size_t __n);
int fcvt_r(double __value, int __count, int *__restrict __point, int *__restrict __sign, char *__restrict __text, size_t __n);
int qecvt_r(long double __value, int __count, int *__restrict __point, int *__restrict __sign, char *__restrict __text,
            size_t __n);
int qfcvt_r(long double __value, int __count, int *__restrict __point, int *__restrict __sign, char *__restrict __text,
            size_t __n);
long a64l(const char *__text);
char *l64a(long __value);
int getsubopt(char **__option, char *const *__tokens, char **__value);

/* Memory. */
void *malloc(size_t __size);
void *calloc(size_t __count, size_t __size);
void *realloc(void *__block, size_t __size);
void *reallocarray(void *__block, size_t __count, size_t __size);
void free(void *__block);
void *aligned_alloc(size_t __alignment, size_t __size);
int posix_memalign(void **__block, size_t __alignment, size_t __size);
void *valloc(size_t __size);

/* The program and its environment. */
__attribute__((__noreturn__)) void abort(void);
__attribute__((__noreturn__)) void exit(int __status);
__attribute__((__noreturn__)) void _Exit(int __status);
__attribute__((__noreturn__)) void quick_exit(int __status);
int atexit(void (*__function)(void));
int at_quick_exit(void (*__function)(void));
int on_exit(void (*__function)(int __status, void *__argument), void *__argument);
char *getenv(const char *__name);
char *secure_getenv(const char *__name);
int setenv(const char *__name, const char *__value, int __overwrite);
int unsetenv(const char *__name);
int putenv(char *__assignment);
int clearenv(void);
int system(const char *__command);

/* Searching, sorting, integers. */
void *bsearch(const void *__key, const void *__base, size_t __count, size_t __size, int (*__compare)(const void *, const void *));
void qsort(void *__base, size_t __count, size_t __size, int (*__compare)(const void *, const void *));
void qsort_r(void *__base, size_t __count, size_t __size, int (*__compare)(const void *, const void *, void *), void *__argument);
int abs(int __value);
long labs(long __value);
long long llabs(long long __value);
div_t div(int __numerator, int __denominator);
ldiv_t ldiv(long __numerator, long __denominator);
lldiv_t lldiv(long long __numerator, long long __denominator);

/* Random numbers. */
int rand(void);
void srand(unsigned int __seed);
int rand_r(unsigned int *__seed);
long random(void);
void srandom(unsigned int __seed);
char *initstate(unsigned int __seed, char *__state, size_t __size);
char *setstate(char *__state);
double drand48(void);
double erand48(unsigned short __state[3]);
long lrand48(void);
long nrand48(unsigned short __state[3]);
long mrand48(void);
long jrand48(unsigned short __state[3]);
void srand48(long __seed);
unsigned short *seed48(unsigned short __state[3]);
void lcong48(unsigned short __parameters[7]);
struct random_data {
  unsigned int *__ring;
  int __kind;
  unsigned int __front;
};
int random_r(struct random_data *__restrict __generator, int *__restrict __result);
int srandom_r(unsigned int __seed, struct random_data *__generator);
int initstate_r(unsigned int __seed, char *__restrict __state, size_t __size, struct random_data *__restrict __generator);
int setstate_r(char *__restrict __state, struct random_data *__restrict __generator);

struct drand48_data {
  unsigned short __x[3];
  unsigned short __previous[3];
  unsigned short __addend;
  unsigned short __is_set;
  unsigned long long __multiplier;
};
int drand48_r(struct drand48_data *__generator, double *__result);
int erand48_r(unsigned short __state[3], struct drand48_data *__generator, double *__result);
int lrand48_r(struct drand48_data *__generator, long *__result);
int nrand48_r(unsigned short __state[3], struct drand48_data *__generator, long *__result);
int mrand48_r(struct drand48_data *__generator, long *__result);
int jrand48_r(unsigned short __state[3], struct drand48_data *__generator, long *__result);
int srand48_r(long __seed, struct drand48_data *__generator);
int seed48_r(unsigned short __state[3], struct drand48_data *__generator);
int lcong48_r(unsigned short __parameters[7], struct drand48_data *__generator);

unsigned int arc4random(void);
unsigned int arc4random_uniform(unsigned int __bound);
void arc4random_buf(void *__memory, size_t __n);

/* Multibyte characters. */
int mblen(const char *__text, size_t __n);
size_t __ctype_get_mb_cur_max(void);
int mbtowc(wchar_t *__restrict __wide, const char *__restrict __text, size_t __n);
int wctomb(char *__text, wchar_t __wide);
size_t mbstowcs(wchar_t *__restrict __wide, const char *__restrict __text, size_t __n);
size_t wcstombs(char *__restrict __text, const wchar_t *__restrict __wide, size_t __n);

int rpmatch(const char *__answer);

/* Files. */
int mkstemp(char *__pattern);
int posix_openpt(int __flags);
int grantpt(int __leader);
int unlockpt(int __leader);
char *ptsname(int __leader);
int ptsname_r(int __leader, char *__name, size_t __n);
int mkostemp(char *__pattern, int __flags);
int mkstemps(char *__pattern, int __suffix_length);
int mkostemps(char *__pattern, int __suffix_length, int __flags);
char *mkdtemp(char *__pattern);
char *mktemp(char *__pattern);
char *realpath(const char *__restrict __path, char *__restrict __resolved);
char *canonicalize_file_name(const char *__path);
int getloadavg(double *__averages, int __count);

#define WNOHANG 1
#define WUNTRACED 2
#define WEXITSTATUS(status) (((status) >> 8) & 0xff)
#define WTERMSIG(status) ((status) & 0x7f)
#define WSTOPSIG(status) WEXITSTATUS(status)
#define WIFEXITED(status) (WTERMSIG(status) == 0)
#define WIFSIGNALED(status) (WTERMSIG(status) != 0 && WTERMSIG(status) != 0x7f)
#define WIFSTOPPED(status) (((status) & 0xff) == 0x7f)

#ifdef __USE_MISC
#include <sys/types.h>
#endif

#endif
