/* argp.h: options of a tree of parsers, their messages, and what is left. */
#include <argp.h>
#include <stdlib.h>
#include <string.h>

const char *argp_program_version = "tool 1.2";
const char *argp_program_bug_address = "<bugs@example.org>";

static const char doc[] =
    "tool -- a program with a description that has to be broken somewhere before the eightieth column of the line\v"
    "Options may stand before and after arguments, and this text is long enough to need a second line as well.\n\n"
    "Last paragraph.";

static const struct argp_option options[] = {
    {"verbose", 'v', 0, 0, "Produce verbose output", 0},
    {"quiet", 'q', 0, 0, "Don't produce any output", 0},
    {"silent", 's', 0, OPTION_ALIAS, 0, 0},
    {"output", 'o', "FILE", 0, "Output to FILE instead of standard output, with a text that is longer than its column", 0},
    {0, 0, 0, 0, "The following options should be grouped together, with a header that is longer than a line:", 0},
    {"repeat", 'r', "COUNT", OPTION_ARG_OPTIONAL, "Repeat the output COUNT (default 10) times", 0},
    {"abort", 300, 0, 0, "Abort before showing any output", 0},
    {"a-very-long-option-name-here", 301, "WITH-ARGUMENT", 0, "Doc", 0},
    {"exactly-twenty-1", 302, "X", 0, "Doc b", 0},
    {0, 'x', "N", 0, "Only a letter", 0},
    {0, 'y', "N", OPTION_ARG_OPTIONAL, "Only a letter, optional", 0},
    {"hidden", 303, 0, OPTION_HIDDEN, "never", 0},
    {"nousage", 'n', 0, OPTION_NO_USAGE, "not in usage", 0},
    {"some words", 0, 0, OPTION_DOC, "Documentation of some words", 0},
    {0, 0, 0, 0, "Last group", 5},
    {"zeta", 'z', 0, 0, "Z", 0},
    {"Zulu", 'Z', 0, 0, "Zulu", 0},
    {0}};

static const struct argp_option child_options[] = {
    {"child", 'c', "ARG", 0, "A child's option", 0}, {"kid", 400, 0, 0, "no letter", 0}, {0}};

static error_t parse_child(int key, char *argument, struct argp_state *state) {
  if (key == 'c') printf("child %s input %s\n", argument, (char *)state->input);
  else if (key == 400) puts("kid");
  else return ARGP_ERR_UNKNOWN;
  return 0;
}

static void parse_argument(char *argument, struct argp_state *state) {
  if (state->arg_num >= 3) argp_usage(state);
  if (strcmp(argument, "fail") == 0) argp_failure(state, 7, ENOENT, "cannot open %s", argument);
  if (strcmp(argument, "wrong") == 0) argp_error(state, "bad %s", argument);
  printf("argument %u %s\n", state->arg_num, argument);
  if (strcmp(argument, "rest") == 0) state->next = state->argc;
}

static error_t parse(int key, char *argument, struct argp_state *state) {
  switch (key) {
  case ARGP_KEY_INIT:
    state->child_inputs[0] = state->input;
    state->err_stream = stdout;
    break;
  case ARGP_KEY_ARG: parse_argument(argument, state); break;
  case ARGP_KEY_NO_ARGS: puts("no arguments"); break;
  case ARGP_KEY_END: printf("end %u\n", state->arg_num); break;
  case ARGP_KEY_SUCCESS: puts("success"); break;
  case ARGP_KEY_ERROR: puts("error"); break;
  case ARGP_KEY_FINI: puts("finished"); break;
  default:
    if (key >= 0x1000000 || key == 'c') return ARGP_ERR_UNKNOWN;
    printf("key %d %s\n", key, argument ? argument : "-");
  }
  return 0;
}

static char *filter(int key, const char *text, void *input) {
  if (key == ARGP_KEY_HELP_EXTRA) return strdup(input ? (char *)input : "Extra text.");
  if (key == 400) return strdup("another description");
  return (char *)text;
}

static const struct argp child_argp = {child_options, parse_child, "CHILDARG", "Child doc.\vChild post doc.", 0, filter, 0};
static const struct argp_child children[] = {{&child_argp, 0, "Child options:", 3}, {0}};
static const struct argp argp = {options, parse, "IN OUT\n--list\nNAME...", doc, children, 0, 0};

static void try(const char *line, unsigned flags, int with_end) {
  char text[200], *arguments[20] = {"dir/tool"};
  int count = 1, end = -1;
  strcpy(text, line);
  for (char *word = strtok(text, " "); word; word = strtok(NULL, " ")) arguments[count++] = word;
  printf("[%s] %u\n", line, flags);
  error_t error = argp_parse(&argp, count, arguments, flags | ARGP_NO_EXIT, with_end ? &end : NULL, "an input");
  printf("%d %d", error, end);
  for (int i = 1; i < count; i++) printf(" %s", arguments[i]);
  puts("\n");
}

int main(void) {
  static const char *const lines[] = {"--help", "--usage", "-V", "-v a b", "a -o f b -- -v", "--output=x -r5 -r --repeat=3", "a b c d",
                                      "fail", "wrong", "", "a rest -v q", "-c x --kid", "--verb -zZ", "-y -y4 -x 3"};
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) try(lines[i], 0, 0);
  for (unsigned flags = ARGP_NO_ARGS; flags <= ARGP_LONG_ONLY; flags *= 2) try("-v a -z", flags, flags == ARGP_NO_ARGS);
  try("--bogus", ARGP_NO_ERRS, 0);
  try("a -v", ARGP_NO_ARGS, 0);
  argp_help(&argp, stdout, ARGP_HELP_SHORT_USAGE | ARGP_HELP_SEE, "name");
  return 0;
}
