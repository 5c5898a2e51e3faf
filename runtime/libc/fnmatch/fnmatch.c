/*
 * Matching names against shell patterns: * ? [...] and, with FNM_EXTMATCH, ?(a|b) *(a|b) +(a|b)
 * @(a|b) !(a|b).
 *
 * A plain '*' needs no recursion: when the text after it does not fit, it takes one more byte, and
 * only the last one met has to be tried again, because an earlier one that took more could only
 * leave less for it. The extended forms try every division of the text.
 */
#include <ctype.h>
#include <fnmatch.h>
#include <stddef.h>
#include <string.h>

#define MAXIMUM_CLASS_NAME 15

struct subject {
  const char *start, *end; /* the whole text */
  int flags;
};

static int fold(const struct subject *t, char c) {
  const unsigned char byte = (unsigned char)c;
  return t->flags & FNM_CASEFOLD ? tolower(byte) : byte;
}

/* A period that '*', '?' and brackets must not match. */
static int is_leading_period(const struct subject *t, const char *s) {
  if (!(t->flags & FNM_PERIOD) || s == t->end || *s != '.') return 0;
  return s == t->start || ((t->flags & FNM_PATHNAME) && s[-1] == '/');
}

static int is_wild_byte(const struct subject *t, const char *s) {
  return !((t->flags & FNM_PATHNAME) && *s == '/') && !is_leading_period(t, s);
}

/* ---- brackets ---- */

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

/* [:name:] at p: its end, or null if there is none; *hit becomes 1 if the byte is in the class. */
static const char *match_class(const struct subject *t, const char *p, const char *pe, int byte, int *hit) {
  char name[MAXIMUM_CLASS_NAME + 1];
  size_t length = 0;
  for (p += 2; p + 1 < pe && !(p[0] == ':' && p[1] == ']'); p++) {
    if (length == MAXIMUM_CLASS_NAME || !islower((unsigned char)*p)) return 0;
    name[length++] = *p;
  }
  if (p + 1 >= pe) return 0;
  name[length] = 0;
  const int is_in = is_in_class(name, byte);
  const int folds = (t->flags & FNM_CASEFOLD) && (strcmp(name, "upper") == 0 || strcmp(name, "lower") == 0);
  if (is_in > 0 || (folds && isalpha(byte))) *hit = 1;
  return is_in < 0 ? 0 : p + 2;
}

/* One end of a range: a byte, an escaped byte, [.x.] or [=x=]. Returns what follows it, or null. */
static const char *take_member(const struct subject *t, const char *p, const char *pe, int *byte) {
  if (p < pe && *p == '[' && p + 4 < pe && (p[1] == '.' || p[1] == '=') && p[3] == p[1] && p[4] == ']') {
    *byte = fold(t, p[2]);
    return p + 5;
  }
  if (p < pe && *p == '\\' && !(t->flags & FNM_NOESCAPE)) p++;
  if (p >= pe) return 0;
  *byte = fold(t, *p);
  return p + 1;
}

/*
 * The bracket expression after '[' at p, for the byte at s. Returns what follows its ']', or null
 * if it has no end and '[' stands for itself; *matches says whether the byte is in it.
 */
static const char *match_bracket(const struct subject *t, const char *p, const char *pe, const char *s, int *matches) {
  const int byte = fold(t, *s);
  int hit = 0, is_first = 1;
  const int is_negated = p < pe && (*p == '!' || *p == '^');
  if (is_negated) p++;
  for (; p < pe && (*p != ']' || is_first); is_first = 0) {
    if (p[0] == '[' && p + 1 < pe && p[1] == ':') {
      const char *behind = match_class(t, p, pe, (unsigned char)*s, &hit);
      if (behind) {
        p = behind;
        continue;
      }
    }
    int low, high;
    p = take_member(t, p, pe, &low);
    if (!p) return 0;
    high = low;
    if (p + 1 < pe && p[0] == '-' && p[1] != ']') {
      p = take_member(t, p + 1, pe, &high);
      if (!p) return 0;
    }
    if (low <= byte && byte <= high) hit = 1;
  }
  if (p >= pe) return 0;
  *matches = hit != is_negated;
  return p + 1;
}

/* ---- patterns ---- */

static int match(const struct subject *t, const char *p, const char *pe, const char *s, const char *se);

