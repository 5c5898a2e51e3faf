/* <stdio.h>: C11, POSIX and the GNU additions that programs use */
#ifndef _STDIO_H
#define _STDIO_H

#include <bits/types.h>
#include <stdarg.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef __rz_FILE FILE;

#ifndef RZ_LIBRARY
/* Complete, as in glibc: programs have one as a member, or use its size. */
struct __rz_file {
  void *__private[16];
};
#endif
typedef __rz_off_t off_t;
typedef __rz_ssize_t ssize_t;
typedef __builtin_va_list va_list;

/* A position: the offset and the state of a multibyte conversion. */
typedef struct {
  off_t __offset;
  unsigned __state[2];
} fpos_t;

#define EOF (-1)
#define BUFSIZ 4096
#define FILENAME_MAX 4096
#define FOPEN_MAX 253
#define TMP_MAX 238328
#define L_tmpnam 20
#define L_ctermid 9
#define P_tmpdir "/tmp"

#define _IOFBF 0
#define _IOLBF 1
#define _IONBF 2

#ifndef SEEK_SET
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#endif

extern FILE *stdin;
extern FILE *stdout;
extern FILE *stderr;
#define stdin stdin
#define stdout stdout
#define stderr stderr

#define __rz_printf_like(format, first) __attribute__((__format__(__printf__, format, first)))
#define __rz_scanf_like(format, first) __attribute__((__format__(__scanf__, format, first)))

FILE *fopen(const char *__restrict __path, const char *__restrict __mode);
FILE *freopen(const char *__restrict __path, const char *__restrict __mode, FILE *__restrict __stream);
FILE *fdopen(int __fd, const char *__mode);
FILE *fmemopen(void *__restrict __buffer, size_t __size, const char *__restrict __mode);
FILE *open_memstream(char **__buffer, size_t *__size);
FILE *tmpfile(void);
FILE *popen(const char *__command, const char *__mode);
int pclose(FILE *__stream);
int fclose(FILE *__stream);
int fcloseall(void);
int fileno(FILE *__stream);

int fflush(FILE *__stream);
int setvbuf(FILE *__restrict __stream, char *__restrict __buffer, int __mode, size_t __size);
void setbuf(FILE *__restrict __stream, char *__restrict __buffer);
void setbuffer(FILE *__stream, char *__buffer, size_t __size);
void setlinebuf(FILE *__stream);

size_t fread(void *__restrict __to, size_t __size, size_t __count, FILE *__restrict __stream);
size_t fwrite(const void *__restrict __from, size_t __size, size_t __count, FILE *__restrict __stream);
int fgetc(FILE *__stream);
int getc(FILE *__stream);
int getchar(void);
int ungetc(int __c, FILE *__stream);
char *fgets(char *__restrict __line, int __size, FILE *__restrict __stream);
char *gets(char *__line);
int fputc(int __c, FILE *__stream);
int putc(int __c, FILE *__stream);
int putchar(int __c);
int fputs(const char *__restrict __text, FILE *__restrict __stream);
int puts(const char *__text);
int getw(FILE *__stream);
int putw(int __word, FILE *__stream);
ssize_t getline(char **__restrict __line, size_t *__restrict __capacity, FILE *__restrict __stream);
ssize_t getdelim(char **__restrict __line, size_t *__restrict __capacity, int __delimiter, FILE *__restrict __stream);

int getc_unlocked(FILE *__stream);
int getchar_unlocked(void);
int putc_unlocked(int __c, FILE *__stream);
int putchar_unlocked(int __c);
int fgetc_unlocked(FILE *__stream);
int fputc_unlocked(int __c, FILE *__stream);
size_t fread_unlocked(void *__restrict __to, size_t __size, size_t __count, FILE *__restrict __stream);
size_t fwrite_unlocked(const void *__restrict __from, size_t __size, size_t __count, FILE *__restrict __stream);
char *fgets_unlocked(char *__restrict __line, int __size, FILE *__restrict __stream);
int fputs_unlocked(const char *__restrict __text, FILE *__restrict __stream);
int fflush_unlocked(FILE *__stream);
int feof_unlocked(FILE *__stream);
int ferror_unlocked(FILE *__stream);
void clearerr_unlocked(FILE *__stream);
int fileno_unlocked(FILE *__stream);
void flockfile(FILE *__stream);
int ftrylockfile(FILE *__stream);
void funlockfile(FILE *__stream);

