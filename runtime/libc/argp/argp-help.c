/*
 * The messages of <argp.h>: --help, --usage and errors, laid out as glibc does.
 *
 * Entries are options with their aliases, or headers. They are sorted by group (0, 1, ..., then
 * -m, ..., -1); in a group headers come first, then options by letter, then documentation. The
 * options of a child that has a header or a group are a cluster, which is sorted as one entry.
 */
#include <argp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "argp-text.h"
#include "argp-tree.h"

#define SHORT_COLUMN 2
#define LONG_COLUMN 6
#define DOC_COLUMN 29
#define HEADER_COLUMN 1
#define USAGE_COLUMN 12

extern char *program_invocation_short_name;

struct cluster {
  const struct argp *argp;
  const char *header;
  int group, index, depth;
  struct cluster *parent, *next;
};

struct entry {
  const struct argp_option *option;
  size_t count; /* with aliases */
  int group;
  size_t order;
  const char *shorts; /* which of its letters are its own, since the first option with a letter has it */
  const struct argp *argp;
  struct cluster *cluster;
};

struct help {
  struct __rz_argp_text text;
  const struct argp_state *state;
  unsigned flags;
  struct entry *entries;
  size_t count;
  struct cluster *clusters;
  char letters[UCHAR_MAX + 2];
  size_t letter_count;
  int hides_arguments;
};

static void put(struct help *help, const char *part) { __rz_argp_put(&help->text, part); }

static int is_visible(const struct argp_option *option) { return !(option->flags & OPTION_HIDDEN); }

static int is_doc(const struct entry *entry) { return (entry->option->flags & OPTION_DOC) != 0; }

static int has_letter(const struct entry *entry, const struct argp_option *option) {
  return __rz_argp_is_short(option) && memchr(entry->shorts, option->key, strlen(entry->shorts));
}

/* The letter or the name that an entry is sorted by; null if it has none that is visible. */
static const struct argp_option *first_short(const struct entry *entry) {
  for (size_t i = 0; i < entry->count; i++)
    if (is_visible(entry->option + i) && has_letter(entry, entry->option + i)) return entry->option + i;
  return 0;
}

static const char *first_long(const struct entry *entry) {
  for (size_t i = 0; i < entry->count; i++)
    if (entry->option[i].name && is_visible(entry->option + i)) return entry->option[i].name;
  return 0;
}

/* Collecting */

static void add_entries(struct help *help, const struct argp *argp, struct cluster *cluster) {
  int group = 0;
  for (const struct argp_option *option = argp->options; option && !__rz_argp_is_end(option);) {
    struct entry *entry = help->entries + help->count;
    group = option->group ? option->group : !option->name && !option->key ? group + 1 : group;
    *entry = (struct entry){option, 0, group, help->count, 0, argp, cluster};
    char own[UCHAR_MAX + 1];
    size_t owned = 0;
    do {
      if (__rz_argp_is_short(option) && !memchr(help->letters, option->key, help->letter_count))
        own[owned++] = help->letters[help->letter_count++] = (char)option->key;
      entry->count++;
      option++;
    } while (!__rz_argp_is_end(option) && option->flags & OPTION_ALIAS);
    own[owned] = 0;
    entry->shorts = strdup(own);
    help->count++;
  }
}

static void collect(struct help *help, const struct argp *argp, struct cluster *cluster) {
  add_entries(help, argp, cluster);
  for (const struct argp_child *child = argp->children; child && child->argp; child++) {
    struct cluster *own = cluster;
    if (child->group || child->header) {
      own = malloc(sizeof *own);
      const int index = (int)(child - argp->children);
      *own = (struct cluster){argp, child->header, child->group, index, cluster ? cluster->depth + 1 : 0, cluster, help->clusters};
      help->clusters = own;
    }
    collect(help, child->argp, own);
  }
}

static size_t option_count(const struct argp *argp) {
  size_t count = 0;
  for (const struct argp_option *option = argp->options; option && !__rz_argp_is_end(option); option++) count++;
  for (const struct argp_child *child = argp->children; child && child->argp; child++) count += option_count(child->argp);
  return count;
}

/* Sorting */

