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
typedef __rz_off_t off_t;
typedef __rz_ssize_t ssize_t;
typedef __builtin_va_list va_list;

/* A position: the offset and the state of a multibyte conversion. */
typedef struct {
  off_t __offset;
  unsigned __state[2];
} fpos_t;

#define EOF (-1)
#define BUFSIZ 1024
#define FILENAME_MAX 4096
#define FOPEN_MAX 1000
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

FILE *fopen(const char *restrict path, const char *restrict mode);
FILE *freopen(const char *restrict path, const char *restrict mode, FILE *restrict stream);
FILE *fdopen(int fd, const char *mode);
FILE *fmemopen(void *restrict buffer, size_t size, const char *restrict mode);
FILE *open_memstream(char **buffer, size_t *size);
FILE *tmpfile(void);
FILE *popen(const char *command, const char *mode);
int pclose(FILE *stream);
int fclose(FILE *stream);
int fcloseall(void);
int fileno(FILE *stream);

int fflush(FILE *stream);
int setvbuf(FILE *restrict stream, char *restrict buffer, int mode, size_t size);
void setbuf(FILE *restrict stream, char *restrict buffer);
void setbuffer(FILE *stream, char *buffer, size_t size);
void setlinebuf(FILE *stream);

size_t fread(void *restrict to, size_t size, size_t count, FILE *restrict stream);
size_t fwrite(const void *restrict from, size_t size, size_t count, FILE *restrict stream);
int fgetc(FILE *stream);
int getc(FILE *stream);
int getchar(void);
int ungetc(int c, FILE *stream);
char *fgets(char *restrict line, int size, FILE *restrict stream);
char *gets(char *line);
int fputc(int c, FILE *stream);
int putc(int c, FILE *stream);
int putchar(int c);
int fputs(const char *restrict text, FILE *restrict stream);
int puts(const char *text);
int getw(FILE *stream);
int putw(int word, FILE *stream);
ssize_t getline(char **restrict line, size_t *restrict capacity, FILE *restrict stream);
ssize_t getdelim(char **restrict line, size_t *restrict capacity, int delimiter, FILE *restrict stream);

int getc_unlocked(FILE *stream);
int getchar_unlocked(void);
int putc_unlocked(int c, FILE *stream);
int putchar_unlocked(int c);
int fgetc_unlocked(FILE *stream);
int fputc_unlocked(int c, FILE *stream);
size_t fread_unlocked(void *restrict to, size_t size, size_t count, FILE *restrict stream);
size_t fwrite_unlocked(const void *restrict from, size_t size, size_t count, FILE *restrict stream);
char *fgets_unlocked(char *restrict line, int size, FILE *restrict stream);
int fputs_unlocked(const char *restrict text, FILE *restrict stream);
int fflush_unlocked(FILE *stream);
int feof_unlocked(FILE *stream);
int ferror_unlocked(FILE *stream);
void clearerr_unlocked(FILE *stream);
int fileno_unlocked(FILE *stream);
void flockfile(FILE *stream);
int ftrylockfile(FILE *stream);
void funlockfile(FILE *stream);

int fseek(FILE *stream, long offset, int whence);
int fseeko(FILE *stream, off_t offset, int whence);
long ftell(FILE *stream);
off_t ftello(FILE *stream);
void rewind(FILE *stream);
int fgetpos(FILE *restrict stream, fpos_t *restrict position);
int fsetpos(FILE *stream, const fpos_t *position);
int feof(FILE *stream);
int ferror(FILE *stream);
void clearerr(FILE *stream);
void perror(const char *prefix);

int printf(const char *restrict format, ...) __rz_printf_like(1, 2);
int fprintf(FILE *restrict stream, const char *restrict format, ...) __rz_printf_like(2, 3);
int sprintf(char *restrict to, const char *restrict format, ...) __rz_printf_like(2, 3);
int snprintf(char *restrict to, size_t size, const char *restrict format, ...) __rz_printf_like(3, 4);
int dprintf(int fd, const char *restrict format, ...) __rz_printf_like(2, 3);
int asprintf(char **restrict to, const char *restrict format, ...) __rz_printf_like(2, 3);
int vprintf(const char *restrict format, va_list arguments) __rz_printf_like(1, 0);
int vfprintf(FILE *restrict stream, const char *restrict format, va_list arguments) __rz_printf_like(2, 0);
int vsprintf(char *restrict to, const char *restrict format, va_list arguments) __rz_printf_like(2, 0);
int vsnprintf(char *restrict to, size_t size, const char *restrict format, va_list arguments)
    __rz_printf_like(3, 0);
int vdprintf(int fd, const char *restrict format, va_list arguments) __rz_printf_like(2, 0);
int vasprintf(char **restrict to, const char *restrict format, va_list arguments) __rz_printf_like(2, 0);

int scanf(const char *restrict format, ...) __rz_scanf_like(1, 2);
int fscanf(FILE *restrict stream, const char *restrict format, ...) __rz_scanf_like(2, 3);
int sscanf(const char *restrict text, const char *restrict format, ...) __rz_scanf_like(2, 3);
int vscanf(const char *restrict format, va_list arguments) __rz_scanf_like(1, 0);
int vfscanf(FILE *restrict stream, const char *restrict format, va_list arguments) __rz_scanf_like(2, 0);
int vsscanf(const char *restrict text, const char *restrict format, va_list arguments) __rz_scanf_like(2, 0);

int remove(const char *path);
int rename(const char *from, const char *to);
int renameat(int from_folder, const char *from, int to_folder, const char *to);
char *tmpnam(char *buffer);
char *tempnam(const char *folder, const char *prefix);
char *ctermid(char *buffer);

typedef ssize_t cookie_read_function_t(void *cookie, char *to, size_t size);
typedef ssize_t cookie_write_function_t(void *cookie, const char *from, size_t size);
typedef int cookie_seek_function_t(void *cookie, off_t *offset, int whence);
typedef int cookie_close_function_t(void *cookie);

typedef struct {
  cookie_read_function_t *read;
  cookie_write_function_t *write;
  cookie_seek_function_t *seek;
  cookie_close_function_t *close;
} cookie_io_functions_t;

FILE *fopencookie(void *restrict cookie, const char *restrict mode, cookie_io_functions_t functions);

#ifdef __cplusplus
}
#endif

#endif