int fseek(FILE *__stream, long __offset, int __whence);
int fseeko(FILE *__stream, off_t __offset, int __whence);
long ftell(FILE *__stream);
off_t ftello(FILE *__stream);
void rewind(FILE *__stream);
int fgetpos(FILE *__restrict __stream, fpos_t *__restrict __position);
int fsetpos(FILE *__stream, const fpos_t *__position);
int feof(FILE *__stream);
int ferror(FILE *__stream);
void clearerr(FILE *__stream);
void perror(const char *__prefix);

int printf(const char *__restrict __format, ...) __rz_printf_like(1, 2);
int fprintf(FILE *__restrict __stream, const char *__restrict __format, ...) __rz_printf_like(2, 3);
int sprintf(char *__restrict __to, const char *__restrict __format, ...) __rz_printf_like(2, 3);
int snprintf(char *__restrict __to, size_t __size, const char *__restrict __format, ...) __rz_printf_like(3, 4);
int dprintf(int __fd, const char *__restrict __format, ...) __rz_printf_like(2, 3);
int asprintf(char **__restrict __to, const char *__restrict __format, ...) __rz_printf_like(2, 3);
int vprintf(const char *__restrict __format, va_list __arguments) __rz_printf_like(1, 0);
int vfprintf(FILE *__restrict __stream, const char *__restrict __format, va_list __arguments) __rz_printf_like(2, 0);
int vsprintf(char *__restrict __to, const char *__restrict __format, va_list __arguments) __rz_printf_like(2, 0);
int vsnprintf(char *__restrict __to, size_t __size, const char *__restrict __format, va_list __arguments)
    __rz_printf_like(3, 0);
int vdprintf(int __fd, const char *__restrict __format, va_list __arguments) __rz_printf_like(2, 0);
int vasprintf(char **__restrict __to, const char *__restrict __format, va_list __arguments) __rz_printf_like(2, 0);

int scanf(const char *__restrict __format, ...) __rz_scanf_like(1, 2);
int fscanf(FILE *__restrict __stream, const char *__restrict __format, ...) __rz_scanf_like(2, 3);
int sscanf(const char *__restrict __text, const char *__restrict __format, ...) __rz_scanf_like(2, 3);
int vscanf(const char *__restrict __format, va_list __arguments) __rz_scanf_like(1, 0);
int vfscanf(FILE *__restrict __stream, const char *__restrict __format, va_list __arguments) __rz_scanf_like(2, 0);
int vsscanf(const char *__restrict __text, const char *__restrict __format, va_list __arguments) __rz_scanf_like(2, 0);

int remove(const char *__path);
int rename(const char *__from, const char *__to);
int renameat(int __from_folder, const char *__from, int __to_folder, const char *__to);
#ifdef _GNU_SOURCE
#define RENAME_NOREPLACE 1
#define RENAME_EXCHANGE 2
#define RENAME_WHITEOUT 4
int renameat2(int __from_folder, const char *__from, int __to_folder, const char *__to, unsigned __flags);
#endif
char *tmpnam(char *__buffer);
char *tempnam(const char *__folder, const char *__prefix);
char *ctermid(char *__buffer);

typedef ssize_t cookie_read_function_t(void *__cookie, char *__to, size_t __size);
typedef ssize_t cookie_write_function_t(void *__cookie, const char *__from, size_t __size);
typedef int cookie_seek_function_t(void *__cookie, off_t *__offset, int __whence);
typedef int cookie_close_function_t(void *__cookie);

typedef struct {
  cookie_read_function_t *read;
  cookie_write_function_t *write;
  cookie_seek_function_t *seek;
  cookie_close_function_t *close;
} cookie_io_functions_t;

FILE *fopencookie(void *__restrict __cookie, const char *__restrict __mode, cookie_io_functions_t __functions);

#ifdef __cplusplus
}
#endif

#endif