static int compare_groups(int a, int b, int otherwise) {
  if (a == b) return otherwise;
  return (a < 0) == (b < 0) ? (a > b) - (a < b) : a < 0 ? 1 : -1;
}

static int compare_clusters(const struct cluster *a, const struct cluster *b) {
  while (a->depth > b->depth) a = a->parent;
  while (b->depth > a->depth) b = b->parent;
  while (a->parent != b->parent) a = a->parent, b = b->parent;
  return compare_groups(a->group, b->group, a->index - b->index);
}

static const struct cluster *outermost(const struct cluster *cluster) {
  while (cluster->parent) cluster = cluster->parent;
  return cluster;
}

static int compare_names(const struct entry *a, const struct entry *b) {
  const struct argp_option *short_a = first_short(a), *short_b = first_short(b);
  const char *long_a = first_long(a), *long_b = first_long(b);
  if (is_doc(a) != is_doc(b)) return is_doc(a) - is_doc(b);
  if (!short_a && !short_b && long_a && long_b) return strcasecmp(long_a, long_b);
  const int first_a = short_a ? short_a->key : long_a ? *long_a : 0;
  const int first_b = short_b ? short_b->key : long_b ? *long_b : 0;
  const int difference = tolower(first_a) - tolower(first_b);
  return difference ? difference : first_b - first_a;
}

static int compare(const void *left, const void *right) {
  const struct entry *a = left, *b = right;
  int result;
  if (a->cluster == b->cluster) result = compare_groups(a->group, b->group, 0);
  else if (!a->cluster) result = compare_groups(a->group, outermost(b->cluster)->group, -1);
  else if (!b->cluster) result = compare_groups(outermost(a->cluster)->group, b->group, 1);
  else result = compare_clusters(a->cluster, b->cluster);
  if (!result && a->cluster == b->cluster) result = compare_names(a, b);
  return result ? result : a->order < b->order ? -1 : 1;
}

/* Writing options */

/* The text after the program's own function has seen it; `*owned` is to be freed. */
static const char *filtered(const struct help *help, const struct argp *argp, int key, const char *text, char **owned) {
  *owned = 0;
  if (!argp->help_filter) return text;
  char *other = argp->help_filter(key, text, __rz_argp_input(argp, help->state));
  if (other != text) *owned = other;
  return other;
}

static void put_argument(struct help *help, const struct argp_option *real, const char *before, const char *optional) {
  if (!real->arg) return;
  const int is_optional = real->flags & OPTION_ARG_OPTIONAL;
  put(help, is_optional ? optional : before);
  put(help, real->arg);
  if (is_optional) put(help, "]");
}

struct position {
  const struct entry *entry, *previous;
  int is_first;
  int *separates;
};

static void put_header(struct help *help, const char *header, const struct argp *argp, struct position *position) {
  char *owned;
  const char *text = filtered(help, argp, ARGP_KEY_HELP_HEADER, header, &owned);
  if (text && *text) {
    if (position->previous) put(help, "\n");
    __rz_argp_indent(&help->text, HEADER_COLUMN);
    help->text.margin = help->text.continued = HEADER_COLUMN;
    put(help, text);
    help->text.margin = help->text.continued = 0;
    put(help, "\n");
    *position->separates = 1;
  }
  free(owned);
}

static int is_within(const struct cluster *inner, const struct cluster *outer) {
  while (inner && inner != outer) inner = inner->parent;
  return inner == outer;
}

/* What stands before a name: a comma, or what begins an entry. */
static void begin_name(struct help *help, size_t column, struct position *position) {
  const struct entry *entry = position->entry, *previous = position->previous;
  if (!position->is_first) {
    put(help, ", ");
  } else {
    if (*position->separates && previous && entry->group != previous->group) put(help, "\n");
    const struct cluster *cluster = entry->cluster;
    if (cluster && cluster->header && *cluster->header && (!previous || !is_within(previous->cluster, cluster))) {
      const int separated = *position->separates;
      put_header(help, cluster->header, cluster->argp, position);
      *position->separates = separated;
    }
    position->is_first = 0;
  }
  __rz_argp_indent(&help->text, column);
}

