/*
 * getopt, getopt_long and getopt_long_only, as GNU has them.
 *
 * By default operands are moved after the options during the scan:
 *
 *     argv:  [options seen ..] [skipped operands ..] [not yet seen ..]
 *                              ^first_skipped        ^end_of_skipped, then optind
 *
 * When an option follows skipped operands, the two blocks change places. A leading '+' in the
 * option string (or POSIXLY_CORRECT) stops at the first operand instead; a leading '-' returns
 * operands as option 1.
 *
 * Invariants
 *   first_skipped <= end_of_skipped <= optind; the operands skipped so far are exactly those between the
 *   first two.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *optarg;
int optind = 1, opterr = 1, optopt = '?';

enum operands { PERMUTE, STOP, RETURN };

static struct {
  int is_started;
  enum operands operands;
  const char *cluster;      /* the rest of -abc after the option last returned, or null */
  int first_skipped;
  int end_of_skipped;
} scan;

/*
 * The arguments of the running call, and what its parts return beside their result. An engine need
 * not check accesses to a static variable, as it must those to a local whose address is passed.
 */
static struct {
  int argc;
  char **argv;
  const char *options;      /* without the leading '+' or '-' */
  const struct option *long_options;
  int *long_index;
  int long_only;
  int is_ambiguous;         /* find_long: several options fit */
  int result;               /* next_argument: if there is no argument with options */
} request;

static int reports_errors(void) { return opterr && request.options[0] != ':'; }
static int missing_argument(void) { return request.options[0] == ':' ? ':' : '?'; }

static void reverse(char **argv, int from, int to) {
  while (from < --to) {
    char *held = argv[from];
    argv[from++] = argv[to];
    argv[to] = held;
  }
}

/*
 * Moves the skipped operands after the options that were read since. Rotation is three reversals.
 */
static void exchange(char **argv) {
  const int skipped = scan.end_of_skipped - scan.first_skipped;
  reverse(argv, scan.first_skipped, scan.end_of_skipped);
  reverse(argv, scan.end_of_skipped, optind);
  reverse(argv, scan.first_skipped, optind);
  scan.end_of_skipped = optind;
  scan.first_skipped = optind - skipped;
}

static void put_skipped_behind(char **argv) {
  if (scan.first_skipped != scan.end_of_skipped && scan.end_of_skipped != optind) exchange(argv);
  else if (scan.first_skipped == scan.end_of_skipped) scan.first_skipped = optind;
  scan.end_of_skipped = optind;
}

static void start(const char *options) {
  if (optind == 0) optind = 1;
  scan.is_started = 1;
  scan.cluster = 0;
  scan.first_skipped = scan.end_of_skipped = optind;
  if (options[0] == '-') scan.operands = RETURN;
  else if (options[0] == '+' || getenv("POSIXLY_CORRECT")) scan.operands = STOP;
  else scan.operands = PERMUTE;
}

static int is_operand(const char *argument) { return argument[0] != '-' || argument[1] == 0; }

/* Two options that a prefix fits are not an ambiguity if they mean the same. */
static int differ(const struct option *a, const struct option *b) {
  return request.long_only || a->has_arg != b->has_arg || a->flag != b->flag || a->val != b->val;
}

/*
 * How the text before '=' names the long options: all of one, or the beginning of one or of
 * several.
 */
static const struct option *find_long(const char *text, size_t length) {
  const struct option *found = 0;
  request.is_ambiguous = 0;
  for (const struct option *o = request.long_options; o->name; o++) {
    if (strncmp(o->name, text, length) != 0) continue;
    if (o->name[length] == 0) {
      request.is_ambiguous = 0;
      return o;
    }
    if (!found) found = o;
    else if (differ(found, o)) request.is_ambiguous = 1;
  }
  return found;
}

static void list_possibilities(const struct option *found, const char *prefix, const char *text, size_t length) {
  fprintf(stderr, "%s: option '%s%s' is ambiguous; possibilities:", request.argv[0], prefix, text);
  for (const struct option *o = request.long_options; o->name; o++) {
    if (strncmp(o->name, text, length) != 0) continue;
    if (o == found || differ(found, o)) fprintf(stderr, " '%s%s'", prefix, o->name);
  }
  fputc('\n', stderr);
}

static int unknown_long(const char *prefix, const char *text) {
  if (reports_errors()) fprintf(stderr, "%s: unrecognized option '%s%s'\n", request.argv[0], prefix, text);
  optind++;
  optopt = 0;
  return '?';
}

/*
 * `text` is what follows the prefix "--", "-" or "-W "; -1 if a "-" turns out to start short
 * options.
 */
