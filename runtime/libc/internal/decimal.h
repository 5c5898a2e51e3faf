/* A number in decimal, for messages, without the weight of printf. */
#ifndef RZ_DECIMAL_H
#define RZ_DECIMAL_H

#define __RZ_DECIMAL_SIZE 21 /* a sign, 19 digits, the terminating zero */

/*
 * Writes the number so that it ends, with its zero, at the end of the buffer; returns its first
 * character.
 */
static inline char *__rz_decimal(char buffer[__RZ_DECIMAL_SIZE], long value) {
  char *at = buffer + __RZ_DECIMAL_SIZE - 1;
  unsigned long rest = value < 0 ? 0 - (unsigned long)value : (unsigned long)value;
  *at = 0;
  do *--at = (char)('0' + rest % 10);
  while ((rest /= 10) != 0);
  if (value < 0) *--at = '-';
  return at;
}

#endif
