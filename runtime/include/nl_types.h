#ifndef _NL_TYPES_H
#define _NL_TYPES_H 1

#ifdef __cplusplus
extern "C" {
#endif

#define NL_SETD 1
#define NL_CAT_LOCALE 1

typedef void *nl_catd;
typedef int nl_item;

/* There are no catalogues: texts are those of the program. */
nl_catd catopen(const char *__name, int __flags);
char *catgets(nl_catd __catalogue, int __set, int __number, const char *__text);
int catclose(nl_catd __catalogue);

#ifdef __cplusplus
}
#endif

#endif
