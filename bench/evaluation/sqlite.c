/* Evaluates an expression that is read from standard input, with SQLite. */
#include <stdio.h>
#include <string.h>
#include "sqlite3.h"

int main(void) {
  char text[64] = "SELECT 1 ";
  size_t n = strlen(text) + fread(text + strlen(text), 1, 16, stdin);
  text[n] = 0;
  sqlite3 *database;
  if (sqlite3_open(":memory:", &database) != SQLITE_OK) return 2;
  sqlite3_stmt *statement;
  int result = sqlite3_prepare_v2(database, text, -1, &statement, NULL);
  if (result == SQLITE_OK && sqlite3_step(statement) == SQLITE_ROW) result = 100 + sqlite3_column_int(statement, 0);
  sqlite3_finalize(statement);
  sqlite3_close(database);
  return result;
}
