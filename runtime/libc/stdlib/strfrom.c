/*
 * strfromd, strfromf, strfroml: a number as printf writes it. The format has a conversion for
 * floating point, without flags, width or length.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int strfromd(char *restrict text, size_t n, const char *restrict format, double value) {
  return snprintf(text, n, format, value);
}

int strfromf(char *restrict text, size_t n, const char *restrict format, float value) {
  return snprintf(text, n, format, (double)value);
}

int strfroml(char *restrict text, size_t n, const char *restrict format, long double value) {
  char conversion[32];
  const size_t length = strlen(format);
  if (length == 0 || length + 2 > sizeof conversion) return -1;
  memcpy(conversion, format, length - 1);
  conversion[length - 1] = 'L';
  conversion[length] = format[length - 1];
  conversion[length + 1] = 0;
  return snprintf(text, n, conversion, value);
}
