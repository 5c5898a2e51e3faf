#ifndef _GETOPT_H
#define _GETOPT_H 1

#ifdef __cplusplus
extern "C" {
#endif

struct option {
  const char *name;
  int has_arg;
  int *flag;
  int val;
};

#define no_argument 0
#define required_argument 1
#define optional_argument 2

extern char *optarg;
extern int optind, opterr, optopt;

int getopt(int __argc, char *const __argv[], const char *__options);
int getopt_long(int __argc, char *const __argv[], const char *__options, const struct option *__long,
                int *__index);
int getopt_long_only(int __argc, char *const __argv[], const char *__options, const struct option *__long,
                     int *__index);

#ifdef __cplusplus
}
#endif

#endif
