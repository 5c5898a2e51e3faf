#include <stdio.h>

#include "sqlite3.h"

static void run(sqlite3 *db, const char *sql) {
  char *message = NULL;
  if (sqlite3_exec(db, sql, NULL, NULL, &message) != SQLITE_OK) puts(message);
}

int main(void) {
  sqlite3 *db;
  sqlite3_stmt *statement;
  if (sqlite3_open(":memory:", &db) != SQLITE_OK) return 1;
  run(db, "create table t (id integer primary key, name text, size real); begin");
  sqlite3_prepare_v2(db, "insert into t (name, size) values (?, ?)", -1, &statement, NULL);
  for (int i = 0; i < 20000; i++) {
    char name[32];
    snprintf(name, sizeof name, "name %d", i * 7919 % 5000);
    sqlite3_bind_text(statement, 1, name, -1, SQLITE_TRANSIENT);
    sqlite3_bind_double(statement, 2, i / 3.0);
    sqlite3_step(statement);
    sqlite3_reset(statement);
  }
  sqlite3_finalize(statement);
  run(db, "commit; create index by_name on t (name)");
  sqlite3_prepare_v2(db, "select name, count(*), sum(size) from t where name like '%7%' group by name order by 3 desc limit 5", -1,
                     &statement, NULL);
  while (sqlite3_step(statement) == SQLITE_ROW)
    printf("%s %d %.3f\n", sqlite3_column_text(statement, 0), sqlite3_column_int(statement, 1), sqlite3_column_double(statement, 2));
  sqlite3_finalize(statement);
  sqlite3_close(db);
  return 0;
}