static void put_names(struct help *help, struct position *position) {
  const struct entry *entry = position->entry;
  const struct argp_option *real = entry->option;
  const int has_long = !is_doc(entry) && first_long(entry);
  for (size_t i = 0; i < entry->count; i++) {
    const struct argp_option *option = entry->option + i;
    if (!is_visible(option) || !has_letter(entry, option)) continue;
    begin_name(help, SHORT_COLUMN, position);
    put(help, (char[]){'-', (char)option->key, 0});
    if (!has_long) put_argument(help, real, " ", "[");
    else if (real->arg) help->hides_arguments = 1;
  }
  for (size_t i = 0; i < entry->count; i++) {
    const struct argp_option *option = entry->option + i;
    if (!option->name || !is_visible(option)) continue;
    begin_name(help, is_doc(entry) ? SHORT_COLUMN : LONG_COLUMN, position);
    if (!is_doc(entry)) put(help, "--");
    put(help, option->name);
    if (!is_doc(entry)) put_argument(help, real, "=", "[=");
  }
}

static void put_description(struct help *help, const char *description) {
  struct __rz_argp_text *text = &help->text;
  text->margin = text->continued = DOC_COLUMN;
  if (text->length > DOC_COLUMN + 3) put(help, "\n");
  else if (text->length >= DOC_COLUMN) put(help, "   ");
  else __rz_argp_indent(text, DOC_COLUMN);
  put(help, description);
  text->margin = text->continued = 0;
}

static void put_entry(struct help *help, const struct entry *entry, const struct entry **previous, int *separates) {
  const struct argp_option *real = entry->option;
  struct position position = {entry, *previous, 1, separates};
  put_names(help, &position);
  char *owned;
  const char *description = filtered(help, entry->argp, real->key, real->doc, &owned);
  if (position.is_first) {
    if (!real->name && !real->key && description) {
      if (*separates && *previous && entry->group != (*previous)->group && !*description) put(help, "\n");
      put_header(help, real->doc, entry->argp, &position);
      *previous = entry;
    }
  } else {
    if (description && *description) put_description(help, description);
    put(help, "\n");
    *previous = entry;
  }
  free(owned);
}

static void put_options(struct help *help, const struct argp *root) {
  const struct entry *previous = 0;
  int separates = 0;
  for (size_t i = 0; i < help->count; i++) put_entry(help, help->entries + i, &previous, &separates);
  if (!help->hides_arguments) return;
  char *owned;
  const char *note = filtered(help, root, ARGP_KEY_HELP_DUP_ARGS_NOTE,
                              "Mandatory or optional arguments to long options are also mandatory or optional for any "
                              "corresponding short options.",
                              &owned);
  if (note && *note) put(help, "\n"), put(help, note), put(help, "\n");
  free(owned);
}

/* Writing usage */

static void put_short_usage(struct help *help) {
  char letters[UCHAR_MAX + 6] = "[-";
  size_t length = 2;
  for (size_t i = 0; i < help->count; i++) {
    const struct entry *entry = help->entries + i;
    if (entry->option->arg || entry->option->flags & OPTION_NO_USAGE) continue;
    for (size_t j = 0; j < entry->count; j++)
      if (is_visible(entry->option + j) && !(entry->option[j].flags & OPTION_NO_USAGE) && has_letter(entry, entry->option + j))
        letters[length++] = (char)entry->option[j].key;
  }
  if (length == 2) return;
  strcpy(letters + length, "]");
  __rz_argp_space(&help->text, length + 1);
  put(help, letters);
}

static void put_usage_of(struct help *help, const struct argp_option *real, const char *dash, const char *name, int is_long) {
  const int is_optional = real->flags & OPTION_ARG_OPTIONAL;
  char text[512] = "";
  if (!real->arg) snprintf(text, sizeof text, "[%s%s]", dash, name);
  else if (is_optional) snprintf(text, sizeof text, is_long ? "[%s%s[=%s]]" : "[%s%s[%s]]", dash, name, real->arg);
  else snprintf(text, sizeof text, is_long ? "[%s%s=%s]" : "[%s%s %s]", dash, name, real->arg);
  if (is_optional && !is_long) put(help, " ");
  else __rz_argp_space(&help->text, strlen(text));
  put(help, text);
}

