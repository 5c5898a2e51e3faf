/* SQLite: the input is a text of SQL, run on an empty database in memory for a limited time. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sqlite3.h"

static int is_over(void *left) { return --*(int *)left <= 0; }

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  sqlite3 *db;
  int left = 40;
  if (sqlite3_open(":memory:", &db) != SQLITE_OK) return sqlite3_close(db), 0;
  sqlite3_progress_handler(db, 100, is_over, &left);
  sqlite3_limit(db, SQLITE_LIMIT_LENGTH, 20000);
  char *sql = malloc(size + 1);
  memcpy(sql, data, size);
  sql[size] = 0;
  sqlite3_exec(db, sql, NULL, NULL, NULL);
  free(sql);
  sqlite3_close(db);
  return 0;
}
