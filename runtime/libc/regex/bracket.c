/*
 * Bracket expressions: [abc], [^a-z], [[:alpha:]_], [[.-.]], [[=a=]].
 *
 * Ignoring case means, here as in the rest of the pattern, that both sides are made upper case: the
 * set is built of upper-case letters, and at the end takes in every byte whose upper case is in it.
 */
#include "regex-program.h"

#include <ctype.h>
#include <string.h>

#define NAME_MAX_LENGTH 31

/* One element: a byte, or a class that was added to the set already. */
struct element {
  int is_class;
  unsigned char byte;
};

static int is_in_class(const char *name, int byte) {
  static const struct {
    const char *name;
    int (*test)(int);
  } classes[] = {
      {"alpha", isalpha}, {"digit", isdigit}, {"alnum", isalnum}, {"upper", isupper},
      {"lower", islower}, {"space", isspace}, {"blank", isblank}, {"punct", ispunct},
      {"print", isprint}, {"graph", isgraph}, {"cntrl", iscntrl}, {"xdigit", isxdigit},
  };
  for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
    if (strcmp(classes[i].name, name) == 0) return classes[i].test(byte) != 0;
  }
  return -1;
}

static int add_class(struct __rz_regex_set *set, const char *name, int flags) {
  if ((flags & REG_ICASE) && (strcmp(name, "upper") == 0 || strcmp(name, "lower") == 0)) name = "alpha";
  for (int byte = 0; byte < 256; byte++) {
    const int is_in = is_in_class(name, byte);
    if (is_in < 0) return REG_ECTYPE;
    if (is_in) __rz_regex_set_add(set, (unsigned char)byte);
  }
  return 0;
}

/* [:name:], [.name.] or [=name=]; *pattern stands after the two opening characters. */
static int parse_named(const char **pattern, char kind, int flags, struct __rz_regex_set *set,
                       struct element *element) {
  char name[NAME_MAX_LENGTH + 1];
  size_t length = 0;
  const char *p = *pattern;
  while (!(p[0] == kind && p[1] == ']')) {
    if (*p == 0 || length == NAME_MAX_LENGTH) return REG_EBRACK;
    name[length++] = *p++;
  }
  name[length] = 0;
  *pattern = p + 2;
  if (kind == ':') {
    element->is_class = 1;
    return add_class(set, name, flags);
  }
  if (length != 1) return REG_ECOLLATE;
  element->is_class = kind == '=';
  element->byte = (unsigned char)(flags & REG_ICASE ? toupper((unsigned char)name[0]) : name[0]);
  if (kind == '=') __rz_regex_set_add(set, element->byte);
  return 0;
}

static int is_named(const char *p) { return p[0] == '[' && (p[1] == ':' || p[1] == '.' || p[1] == '='); }

static int parse_element(const char **pattern, int flags, struct __rz_regex_set *set, struct element *element) {
  const char *p = *pattern;
  *element = (struct element){0};
  if (*p == 0) return REG_EBRACK;
  if (is_named(p)) {
    *pattern = p + 2;
    return parse_named(pattern, p[1], flags, set, element);
  }
  element->byte = (unsigned char)*p;
  if (flags & REG_ICASE) element->byte = (unsigned char)toupper(element->byte);
  *pattern = p + 1;
  return 0;
}

static int add_range(struct __rz_regex_set *set, const struct element *low, const struct element *high) {
  if (low->is_class || high->is_class || low->byte > high->byte) return REG_ERANGE;
  for (int byte = low->byte; byte <= high->byte; byte++) __rz_regex_set_add(set, (unsigned char)byte);
  return 0;
}

/*
 * A '-' stands for itself first, last, and as the end of a range; anywhere else it makes a range.
 */
static int parse_members(const char **pattern, int flags, struct __rz_regex_set *set) {
  int is_first = 1;
  for (const char *p = *pattern; is_first || *p != ']'; is_first = 0, p = *pattern) {
    if (*p == '-' && !is_first && p[1] != ']') return p[1] == 0 ? REG_EBRACK : REG_ERANGE;
    struct element low, high;
    int error = parse_element(pattern, flags, set, &low);
    if (error) return error;
    p = *pattern;
    if (*p == 0) return REG_EBRACK;
    if (*p == '-' && p[1] != ']') {
      *pattern = p + 1;
      error = parse_element(pattern, flags, set, &high);
      if (!error) error = add_range(set, &low, &high);
      if (error) return error;
    } else if (!low.is_class) {
      __rz_regex_set_add(set, low.byte);
    }
  }
  ++*pattern;
  return 0;
}

int __rz_regex_parse_bracket(const char **pattern, int flags, struct __rz_regex_set *set) {
  struct __rz_regex_set members = {{0}};
  const int is_negated = **pattern == '^';
  if (is_negated) ++*pattern;
  if (**pattern == 0) return REG_BADPAT;
  const int error = parse_members(pattern, flags, &members);
  if (error) return error;

  *set = (struct __rz_regex_set){{0}};
  for (int byte = 0; byte < 256; byte++) {
    const int folded = flags & REG_ICASE ? toupper(byte) : byte;
    int is_in = __rz_regex_set_has(&members, (unsigned char)folded);
    if (is_negated) is_in = !is_in && !(byte == '\n' && (flags & REG_NEWLINE));
    if (is_in) __rz_regex_set_add(set, (unsigned char)byte);
  }
  return 0;
}
