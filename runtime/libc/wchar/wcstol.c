/* wcstol and similar functions. */
#include <inttypes.h>
#include <wchar.h>
#include <wctype.h>

#define __RZ_CHAR wchar_t
#define __RZ_IS_SPACE(c) iswspace((wint_t)(c))
#include "parse-integer.h"

long long wcstoll(const wchar_t *restrict text, wchar_t **restrict end, int base) { return parse_signed(text, end, base); }

unsigned long long wcstoull(const wchar_t *restrict text, wchar_t **restrict end, int base) { return parse_unsigned(text, end, base); }

long wcstol(const wchar_t *restrict text, wchar_t **restrict end, int base) { return parse_signed(text, end, base); }

unsigned long wcstoul(const wchar_t *restrict text, wchar_t **restrict end, int base) { return parse_unsigned(text, end, base); }

intmax_t wcstoimax(const wchar_t *restrict text, wchar_t **restrict end, int base) { return parse_signed(text, end, base); }

uintmax_t wcstoumax(const wchar_t *restrict text, wchar_t **restrict end, int base) { return parse_unsigned(text, end, base); }