static void put_usages(struct help *help) {
  put_short_usage(help);
  for (int is_long = 0; is_long < 2; is_long++) {
    for (size_t i = 0; i < help->count; i++) {
      const struct entry *entry = help->entries + i;
      const struct argp_option *real = entry->option;
      if (real->flags & OPTION_NO_USAGE) continue;
      for (size_t j = 0; j < entry->count; j++) {
        const struct argp_option *option = real + j;
        if (!is_visible(option) || option->flags & OPTION_NO_USAGE) continue;
        if (is_long && option->name) put_usage_of(help, real, "--", option->name, 1);
        if (!is_long && real->arg && has_letter(entry, option)) put_usage_of(help, real, "-", (char[]){(char)option->key, 0}, 0);
      }
    }
  }
}

/*
 * The arguments of all argps of the tree. `args_doc` may have several lines, which are
 * alternatives; `levels` says which line of each argp is next, and 0 is returned when all have
 * been written.
 */
static int put_arguments(struct help *help, const struct argp *argp, unsigned char **levels, int advance) {
  unsigned char *level = *levels;
  int has_more = 0, is_multiple = 0;
  char *owned;
  const char *doc = filtered(help, argp, ARGP_KEY_HELP_ARGS_DOC, argp->args_doc, &owned);
  if (doc) {
    const char *line = doc, *end = strchrnul(line, '\n');
    is_multiple = *end != 0;
    for (unsigned char i = 0; is_multiple && i < *level; i++) line = end + 1, end = strchrnul(line, '\n');
    has_more = is_multiple && *end;
    ++*levels;
    if (end > line) {
      char *text = strndup(line, (size_t)(end - line));
      __rz_argp_space(&help->text, strlen(text) + 1);
      put(help, text);
      free(text);
    }
  }
  for (const struct argp_child *child = argp->children; child && child->argp; child++)
    advance = !put_arguments(help, child->argp, levels, advance);
  if (advance && is_multiple) {
    if (has_more) ++*level, advance = 0;
    else *level = 0;
  }
  free(owned);
  return !advance;
}

static void put_usage(struct help *help, const struct argp *root, const char *name) {
  unsigned char levels[64] = {0}, *next;
  int is_first = 1, has_more;
  do {
    next = levels;
    put(help, is_first ? "Usage:" : "  or: ");
    put(help, " ");
    put(help, name);
    help->text.margin = help->text.continued = USAGE_COLUMN;
    if (!is_first || help->flags & ARGP_HELP_SHORT_USAGE) {
      if (help->count > 0) put(help, " [OPTION...]");
    } else {
      put_usages(help);
      help->flags |= ARGP_HELP_SHORT_USAGE;
    }
    has_more = put_arguments(help, root, &next, 1);
    help->text.margin = help->text.continued = 0;
    put(help, "\n");
    is_first = 0;
  } while (has_more);
}

/* Writing documentation: of each argp, what stands before the vertical tab, or behind it. */
static int put_doc(struct help *help, const struct argp *argp, int is_post, int has_blank, int only_first) {
  const char *tab = argp->doc ? strchr(argp->doc, '\v') : 0;
  char *before = argp->doc && tab && !is_post ? strndup(argp->doc, (size_t)(tab - argp->doc)) : 0;
  const char *part = tab ? is_post ? tab + 1 : before : is_post ? 0 : argp->doc;
  char *owned;
  const char *text = filtered(help, argp, is_post ? ARGP_KEY_HELP_POST_DOC : ARGP_KEY_HELP_PRE_DOC, part, &owned);
  int anything = 0;
  if (text) {
    if (has_blank) put(help, "\n");
    put(help, text);
    if (help->text.length > 0) put(help, "\n");
    anything = 1;
  }
  free(owned);
  free(before);
  if (is_post && argp->help_filter) {
    text = filtered(help, argp, ARGP_KEY_HELP_EXTRA, 0, &owned);
    if (text) {
      if (anything || has_blank) put(help, "\n");
      put(help, text);
      if (help->text.length > 0) put(help, "\n");
      anything = 1;
    }
    free(owned);
  }
  for (const struct argp_child *child = argp->children; child && child->argp && !(only_first && anything); child++)
    anything |= put_doc(help, child->argp, is_post, anything || has_blank, only_first);
  return anything;
}

