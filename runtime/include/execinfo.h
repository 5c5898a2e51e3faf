#ifndef _EXECINFO_H
#define _EXECINFO_H 1

#ifdef __cplusplus
extern "C" {
#endif

/* The call stack is not the program's: there are no frames. */
int backtrace(void **frames, int most);
char **backtrace_symbols(void *const *frames, int count);
void backtrace_symbols_fd(void *const *frames, int count, int fd);

#ifdef __cplusplus
}
#endif

#endif
