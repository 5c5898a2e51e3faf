#include <stdio.h>
#include <string.h>

static void read_name(char *to, size_t n) { snprintf(to, n, "x'; drop table users"); }

static void quote(char *text) {
  for (; *text; text++)
    if (*text == '\'') *text = ' ';
}

static void run_query(const char *query) { puts(query); }

int main(void) {
  char name[32], query[96];
  read_name(name, sizeof name);
  snprintf(query, sizeof query, "select * from users where name = '%s'", name);
  run_query(query);
  quote(name);
  snprintf(query, sizeof query, "select * from users where name = '%s'", name);
  run_query(query);
  return 0;
}
