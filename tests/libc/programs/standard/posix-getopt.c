/* <getopt.h>: permuting, clusters, long options, abbreviations. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int flag;
static const struct option long_options[] = {
    {"add", required_argument, NULL, 'a'}, {"append", no_argument, NULL, 'p'}, {"verbose", no_argument, &flag, 7},
    {"optional", optional_argument, NULL, 'o'}, {NULL, 0, NULL, 0},
};

static void scan(const char *options, int kind, const char *line) {
  char text[200], *argv[20];
  int argc = 0, code;
  strcpy(text, line);
  argv[argc++] = "program";
  for (char *word = strtok(text, " "); word; word = strtok(NULL, " ")) argv[argc++] = word;
  argv[argc] = NULL;
  optind = 0;
  opterr = 0;
  flag = 0;
  printf("%d '%s' %s:", kind, options, line);
  do {
    int index = -1;
    code = kind == 0   ? getopt(argc, argv, options)
           : kind == 1 ? getopt_long(argc, argv, options, long_options, &index)
                       : getopt_long_only(argc, argv, options, long_options, &index);
    printf(" [%d", code);
    if (optarg) printf(" %s", optarg);
    if (index >= 0) printf(" #%d", index);
    if (code == '?' || code == ':') printf(" opt %d", optopt);
    printf("]");
  } while (code != -1);
  printf(" flag %d rest", flag);
  for (int i = optind; i < argc; i++) printf(" %s", argv[i]);
  printf("\n");
}

int main(void) {
  scan("ab:c::", 0, "-a -b value -cx file");
  scan("ab:c::", 0, "file -a other -bvalue last -c");
  scan("+ab:", 0, "-a file -b x");
  scan("-ab:", 0, "file -a other");
  scan(":ab:", 0, "-x -b");
  scan("ab:", 0, "-x -b");
  scan("abc", 0, "-abc -- -a");
  scan("abc", 0, "-ab - x");
  scan("ab:", 1, "--add=1 --add 2 -b x --append file --verbose");
  scan("ab:", 1, "--app --ad 3 --verb --opt --opt=5");
  scan("ab:", 1, "--a --unknown --append=5 --add");
  scan(":ab:", 1, "--add");
  scan("ab:v", 2, "-add 5 -v -verbose -b x -append");
  scan("ab:W;", 1, "-W add=5 -Wappend");
  return 0;
}
