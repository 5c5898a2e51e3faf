/*
 * argp_parse: calls the parsers of a tree of argps for the options and arguments that getopt_long
 * finds.
 *
 * Invariants
 *   - `groups` has the argps of the tree, each before its children.
 *   - What getopt_long returns for a long option is its key, and in the upper eight bits the number
 *     of its group, counted from 1; for a short option it is the character alone.
 */
#include <argp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "argp-tree.h"

#define KEY_BITS 24
#define KEY_MASK ((1 << KEY_BITS) - 1)
#define KEY_USAGE (-3)
#define KEY_PROGRAM_NAME (-2)

extern char *program_invocation_name, *program_invocation_short_name;


struct group {
  const struct argp *argp;
  struct group *parent;
  unsigned place; /* among the children of the parent */
  unsigned processed;
  void *input, *hook;
  void **child_inputs;
};

struct parser {
  struct group *groups;
  size_t group_count;
  char *short_options;
  struct option *long_options;
  size_t long_count;
  struct group *short_groups[UCHAR_MAX + 1];
  int try_getopt, has_begun;
  struct argp_state state;
};

static const struct argp_option default_options[] = {
    {"help", '?', 0, 0, "Give this help list", -1},
    {"usage", KEY_USAGE, 0, 0, "Give a short usage message", 0},
    {"program-name", KEY_PROGRAM_NAME, "NAME", OPTION_HIDDEN, "Set the program name", 0},
    {0},
};

static error_t parse_default(int key, char *argument, struct argp_state *state) {
  if (key == '?') argp_state_help(state, state->out_stream, ARGP_HELP_STD_HELP);
  else if (key == KEY_USAGE) argp_state_help(state, state->out_stream, ARGP_HELP_USAGE | ARGP_HELP_EXIT_OK);
  else if (key == KEY_PROGRAM_NAME) state->name = program_invocation_name = argument;
  else return ARGP_ERR_UNKNOWN;
  return 0;
}

static const struct argp default_argp = {.options = default_options, .parser = parse_default};

static const struct argp_option version_options[] = {{"version", 'V', 0, 0, "Print program version", -1}, {0}};

static error_t parse_version(int key, char *argument, struct argp_state *state) {
  (void)argument;
  if (key != 'V') return ARGP_ERR_UNKNOWN;
  if (argp_program_version_hook) argp_program_version_hook(state->out_stream, state);
  else fprintf(state->out_stream, "%s\n", argp_program_version);
  if (!(state->flags & ARGP_NO_EXIT)) exit(0);
  return 0;
}

static const struct argp version_argp = {.options = version_options, .parser = parse_version};

static void count(const struct argp *argp, size_t *groups, size_t *options) {
  ++*groups;
  for (const struct argp_option *option = argp->options; option && !__rz_argp_is_end(option); option++) ++*options;
  for (const struct argp_child *child = argp->children; child && child->argp; child++) count(child->argp, groups, options);
}

static int has_long(const struct parser *parser, const char *name) {
  for (size_t i = 0; i < parser->long_count; i++)
    if (strcmp(parser->long_options[i].name, name) == 0) return 1;
  return 0;
}

static void add_option(struct parser *parser, struct group *group, const struct argp_option *option,
                       const struct argp_option *real) {
  if (real->flags & OPTION_DOC) return;
  const int has_argument = !real->arg ? no_argument : real->flags & OPTION_ARG_OPTIONAL ? optional_argument : required_argument;
  if (__rz_argp_is_short(option) && !parser->short_groups[option->key]) {
    parser->short_groups[option->key] = group;
    char text[] = {(char)option->key, ':', ':', 0};
    strncat(parser->short_options, text, 1 + (size_t)has_argument);
  }
  if (!option->name || has_long(parser, option->name)) return;
  const int key = option->key ? option->key : real->key;
  const int value = (key & KEY_MASK) | (int)(group - parser->groups + 1) << KEY_BITS;
  parser->long_options[parser->long_count++] = (struct option){option->name, has_argument, 0, value};
}

static void add_group(struct parser *parser, const struct argp *argp, struct group *parent, unsigned place) {
  struct group *group = parser->groups + parser->group_count++;
  *group = (struct group){.argp = argp, .parent = parent, .place = place};
  const struct argp_option *real = argp->options;
  for (const struct argp_option *option = real; option && !__rz_argp_is_end(option); option++) {
    if (!(option->flags & OPTION_ALIAS)) real = option;
    add_option(parser, group, option, real);
  }
  unsigned children = 0;
  while (argp->children && argp->children[children].argp) children++;
  if (children > 0) group->child_inputs = calloc(children, sizeof *group->child_inputs);
  for (unsigned i = 0; i < children; i++) add_group(parser, argp->children[i].argp, group, i);
}