static void put_all(struct help *help, const struct argp *argp, const char *name) {
  int anything = 0;
  if (help->flags & (ARGP_HELP_USAGE | ARGP_HELP_SHORT_USAGE)) {
    put_usage(help, argp, name);
    anything = 1;
  }
  if (help->flags & ARGP_HELP_PRE_DOC) anything |= put_doc(help, argp, 0, 0, 1);
  if (help->flags & ARGP_HELP_SEE) {
    const char *format = "Try `%s --help' or `%s --usage' for more information.\n";
    char *see;
    if (asprintf(&see, format, name, name) >= 0) put(help, see), free(see);
    anything = 1;
  }
  if (help->flags & ARGP_HELP_LONG && help->count > 0) {
    if (anything) put(help, "\n");
    put_options(help, argp);
    anything = 1;
  }
  if (help->flags & ARGP_HELP_POST_DOC) anything |= put_doc(help, argp, 1, anything, 0);
  if (help->flags & ARGP_HELP_BUG_ADDR && argp_program_bug_address) {
    if (anything) put(help, "\n");
    put(help, "Report bugs to ");
    put(help, argp_program_bug_address);
    put(help, ".\n");
  }
}

static void help_with(const struct argp *argp, const struct argp_state *state, FILE *stream, unsigned flags, const char *name) {
  if (!stream) return;
  struct help help = {.text.stream = stream, .state = state, .flags = flags};
  help.entries = calloc(option_count(argp) + 1, sizeof *help.entries);
  if (!help.entries) return;
  collect(&help, argp, 0);
  qsort(help.entries, help.count, sizeof *help.entries, compare);
  put_all(&help, argp, name);
  __rz_argp_flush(&help.text);
  for (size_t i = 0; i < help.count; i++) free((char *)help.entries[i].shorts);
  for (struct cluster *cluster = help.clusters, *next; cluster; cluster = next) next = cluster->next, free(cluster);
  free(help.entries);
}

void argp_help(const struct argp *restrict argp, FILE *restrict stream, unsigned flags, char *restrict name) {
  help_with(argp, 0, stream, flags, name);
}

void argp_state_help(const struct argp_state *restrict state, FILE *restrict stream, unsigned flags) {
  if ((state && state->flags & ARGP_NO_ERRS) || !stream) return;
  static const struct argp nothing;
  help_with(state ? state->root_argp : &nothing, state, stream, flags, state ? state->name : program_invocation_short_name);
  if (state && state->flags & ARGP_NO_EXIT) return;
  if (flags & ARGP_HELP_EXIT_ERR) exit(argp_err_exit_status);
  if (flags & ARGP_HELP_EXIT_OK) exit(0);
}

void argp_usage(const struct argp_state *state) { argp_state_help(state, stderr, ARGP_HELP_STD_USAGE); }

void argp_error(const struct argp_state *restrict state, const char *restrict format, ...) {
  FILE *stream = state ? state->err_stream : stderr;
  if ((state && state->flags & ARGP_NO_ERRS) || !stream) return;
  va_list arguments;
  va_start(arguments, format);
  fprintf(stream, "%s: ", state ? state->name : program_invocation_short_name);
  vfprintf(stream, format, arguments);
  va_end(arguments);
  fputc('\n', stream);
  argp_state_help(state, stream, ARGP_HELP_STD_ERR);
}

void argp_failure(const struct argp_state *restrict state, int status, int error, const char *restrict format, ...) {
  FILE *stream = state ? state->err_stream : stderr;
  if ((state && state->flags & ARGP_NO_ERRS) || !stream) return;
  fputs(state ? state->name : program_invocation_short_name, stream);
  if (format) {
    va_list arguments;
    va_start(arguments, format);
    fputs(": ", stream);
    vfprintf(stream, format, arguments);
    va_end(arguments);
  }
  if (error) fprintf(stream, ": %s", strerror(error));
  fputc('\n', stream);
  if (status && (!state || !(state->flags & ARGP_NO_EXIT))) exit(status);
}
