/*
 * wcstod, wcstof, wcstold: the characters of a number are ASCII, so the longest prefix of such
 * characters is copied and strtod reads the copy. Characters and bytes then correspond one to
 * one.
 */
#include <stdlib.h>
#include <wchar.h>
#include <wctype.h>

#define LOCAL_SIZE 128

/* Digits, letters of "infinity", "nan(...)", hexadecimal digits, exponents, signs and points. */
static int may_be_in_number(wchar_t c) {
  return c < 128 && (iswalnum((wint_t)c) || c == '+' || c == '-' || c == '.' || c == '(' || c == ')' || c == '_');
}

/*
 * The text of the number, in `local`, or on the heap if that is too short; null without memory.
 */
static char *narrow(const wchar_t *text, char local[LOCAL_SIZE]) {
  size_t length = 0;
  while (may_be_in_number(text[length])) length++;
  char *copy = length < LOCAL_SIZE ? local : malloc(length + 1);
  if (!copy) return NULL;
  for (size_t i = 0; i < length; i++) copy[i] = (char)text[i];
  copy[length] = 0;
  return copy;
}

#define DEFINE(name, type, convert) \
  type name(const wchar_t *restrict text, wchar_t **restrict end) { \
    const wchar_t *start = text; \
    while (iswspace((wint_t)*start)) start++; \
    char local[LOCAL_SIZE], *copy = narrow(start, local), *copy_end = copy; \
    type result = copy ? convert(copy, &copy_end) : 0; \
    if (end) *end = (wchar_t *)(copy_end == copy ? text : start + (copy_end - copy)); \
    if (copy != local) free(copy); \
    return result; \
  }

DEFINE(wcstod, double, strtod)
DEFINE(wcstof, float, strtof)
DEFINE(wcstold, long double, strtold)