static error_t call(struct parser *parser, struct group *group, int key, char *argument) {
  if (!group->argp->parser) return ARGP_ERR_UNKNOWN;
  struct argp_state *state = &parser->state;
  state->hook = group->hook;
  state->input = group->input;
  state->child_inputs = group->child_inputs;
  state->arg_num = group->processed;
  const error_t error = group->argp->parser(key, argument, state);
  group->hook = state->hook;
  return error;
}

/* Calls every parser, the last first or the first first, until one fails. */
static error_t call_all(struct parser *parser, int key, int is_backwards) {
  error_t error = 0;
  for (size_t i = 0; i < parser->group_count && (error == 0 || error == ARGP_ERR_UNKNOWN); i++)
    error = call(parser, parser->groups + (is_backwards ? parser->group_count - 1 - i : i), key, 0);
  return error == ARGP_ERR_UNKNOWN ? 0 : error;
}

/* An argp without a parser hands its input to its first child. */
static error_t initialize(struct parser *parser, void *input) {
  parser->groups[0].input = input;
  error_t error = 0;
  for (size_t i = 0; i < parser->group_count && (error == 0 || error == ARGP_ERR_UNKNOWN); i++) {
    struct group *group = parser->groups + i;
    if (group->parent) group->input = group->parent->child_inputs[group->place];
    if (!group->argp->parser && group->child_inputs) group->child_inputs[0] = group->input;
    error = call(parser, group, ARGP_KEY_INIT, 0);
  }
  return error == ARGP_ERR_UNKNOWN ? 0 : error;
}

static error_t parse_argument(struct parser *parser, char *argument) {
  struct argp_state *state = &parser->state;
  const int index = --state->next;
  error_t error = ARGP_ERR_UNKNOWN;
  int key = ARGP_KEY_ARG;
  struct group *group = parser->groups;
  for (struct group *each = group; each < parser->groups + parser->group_count && error == ARGP_ERR_UNKNOWN; each++) {
    group = each;
    state->next++;
    key = ARGP_KEY_ARG;
    error = call(parser, group, key, argument);
    if (error != ARGP_ERR_UNKNOWN) continue;
    state->next--;
    key = ARGP_KEY_ARGS;
    error = call(parser, group, key, 0);
  }
  if (error) return error;
  if (key == ARGP_KEY_ARGS) state->next = state->argc;
  if (state->next > index) group->processed += (unsigned)(state->next - index);
  else parser->try_getopt = 1;
  return 0;
}

static error_t parse_option(struct parser *parser, int option, char *argument) {
  const int number = option >> KEY_BITS;
  struct group *group = number ? parser->groups + number - 1 : parser->short_groups[(unsigned char)option];
  const int key = number ? (int)((unsigned)option << (32 - KEY_BITS)) >> (32 - KEY_BITS) : option;
  const error_t error = group ? call(parser, group, key, argument) : ARGP_ERR_UNKNOWN;
  if (error != ARGP_ERR_UNKNOWN) return error;
  const char *name = "";
  for (size_t i = 0; i < parser->long_count; i++)
    if (parser->long_options[i].val == option) name = parser->long_options[i].name;
  const char *why = "(PROGRAM ERROR) Option should have been recognized!?";
  if (number) argp_error(&parser->state, "--%s: %s", name, why);
  else argp_error(&parser->state, "-%c: %s", option, why);
  return error;
}

/* One option or argument. `*is_argument` says, with ARGP_ERR_UNKNOWN, that no parser took it. */
static error_t parse_next(struct parser *parser, int *is_argument) {
  struct argp_state *state = &parser->state;
  int option = -1;
  *is_argument = 0;
  if (state->quoted && state->next < state->quoted) state->quoted = 0;
  if (parser->try_getopt && !state->quoted) {
    optind = parser->has_begun ? state->next : 0;
    parser->has_begun = 1;
    optopt = -1;
    option = (state->flags & ARGP_LONG_ONLY ? getopt_long_only
                                            : getopt_long)(state->argc, state->argv, parser->short_options,
                                                           parser->long_options, 0);
    state->next = optind;
    if (option == -1) {
      parser->try_getopt = 0;
      if (state->next > 1 && strcmp(state->argv[state->next - 1], "--") == 0) state->quoted = state->next;
    } else if (option == '?' && optopt != -1) {
      return ARGP_ERR_UNKNOWN;
    }
  }
  if (option != -1 && option != 1) return parse_option(parser, option, optarg);
  *is_argument = 1;
  if (option == 1) return parse_argument(parser, optarg);
  if (state->next >= state->argc || state->flags & ARGP_NO_ARGS) return ARGP_ERR_UNKNOWN;
  return parse_argument(parser, state->argv[state->next++]);
}

