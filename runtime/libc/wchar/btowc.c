/* btowc, wctob: only ASCII characters are single bytes. */
#include <stdio.h>
#include <wchar.h>

wint_t btowc(int byte) { return byte >= 0 && byte < 128 ? (wint_t)byte : WEOF; }

int wctob(wint_t c) { return c < 128 ? (int)c : EOF; }