/* After the bracket expression at p, or after its '[' if it has no end. */
static const char *skip_bracket(const struct subject *t, const char *p, const char *pe) {
  const char *q = p + 1;
  if (q < pe && (*q == '!' || *q == '^')) q++;
  if (q < pe && *q == ']') q++;
  while (q < pe && *q != ']') {
    if (*q == '\\' && !(t->flags & FNM_NOESCAPE)) q++;
    q++;
  }
  return q < pe ? q + 1 : p + 1;
}

/* The end of an alternative that begins at p: the '|' or ')' after it, or null. */
static const char *end_of_alternative(const struct subject *t, const char *p, const char *pe) {
  int depth = 0;
  while (p < pe) {
    if (*p == '[') {
      p = skip_bracket(t, p, pe);
      continue;
    }
    if (*p == '\\' && !(t->flags & FNM_NOESCAPE) && p + 1 < pe) p++;
    else if (*p == '(') depth++;
    else if (*p == ')' && depth-- == 0) return p;
    else if (*p == '|' && depth == 0) return p;
    p++;
  }
  return 0;
}

/* After the ')' of the group whose first alternative begins at p, or null. */
static const char *end_of_group(const struct subject *t, const char *p, const char *pe) {
  for (;; p++) {
    p = end_of_alternative(t, p, pe);
    if (!p) return 0;
    if (*p == ')') return p + 1;
  }
}

static int is_group(const struct subject *t, const char *p, const char *pe) {
  return (t->flags & FNM_EXTMATCH) && p + 1 < pe && p[1] == '(' && strchr("?*+@!", *p) && end_of_group(t, p + 2, pe);
}

/* Whether one of the group's alternatives matches all of [s, se). */
static int matches_alternative(const struct subject *t, const char *p, const char *pe, const char *s, const char *se) {
  struct subject exact = *t;
  exact.flags &= ~FNM_LEADING_DIR;
  for (;;) {
    const char *end = end_of_alternative(t, p, pe);
    if (match(&exact, p, end, s, se)) return 1;
    if (*end == ')') return 0;
    p = end + 1;
  }
}

static int match_group(const struct subject *t, const char *p, const char *pe, const char *s, const char *se) {
  const char kind = *p, *alternatives = p + 2, *rest = end_of_group(t, alternatives, pe);
  if ((kind == '?' || kind == '*') && match(t, rest, pe, s, se)) return 1;
  for (const char *middle = s; middle <= se; middle++) {
    if (matches_alternative(t, alternatives, pe, s, middle) == (kind == '!')) continue;
    if (match(t, rest, pe, middle, se)) return 1;
    if ((kind == '*' || kind == '+') && middle > s && match(t, p, pe, middle, se)) return 1;
  }
  return 0;
}

/* Matches one byte of text with the pattern at *p, and moves *p past that part. */
static int match_one(const struct subject *t, const char **p, const char *pe, const char *s) {
  const char *at = *p;
  if (*at == '?') {
    *p = at + 1;
    return is_wild_byte(t, s);
  }
  if (*at == '[') {
    int is_in = 0;
    const char *behind = match_bracket(t, at + 1, pe, s, &is_in);
    if (behind) {
      *p = behind;
      return is_in && is_wild_byte(t, s);
    }
  }
  if (*at == '\\' && !(t->flags & FNM_NOESCAPE)) {
    if (++at == pe) return 0;
  }
  *p = at + 1;
  return fold(t, *at) == fold(t, *s);
}

static int match(const struct subject *t, const char *p, const char *pe, const char *s, const char *se) {
  const char *behind_star = 0, *star_text = 0;
  for (;;) {
    int fits;
    if (p == pe) {
      fits = s == se || ((t->flags & FNM_LEADING_DIR) && *s == '/');
      if (fits) return 1;
    } else if (is_group(t, p, pe)) {
      if (match_group(t, p, pe, s, se)) return 1;
      fits = 0;
    } else if (*p == '*') {
      fits = !is_leading_period(t, s);
      if (fits) {
        behind_star = ++p;
        star_text = s;
      }
    } else {
      fits = s < se && match_one(t, &p, pe, s);
      if (fits) s++;
    }
    if (fits) continue;
    if (!behind_star || star_text == se || ((t->flags & FNM_PATHNAME) && *star_text == '/')) return 0;
    s = ++star_text;
    p = behind_star;
  }
}

int fnmatch(const char *pattern, const char *text, int flags) {
  const struct subject t = {text, text + strlen(text), flags};
  return match(&t, pattern, pattern + strlen(pattern), t.start, t.end) ? 0 : FNM_NOMATCH;
}