/* All options are read: what is left, and what the parsers say to the end. */
static error_t end(struct parser *parser, int *end_index) {
  struct argp_state *state = &parser->state;
  if (end_index) *end_index = state->next;
  if (state->next < state->argc) {
    if (end_index) return 0;
    if (!(state->flags & ARGP_NO_ERRS)) fprintf(state->err_stream, "%s: Too many arguments\n", state->name);
    return ARGP_ERR_UNKNOWN;
  }
  error_t error = 0;
  for (size_t i = 0; i < parser->group_count && (error == 0 || error == ARGP_ERR_UNKNOWN); i++)
    if (parser->groups[i].processed == 0) error = call(parser, parser->groups + i, ARGP_KEY_NO_ARGS, 0);
  return error && error != ARGP_ERR_UNKNOWN ? error : call_all(parser, ARGP_KEY_END, 1);
}

static error_t run(struct parser *parser, void *input, int *end_index) {
  struct argp_state *state = &parser->state;
  error_t error = initialize(parser, input);
  if (error) return error;
  int is_argument = 0;
  parser->try_getopt = 1;
  while (!error) error = parse_next(parser, &is_argument);
  if (error == ARGP_ERR_UNKNOWN && is_argument) error = end(parser, end_index);
  if (error == ARGP_ERR_UNKNOWN) argp_state_help(state, state->err_stream, ARGP_HELP_STD_ERR);
  if (error) {
    for (size_t i = 0; i < parser->group_count; i++) call(parser, parser->groups + i, ARGP_KEY_ERROR, 0);
  } else {
    error = call_all(parser, ARGP_KEY_SUCCESS, 1);
  }
  for (size_t i = parser->group_count; i-- > 0;) call(parser, parser->groups + i, ARGP_KEY_FINI, 0);
  return error == ARGP_ERR_UNKNOWN ? EINVAL : error;
}

static error_t parse_tree(const struct argp *root, int argc, char **argv, unsigned flags, int *end_index, void *input) {
  struct parser parser = {0};
  size_t groups = 0, options = 0;
  count(root, &groups, &options);
  parser.groups = calloc(groups, sizeof *parser.groups);
  parser.short_options = calloc(1, 3 * options + 2);
  parser.long_options = calloc(options + 1, sizeof *parser.long_options);
  error_t error = ENOMEM;
  if (parser.groups && parser.short_options && parser.long_options) {
    if (flags & ARGP_IN_ORDER) strcpy(parser.short_options, "-");
    else if (flags & ARGP_NO_ARGS) strcpy(parser.short_options, "+");
    add_group(&parser, root, 0, 0);
    parser.state = (struct argp_state){.root_argp = root,
                                       .argc = argc,
                                       .argv = argv,
                                       .flags = flags,
                                       .err_stream = stderr,
                                       .out_stream = stdout,
                                       .pstate = &parser};
    opterr = !(flags & ARGP_NO_ERRS);
    if (!opterr && flags & ARGP_PARSE_ARGV0) parser.state.argv--, parser.state.argc++;
    const char *slash = argc > 0 && argv[0] ? strrchr(argv[0], '/') : 0;
    parser.state.name = slash ? (char *)slash + 1 : argc > 0 && argv[0] ? argv[0] : program_invocation_short_name;
    parser.state.next = 1;
    error = run(&parser, input, end_index);
  }
  for (size_t i = 0; i < parser.group_count; i++) free(parser.groups[i].child_inputs);
  free(parser.groups);
  free(parser.short_options);
  free(parser.long_options);
  return error;
}

error_t argp_parse(const struct argp *restrict argp, int argc, char **restrict argv, unsigned flags, int *restrict end_index,
                   void *restrict input) {
  if (flags & ARGP_NO_HELP) return parse_tree(argp, argc, argv, flags, end_index, input);
  static const struct argp nothing;
  const int has_version = argp_program_version || argp_program_version_hook;
  const struct argp_child children[] = {{argp ? argp : &nothing, 0, 0, 0}, {&default_argp, 0, 0, 0}, {has_version ? &version_argp : 0, 0, 0, 0}, {0}};
  const struct argp top = {.children = children};
  return parse_tree(&top, argc, argv, flags, end_index, input);
}

void *__rz_argp_input(const struct argp *argp, const struct argp_state *state) {
  const struct parser *parser = state ? state->pstate : 0;
  for (size_t i = 0; parser && i < parser->group_count; i++)
    if (parser->groups[i].argp == argp) return parser->groups[i].input;
  return 0;
}