static int take_long(const char *text, const char *prefix) {
  const size_t length = strcspn(text, "=");
  const struct option *found = find_long(text, length);
  scan.cluster = 0;
  if (request.is_ambiguous) {
    if (reports_errors()) list_possibilities(found, prefix, text, length);
    optind++;
    optopt = 0;
    return '?';
  }
  if (!found) {
    const int may_be_short = request.long_only && prefix[1] == 0 && strchr(request.options, text[0]);
    return may_be_short ? -1 : unknown_long(prefix, text);
  }

  optind++;
  if (text[length] == '=') {
    if (found->has_arg == no_argument) {
      if (reports_errors()) {
        fprintf(stderr, "%s: option '%s%s' doesn't allow an argument\n", request.argv[0], prefix, found->name);
      }
      optopt = found->val;
      return '?';
    }
    optarg = (char *)text + length + 1;
  } else if (found->has_arg == required_argument) {
    if (optind >= request.argc) {
      if (reports_errors()) {
        fprintf(stderr, "%s: option '%s%s' requires an argument\n", request.argv[0], prefix, found->name);
      }
      optopt = found->val;
      return missing_argument();
    }
    optarg = request.argv[optind++];
  }
  if (request.long_index) *request.long_index = (int)(found - request.long_options);
  if (!found->flag) return found->val;
  *found->flag = found->val;
  return 0;
}

static int short_needs_argument(int letter) {
  if (reports_errors()) fprintf(stderr, "%s: option requires an argument -- '%c'\n", request.argv[0], letter);
  optopt = letter;
  return missing_argument();
}

/* The next letter of the cluster; argv[optind] is the argument that it stands in. */
static int take_short(void) {
  const int letter = (unsigned char)*scan.cluster++;
  const char *spec = letter == ':' || letter == ';' ? 0 : strchr(request.options, letter);
  const int is_last = *scan.cluster == 0;
  if (is_last) optind++;
  if (!spec) {
    if (reports_errors()) fprintf(stderr, "%s: invalid option -- '%c'\n", request.argv[0], letter);
    if (is_last) scan.cluster = 0;
    optopt = letter;
    return '?';
  }
  if (spec[0] == 'W' && spec[1] == ';' && request.long_options) {
    const char *text = is_last ? request.argv[optind] : scan.cluster;
    scan.cluster = 0;
    return text ? take_long(text, "-W ") : short_needs_argument(letter);
  }
  if (spec[1] != ':') {
    if (is_last) scan.cluster = 0;
    return letter;
  }

  const char *attached = is_last ? 0 : scan.cluster;
  scan.cluster = 0;
  if (attached) {
    optarg = (char *)attached;
    optind++;
  } else if (spec[2] != ':') {
    if (optind >= request.argc) return short_needs_argument(letter);
    optarg = request.argv[optind++];
  }
  return letter;
}

/* Finds the next argument with options: true, or false with the answer in `request`. */
static int next_argument(void) {
  if (scan.end_of_skipped > optind) scan.end_of_skipped = optind;
  if (scan.first_skipped > optind) scan.first_skipped = optind;
  if (scan.operands == PERMUTE) {
    put_skipped_behind(request.argv);
    while (optind < request.argc && is_operand(request.argv[optind])) optind++;
    scan.end_of_skipped = optind;
  }
  if (optind < request.argc && strcmp(request.argv[optind], "--") == 0) {
    optind++;
    put_skipped_behind(request.argv);
    scan.end_of_skipped = optind = request.argc;
  }
  request.result = -1;
  if (optind >= request.argc) {
    if (scan.first_skipped != scan.end_of_skipped) optind = scan.first_skipped;
    return 0;
  }
  if (!is_operand(request.argv[optind])) return 1;
  if (scan.operands == RETURN) {
    optarg = request.argv[optind++];
    request.result = 1;
  }
  return 0;
}

static int next_option(void) {
  if (request.argc < 1) return -1;
  optarg = 0;
  if (optind == 0 || !scan.is_started) start(request.options);
  if (request.options[0] == '-' || request.options[0] == '+') request.options++;
  if (!scan.cluster) {
    if (!next_argument()) return request.result;
    const char *argument = request.argv[optind];
    if (request.long_options) {
      if (argument[1] == '-') return take_long(argument + 2, "--");
      if (request.long_only && (argument[2] || !strchr(request.options, argument[1]))) {
        const int code = take_long(argument + 1, "-");
        if (code != -1) return code;
      }
    }
    scan.cluster = argument + 1;
  }
  return take_short();
}

/* The program's pointers are not kept, since a block that only they point to has leaked. */
static int get_option(int argc, char *const argv[], const char *options, const struct option *long_options, int *index,
                      int long_only) {
  request.argc = argc, request.argv = (char **)argv, request.options = options;
  request.long_options = long_options, request.long_index = index, request.long_only = long_only;
  int option = next_option();
  request.argv = 0, request.options = 0, request.long_options = 0, request.long_index = 0;
  return option;
}

int getopt(int argc, char *const argv[], const char *options) {
  return get_option(argc, argv, options, 0, 0, 0);
}

int getopt_long(int argc, char *const argv[], const char *options, const struct option *long_options, int *index) {
  return get_option(argc, argv, options, long_options, index, 0);
}

int getopt_long_only(int argc, char *const argv[], const char *options, const struct option *long_options,
                     int *index) {
  return get_option(argc, argv, options, long_options, index, 1);
}
