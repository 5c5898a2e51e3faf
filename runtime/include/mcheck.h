/* <mcheck.h>: checks of the heap, GNU. Redzone checks every access by itself. */
#ifndef _MCHECK_H
#define _MCHECK_H

#ifdef __cplusplus
extern "C" {
#endif

enum mcheck_status { MCHECK_DISABLED = -1, MCHECK_OK, MCHECK_FREE, MCHECK_HEAD, MCHECK_TAIL };

int mcheck(void (*__on_error)(enum mcheck_status));
int mcheck_pedantic(void (*__on_error)(enum mcheck_status));
void mcheck_check_all(void);
enum mcheck_status mprobe(void *__block);
void mtrace(void);
void muntrace(void);

#ifdef __cplusplus
}
#endif

#endif
