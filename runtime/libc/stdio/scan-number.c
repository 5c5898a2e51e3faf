/*
 * The numbers of scanf. Only one byte can be pushed back, so a number is consumed as far as it
 * could still become one ("1e+" of "1e+x"); strtol or strtod then convert the text.
 */
#include <stdlib.h>
#include <stdio.h>

#include "float-text.h"
#include "raw.h"
#include "scan-parts.h"

/* Stores through the pointers that the program passed. They are outside raw code to be checked. */
__attribute__((noinline)) static void store_pointer(void **to, void *value) { *to = value; }
__attribute__((noinline)) static void store_float(float *to, float value) { *to = value; }
__attribute__((noinline)) static void store_double(double *to, double value) { *to = value; }
__attribute__((noinline)) static void store_long_double(long double *to, long double value) { *to = value; }
__attribute__((noinline)) static void store_integer(int length, void *to, unsigned long value) {
  switch (length) {
    case SCAN_CHAR: *(unsigned char *)to = (unsigned char)value; break;
    case SCAN_SHORT: *(unsigned short *)to = (unsigned short)value; break;
    case SCAN_INT: *(unsigned *)to = (unsigned)value; break;
    default: *(unsigned long *)to = value; break;
  }
}

RZ_RAW_BEGIN

/* The text of a number, which is collected before it is converted. */
struct number_text {
  char *text;
  size_t count;
  size_t capacity;
  char small[64];
};

static void end_number(struct number_text *number) {
  if (number->text != number->small) free(number->text);
}

/* Returns 0, or -1 if there is no memory. */
static int add_to_number(struct number_text *number, int c) {
  if (number->count + 1 == number->capacity) {
    size_t capacity = number->capacity * 2;
    char *larger = malloc(capacity);
    if (!larger) return -1;
    __rz_raw_memmove(larger, number->text, number->count);
    end_number(number);
    number->text = larger;
    number->capacity = capacity;
  }
  number->text[number->count++] = (char)c;
  return 0;
}

static const char *text_of(struct number_text *number) {
  number->text[number->count] = 0;
  return number->text;
}

/* Consumes bytes while they match and the field width is not used up. */
struct taker {
  struct __rz_source *source;
  struct number_text number;
  long width;
  int next; /* the lookahead byte; EOF at the end */
  int failed;
};

static void look(struct taker *taker) { taker->next = taker->width > 0 ? __rz_scan_get(taker->source) : EOF; }

static void take(struct taker *taker) {
  if (add_to_number(&taker->number, taker->next) < 0) taker->failed = 1;
  taker->width--;
  look(taker);
}

static void skip(struct taker *taker) {
  taker->width--;
  look(taker);
}

static int is_letter(int c, char letter) { return c != EOF && (c | 0x20) == letter; }

static void take_sign(struct taker *taker) {
  if (taker->next == '-' || taker->next == '+') take(taker);
}

static int is_digit(int c, int base) {
  int value = c >= '0' && c <= '9' ? c - '0' : c != EOF && (c | 0x20) >= 'a' && (c | 0x20) <= 'f' ? (c | 0x20) - 'a' + 10 : 99;
  return value < base;
}

static void take_digits(struct taker *taker, int base) {
  while (is_digit(taker->next, base)) take(taker);
}

/* The bytes are not cleared, since that takes longer than reading a number. */
static void begin(struct taker *taker, struct __rz_source *source, const struct __rz_scan_spec *spec) {
  taker->source = source;
  taker->width = spec->width;
  taker->failed = 0;
  taker->number.text = taker->number.small;
  taker->number.count = 0;
  taker->number.capacity = sizeof taker->number.small;
  look(taker);
}

/* Pushes the lookahead byte back and returns the outcome for a number that is `valid` or not. */
static int finish(struct taker *taker, int valid, int at_end) {
  if (taker->width > 0) __rz_scan_unget(taker->source, taker->next);
  if (taker->failed) return SCAN_NO_MEMORY;
  if (valid) return SCAN_STORED;
  return at_end ? SCAN_END_OF_INPUT : SCAN_MISMATCH;
}

static int base_of(char conversion) {
  switch (conversion) {
    case 'd': case 'u': return 10;
    case 'i': return 0;
    case 'o': return 8;
    case 'b': case 'B': return 2;
    default: return 16;
  }
}

int __rz_scan_integer(struct __rz_source *source, const struct __rz_scan_spec *spec, void *to) {
  struct taker taker;
  begin(&taker, source, spec);
  int at_end = taker.next == EOF;
  int base = base_of(spec->conversion);
  take_sign(&taker);
  size_t sign = taker.number.count;
  if (taker.next == '0') {
    take(&taker);
    char letter = base == 2 ? 'b' : 'x';
    if ((base == 0 || base == 16 || base == 2) && is_letter(taker.next, letter)) {
      if (base == 0) base = 16;
      skip(&taker);
    } else if (base == 0) {
      base = 8;
    }
  }
  if (base == 0) base = 10;
  take_digits(&taker, base);
  int outcome = finish(&taker, taker.number.count > sign, at_end);
  if (outcome == SCAN_STORED && to) {
    const char *text = text_of(&taker.number);
    int is_signed = spec->conversion == 'd' || spec->conversion == 'i';
    unsigned long value = __rz_own_integer(text, base, is_signed);
    if (spec->conversion == 'p') store_pointer(to, (void *)value);
    else store_integer(spec->length, to, value);
  }
  end_number(&taker.number);
  return outcome;
}

/* Consumes a word letter by letter. Returns 0 at the first letter that does not match. */
static int take_word(struct taker *taker, const char *word) {
  for (; *word; word++) {
    if (!is_letter(taker->next, *word)) return 0;
    take(taker);
  }
  return 1;
}

/* Digits, a point, digits, an exponent. Returns whether there was a digit before the exponent. */
static int take_float(struct taker *taker) {
  int base = 10;
  size_t start = taker->number.count;
  if (taker->next == '0') {
    take(taker);
    if (is_letter(taker->next, 'x')) {
      take(taker);
      base = 16;
      start = taker->number.count;
    }
  }
  take_digits(taker, base);
  size_t digits = taker->number.count - start;
  if (taker->next == '.') {
    take(taker);
    start = taker->number.count;
    take_digits(taker, base);
    digits += taker->number.count - start;
  }
  if (digits > 0 && is_letter(taker->next, base == 16 ? 'p' : 'e')) {
    take(taker);
    take_sign(taker);
    take_digits(taker, 10);
  }
  return digits > 0;
}

int __rz_scan_float(struct __rz_source *source, const struct __rz_scan_spec *spec, void *to) {
  struct taker taker;
  begin(&taker, source, spec);
  int at_end = taker.next == EOF;
  int valid;
  take_sign(&taker);
  if (is_letter(taker.next, 'n')) valid = take_word(&taker, "nan");
  else if (is_letter(taker.next, 'i')) valid = take_word(&taker, "inf") && (!is_letter(taker.next, 'i') || take_word(&taker, "inity"));
  else valid = take_float(&taker);
  int outcome = finish(&taker, valid, at_end);
  if (outcome == SCAN_STORED && to) {
    const char *text = text_of(&taker.number);
    if (spec->length == SCAN_LONG_DOUBLE) store_long_double(to, __rz_own_long_double(text));
    else if (spec->length == SCAN_LONG) store_double(to, __rz_own_double(text));
    else store_float(to, __rz_own_float(text));
  }
  end_number(&taker.number);
  return outcome;
}

RZ_RAW_END
