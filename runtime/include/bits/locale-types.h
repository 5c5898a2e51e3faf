/* locale_t, shared by <locale.h> and by every header that declares a `..._l` function. */
#ifndef _BITS_LOCALE_TYPES_H
#define _BITS_LOCALE_TYPES_H

#include <bits/decls.h>

typedef struct __rz_locale *locale_t;

#endif
