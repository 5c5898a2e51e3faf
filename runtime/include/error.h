/* <error.h>: GNU's messages, which may end the program */
#ifndef _ERROR_H
#define _ERROR_H

#ifdef __cplusplus
extern "C" {
#endif

void error(int __status, int __number, const char *__format, ...) __attribute__((__format__(__printf__, 3, 4)));
void error_at_line(int __status, int __number, const char *__file, unsigned __line, const char *__format, ...)
    __attribute__((__format__(__printf__, 5, 6)));

extern void (*error_print_progname)(void);
extern unsigned error_message_count;
extern int error_one_per_line;

#ifdef __cplusplus
}
#endif

#endif
