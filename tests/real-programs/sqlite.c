/* Runs the SQL script on its standard input against the database that is named, and prints every row. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sqlite3.h"

static int print_row(void *unused, int columns, char **values, char **names) {
  (void)unused, (void)names;
  for (int i = 0; i < columns; i++) printf("%s%s", i ? "|" : "", values[i] ? values[i] : "NULL");
  printf("\n");
  return 0;
}

int main(int argc, char **argv) {
  static char script[1 << 16];
  size_t length = fread(script, 1, sizeof script - 1, stdin);
  script[length] = 0;
  sqlite3 *db;
  if (sqlite3_open(argc > 1 ? argv[1] : ":memory:", &db) != SQLITE_OK) {
    fprintf(stderr, "cannot open: %s\n", sqlite3_errmsg(db));
    return 1;
  }
  char *message = NULL;
  if (sqlite3_exec(db, script, print_row, NULL, &message) != SQLITE_OK) {
    printf("error: %s\n", message);
    sqlite3_free(message);
  }
  printf("changes %d\n", sqlite3_total_changes(db));
  return sqlite3_close(db) == SQLITE_OK ? 0 : 2;
}
