/* <xlocale.h>: the BSD and macOS address of locale_t and its functions. */
#include <locale.h>
