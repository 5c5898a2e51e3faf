/*
 * wcstod and its relatives. A number is ASCII, so the part of the text that could be one is copied to bytes, and what
 * strtod used of it tells where it ends.
 */
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

static int may_be_in_number(wchar_t c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c != 0 && c < 128 && strchr("+-._()", (int)c) != NULL);
}

struct ascii {
  char *bytes;
  char small[64];
  const wchar_t *start; /* of the number, behind the blanks */
};

static void copy(struct ascii *ascii, const wchar_t *text) {
  size_t n = 0;
  while (iswspace((wint_t)*text)) text++;
  while (may_be_in_number(text[n])) n++;
  ascii->start = text;
  ascii->bytes = n < sizeof ascii->small ? ascii->small : malloc(n + 1);
  if (!ascii->bytes) {
    ascii->bytes = ascii->small;
    n = sizeof ascii->small - 1;
  }
  for (size_t i = 0; i < n; i++) ascii->bytes[i] = (char)text[i];
  ascii->bytes[n] = 0;
}

static void finish(struct ascii *ascii, const char *used_to, const wchar_t *text, wchar_t **end) {
  if (end) *end = (wchar_t *)(used_to == ascii->bytes ? text : ascii->start + (used_to - ascii->bytes));
  if (ascii->bytes != ascii->small) free(ascii->bytes);
}

double wcstod(const wchar_t *restrict text, wchar_t **restrict end) {
  struct ascii ascii;
  char *used_to;
  copy(&ascii, text);
  double value = strtod(ascii.bytes, &used_to);
  finish(&ascii, used_to, text, end);
  return value;
}

float wcstof(const wchar_t *restrict text, wchar_t **restrict end) {
  struct ascii ascii;
  char *used_to;
  copy(&ascii, text);
  float value = strtof(ascii.bytes, &used_to);
  finish(&ascii, used_to, text, end);
  return value;
}

long double wcstold(const wchar_t *restrict text, wchar_t **restrict end) {
  struct ascii ascii;
  char *used_to;
  copy(&ascii, text);
  long double value = strtold(ascii.bytes, &used_to);
  finish(&ascii, used_to, text, end);
  return value;
}
